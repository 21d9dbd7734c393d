import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../source/base/json.js';
import { normalisedEqual } from '../../source/grade/normalise.js';

describe('values whose written form does not count', () => {
  it.each<[Json, Json]>([
    ['EHGLP3', ' ehglp3 '],
    ['New  York', 'new york'],
    ['Straße', 'STRASSE'],
    [1234.5, '1,234.50'],
    ['1.234,50', '1234.5'],
    ['1 234,5', 1234.5],
    ['1.234.567', 1234567],
    ['12,50', 12.5],
    [450, '$450'],
    ['$450.00', '450 USD'],
    ['USD 450', '450 usd'],
    ['€ 12,50', '12.50 EUR'],
    ['-$5', -5],
    ['2024-05-20', 'May 20, 2024'],
    ['2024-05-20', '20 May 2024'],
    ['2024-05-20', 'Monday, May 20th, 2024'],
    ['2024-05-20', '20.05.2024'],
    ['2024-05-20', '20.5.2024'],
    ['2024-05-20', '05/20/2024'],
    ['2024-05-20', '20/05/2024'],
    ['2024-05-20', '2024/5/20'],
    ['2024-05-20', '2024年5月20日'],
    ['2024-09-03', 'Sept 3, 2024'],
    ['2024-05-05', '5/5/2024'],
    [
      ['A', 1],
      ['a', '1'],
    ],
    [
      { a: 'X', b: 1 },
      { b: '1', a: 'x' },
    ],
  ])('%j is %j', (a, b) => {
    expect(normalisedEqual(a, b)).toBe(true);
    expect(normalisedEqual(b, a)).toBe(true);
  });

  it.each<[Json, Json]>([
    ['EHGLP3', 'EHGLP4'],
    ['007', '7'],
    ['$450', '€450'],
    ['450 USD', '450 EUR'],
    ['450 abc', '450'],
    ['1,234', 1.234],
    ['5', '-5'],
    ['12345678901234567890', '12345678901234567891'],
    ['2024-05-20', '2024-05-21'],
    ['05/06/2024', '2024-05-06'],
    ['05/06/2024', '2024-06-05'],
    ['2024-02-30', '2024-03-01'],
    ['May 2024', '2024-05-01'],
    [true, 'true'],
    [1, true],
    [null, 'null'],
    [null, 0],
    ['', null],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], ['a', 'b']],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: null }, {}],
    [['a'], { 0: 'a' }],
  ])('%j is not %j', (a, b) => {
    expect(normalisedEqual(a, b)).toBe(false);
    expect(normalisedEqual(b, a)).toBe(false);
  });

  it('are equal to themselves and in whichever order they are compared', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('1', '0', '.', ',', '-', '/', '$', '€', ' ', 'may', 'usd', '5') }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(normalisedEqual(a, a)).toBe(true);
        expect(normalisedEqual(a, b)).toBe(normalisedEqual(b, a));
      }),
      { numRuns: 500 },
    );
  });

  it('include a number and its text', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        expect(normalisedEqual(n, String(n))).toBe(true);
        expect(normalisedEqual(n, n.toLocaleString('en-US'))).toBe(true);
        expect(normalisedEqual(n, n + 1)).toBe(false);
      }),
    );
  });

  it('include a day in each of its written forms', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, (day) => {
        const iso = day.toISOString().slice(0, 10);
        const long = day.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
        const british = day.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
        const german = day.toLocaleDateString('de-DE', { dateStyle: 'medium', timeZone: 'UTC' });
        for (const form of [long, british, german]) expect(normalisedEqual(iso, form), form).toBe(true);
      }),
    );
  });
});
