import { describe, expect, it } from 'vitest';
import { startRun } from '../../source/run/start.js';
import { limitPerTurn } from '../../source/run/turns-of-loop.js';
import { observe, reply, runOptions, scenario, tallyOf, targetThat, temporaryFolder } from './support.js';

/** Resolves when the turn of the loop that it is called in is over. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a limit per turn of the event loop', () => {
  it('lets so many through in the turn, and the others in those that follow, first come first served', async () => {
    const pass = limitPerTurn(2);
    const through: number[] = [];
    for (let caller = 1; caller <= 5; caller++) void pass().then(() => through.push(caller));
    const seen: number[][] = [];
    for (let turn = 1; turn <= 3; turn++) {
      // What can go on without the loop turning has done so.
      for (let step = 0; step < 20; step++) await Promise.resolve();
      seen.push([...through]);
      await endOfTurn();
    }
    expect(seen).toEqual([
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
  });
});

describe('trials that begin', () => {
  it('do so at once where others have ended, before the loop turns', async () => {
    const waiting: (() => void)[] = [];
    const target = targetThat(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return reply('yes');
    });
    const run = await startRun(
      runOptions(await temporaryFolder(), observe(), {
        scenarios: [scenario('one', ['hello'])],
        target,
        repeat: 4,
        concurrency: 2,
      }),
    );
    const finished = run.start();
    while (waiting.length < 2) await endOfTurn();
    await endOfTurn();
    for (const answer of waiting.splice(0)) answer();
    for (let step = 0; step < 200; step++) await Promise.resolve();
    expect(waiting).toHaveLength(2);
    for (const answer of waiting.splice(0)) answer();
    await finished;
    await run.close();
  });

  it('let go of the thread also with targets that answer at once: what stops the run is heard', async () => {
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('one', ['hello'])],
        target: targetThat(() => Promise.resolve(reply('yes'))),
        repeat: 500,
        concurrency: 5,
      }),
    );
    setImmediate(() => run.stop());
    await run.start();
    await run.close();
    expect(tallyOf(observed).trials.done).toBeLessThanOrEqual(10);
    expect(tallyOf(observed).state).toBe('stopped');
  });
});
