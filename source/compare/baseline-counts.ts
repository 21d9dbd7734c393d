import { checkVerdict } from '../tally/verdict.js';
import type { BaselineCheck } from './baseline-schema.js';

/** What counts of trials say of a check. */
export type Expectation = Pick<BaselineCheck, 'verdict' | 'passed' | 'of' | 'score' | 'axes'>;

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

/**
 * Counts of two sets of trials of the same check under the same condition, together. Scores are medians of their trials;
 * theirs is the mean weighted by trials, for the trials themselves are not kept.
 */
export function pool(a: Expectation, b: Expectation): Expectation {
  const passed = a.passed + b.passed;
  const of = a.of + b.of;
  const score =
    a.score === undefined || b.score === undefined
      ? (a.score ?? b.score)
      : Math.round(((a.score * a.of + b.score * b.of) / of) * 100) / 100;
  return {
    verdict: verdictOfCounts(passed, of, hasWarned(a) || hasWarned(b)) ?? a.verdict,
    passed,
    of,
    ...(score !== undefined && { score }),
    ...((a.axes || b.axes) && { axes: poolAxes(a.axes, b.axes) }),
  };
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
