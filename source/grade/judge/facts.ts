import { z } from 'zod';
import { defineCheck } from '../define.js';
import type { CheckDefinition } from '../types.js';
import { blankMistakes, firstWords } from './arguments.js';
import { gradeByJudge } from './judged.js';

const argsSchema = z.strictObject({
  fact: z.string().min(1).describe('One statement, in words: the meaning counts, not the wording.'),
});
type Args = z.infer<typeof argsSchema>;

/** Both ask the judge the same: whether the replies state it. Which answer passes is ours to know. */
function factCheck(wanted: 'present' | 'absent'): CheckDefinition {
  const isPresence = wanted === 'present';
  return defineCheck<Args>({
    type: `fact_${wanted}`,
    kind: 'judged',
    summary: isPresence
      ? 'The replies state a fact, in whatever words: at least one of them.'
      : 'None of the replies states a claim, in whatever words. Unknown where a reply is empty.',
    schema: argsSchema,
    example: {
      fact: isPresence ? 'The refund window is 30 days.' : 'The customer will get the money back.',
    },
    defaultOn: 'replies',
    asksFor: 'fact',
    mainArgument: (args) => firstWords(args.fact),
    validate: (args) => blankMistakes(args.fact, ['fact']),
    grade(args, context, spec) {
      return gradeByJudge(
        {
          task: { kind: 'fact', claim: args.fact },
          passes: ({ answers }) =>
            answers?.stated === undefined ? undefined : answers.stated === isPresence,
          explain: ({ answers }) => (answers?.stated ? 'stated' : 'not stated'),
          isAbsence: !isPresence,
        },
        context,
        spec,
      );
    },
  });
}

export const factPresent = factCheck('present');
export const factAbsent = factCheck('absent');
