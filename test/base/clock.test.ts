import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../source/base/clock.js';

afterEach(() => vi.restoreAllMocks());

describe('the system clock', () => {
  it('tells the time of day', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
  });

  it.each([-3_600_000, 3_600_000])('goes on as before when the time of day is set by %i ms', (jump) => {
    const before = systemClock.now();
    const real = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => real + jump);
    const after = systemClock.now();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(60_000);
  });

  it('does not wait when told to wait for nothing, and rejects with the reason it is aborted for', async () => {
    await systemClock.wait(0);
    const controller = new AbortController();
    const waiting = systemClock.wait(3_600_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
