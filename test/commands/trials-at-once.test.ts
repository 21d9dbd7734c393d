import { expect, it } from 'vitest';
import { trialsAtOnce } from '../../source/commands/shared/make-bisect.js';

it('two trials of a bisect run at once where the conversations of both may', () => {
  const [first, second] = ['names-window', 'polite'].map((check) => ({ scenario: 'refund', check }));
  if (!first || !second) throw new Error('two checks of one scenario');
  expect(trialsAtOnce(2, [first])).toBe(2);
  expect(trialsAtOnce(1, [first])).toBe(1);
  // Checks of one scenario are graded in one conversation.
  expect(trialsAtOnce(2, [first, second])).toBe(2);
  expect(trialsAtOnce(3, [first, { scenario: 'delay' }])).toBe(1);
  expect(trialsAtOnce(4, [first, { scenario: 'delay' }])).toBe(2);
});
