import type { Belief } from '../bisect/answer.js';
import { defaultPriors } from '../bisect/hypotheses.js';
import type { BisectPurpose, Watched } from '../run/bisect-events.js';
import { formatShare, inline } from './format.js';

/** `refund / offers-credit`, or the scenario alone where all of its checks are watched. */
export function watchedText({ scenario, check }: Watched): string {
  return inline(check === undefined ? scenario : `${scenario} / ${check}`);
}

/** A drop of the pass rate below which nothing is looked for, in points. */
export const smallestDropPoints = 100 * defaultPriors.rates.smallestDrop;

/** That the drop between two pass rates is too small to be looked for; undefined where it is not. */
export function smallDropText({ good, bad }: { good: number; bad: number }): string | undefined {
  // As rates are told apart: .7 and .45 are 25 points apart.
  if (good - bad >= defaultPriors.rates.smallestDrop - 1e-9) return undefined;
  return `a drop of less than ${smallestDropPoints} points is smaller than what is looked for`;
}

/** What a trial is for, in a word or two. Hunks are counted from 1. */
export function purposeText(purpose: BisectPurpose): string {
  switch (purpose.kind) {
    case 'ends':
      return 'both ends';
    case 'step':
      return `step ${purpose.hunk + 1}`;
    case 'search':
      return 'search';
    case 'confirm':
      return 'confirms';
    case 'cure':
      return 'cure check';
    case 'suite':
      return 'rest of suite';
  }
}

/** The answers that are believed most, `hunk 8 71 %, hunk 4 12 %, not the prompt 9 %`. */
export function beliefText({ hunks, notThePrompt, leader }: Belief): string {
  const answers = [
    ...hunks.map((belief, index) => ({ name: `hunk ${index + 1}`, belief })),
    { name: 'not the prompt', belief: notThePrompt },
  ];
  const most = answers
    .filter(({ belief }) => belief >= 0.02)
    .sort((one, other) => other.belief - one.belief)
    .slice(0, 4)
    .map(({ name, belief }) => `${name} ${formatBelief(belief)}`);
  const together =
    leader.hunks.length > 1
      ? [`together ${leader.hunks.map((hunk) => hunk + 1).join(' and ')} ${formatBelief(leader.belief)}`]
      : [];
  return [...most, ...together].join(', ') || 'every hunk under 2 %';
}

/** As `formatShare`; never 100 % and never 0 %, which nothing proves. */
export function formatBelief(belief: number): string {
  return formatShare(Math.min(0.99, Math.max(0.001, belief)));
}
