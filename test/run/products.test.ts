import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../source/base/errors.js';
import { resumeRun } from '../../source/run/resume.js';
import { startRun } from '../../source/run/start.js';
import type { CheckSpec } from '../../source/suite/types.js';
import { type Session, type SessionRequest, type Target, TargetError } from '../../source/target/types.js';
import { eventsOf, observe, reply, runOptions, scenario, tallyOf, temporaryFolder } from './support.js';

/** A product that says what it is told to, and keeps what it was told when its sessions were opened. */
function product(given: Partial<Target> & { fails?: boolean; log?: string } = {}) {
  const opened: SessionRequest[] = [];
  let isClosed = false;
  const target: Target = {
    async open(request): Promise<Session> {
      opened.push(request);
      return {
        async send() {
          if (given.fails) throw new TargetError('other', 'it crashed');
          return reply('yes', { signals: { level: 7 } });
        },
        async close() {},
        log: () => given.log ?? '',
      };
    },
    async close() {
      isClosed = true;
    },
    ...(given.tuning && { tuning: given.tuning }),
  };
  return { target, opened, isClosed: () => isClosed };
}

const levelCheck: CheckSpec = {
  id: 'level',
  type: 'signal',
  args: { name: 'level', max: { tuning: '$.mostLevel' }, when: 'every' },
  place: { file: 'x.yaml', line: 1, column: 1 },
};

describe('tuning values of a product', () => {
  it.each([
    [9, 'pass'],
    [5, 'fail'],
  ])('stand for the numbers of checks: at most %d makes 7 a %s', async (mostLevel, verdict) => {
    let asked = 0;
    const { target } = product({
      async tuning() {
        asked++;
        return { mostLevel };
      },
    });
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('one', ['hi'], [levelCheck])],
        target,
      }),
    );
    await run.start();
    await run.close();
    expect(asked).toBe(1);
    expect(eventsOf(observed, 'run-started')[0]?.tuning).toEqual({ a: { mostLevel } });
    expect(eventsOf(observed, 'check-finished').map(({ result }) => result.verdict)).toEqual([
      verdict,
      verdict,
    ]);
  });

  it('that are named and not given: nothing is made, and the product is let go of', async () => {
    const { target, isClosed } = product({
      tuning: () => Promise.reject(new UserError('no tuning values', 3)),
    });
    const folder = path.join(await temporaryFolder(), 'runs');
    const starting = startRun(
      runOptions(folder, observe(), { scenarios: [scenario('one', ['hi'])], target }),
    );
    await expect(starting).rejects.toMatchObject({ exitCode: 3, message: 'no tuning values' });
    expect(existsSync(folder)).toBe(false);
    expect(isClosed()).toBe(true);
  });

  it('that have changed since: the run does not go on', async () => {
    let mostLevel = 9;
    const { target } = product({ tuning: async () => ({ mostLevel }) });
    const options = runOptions(await temporaryFolder(), observe(), {
      scenarios: [scenario('one', ['hi'], [levelCheck])],
      target,
    });
    const run = await startRun(options);
    await run.close();
    mostLevel = 8;
    const resumed = resumeRun({ ...options, summariser: observe().keeper, folder: run.folder });
    await expect(resumed).rejects.toThrow('the tuning values of the product changed');
  });
});

it('every attempt at every trial has an account of its own, and is told of the prompt', async () => {
  const { target, opened } = product({ fails: true });
  const observed = observe();
  const prompt = { name: 'v1', path: 'prompts/v1.md', text: 'Be kind.' };
  const options = runOptions(await temporaryFolder(), observed, {
    scenarios: [scenario('one', ['hi']), scenario('two', ['hi'])],
    target,
    attempts: 2,
    clock: {
      now: () => Date.now(),
      wait: (ms, signal) => (ms > 60_000 ? forever(signal) : Promise.resolve()),
    },
  });
  const run = await startRun({
    ...options,
    conditions: options.conditions.map((condition) => ({ ...condition, prompt })),
  });
  await run.start();
  await run.close();
  expect(opened).toHaveLength(8);
  expect(new Set(opened.map(({ account }) => account)).size).toBe(8);
  for (const request of opened)
    expect(request).toMatchObject({ prompt, account: expect.stringContaining(run.runId) });
});

it.each([true, false])(
  'runs of one seed share accounts only where they are emptied: %s',
  async (resetsAccounts) => {
    const accounts: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const { target, opened } = product();
      const options = runOptions(await temporaryFolder(), observe(), {
        scenarios: [scenario('one', ['hi'])],
        target: { ...target, resetsAccounts },
      });
      const run = await startRun({ ...options, repeat: 1, seed: '7' });
      await run.start();
      await run.close();
      accounts.push(opened[0]?.account);
    }
    expect(accounts[0] === accounts[1]).toBe(resetsAccounts);
    if (resetsAccounts) expect(accounts[0]).toMatch(/^seed-[0-9a-f]{12}-one-a-1-1$/);
  },
);

function forever(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

it('what a product says beside its replies is kept with the trial, also when the trial fails', async () => {
  const { target } = product({ fails: true, log: 'Traceback: out of memory' });
  const observed = observe();
  const run = await startRun(
    runOptions(await temporaryFolder(), observed, {
      scenarios: [scenario('one', ['hi'])],
      target,
      attempts: 1,
      repeat: 1,
    }),
  );
  await run.start();
  const cell = tallyOf(observed).rows[0]?.groups[0]?.cells[0];
  const record = await run.readTrial({ scenario: 'one', condition: 'a', repeat: 1 }, cell?.positions ?? []);
  expect(record).toMatchObject({
    log: 'Traceback: out of memory',
    error: { kind: 'target', message: 'it crashed' },
  });
  await run.close();
});

it('a run is tainted by the defaults of a product, stands apart once it is closed, and can be read there', async () => {
  const folder = await temporaryFolder();
  const observed = observe();
  const target: Target = {
    open: async () => ({ send: async () => reply('yes', { fallback: true }), async close() {} }),
  };
  const run = await startRun(runOptions(folder, observed, { scenarios: [scenario('one', ['hi'])], target }));
  const before = run.folder;
  await run.start();
  await run.close();
  expect(before).toBe(path.join(folder, run.runId));
  expect(run.folder).toBe(path.join(folder, 'tainted', run.runId));
  expect(existsSync(before)).toBe(false);
  for (const file of ['journal.jsonl', 'summary.json'])
    expect(existsSync(path.join(run.folder, file))).toBe(true);
  // Each of the two trials fell back; it is said once.
  expect(eventsOf(observed, 'taint')).toMatchObject([{ kind: 'fallback' }]);
});
