import type { BisectAnswer } from '../run/bisect-events.js';
import { rightShare } from './answer.js';
import type { Posterior } from './posterior.js';

/** Bits of a yes or no with this probability. */
export function entropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -(p * Math.log2(p) + (1 - p) * Math.log2(1 - p));
}

/** A candidate that can be changed hunk by hunk, and what a trial of it is expected to say. */
export interface Probe {
  readonly applied: Uint8Array;
  /** Starts again from another candidate. */
  set(applied: Uint8Array): void;
  /** Applies or reverts one hunk. */
  flip(hunk: number): void;
  /** Probability that a trial passes. */
  passes(): number;
  /** Expected information of a trial, in bits. */
  gain(): number;
  /** The same if one hunk were flipped. */
  gainWith(hunk: number): number;
}

/** Hypotheses that are believed less say nothing that could be heard. */
const negligible = 1e-5;
const levelsEach = 5;

/**
 * Expected information of trials: about which hypothesis holds, or with `about` only whether that answer is right
 * (Naghshvar and Javidi 2011 on when to turn from "which?" to "is it this one?"). Rates are taken at their expected
 * values. A flip costs as many steps as there are hypotheses with its hunk.
 */
export function createProbe(posterior: Posterior, hunks: number, about?: BisectAnswer): Probe {
  const heard = posterior.filter(({ belief }) => belief > negligible);
  const means = new Float64Array(heard.length * levelsEach);
  const entropies = new Float64Array(heard.length * levelsEach);
  const rights = new Float64Array(heard.length * levelsEach);
  const members = Array.from({ length: hunks }, (): number[] => []);
  let mass = 0;
  for (const [index, hypothesis] of heard.entries()) {
    const { belief, levels } = hypothesis;
    const right = about && rightShare(hypothesis, about);
    if (right) mass += belief * right.share;
    for (const [count, level] of levels.entries()) {
      means[index * levelsEach + count] = belief * level;
      entropies[index * levelsEach + count] = belief * entropy(level);
      if (right) rights[index * levelsEach + count] = belief * right.share * right.level(count);
    }
    for (const hunk of hypothesis.hunks) members[hunk]?.push(index * levelsEach);
  }
  const withHunk = members.map((places) => Int32Array.from(places));

  const applied = new Uint8Array(hunks);
  /** Where each hypothesis stands: its place in the tables plus how many of its hunks are applied. */
  const counts = new Uint8Array(heard.length * levelsEach);
  const sumAtNone = (table: Float64Array) =>
    heard.reduce((sum, _, index) => sum + (table[index * levelsEach] ?? 0), 0);
  const none = [sumAtNone(means), sumAtNone(entropies), sumAtNone(rights)] as const;
  let [mean, conditional, right] = none;

  function flip(hunk: number): void {
    const places = withHunk[hunk];
    if (!places) return;
    const step = applied[hunk] === 1 ? -1 : 1;
    applied[hunk] = step === 1 ? 1 : 0;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      const from = place + (counts[place] as number);
      const to = from + step;
      counts[place] = to - place;
      mean += (means[to] as number) - (means[from] as number);
      conditional += (entropies[to] as number) - (entropies[from] as number);
      right += (rights[to] as number) - (rights[from] as number);
    }
  }

  function gainOf(passes: number, left: number, ifRight: number): number {
    if (!about) return entropy(passes) - left;
    const rest = 1 - mass;
    if (mass < 1e-9 || rest < 1e-9) return 0;
    const otherwise = Math.min(1, Math.max(0, (passes - ifRight) / rest));
    return entropy(passes) - mass * entropy(ifRight / mass) - rest * entropy(otherwise);
  }

  return {
    applied,
    set(next) {
      applied.fill(0);
      counts.fill(0);
      [mean, conditional, right] = none;
      for (let hunk = 0; hunk < hunks; hunk++) if (next[hunk] === 1) flip(hunk);
    },
    flip,
    passes: () => mean,
    gain: () => gainOf(mean, conditional, right),
    gainWith(hunk) {
      const places = withHunk[hunk];
      if (!places) return 0;
      const step = applied[hunk] === 1 ? -1 : 1;
      let passes = mean;
      let left = conditional;
      let ifRight = right;
      for (let index = 0; index < places.length; index++) {
        const place = places[index] as number;
        const from = place + (counts[place] as number);
        passes += (means[from + step] as number) - (means[from] as number);
        left += (entropies[from + step] as number) - (entropies[from] as number);
        if (about) ifRight += (rights[from + step] as number) - (rights[from] as number);
      }
      return gainOf(passes, left, ifRight);
    },
  };
}
