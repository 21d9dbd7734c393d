import { contentHash } from '../../base/hash.js';
import type { CheckSpec } from '../../suite/types.js';
import { gradeTrial } from '../grade.js';
import type { AskJudge, CheckResult } from '../types.js';
import type { Label, LabelVerdict } from './types.js';

/** What the judge says of a label now. */
export interface LabelAnswer extends LabelVerdict {
  reason: string;
}

/** Questions that are asked at once. */
const atOnce = 8;

/**
 * Asks the judge about every label, as a trial would. `onAnswer` hears each as it comes. Throws ModelError when the judge
 * cannot be reached, and the signal's reason when aborted.
 */
export async function askAboutLabels(
  labels: readonly Label[],
  askJudge: AskJudge,
  onAnswer: (done: number) => void,
  signal?: AbortSignal,
): Promise<LabelAnswer[]> {
  const answers: LabelAnswer[] = [];
  let next = 0;
  let done = 0;
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const work = async () => {
    for (let at = next++; at < labels.length; at = next++) {
      const label = labels[at];
      if (!label) return;
      answers[at] = await askAbout(label, askJudge, either);
      onAnswer(++done);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, labels.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(workers);
    throw error;
  }
  return answers;
}

async function askAbout(label: Label, askJudge: AskJudge, signal: AbortSignal): Promise<LabelAnswer> {
  // The label holds the turns that are read and no others.
  const { on: _, ...check } = label.check;
  const transcript = { turns: label.turns, end: { kind: 'completed' as const }, unsent: [] };
  const context = {
    transcript,
    suiteFolder: '.',
    askJudge,
    seed: `label/${contentHash([label.rubric, label.turns])}`,
    signal,
  };
  const [result] = await gradeTrial([check satisfies CheckSpec], context, () => {});
  if (!result) throw new Error('a check gave no result');
  return answerOf(result);
}

/** What a result says, for holding it against a label. */
export function answerOf({ verdict, score, reason }: CheckResult): LabelAnswer {
  const pass = verdict === 'unknown' ? ('unknown' as const) : verdict !== 'fail';
  return { pass, ...(score !== undefined && { score }), reason };
}
