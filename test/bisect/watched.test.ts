import { expect, test } from 'vitest';
import { isSameChoice } from '../../source/bisect/watched.js';

const one = { scenario: 'refund', check: 'says-no' };
const other = { scenario: 'refund', check: 'names-window' };
const all = { scenario: 'refund' };

test('what two bisects go by is the same in whatever order it was written', () => {
  expect(isSameChoice([one, other], [other, one])).toBe(true);
  expect(isSameChoice([one], [{ check: 'says-no', scenario: 'refund' }])).toBe(true);
  expect(isSameChoice([], [])).toBe(true);
});

test('a scenario by all of its checks is another choice than by one, and fewer than more', () => {
  expect(isSameChoice([all], [one])).toBe(false);
  expect(isSameChoice([one], [one, other])).toBe(false);
  expect(isSameChoice([one, other], [one])).toBe(false);
  expect(isSameChoice([one], [{ ...one, scenario: 'greeting' }])).toBe(false);
});
