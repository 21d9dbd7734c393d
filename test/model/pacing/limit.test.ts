import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAdaptiveLimit } from '../../../source/model/pacing/limit.js';

describe('the limit of requests in flight', () => {
  test('begins at its upper bound', () => {
    expect(createAdaptiveLimit(50).value).toBe(50);
  });

  test('is halved by a refusal, once for all requests that were under way together', () => {
    const limit = createAdaptiveLimit(64);
    const { epoch } = limit;
    expect(limit.refused(epoch)).toBe(true);
    for (let at = 0; at < 63; at++) expect(limit.refused(epoch)).toBe(false);
    expect(limit.value).toBe(32);
    expect(limit.refused(limit.epoch)).toBe(true);
    expect(limit.value).toBe(16);
  });

  test('grows by one for as many answers as it lets through at once', () => {
    const limit = createAdaptiveLimit(64);
    limit.refused(limit.epoch);
    limit.refused(limit.epoch);
    limit.refused(limit.epoch);
    expect(limit.value).toBe(8);
    for (let at = 0; at < 7; at++) limit.answered(limit.epoch, true);
    expect(limit.value).toBe(8);
    limit.answered(limit.epoch, true);
    limit.answered(limit.epoch, true);
    expect(limit.value).toBe(9);
  });

  test('does not grow while it holds nothing back, nor for answers from before the last refusal', () => {
    const limit = createAdaptiveLimit(64);
    const { epoch } = limit;
    limit.refused(epoch);
    for (let at = 0; at < 1_000; at++) {
      limit.answered(limit.epoch, false);
      limit.answered(epoch, true);
    }
    expect(limit.value).toBe(32);
  });

  test('is always whole and between 1 and its upper bound', () => {
    const step = fc.constantFrom('answered', 'answered', 'answered', 'refused', 'late');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.array(step, { maxLength: 300 }), (most, steps) => {
        const limit = createAdaptiveLimit(most);
        for (const kind of steps) {
          if (kind === 'answered') limit.answered(limit.epoch, true);
          else limit.refused(kind === 'late' ? limit.epoch - 1 : limit.epoch);
          expect(Number.isInteger(limit.value)).toBe(true);
          expect(limit.value).toBeGreaterThanOrEqual(1);
          expect(limit.value).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  test('settles about what a server bears, whatever it begins with', () => {
    const bears = 20;
    const limit = createAdaptiveLimit(200);
    const seen: number[] = [];
    for (let round = 0; round < 400; round++) {
      const { value, epoch } = limit;
      seen.push(value);
      for (let at = 0; at < value; at++) {
        if (at < bears) limit.answered(epoch, true);
        else limit.refused(epoch);
      }
    }
    const late = seen.slice(100);
    const mean = late.reduce((sum, value) => sum + value, 0) / late.length;
    expect(mean).toBeGreaterThan(bears / 2);
    expect(Math.max(...late)).toBeLessThanOrEqual(bears + 2);
  });
});
