import { describe, expect, it } from 'vitest';
import { createPace } from '../../source/ui/pace.js';

describe('the pace of a run', () => {
  it('says nothing before three trials have ended', () => {
    const pace = createPace(0);
    pace.ended(1000);
    pace.ended(2000);
    expect(pace.remaining(10, 2000)).toBeUndefined();
  });

  it('goes by the rate at which trials end', () => {
    const pace = createPace(0);
    for (const at of [1000, 2000, 3000, 4000]) pace.ended(at);
    expect(pace.remaining(10, 4000)).toBe(10_000);
  });

  it('grows while nothing ends', () => {
    const pace = createPace(0);
    for (const at of [1000, 2000, 3000, 4000]) pace.ended(at);
    expect(pace.remaining(10, 8000)).toBe(20_000);
  });

  it('follows a run that slows down, and forgets how fast it once was', () => {
    const pace = createPace(0);
    for (let trial = 1; trial <= 200; trial++) pace.ended(trial * 100);
    for (let trial = 1; trial <= 48; trial++) pace.ended(20_000 + trial * 1000);
    expect(pace.remaining(1, 68_000)).toBe(1000);
  });

  it('does not count the time in which the run stood still', () => {
    const pace = createPace(0);
    for (const at of [1000, 2000, 3000]) pace.ended(at);
    pace.restart(100_000);
    expect(pace.remaining(5, 100_000)).toBeUndefined();
    for (const at of [101_000, 102_000, 103_000]) pace.ended(at);
    expect(pace.remaining(5, 103_000)).toBe(5000);
  });
});
