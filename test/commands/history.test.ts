import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { historyCommand } from '../../source/commands/history.js';
import { priceCommand } from '../../source/commands/price.js';
import { runsCommand } from '../../source/commands/runs.js';
import type { RunEvent } from '../../source/run/events.js';
import { finished, plannedCondition, plannedScenario, runStarted, trialKey } from '../tally/support.js';
import { createIo } from './io.js';

/** A project with a config, and runs of it as their journals tell them, not summed up yet. */
function projectWith(runs: { id: string; model: string; passed: number }[], config: object = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalrun-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    path.join(folder, '.evalrc.json'),
    JSON.stringify({ models: { agent: 'openai:gpt-4o-mini' }, ...config }),
  );
  for (const { id, model, passed } of runs) {
    const conditions = [plannedCondition('a', { model })];
    const events: RunEvent[] = [{ ...runStarted([plannedScenario('s')], 3, conditions), runId: id }];
    for (const repeat of [1, 2, 3]) {
      const trial = trialKey('s', repeat);
      const verdict = repeat <= passed ? 'pass' : 'fail';
      const usage = { input: 100_000, output: 1000, cacheRead: 0, cacheWrite: 0 };
      events.push(
        { type: 'trial-started', at: 2000, trial, attempt: 1 },
        {
          type: 'turn-finished',
          at: 2001,
          trial,
          attempt: 1,
          turn: {
            index: 1,
            message: 'hello',
            ms: 5,
            reply: { parts: [], text: '', usage, steps: 1, stop: 'end', model },
          },
        },
        {
          type: 'check-finished',
          at: 2001,
          trial,
          attempt: 1,
          result: { checkId: 'c', type: 'pattern_present', kind: 'hard', verdict, reason: 'because' },
        },
        {
          type: 'trial-finished',
          at: 2002,
          trial,
          attempt: 1,
          end: { kind: 'completed' },
          unsent: [],
          ms: 5,
          tokens: { agent: usage, judge: { ...usage, input: 0, output: 0 } },
        },
      );
    }
    events.push(finished());
    const run = path.join(folder, 'logs/tiny', id);
    mkdirSync(run, { recursive: true });
    writeFileSync(
      path.join(run, 'journal.jsonl'),
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    );
  }
  const env = { EVALRUN_LOGS: path.join(folder, 'logs'), LANG: 'C.UTF-8' };
  return { folder, env, io: () => createIo(folder, env) };
}

const ids = ['20261101-120000-aaaa', '20261102-120000-aaaa', '20261103-120000-aaaa'] as const;

describe('evalrun history', () => {
  it('shows scores of runs once their summaries are derived, a plot and the newest first', async () => {
    const project = projectWith([
      { id: ids[0], model: 'openai:gpt-4o-mini', passed: 3 },
      { id: ids[1], model: 'openai:gpt-4o-mini', passed: 2 },
      { id: ids[2], model: 'simulated:tiny', passed: 3 },
    ]);
    await runsCommand({ rebuild: true }, project.io().io);
    const { io, printed } = project.io();
    expect(await historyCommand({ suite: 'tiny', model: 'agent' }, io)).toBe(0);
    const lines = printed().split('\n');
    expect(lines[0]).toBe('tiny on openai:gpt-4o-mini   2 clean runs');
    expect(lines[1]).toMatch(/^ 100 %┤[\u2801-\u28ff]/);
    expect(printed()).toContain('it takes 20 clean runs that ask the same, and there are 2');
    expect(lines.filter((line) => line.includes('/3')).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      [ids[1], 'va', '66.7 %', '2/3'],
      [ids[0], 'va', '100.0 %', '3/3'],
    ]);
  });

  it('says as JSON what it plots, nothing in it where there is nothing', async () => {
    const project = projectWith([{ id: ids[0], model: 'simulated:tiny', passed: 3 }]);
    await runsCommand({ rebuild: true }, project.io().io);
    const { io, printed } = project.io();
    await historyCommand({ json: true }, io);
    expect(JSON.parse(printed())).toMatchObject({
      series: [
        {
          suite: 'tiny',
          model: 'simulated:tiny',
          drift: { kind: 'too-few' },
          points: [{ runId: ids[0], score: 1, at: '1970-01-01T00:00:01.000Z' }],
        },
      ],
    });
    const empty = project.io();
    await historyCommand({ json: true, suite: 'none' }, empty.io);
    expect(JSON.parse(empty.printed())).toEqual({ series: [] });
  });

  it('answers a suite or a model that has no runs with those that have', async () => {
    const project = projectWith([{ id: ids[0], model: 'simulated:tiny', passed: 3 }]);
    await runsCommand({ rebuild: true }, project.io().io);
    await expect(historyCommand({ suite: 'tini' }, project.io().io)).rejects.toThrow(
      'no clean runs of "tini"; did you mean "tiny"?',
    );
    await expect(historyCommand({ model: 'agent' }, project.io().io)).rejects.toThrow(
      'no clean runs on "agent"',
    );
    const none = projectWith([]);
    const { io, printed } = none.io();
    expect(await historyCommand({}, io)).toBe(0);
    expect(printed()).toContain('there are no clean runs in');
  });
});

describe('evalrun price', () => {
  it('prices each run once, however it is named, and all of them together', async () => {
    const project = projectWith([
      { id: ids[0], model: 'openai:gpt-4o-mini', passed: 3 },
      { id: ids[1], model: 'openai:gpt-4o-mini', passed: 3 },
    ]);
    const { io, printed } = project.io();
    expect(await priceCommand({ runs: [ids[0], ids[1], 'last', '20261101'] }, io)).toBe(0);
    expect(printed().match(/^ {2}agent .*/gm)).toEqual(
      new Array(2).fill('  agent  openai:gpt-4o-mini  $0.047   prices of 2026-09-23 (genai-prices 0.1.8)'),
    );
    expect(printed()).toContain('all 2 runs  $0.094   prices of 2026-09-23');
  });

  it('goes by the prices of the config, and says so', async () => {
    const prices = { 'openai:gpt-4o-mini': { input: 10, output: 100, asOf: '2026-11-01' } };
    const project = projectWith([{ id: ids[0], model: 'openai:gpt-4o-mini', passed: 3 }], { prices });
    const { io, printed } = project.io();
    await priceCommand({ runs: ['last'], json: true }, io);
    expect(JSON.parse(printed())).toMatchObject({
      currency: 'USD',
      table: { version: '0.1.8', asOf: '2026-09-23' },
      runs: [
        {
          runId: ids[0],
          ledgers: [{ who: 'agent', price: { kind: 'priced', source: 'config', asOf: '2026-11-01' } }],
        },
      ],
      total: { dollars: expect.closeTo(3.3, 9), isAtLeast: false, asOf: ['2026-11-01'] },
    });
  });

  it('refuses prices that are none, with their place', async () => {
    const prices = { 'openai:gpt-4o-mini': { input: -1, output: 100, asOf: 'today' } };
    const project = projectWith([], { prices });
    await expect(priceCommand({ runs: ['last'] }, project.io().io)).rejects.toThrow(
      /\.evalrc\.json:1:\d+: .*expected a date, as in "2026-11-30"/s,
    );
  });
});
