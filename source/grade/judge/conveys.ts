import { z } from 'zod';
import { defineCheck } from '../define.js';
import { listed, quote } from '../quote.js';
import type { ArgumentMistake, JudgeVerdict } from '../types.js';
import { blankMistakes, firstWords } from './arguments.js';
import { mustField, mustNotField } from './form.js';
import { gradeByJudge } from './judged.js';

/** Each is a question of its own to the judge. */
const most = 20;

const things = (meaning: string) =>
  z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(most)])
    .optional()
    .describe(meaning);

const argsSchema = z.strictObject({
  must: things('What the replies have to convey, each in at least one of them: one text or a list.'),
  may: things('What they may convey, so that the judge does not take it for something that they must not.'),
  must_not: things('What no reply may convey: one text or a list.'),
  fact: z
    .string()
    .min(1)
    .optional()
    .describe('What is true in this case, for the judge to hold the replies against.'),
});
type Args = z.infer<typeof argsSchema>;

export const conveys = defineCheck<Args>({
  type: 'conveys',
  kind: 'judged',
  summary:
    'The replies convey all that they must and nothing that they must not, in whatever words. The judge answers for ' +
    'each thing by itself.',
  schema: argsSchema,
  example: {
    must: ['store credit is possible', 'it is valid for 12 months'],
    may: 'an apology',
    must_not: 'a promise of money back',
  },
  defaultOn: 'replies',
  asksFor: 'conveys',
  mainArgument: (args) => firstWords([...listOf(args.must), ...listOf(args.must_not)][0] ?? ''),
  validate: mistakes,
  grade(args, context, spec) {
    const must = listOf(args.must);
    const mustNot = listOf(args.must_not);
    return gradeByJudge(
      {
        task: {
          kind: 'conveys',
          must,
          mustNot,
          may: listOf(args.may),
          ...(args.fact !== undefined && { fact: args.fact }),
        },
        passes(verdict) {
          const { missing, forbidden, isComplete } = readAnswers(verdict, must, mustNot);
          return isComplete ? missing.length === 0 && forbidden.length === 0 : undefined;
        },
        explain(verdict) {
          const { missing, forbidden } = readAnswers(verdict, must, mustNot);
          const parts: string[] = [];
          if (missing.length > 0) parts.push(`not conveyed: ${list(missing)}`);
          if (forbidden.length > 0) parts.push(`conveyed, and must not be: ${list(forbidden)}`);
          return parts.join('; ');
        },
        isAbsence: mustNot.length > 0,
      },
      context,
      spec,
    );
  },
});

function readAnswers({ answers }: JudgeVerdict, must: readonly string[], mustNot: readonly string[]) {
  const musts = must.map((_, index) => answers?.[mustField(index)]);
  const mustNots = mustNot.map((_, index) => answers?.[mustNotField(index)]);
  return {
    missing: must.filter((_, index) => musts[index] === false),
    forbidden: mustNot.filter((_, index) => mustNots[index] === true),
    isComplete: [...musts, ...mustNots].every((answer) => answer !== undefined),
  };
}

function list(items: readonly string[]): string {
  return listed(
    items.map((item) => quote(item, 80)),
    3,
  );
}

function listOf(given: string | string[] | undefined): string[] {
  return given === undefined ? [] : typeof given === 'string' ? [given] : given;
}

function mistakes(args: Args): ArgumentMistake[] {
  const found: ArgumentMistake[] = [...blankMistakes(args.fact, ['fact'])];
  if (args.must === undefined && args.must_not === undefined)
    found.push({ path: [], message: 'needs must or must_not: what is to be conveyed, or is not to be' });
  for (const key of ['must', 'may', 'must_not'] as const) {
    const given = args[key];
    for (const [index, text] of listOf(given).entries())
      found.push(...blankMistakes(text, typeof given === 'string' ? [key] : [key, index]));
  }
  const both = listOf(args.must).find((text) => listOf(args.must_not).includes(text));
  if (both !== undefined)
    found.push({
      path: ['must_not'],
      message: `${quote(both, 60)} must be conveyed, too: no reply can do both`,
    });
  return found;
}
