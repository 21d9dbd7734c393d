import { describe, expect, it } from 'vitest';
import { withRetry } from '../../source/model/retry.js';
import { ModelError } from '../../source/model/types.js';
import { startRun } from '../../source/run/start.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import { scripted } from '../model/scripted.js';
import {
  limitClock,
  observe,
  patternCheck,
  reply,
  runOptions,
  scenario,
  tallyOf,
  targetThat,
  temporaryFolder,
} from './support.js';

describe('the hard limit', () => {
  it('cuts a trial off that is graded when the hard limit passes', async () => {
    const observed = observe();
    let now = 0;
    const checks = ['first', 'second'].map((id) => ({
      ...patternCheck(id, 'yes'),
      get args() {
        // What reads its arguments takes twenty seconds for it.
        now += 20_000;
        return { pattern: 'yes' };
      },
    }));
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('long', ['hello'])].map((one) => ({ ...one, checks })),
        target: targetThat(() => {
          now = 0;
          return reply('yes');
        }),
        repeat: 1,
        attempts: 1,
        limitMs: 30_000,
        clock: { now: () => now, wait: (ms) => (ms === 30_000 ? new Promise(() => {}) : Promise.resolve()) },
      }),
    );
    now = 0;
    await run.start();
    await run.close();
    expect(
      observed.messages.map(({ event }) => event).filter(({ type }) => type.startsWith('trial-')),
    ).toMatchObject([
      { type: 'trial-started' },
      { type: 'trial-errored', kind: 'limit', message: 'not over after 30 seconds', final: true },
    ]);
  });

  it('says of what was tried again and again why it failed', async () => {
    const observed = observe();
    let failed = () => {};
    const hasFailed = new Promise<void>((resolve) => {
      failed = resolve;
    });
    const model = withRetry(scripted([new ModelError('network', 'the answer of here broke off')]), {
      clock: { now: () => 0, wait: () => new Promise(() => {}) },
      random: { next: () => 0.5 },
      onRetry: () => failed(),
    });
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('broken', ['hello'])],
        target: createPromptTarget({ model, system: '', tools: [], settings: { maxSteps: 1, maxTokens: 9 } }),
        repeat: 1,
        attempts: 1,
        limitMs: 30_000,
        clock: limitClock(30_000, hasFailed),
      }),
    );
    await run.start();
    await run.close();
    expect(observed.messages.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        type: 'trial-errored',
        kind: 'limit',
        message: 'not over after 30 seconds; the last try failed: the answer of here broke off',
      }),
    );
  });

  it('keeps what the product said until then', async () => {
    const observed = observe();
    let pass = () => {};
    const passed = new Promise<void>((resolve) => {
      pass = resolve;
    });
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('stuck', ['hello'])],
        target: {
          open: async () => ({
            send: () => {
              pass();
              return new Promise(() => {});
            },
            close: () => new Promise(() => {}),
            log: () => 'waits for a lock',
          }),
        },
        repeat: 1,
        attempts: 1,
        limitMs: 30_000,
        clock: limitClock(30_000, passed),
      }),
    );
    await run.start();
    const errored = observed.messages.find(({ event }) => event.type === 'trial-errored')?.event;
    expect(errored).toMatchObject({ kind: 'limit' });
    const cell = tallyOf(observed).rows[0]?.groups[0]?.cells[0];
    const key = { scenario: 'stuck', condition: 'a', repeat: 1 };
    expect((await run.readTrial(key, cell?.positions ?? [])).log).toBe('waits for a lock');
    await run.close();
  });
});
