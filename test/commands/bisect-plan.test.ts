import { describe, expect, it } from 'vitest';
import type { Clock } from '../../source/base/clock.js';
import type { Simulation } from '../../source/bisect/simulate.js';
import { play } from '../../source/commands/shared/bisect-plan.js';

const simulation: Simulation = {
  strategy: 'auto',
  hunks: 12,
  guilty: 'single',
  rates: { good: 0.95, bad: 0.3 },
  seed: '1',
};

/** A clock that goes on by so many milliseconds whenever it is looked at. */
function ticking(ms: number): Clock {
  let now = 0;
  return {
    now: () => {
      now += ms;
      return now;
    },
    wait: () => Promise.reject(new Error('nobody waits')),
  };
}

describe('the bisects that are played for a plan', () => {
  it('are forty where there is time, and the same ones for the same seed', async () => {
    const first = await play(simulation, ticking(0));
    expect(first.played.runs).toBe(40);
    expect(await play(simulation, ticking(0))).toEqual(first);
    expect((await play({ ...simulation, seed: '2' }, ticking(0))).played).not.toEqual(first.played);
  });

  it('are fewer where each takes long, the first of those; none that was begun is left', async () => {
    const some = await play(simulation, ticking(40));
    expect(some.played.runs).toBeGreaterThan(0);
    expect(some.played.runs).toBeLessThan(8);
    const { right, partial, innocent, missed, inconclusive } = some.played.endings;
    expect(right + partial + innocent + missed + inconclusive).toBe(some.played.runs);
  });

  it('are none where not even the first comes to its end, and that takes no longer than it may', async () => {
    const clock = ticking(1000);
    const none = await play(simulation, clock);
    expect(none).toMatchObject({ played: { runs: 0 }, roundsATrial: 0 });
    expect(clock.now()).toBeLessThan(30_000);
  });

  it('let others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { played } = await play({ ...simulation, hunks: 60 }, ticking(11));
    isOver = true;
    // Each step took as long as the thread may be held.
    expect(turns).toBeGreaterThan(played.meanTrials * played.runs * 0.3);
  });
});
