import { expect, test } from 'vitest';
import { separates } from '../../source/bisect/separates.js';

test('two ends are told apart from two clear trials each on, and not by less', () => {
  const apart = (good: [number, number], bad: [number, number]) =>
    separates({ passed: good[0], of: good[1] }, { passed: bad[0], of: bad[1] });
  // One chance in six: the two that pass, of four, are just those of the good end.
  expect(apart([2, 2], [0, 2])).toBe(true);
  expect(apart([1, 1], [0, 1])).toBe(false);
  expect(apart([2, 2], [1, 2])).toBe(false);
  expect(apart([2, 2], [0, 1])).toBe(false);
  expect(apart([6, 6], [3, 6])).toBe(true);
  expect(apart([0, 2], [2, 2])).toBe(false);
});
