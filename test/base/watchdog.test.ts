import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Clock } from '../../source/base/clock.js';
import { createWatchdog } from '../../source/base/watchdog.js';

const limitMs = 100;

/** Time that a test lets pass, and how many waits are going on. */
function steppedClock() {
  let now = 0;
  const waits = new Set<{ until: number; resolve(): void }>();
  const clock: Clock = {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const wait = { until: now + ms, resolve };
        waits.add(wait);
        signal?.addEventListener('abort', () => {
          waits.delete(wait);
          reject(signal.reason);
        });
      }),
  };
  return {
    clock,
    waits: () => waits.size,
    /** One millisecond, and all that hangs on it. */
    async tick() {
      now++;
      for (const wait of waits) {
        if (wait.until > now) continue;
        waits.delete(wait);
        wait.resolve();
      }
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
  };
}

it('tells each of what it watches when its time is over, not before and once, and nobody who has left, with one timer', async () => {
  // Who leaves just when its time is over may be told or not.
  const life = fc.record({ from: fc.nat(250), stays: fc.nat(150).filter((ms) => ms !== limitMs) });
  await fc.assert(
    fc.asyncProperty(fc.array(life, { maxLength: 12 }), async (lives) => {
      const { clock, tick, waits } = steppedClock();
      const { add } = createWatchdog(clock);
      const told: number[][] = lives.map(() => []);
      const ways = new Map<number, () => void>();
      for (let at = 0; at <= 600; at++) {
        lives.forEach(({ from, stays }, index) => {
          if (at === from + stays) ways.get(index)?.();
          if (at !== from || stays === 0) return;
          const began = clock.now();
          const left = () => began + limitMs - clock.now();
          ways.set(index, add({ left, expire: () => told[index]?.push(clock.now() - began) }));
        });
        expect(waits()).toBeLessThanOrEqual(1);
        await tick();
      }
      expect(told).toEqual(lives.map(({ stays }) => (stays > limitMs ? [limitMs] : [])));
      expect(waits()).toBe(0);
    }),
    { numRuns: 60 },
  );
});

it('forgets nobody when another is added by somebody who is told', async () => {
  const { clock, tick } = steppedClock();
  const { add } = createWatchdog(clock);
  const told: string[] = [];
  const watch = (name: string, then?: () => void) => {
    const began = clock.now();
    add({
      left: () => began + limitMs - clock.now(),
      expire: () => {
        told.push(`${name} at ${clock.now()}`);
        then?.();
      },
    });
  };
  watch('first', () => watch('third'));
  await tick();
  watch('second');
  for (let at = 0; at < 300; at++) await tick();
  expect(told).toEqual(['first at 100', 'second at 101', 'third at 200']);
});
