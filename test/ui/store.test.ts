import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../source/base/clock.js';
import { createStore } from '../../source/ui/store.js';
import { createFakeRun, fakeScenario } from './fake-run.js';

const clock: Clock = { now: () => Date.now(), wait: () => new Promise(() => {}) };
const never = (error: unknown) => {
  throw error;
};

function twoRows(isPast = false) {
  return createFakeRun({ scenarios: [fakeScenario('one'), fakeScenario('two')], isPast });
}

describe('the store', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('draws at most ten times a second, however much happens', () => {
    const fake = twoRows();
    const flush = vi.fn();
    const store = createStore([fake.run], clock, flush, never);
    const key = fake.key('one', 1);
    fake.start(key);
    vi.advanceTimersByTime(0);
    flush.mockClear();
    for (let event = 0; event < 200; event++) {
      fake.say(key, 'word '.repeat(event));
      vi.advanceTimersByTime(5);
    }
    expect(flush.mock.calls.length).toBeGreaterThanOrEqual(9);
    expect(flush.mock.calls.length).toBeLessThanOrEqual(11);
    store.close();
  });

  it('draws the end of a run at once', () => {
    const fake = twoRows();
    const flush = vi.fn();
    const store = createStore([fake.run], clock, flush, never);
    vi.advanceTimersByTime(1);
    flush.mockClear();
    fake.end();
    vi.advanceTimersByTime(1);
    expect(flush).toHaveBeenCalledTimes(1);
    store.close();
  });

  it('keeps the spinner turning while a trial says nothing, and rests when the run has ended', () => {
    const fake = twoRows();
    const flush = vi.fn();
    const store = createStore([fake.run], clock, flush, never);
    const key = fake.key('one', 1);
    fake.start(key);
    vi.advanceTimersByTime(1000);
    expect(flush.mock.calls.length).toBeGreaterThanOrEqual(4);
    fake.finish(key);
    fake.end();
    vi.advanceTimersByTime(300);
    flush.mockClear();
    vi.advanceTimersByTime(60_000);
    expect(flush).not.toHaveBeenCalled();
    store.close();
  });

  it('tells which rows changed, each once, and all of them when a run ends', () => {
    const fake = twoRows();
    const store = createStore([fake.run], clock, () => {}, never);
    const [run] = store.runs;
    fake.start(fake.key('two', 1));
    fake.say(fake.key('two', 1), 'hi');
    expect(run?.takeTouched()).toEqual(['two']);
    expect(run?.takeTouched()).toEqual([]);
    const before = [run?.revisionOf('one'), run?.revisionOf('two')];
    fake.end('stopped');
    expect(run?.takeTouched()).toEqual(['one', 'two']);
    expect(run?.revisionOf('one')).not.toBe(before[0]);
    expect(run?.revisionOf('two')).not.toBe(before[1]);
    store.close();
  });

  it('takes a past run without an end for one that was killed', async () => {
    const fake = twoRows(true);
    fake.start(fake.key('one', 1));
    const store = createStore([fake.run], clock, () => {}, never);
    await vi.advanceTimersByTimeAsync(1);
    const { tally } = store.runs[0] ?? {};
    expect(tally?.state).toBe('unfinished');
    expect(tally?.rows[0]?.groups[0]?.cells[0]?.state).toBe('waiting');
    store.close();
  });

  it('draws nothing more once it is closed', () => {
    const fake = twoRows();
    const flush = vi.fn();
    const store = createStore([fake.run], clock, flush, never);
    store.close();
    fake.end();
    vi.advanceTimersByTime(1000);
    expect(flush).not.toHaveBeenCalled();
  });
});
