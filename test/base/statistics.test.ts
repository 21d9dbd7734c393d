import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteBeta, inverseBeta, jeffreysInterval, logGamma } from '../../source/base/statistics.js';

describe('logGamma', () => {
  it('agrees with factorials and with Γ(½) = √π', () => {
    expect(logGamma(1)).toBeCloseTo(0, 12);
    expect(logGamma(6)).toBeCloseTo(Math.log(120), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(171)).toBeCloseTo(706.5730622457874, 8);
    expect(() => logGamma(0)).toThrow(RangeError);
  });
});

describe('incompleteBeta', () => {
  it('agrees with closed forms', () => {
    // I_x(1, b) = 1 - (1-x)^b; I_x(a, 1) = x^a; I_x(½, ½) = 2/π asin √x
    expect(incompleteBeta(0.3, 1, 4)).toBeCloseTo(1 - 0.7 ** 4, 13);
    expect(incompleteBeta(0.3, 4, 1)).toBeCloseTo(0.3 ** 4, 13);
    expect(incompleteBeta(0.2, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.2)), 13);
    // Binomial tail: P(X >= 3 of 5 at 0.4) = I_0.4(3, 3)
    const tail = 10 * 0.4 ** 3 * 0.6 ** 2 + 5 * 0.4 ** 4 * 0.6 + 0.4 ** 5;
    expect(incompleteBeta(0.4, 3, 3)).toBeCloseTo(tail, 13);
  });

  it('mirrors: I_x(a, b) + I_(1-x)(b, a) = 1', () => {
    const shape = fc.double({ min: 0.5, max: 400, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), shape, shape, (x, a, b) => {
        expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('is undone by inverseBeta', () => {
    const shape = fc.double({ min: 0.5, max: 200, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), shape, shape, (p, a, b) => {
        expect(incompleteBeta(inverseBeta(p, a, b), a, b)).toBeCloseTo(p, 6);
      }),
    );
  });
});

describe('jeffreysInterval', () => {
  const rounded = (passed: number, of: number) => {
    const { low, high } = jeffreysInterval(passed, of);
    return [low.toFixed(2), high.toFixed(2)];
  };

  it('gives the published values', () => {
    expect(rounded(3, 3)).toEqual(['0.46', '1.00']);
    expect(rounded(6, 6)).toEqual(['0.67', '1.00']);
    expect(rounded(5, 6)).toEqual(['0.44', '0.98']);
    expect(rounded(2, 3)).toEqual(['0.18', '0.96']);
  });

  it('gives the values of Brown, Cai and DasGupta, table 5', () => {
    // n = 10: x = 1, 2, 5; n = 30: x = 15
    expect(jeffreysInterval(1, 10)).toEqual({
      low: expect.closeTo(0.011, 3),
      high: expect.closeTo(0.381, 3),
    });
    expect(jeffreysInterval(2, 10)).toEqual({
      low: expect.closeTo(0.044, 3),
      high: expect.closeTo(0.503, 3),
    });
    expect(jeffreysInterval(5, 10)).toEqual({
      low: expect.closeTo(0.224, 3),
      high: expect.closeTo(0.776, 3),
    });
    expect(jeffreysInterval(15, 30)).toEqual({
      low: expect.closeTo(0.328, 3),
      high: expect.closeTo(0.672, 3),
    });
  });

  it('sets the ends to 0 and 1, knows nothing of no trials, and mirrors', () => {
    expect(jeffreysInterval(0, 4).low).toBe(0);
    expect(jeffreysInterval(4, 4).high).toBe(1);
    expect(jeffreysInterval(0, 0)).toEqual({ low: 0, high: 1 });
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (passed, failed) => {
        const { low, high } = jeffreysInterval(passed, passed + failed);
        const mirrored = jeffreysInterval(failed, passed + failed);
        expect(low).toBeLessThanOrEqual(high);
        expect(mirrored.low).toBeCloseTo(1 - high, 9);
        expect(mirrored.high).toBeCloseTo(1 - low, 9);
      }),
    );
  });

  it('refuses what is no rate', () => {
    expect(() => jeffreysInterval(4, 3)).toThrow(RangeError);
    expect(() => jeffreysInterval(-1, 3)).toThrow(RangeError);
    expect(() => jeffreysInterval(1.5, 3)).toThrow(RangeError);
  });
});
