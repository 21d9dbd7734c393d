import { z } from 'zod';
import { ModelError } from '../../model/types.js';
import { defineCheck } from '../define.js';
import { oneLine } from '../quote.js';
import { hasNoText, nothingToRead, selectTurns, undecided } from '../turns.js';
import type { AskJudge, CheckOutcome, JudgeQuestion, JudgeVerdict } from '../types.js';

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

/** Characters of a judge's reason that the check's own reason repeats; the verdict keeps all of it. */
const longestReason = 600;

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
  mainArgument: (args) => oneLine(args.rubric.split(/\s+/u).slice(0, 5).join(' '), 60),
  validate: (args) =>
    args.rubric.trim() === '' ? [{ path: ['rubric'], message: 'the rubric is blank' }] : [],
  async grade(args, context, spec) {
    if (!context.askJudge) return { verdict: 'unknown', reason: 'the suite names no judge' };
    const on = spec.on ?? 'replies';
    const selection = selectTurns(context.transcript, on);
    if (selection.open) return undecided(selection.open);
    // No judge is asked about nothing: it would find nothing wrong with it.
    const [first] = selection.turns;
    if (first && selection.turns.every(hasNoText)) return nothingToRead(first);
    const answer = await askOrExplain(context.askJudge, {
      rubric: args.rubric,
      ...(args.fact !== undefined && { fact: args.fact }),
      scale: args.min_score === undefined ? 'pass-fail' : 'score',
      transcript: context.transcript,
      on,
      seed: `${context.seed}/judge/${spec.id}`,
      ...(context.signal && { signal: context.signal }),
    });
    if (typeof answer === 'string') return { verdict: 'unknown', reason: answer };
    const { verdict, usage } = answer;
    const evidence = on === 'replies' ? [] : selection.turns.map((turn) => ({ turn: turn.index }));
    return { ...outcomeOf(verdict, args.min_score), evidence, judge: verdict, judgeUsage: usage };
  },
});

/**
 * Asks the judge; the text says why it could not be asked. Only errors that lie in the question itself are taken
 * as that: a conversation that is too long for the judge, or that its provider refuses to process. Every other
 * ModelError (a key, a rate limit, the network) says nothing of the trial and is thrown on, for the run to handle.
 */
async function askOrExplain(
  askJudge: AskJudge,
  question: JudgeQuestion,
): Promise<Awaited<ReturnType<AskJudge>> | string> {
  try {
    return await askJudge(question);
  } catch (error) {
    const isAboutQuestion =
      error instanceof ModelError && (error.kind === 'too-long' || error.kind === 'bad-request');
    if (!isAboutQuestion) throw error;
    return `the judge could not be asked: ${oneLine(error.message)}`;
  }
}

/** A verdict without the value that was asked for is unknown: what is missing is never a pass, nor a fail. */
function outcomeOf(verdict: JudgeVerdict, minScore: number | undefined): CheckOutcome {
  const why = oneLine(verdict.reason, longestReason);
  if (minScore === undefined) {
    if (verdict.pass === undefined) return { verdict: 'unknown', reason: why };
    return { verdict: verdict.pass ? 'pass' : 'fail', reason: why || 'the judge gave no reason' };
  }
  if (verdict.score === undefined) return { verdict: 'unknown', reason: why };
  const needed = verdict.score >= minScore ? '' : `, needs ${minScore}`;
  return {
    verdict: verdict.score >= minScore ? 'pass' : 'fail',
    reason: `${verdict.score} of 5${needed}: ${why || 'the judge gave no reason'}`,
    score: verdict.score,
  };
}
