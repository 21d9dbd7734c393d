import { createRandom, type Random } from '../base/random.js';
import type { Belief } from './answer.js';
import { addNeeded, type Candidate, candidateOf, flippedWith, type Needs } from './candidate.js';
import { type Evidence, isUntestable } from './evidence.js';
import { createProbe, type Probe } from './information.js';
import type { Posterior } from './posterior.js';

/** A candidate, and what a trial of it is expected to say, in bits. */
export interface Choice {
  candidate: Candidate;
  gain: number;
}

export interface ChoiceQuestion {
  posterior: Posterior;
  belief: Belief;
  needs: Needs;
  evidence: Evidence;
  seed: string;
}

/** Once an answer is believed this much, trials are chosen by what they say about it. */
const aboutLeaderFrom = 0.5;
/** A prompt that was built before is preferred to one that says at most 2 % more. */
const builtBefore = 0.98;
const mostRounds = 12;

/**
 * The candidate whose trial says most: climbed to, hunk by hunk, from a few seeds. Undefined where none is left that can
 * be graded. The same question gives the same choice.
 */
export function chooseCandidate({
  posterior,
  belief,
  needs,
  evidence,
  seed,
}: ChoiceQuestion): Choice | undefined {
  const { hunks } = needs;
  const { leader } = belief;
  const trials = evidence.tested.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  const random = createRandom('bisect', seed, trials);
  const probe = createProbe(posterior, hunks, leader.belief >= aboutLeaderFrom ? leader : undefined);
  let best: Choice | undefined;
  const consider = () => {
    const gain = probe.gain();
    if (best && gain <= best.gain) return;
    const candidate = candidateOf(probe.applied);
    if (!isUntestable(evidence, candidate)) best = { candidate, gain };
  };
  for (const start of seedsOf(belief, hunks, random)) {
    addNeeded(start, needs);
    probe.set(start);
    // Where the top of a climb cannot be graded, its start perhaps can.
    consider();
    climb(probe, needs, random);
    consider();
  }
  let built: Choice | undefined;
  for (const { applied, candidate } of evidence.tested) {
    if (isUntestable(evidence, candidate)) continue;
    probe.set(applied);
    const gain = probe.gain();
    if (!built || gain > built.gain) built = { candidate, gain };
  }
  return built && (!best || built.gain >= builtBefore * best.gain) ? built : best;
}

/** A, B, the suspects alone and all but them, halves by belief, and one that is drawn. */
function seedsOf({ hunks: beliefs, leader }: Belief, hunks: number, random: Random): Uint8Array[] {
  const bySuspicion = beliefs.map((_, hunk) => hunk).sort((a, b) => (beliefs[b] ?? 0) - (beliefs[a] ?? 0));
  const maskOf = (chosen: Iterable<number>) => {
    const applied = new Uint8Array(hunks);
    for (const hunk of chosen) applied[hunk] = 1;
    return applied;
  };
  const othersOf = (applied: Uint8Array) => applied.map((one) => 1 - one);
  let sum = 0;
  const half = maskOf(
    bySuspicion.filter((hunk) => {
      const isIn = sum < 0.5;
      sum += beliefs[hunk] ?? 0;
      return isIn;
    }),
  );
  const masks = [maskOf([]), othersOf(maskOf([])), half, othersOf(half)];
  if (leader.hunks.length > 0) masks.push(maskOf(leader.hunks), othersOf(maskOf(leader.hunks)));
  masks.push(maskOf(bySuspicion.filter((_, place) => place % 2 === 0)));
  masks.push(Uint8Array.from(beliefs, () => (random.next() < 0.5 ? 1 : 0)));
  return masks;
}

/** Flips hunks as long as that says more, in an order that is drawn. */
function climb(probe: Probe, needs: Needs, random: Random): void {
  const order = Array.from({ length: needs.hunks }, (_, hunk) => hunk);
  let gain = probe.gain();
  for (let round = 0; round < mostRounds; round++) {
    shuffle(order, random);
    let isHigher = false;
    for (const hunk of order) {
      const together = needs.isBinding ? flippedWith(hunk, probe.applied, needs) : [hunk];
      const next = gainOfFlips(probe, together);
      if (next <= gain + 1e-9) continue;
      for (const one of together) probe.flip(one);
      gain = next;
      isHigher = true;
    }
    if (!isHigher) return;
  }
}

function gainOfFlips(probe: Probe, hunks: readonly number[]): number {
  const [only] = hunks;
  if (hunks.length === 1 && only !== undefined) return probe.gainWith(only);
  for (const hunk of hunks) probe.flip(hunk);
  const gain = probe.gain();
  for (const hunk of hunks) probe.flip(hunk);
  return gain;
}

function shuffle(order: number[], random: Random): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random.next() * (last + 1));
    const one = order[last] as number;
    order[last] = order[other] as number;
    order[other] = one;
  }
}
