import { z } from 'zod';
import { defineCheck } from '../define.js';
import { blankMistakes, firstWords } from './arguments.js';
import { gradeByJudge } from './judged.js';

const argsSchema = z.strictObject({
  rubric: z.string().min(1).describe('What the replies have to do, in words.'),
  fact: z
    .string()
    .min(1)
    .optional()
    .describe('What is true in this case, for the judge to hold the replies against.'),
  min_score: z
    .int()
    .min(1)
    .max(5)
    .optional()
    .describe('The judge gives 1 to 5, and this many are needed. Not given: it says pass or fail.'),
});
type Args = z.infer<typeof argsSchema>;

export const judge = defineCheck<Args>({
  type: 'judge',
  kind: 'judged',
  summary: 'A judge model grades the replies by a rubric, as pass or fail or with a score of 1 to 5.',
  schema: argsSchema,
  example: {
    rubric: 'Offers store credit. Does not promise money back.',
    fact: 'The refund window is 30 days.',
    min_score: 4,
  },
  defaultOn: 'replies',
  asksFor: 'judge',
  mainArgument: (args) => firstWords(args.rubric),
  validate: (args) => [...blankMistakes(args.rubric, ['rubric']), ...blankMistakes(args.fact, ['fact'])],
  grade(args, context, spec) {
    const scale = args.min_score === undefined ? 'pass-fail' : 'score';
    return gradeByJudge(
      {
        task: {
          kind: 'judge',
          rubric: args.rubric,
          scale,
          ...(args.fact !== undefined && { fact: args.fact }),
        },
        minScore: args.min_score,
        passes: (verdict) => verdict.pass,
      },
      context,
      spec,
    );
  },
});
