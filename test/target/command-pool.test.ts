import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPool } from '../../source/target/command/pool.js';
import type { Worker } from '../../source/target/command/worker.js';

/** A worker of no program, which ends when it is told to. */
interface FakeWorker extends Worker {
  breakDown(): void;
}

function fakeWorkers() {
  const running = new Set<FakeWorker>();
  let most = 0;
  function start(prompt: string | undefined): FakeWorker {
    let isUsable = true;
    const worker: FakeWorker = {
      prompt,
      isUsable: () => isUsable,
      attach: () => {},
      request: () => Promise.reject(new Error('no program')),
      async stop() {
        isUsable = false;
        // Ending takes a while, and nothing may be started in its place before.
        await Promise.resolve();
        running.delete(worker);
      },
      ended: Promise.resolve(),
      breakDown() {
        isUsable = false;
        running.delete(worker);
      },
    };
    running.add(worker);
    most = Math.max(most, running.size);
    return worker;
  }
  return { start, running, most: () => most };
}

describe('a pool of workers', () => {
  it('serves everyone in the order of asking, with the prompt asked for, within its size', async () => {
    const steps = fc.array(
      fc.record({ prompt: fc.constantFrom('A', 'B', 'C'), breaks: fc.boolean(), fails: fc.boolean() }),
      {
        maxLength: 20,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (size, sessions) => {
        const workers = fakeWorkers();
        let started = 0;
        const pool = createPool(size, async (prompt) => {
          started++;
          if (sessions[started - 1]?.fails) throw new Error('could not be started');
          return workers.start(prompt);
        });
        const outcomes = await Promise.all(
          sessions.map(async ({ prompt, breaks }) => {
            let worker: Worker;
            try {
              worker = await pool.take(prompt);
            } catch (error) {
              return String(error);
            }
            await Promise.resolve();
            const got = worker.prompt;
            if (breaks) (worker as FakeWorker).breakDown();
            await pool.give(worker);
            return got;
          }),
        );
        for (const [i, outcome] of outcomes.entries()) {
          expect([sessions[i]?.prompt, 'Error: could not be started']).toContain(outcome);
        }
        expect(workers.most()).toBeLessThanOrEqual(size);
        await pool.close();
        expect(workers.running.size).toBe(0);
      }),
    );
  });

  it('does not hand out a worker that broke down while nobody used it', async () => {
    const workers = fakeWorkers();
    const pool = createPool(1, async (prompt) => workers.start(prompt));
    const first = (await pool.take('A')) as FakeWorker;
    await pool.give(first);
    first.breakDown();
    const second = await pool.take('A');
    expect(second).not.toBe(first);
    expect(second.isUsable()).toBe(true);
  });

  it('gives the place of a worker that could not be started to the next one', async () => {
    const workers = fakeWorkers();
    let attempts = 0;
    const pool = createPool(1, async (prompt) => {
      attempts++;
      if (attempts === 1) throw new Error('could not be started');
      return workers.start(prompt);
    });
    const [first, second] = await Promise.allSettled([pool.take('A'), pool.take('A')]);
    expect(first).toMatchObject({ status: 'rejected' });
    expect(second).toMatchObject({ status: 'fulfilled' });
  });
});
