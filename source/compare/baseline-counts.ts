import { median } from '../grade/judge/verdicts.js';
import { checkVerdict } from '../tally/verdict.js';
import type { BaselineCheck } from './baseline-schema.js';

/** What counts of trials say of a check. */
export type Expectation = Pick<BaselineCheck, 'verdict' | 'passed' | 'of' | 'score' | 'scores' | 'axes'>;

/**
 * The verdict that counts say; undefined of none. `warned`: a trial that counts as passed was over a threshold that
 * warns, which caps the check at warn.
 */
export function verdictOfCounts(
  passed: number,
  of: number,
  warned: boolean,
): Expectation['verdict'] | undefined {
  const warn = warned && passed > 0 ? 1 : 0;
  const verdict = checkVerdict({ pass: passed - warn, warn, fail: of - passed, unknown: 0, error: 0 });
  return verdict === 'unknown' ? undefined : verdict;
}

/** Whether all trials passed and one of them warned. */
function hasWarned({ verdict, passed, of }: Pick<Expectation, 'verdict' | 'passed' | 'of'>): boolean {
  return verdict === 'warn' && passed === of;
}

/** Counts of two sets of trials of the same check under the same condition, together. */
export function pool(a: Expectation, b: Expectation): Expectation {
  const passed = a.passed + b.passed;
  const of = a.of + b.of;
  return {
    verdict: verdictOfCounts(passed, of, hasWarned(a) || hasWarned(b)) ?? a.verdict,
    passed,
    of,
    ...poolScores(a, b),
    ...((a.axes || b.axes) && { axes: poolAxes(a.axes, b.axes) }),
  };
}

type Scores = NonNullable<BaselineCheck['scores']>;

/** How many trials got which score. */
export function countScores(scores: readonly number[]): Scores {
  const counts: Scores = {};
  for (const score of scores) counts[score] = (counts[score] ?? 0) + 1;
  return counts;
}

/** What the scores were that `countScores` counted, from the lowest on. */
export function scoresCounted(counts: Scores): number[] {
  return Object.entries(counts)
    .flatMap(([score, trials]) => new Array<number>(trials).fill(Number(score)))
    .sort((a, b) => a - b);
}

/** Where one side does not say its scores one by one, the newer median stands for both. */
function poolScores(a: Expectation, b: Expectation): Pick<Expectation, 'score' | 'scores'> {
  if (a.scores && b.scores) {
    const all = [...scoresCounted(a.scores), ...scoresCounted(b.scores)];
    return all.length === 0 ? {} : { score: median(all), scores: countScores(all) };
  }
  const score = b.score ?? a.score;
  return score === undefined ? {} : { score };
}

function poolAxes(a: Axes = {}, b: Axes = {}): Axes {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    names.map((name) => {
      const [passed, of] = a[name] ?? [0, 0];
      const [morePassed, moreOf] = b[name] ?? [0, 0];
      return [name, [passed + morePassed, of + moreOf]];
    }),
  );
}

type Axes = NonNullable<BaselineCheck['axes']>;
