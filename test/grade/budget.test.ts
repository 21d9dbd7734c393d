import { describe, expect, it } from 'vitest';
import { conversationOf, grade, mistakesOf, unanswered } from './transcripts.js';

const transcript = conversationOf([
  { said: ['One.'], usage: { input: 1000, output: 100, cacheWrite: 800 }, steps: 2, ms: 1500 },
  { said: ['Two.'], usage: { input: 1200, output: 50, cacheRead: 900 }, steps: 1, ms: 2250 },
]);

describe('budget', () => {
  it.each([
    [{ input_tokens: { fail: 2200 } }, 'pass', 'input_tokens 2,200 tokens, within the limit of 2,200 tokens'],
    [{ input_tokens: { fail: 2199 } }, 'fail', 'input_tokens 2,200 tokens, over the limit of 2,199 tokens'],
    [
      { output_tokens: { warn: 149, fail: 200 } },
      'warn',
      'output_tokens 150 tokens, over the warning of 149 tokens (fails over 200 tokens)',
    ],
    [{ cache_read: { fail: 900 } }, 'pass', 'cache_read 900 tokens, within the limit of 900 tokens'],
    [{ cache_write: { fail: 799 } }, 'fail', 'cache_write 800 tokens, over the limit of 799 tokens'],
    // (2200 - 900 - 800) + 0.1 * 900 + 1.25 * 800
    [
      { effective_input: { fail: 1589.5 } },
      'fail',
      'effective_input 1,590 tokens, over the limit of 1,589.5 tokens',
    ],
    [{ cache_hit_rate: { fail: 0.5 } }, 'fail', 'cache_hit_rate 0.409, under the limit of 0.5'],
    [
      { cache_hit_rate: { warn: 0.5, fail: 0.4 } },
      'warn',
      'cache_hit_rate 0.409, under the warning of 0.5 (fails under 0.4)',
    ],
    [
      { input_tokens: { warn: 2000, fail: 4000 } },
      'warn',
      'input_tokens 2,200 tokens, over the warning of 2,000 tokens (fails over 4,000 tokens)',
    ],
    [{ steps: { fail: 3 } }, 'pass', 'steps 3 model requests, within the limit of 3 model requests'],
    [{ seconds: { warn: 3.7 } }, 'warn', 'seconds 3.75 seconds, over the warning of 3.7 seconds'],
  ])('of %j is %s', (limits, verdict, reason) => {
    expect(grade(transcript, 'budget', limits)).toEqual({ verdict, reason });
  });

  it('has the worst verdict of its limits, and the reasons of that', () => {
    expect(
      grade(transcript, 'budget', { steps: { fail: 2 }, seconds: { warn: 1 }, output_tokens: { fail: 1 } }),
    ).toEqual({
      verdict: 'fail',
      reason:
        'output_tokens 150 tokens, over the limit of 1 tokens; steps 3 model requests, over the limit of 2 model requests',
    });
  });

  it('is unknown where the target reported no tokens, yet still counts steps', () => {
    const silent = conversationOf([{ said: ['One.'], steps: 4 }]);
    expect(grade(silent, 'budget', { input_tokens: { fail: 9 } })).toEqual({
      verdict: 'unknown',
      reason: 'input_tokens: the target reported no tokens',
    });
    expect(grade(silent, 'budget', { cache_hit_rate: { fail: 0.1 } }).verdict).toBe('unknown');
    expect(grade(silent, 'budget', { steps: { fail: 4 } }).verdict).toBe('pass');
    expect(grade(silent, 'budget', { steps: { fail: 3 }, input_tokens: { fail: 9 } }).verdict).toBe('fail');
  });

  it('is unknown after a call without a fixture, but for a limit that was passed by then', () => {
    const brokenOff = conversationOf([
      { said: ['One.', unanswered('get_order')], usage: { input: 1000, output: 10 }, steps: 3 },
    ]);
    expect(grade(brokenOff, 'budget', { input_tokens: { fail: 999 } }).verdict).toBe('fail');
    expect(grade(brokenOff, 'budget', { input_tokens: { warn: 999 } }).verdict).toBe('unknown');
    expect(grade(brokenOff, 'budget', { input_tokens: { fail: 1001 } }).verdict).toBe('unknown');
    expect(grade(brokenOff, 'budget', { cache_hit_rate: { fail: 0.5 } }).verdict).toBe('unknown');
  });

  it.each([
    [{}, /^: needs at least one limit: input_tokens, /],
    [{ steps: {} }, /^steps: needs warn or fail$/],
    [{ steps: { warn: 5, fail: 4 } }, /^steps\.warn: would never warn/],
    [{ cache_hit_rate: { warn: 0.4, fail: 0.5 } }, /^cache_hit_rate\.warn: would never warn/],
    [{ cache_hit_rate: { fail: 50 } }, /^cache_hit_rate: is a share, 0 to 1$/],
  ])('refuses limits that make no sense: %j', (limits, mistake) => {
    expect(mistakesOf('budget', limits)).toEqual([expect.stringMatching(mistake)]);
  });
});
