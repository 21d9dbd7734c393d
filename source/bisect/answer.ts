import type { BisectAnswer } from '../run/bisect-events.js';
import type { Hypothesis, Posterior } from './posterior.js';

/** What is believed at one point of a bisect. */
export interface Belief {
  leader: BisectAnswer;
  /** Probability that it is not the prompt. */
  notThePrompt: number;
  /** Per hunk, the probability that it is guilty, alone or with others. */
  hunks: readonly number[];
}

/**
 * Sums up a posterior. One hunk is the right answer where it is guilty alone, and where it is one of several that must
 * all be there: reverting it is the whole cure.
 */
export function beliefOf(posterior: Posterior, hunks: number): Belief {
  const guilty = new Array<number>(hunks).fill(0);
  const cures = new Array<number>(hunks).fill(0);
  let notThePrompt = 0;
  let leader: BisectAnswer = { hunks: [], belief: 0 };
  for (const { hunks: set, belief, needsAll } of posterior) {
    if (set.length === 0) notThePrompt = belief;
    if (set.length !== 1 && belief > leader.belief) leader = { hunks: set, belief };
    for (const hunk of set) {
      guilty[hunk] = (guilty[hunk] ?? 0) + belief;
      cures[hunk] = (cures[hunk] ?? 0) + belief * needsAll;
    }
  }
  for (const [hunk, belief] of cures.entries())
    if (belief > leader.belief) leader = { hunks: [hunk], belief };
  return { leader, notThePrompt, hunks: guilty };
}

/** How much an answer is believed: the probability that it is right, as `beliefOf` has it of its leader. */
export function beliefIn(posterior: Posterior, answer: Pick<BisectAnswer, 'hunks'>): number {
  return posterior.reduce(
    (sum, hypothesis) => sum + hypothesis.belief * (rightShare(hypothesis, answer)?.share ?? 0),
    0,
  );
}

/** The share of a hypothesis in which an answer is right, and the pass rates by applied hunks in that case. */
export function rightShare(
  { hunks, needsAll, needsAllLevels, levels }: Hypothesis,
  answer: Pick<BisectAnswer, 'hunks'>,
): { share: number; level: (applied: number) => number } | undefined {
  const [first] = answer.hunks;
  if (answer.hunks.length === 1 && first !== undefined) {
    if (!hunks.includes(first) || needsAll === 0) return undefined;
    const [good, bad] = needsAllLevels;
    return { share: needsAll, level: (applied) => (applied === hunks.length ? bad : good) };
  }
  if (hunks.join() !== answer.hunks.join()) return undefined;
  return { share: 1, level: (applied) => levels[applied] ?? 0 };
}
