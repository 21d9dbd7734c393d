import { describe, expect, it } from 'vitest';
import {
  countOf,
  formatDuration,
  formatRemaining,
  formatShare,
  formatTokens,
} from '../../source/report/format.js';

describe('numbers in reports and on screen', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [999.4, '999'],
    [1000, '1.0k'],
    [12_149, '12.1k'],
    [99_949, '99.9k'],
    [99_960, '100k'],
    [412_345, '412k'],
    [999_600, '1.0M'],
    [1_234_567, '1.2M'],
    [2_500_000_000, '2.5G'],
  ])('%d tokens are %s', (count, text) => expect(formatTokens(count)).toBe(text));

  it.each([
    [0, '0.0 s'],
    [430, '0.4 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_600, '1m 00s'],
    [130_000, '2m 10s'],
    [3_599_600, '1h 00m'],
    [3_900_000, '1h 05m'],
  ])('%d ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it('tells remaining time in steps', () => {
    expect(formatRemaining(4_000)).toBe('under 5 s');
    expect(formatRemaining(21_000)).toBe('25 s');
    expect(formatRemaining(127_000)).toBe('2m 10s');
  });

  it('says 100 % and 0 % only when that is so', () => {
    expect(formatShare(0.641)).toBe('64 %');
    expect(formatShare(0.999)).toBe('99 %');
    expect(formatShare(1)).toBe('100 %');
    expect(formatShare(0.001)).toBe('1 %');
    expect(formatShare(0)).toBe('0 %');
  });

  it('counts one and several', () => {
    expect(countOf(1, 'trial')).toBe('1 trial');
    expect(countOf(3, 'trial')).toBe('3 trials');
  });
});
