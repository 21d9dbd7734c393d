import { expect, it } from 'vitest';
import { versionsAfter } from '../../source/commands/shared/write-narrowed.js';

function first(file: string, count: number): string[] {
  return Array.from(versionsAfter(file)).slice(0, count);
}

it('the narrowed prompt is the next version, in the same number of digits', () => {
  expect(first('/p/v15.md', 2)).toEqual(['/p/v16.md', '/p/v17.md']);
  expect(first('/p/agent-09.txt', 2)).toEqual(['/p/agent-10.txt', '/p/agent-11.txt']);
  expect(first('/p/v9.md', 1)).toEqual(['/p/v10.md']);
});

it('a prompt whose name has no number is told apart by a word', () => {
  expect(first('/p/refund.md', 2)).toEqual(['/p/refund-narrowed.md', '/p/refund-narrowed2.md']);
});
