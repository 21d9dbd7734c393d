import { expect, it } from 'vitest';
import type { JsonObject } from '../../source/base/json.js';
import type { BisectDecision } from '../../source/run/bisect-events.js';
import { improperMember } from '../../source/run/event-shape.js';
import { plannedBisect, startedBisect } from './planned.js';

const decisions: BisectDecision[] = [
  { kind: 'accept', hunk: 0 },
  { kind: 'skip', hunk: 3 },
  { kind: 'override', hunk: 1, says: 'guilty' },
  { kind: 'note', text: 'odd' },
  { kind: 'hand-over', to: 'auto' },
  { kind: 'watch', watched: [{ scenario: 'refund' }] },
  { kind: 'budget', budget: 300 },
  { kind: 'undo', steps: 2 },
];

it.each(decisions)('a line that says $kind is believed', (decision) => {
  expect(
    improperMember({ at: 1, decision: { ...decision } as JsonObject }, 'bisect-decided'),
  ).toBeUndefined();
});

it.each([
  { kind: 'accept' },
  { kind: 'accept', hunk: -1 },
  { kind: 'override', hunk: 1 },
  { kind: 'hand-over', to: 'chance' },
  { kind: 'watch', watched: ['refund'] },
  { kind: 'undo', steps: '2' },
  { kind: 'dance' },
])('a line that says %o is damaged', (decision) => {
  expect(improperMember({ at: 1, decision } as unknown as JsonObject, 'bisect-decided')).toBe('decision');
});

it.each([
  {},
  { good: { name: 'v1' } },
  { split: 'word' },
  { hunks: [1] },
  { watched: [{}] },
  { strategy: 'chance' },
  { budget: 0 },
  { repeats: 1.5 },
])('a first line whose bisect has %o is believed only where that is proper', (change) => {
  const started = startedBisect(plannedBisect());
  const event = { ...started, bisect: { ...started.bisect, ...change } };
  const isProper = Object.keys(change).length === 0;
  expect(improperMember(event as unknown as JsonObject, 'run-started')).toBe(isProper ? undefined : 'bisect');
});

const answer = { hunks: [1], belief: 0.6 };

it.each([
  { kind: 'hunks', hunks: [1], belief: 0.99 },
  { kind: 'hunks', hunks: [1] },
  { kind: 'not-the-prompt', belief: 1 },
  { kind: 'inconclusive', why: 'budget' },
  { kind: 'inconclusive', why: 'budget', leader: answer, wouldTake: 40 },
])('a line that found %o is believed', (finding) => {
  expect(improperFound(finding)).toBeUndefined();
});

it.each([
  { kind: 'hunks', hunks: [1], belief: 5 },
  { kind: 'not-the-prompt', belief: 1.5 },
  { kind: 'good-fails-too', belief: '0.9' },
  { kind: 'inconclusive', why: 'budget', leader: {} },
  { kind: 'inconclusive', why: 'budget', leader: { ...answer, belief: -0.1 } },
  { kind: 'inconclusive', why: 'budget', wouldTake: 'many' },
])('a line that found %o is damaged', (finding) => {
  expect(improperFound(finding)).toBe('found');
});

function improperFound(finding: object): string | undefined {
  const found = { finding, headline: 'FOUND', reasons: [] };
  return improperMember({ at: 1, found } as unknown as JsonObject, 'bisect-found');
}
