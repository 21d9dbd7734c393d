import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckCounts } from '../../source/tally/types.js';
import {
  checkRate,
  checkVerdict,
  toleratedFailures,
  verdictRange,
  worstVerdict,
} from '../../source/tally/verdict.js';

function counts(given: Partial<CheckCounts>): CheckCounts {
  return { pass: 0, warn: 0, fail: 0, unknown: 0, error: 0, ...given };
}

const anyCounts = fc.record({
  pass: fc.nat(12),
  warn: fc.nat(4),
  fail: fc.nat(12),
  unknown: fc.nat(4),
  error: fc.nat(4),
});

describe('verdict of k trials', () => {
  it('passes when all pass, warns when all but a few do, fails below', () => {
    expect(checkVerdict(counts({ pass: 3 }))).toBe('pass');
    expect(checkVerdict(counts({ pass: 2, fail: 1 }))).toBe('warn');
    expect(checkVerdict(counts({ pass: 1, fail: 2 }))).toBe('fail');
    expect(checkVerdict(counts({ pass: 5, fail: 1 }))).toBe('warn');
    expect(checkVerdict(counts({ pass: 4, fail: 2 }))).toBe('fail');
  });

  it('fails on the one failure of a single trial and warns on one of two', () => {
    expect(checkVerdict(counts({ fail: 1 }))).toBe('fail');
    expect(checkVerdict(counts({ pass: 1, fail: 1 }))).toBe('warn');
    expect(checkVerdict(counts({ fail: 2 }))).toBe('fail');
  });

  it('tolerates one failure up to eleven trials, then a sixth', () => {
    expect([1, 2, 3, 6, 11, 12, 17, 18, 30].map(toleratedFailures)).toEqual([0, 1, 1, 1, 1, 2, 2, 3, 5]);
    expect(checkVerdict(counts({ pass: 10, fail: 2 }))).toBe('warn');
    expect(checkVerdict(counts({ pass: 9, fail: 2 }))).toBe('fail');
  });

  it('counts a warn trial as passed and caps the check at warn', () => {
    expect(checkVerdict(counts({ warn: 3 }))).toBe('warn');
    expect(checkVerdict(counts({ pass: 2, warn: 1 }))).toBe('warn');
    expect(checkVerdict(counts({ warn: 2, fail: 1 }))).toBe('warn');
    expect(checkVerdict(counts({ warn: 1, fail: 2 }))).toBe('fail');
    expect(checkRate(counts({ pass: 2, warn: 1, fail: 1, unknown: 5 }))).toEqual({ passed: 3, of: 4 });
  });

  it('is unknown only where the ungraded trials could turn it', () => {
    expect(checkVerdict(counts({ pass: 2, unknown: 1 }))).toBe('unknown');
    expect(checkVerdict(counts({ pass: 1, warn: 1, unknown: 1 }))).toBe('warn');
    expect(checkVerdict(counts({ fail: 2, error: 1 }))).toBe('fail');
    expect(checkVerdict(counts({ pass: 4, fail: 1, unknown: 1 }))).toBe('unknown');
    expect(verdictRange(counts({ pass: 4, fail: 1, unknown: 1 }))).toEqual({ best: 'warn', worst: 'fail' });
    expect(checkVerdict(counts({ unknown: 3 }))).toBe('unknown');
  });

  it('says nothing without a trial', () => {
    expect(checkVerdict(counts({}))).toBeUndefined();
    expect(verdictRange(counts({}))).toBeUndefined();
  });

  it('never counts unknown or error as either: the verdict holds however they had ended', () => {
    fc.assert(
      fc.property(anyCounts, fc.nat(8), (given, turnedToPass) => {
        const verdict = checkVerdict(given);
        if (verdict === undefined || verdict === 'unknown') return;
        const ungraded = given.unknown + given.error;
        const passes = Math.min(turnedToPass, ungraded);
        const ended = counts({
          pass: given.pass + passes,
          warn: given.warn,
          fail: given.fail + ungraded - passes,
        });
        expect(checkVerdict(ended)).toBe(verdict);
      }),
    );
  });
});

describe('worstVerdict', () => {
  it('orders fail, error, unknown, warn, pass', () => {
    expect(worstVerdict(['pass', 'warn', 'unknown', 'fail'])).toBe('fail');
    expect(worstVerdict(['pass', 'unknown', 'error'])).toBe('error');
    expect(worstVerdict(['pass', 'warn', 'unknown'])).toBe('unknown');
    expect(worstVerdict(['pass', undefined, 'warn'])).toBe('warn');
    expect(worstVerdict([undefined, 'pass'])).toBe('pass');
    expect(worstVerdict([undefined])).toBeUndefined();
  });
});
