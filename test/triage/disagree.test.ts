import { expect, it } from 'vitest';
import { disagreementOf } from '../../source/triage/disagree.js';
import { findFlips } from '../../source/triage/flips.js';
import { dayAt, pastRun, pastRuns } from './support.js';

const window = { now: dayAt(20), days: 30 };
const daysOf = (found: ReturnType<typeof disagreementOf>) =>
  found && [found.pass, found.fail].map(({ at }) => (at - dayAt(0)) / 86_400_000);
const found = (runs: Parameters<typeof findFlips>[0]) => {
  const [row] = findFlips(runs, window);
  return row && daysOf(disagreementOf(row));
};

it('finds the latest run in which a check passed and the latest in which it failed', () => {
  expect(found(pastRuns('pfpfpp'))).toEqual([5, 3]);
  expect(found(pastRuns('pfpff'))).toEqual([2, 4]);
});

it('finds both in one run whose trials disagree', () => {
  expect(
    found([
      pastRun(0, [{ verdict: 'pass', passed: 3, of: 3 }]),
      pastRun(1, [{ verdict: 'warn', passed: 2, of: 3 }]),
    ]),
  ).toEqual([1, 1]);
});

it('finds none where all trials came to one thing, or none was graded', () => {
  expect(found(pastRuns('ppp'))).toBeUndefined();
  expect(found(pastRuns('ff'))).toBeUndefined();
  expect(found(pastRuns('uu'))).toBeUndefined();
});

it('never holds what was changed against what was not', () => {
  // Failed before the prompt was another one: that is no disagreement of now.
  expect(found([pastRun(0, 'fail', { hash: 'old' }), pastRun(1, 'pass', { hash: 'new' })])).toBeUndefined();
  const asked = (asks: string, verdict: 'pass' | 'fail') => [{ verdict, asks }];
  expect(found([pastRun(0, asked('old', 'fail')), pastRun(1, asked('new', 'pass'))])).toBeUndefined();
  // The flip is under the old one, which is where two trials disagree.
  expect(found([...pastRuns('pfp'), pastRun(5, 'pass', { hash: 'new' })])).toEqual([2, 1]);
});
