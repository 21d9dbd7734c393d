import { describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../../../source/run/types.js';
import type { Cell } from '../../../../source/tally/types.js';
import { createTrialCache } from '../../../../source/ui/screens/trial/trial-cache.js';
import type { AppRun } from '../../../../source/ui/types.js';

const cell = (length: number, attempt = 1): Cell => ({
  repeat: 1,
  state: 'running',
  attempt,
  tokens: undefined,
  ms: undefined,
  startedAt: undefined,
  live: undefined,
  positions: [{ offset: 0, length }],
  why: undefined,
  worstCheck: undefined,
});

function slowRun() {
  const asked: { lengths: number[]; scenario: string; answer: (error?: Error) => void }[] = [];
  const run: AppRun = {
    feed() {},
    readTrial: (key, positions) =>
      new Promise((resolve, reject) => {
        const record: TrialRecord = {
          key,
          attempt: asked.length + 1,
          turns: [],
          results: [],
          finished: undefined,
          error: undefined,
        };
        asked.push({
          scenario: key.scenario,
          lengths: positions.map(({ length }) => length),
          answer: (error) => (error ? reject(error) : resolve(record)),
        });
      }),
  };
  return { run, asked };
}

const key = (scenario: string) => ({ scenario, condition: 'a', repeat: 1 });
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('reading the trial that is open', () => {
  it('reads it once, and again when it grew', async () => {
    const { run, asked } = slowRun();
    let changes = 0;
    const cache = createTrialCache(() => changes++);
    expect(cache.look(run, key('s'), cell(10)).record).toBeUndefined();
    cache.look(run, key('s'), cell(10));
    expect(asked).toHaveLength(1);
    asked[0]?.answer();
    await turn();
    expect(changes).toBe(1);
    expect(cache.look(run, key('s'), cell(10)).record?.attempt).toBe(1);
    expect(asked).toHaveLength(1);
    cache.look(run, key('s'), cell(20));
    expect(asked).toHaveLength(2);
  });

  it('keeps what it has read while it reads what the trial grew by', async () => {
    const { run, asked } = slowRun();
    const cache = createTrialCache(() => {});
    cache.look(run, key('s'), cell(10));
    asked[0]?.answer();
    await turn();
    expect(cache.look(run, key('s'), cell(20)).record?.attempt).toBe(1);
  });

  it('reads one thing at a time, and the newest next', async () => {
    const { run, asked } = slowRun();
    const cache = createTrialCache(() => {});
    for (const length of [10, 20, 30, 40]) cache.look(run, key('s'), cell(length));
    expect(asked).toHaveLength(1);
    asked[0]?.answer();
    await turn();
    expect(asked.map(({ lengths }) => lengths)).toEqual([[10], [40]]);
  });

  it('shows nothing of a trial that was left before it was read', async () => {
    const { run, asked } = slowRun();
    const cache = createTrialCache(() => {});
    cache.look(run, key('left'), cell(10));
    expect(cache.look(run, key('opened'), cell(10)).record).toBeUndefined();
    asked[0]?.answer();
    await turn();
    expect(cache.look(run, key('opened'), cell(10)).record).toBeUndefined();
    asked[1]?.answer();
    await turn();
    expect(cache.look(run, key('opened'), cell(10)).record?.key.scenario).toBe('opened');
  });

  it('tells what kept it from reading', async () => {
    const { run, asked } = slowRun();
    const cache = createTrialCache(() => {});
    cache.look(run, key('s'), cell(10));
    asked[0]?.answer(new Error('journal.jsonl is gone'));
    await turn();
    expect(cache.look(run, key('s'), cell(10)).problem).toBe('journal.jsonl is gone');
  });
});
