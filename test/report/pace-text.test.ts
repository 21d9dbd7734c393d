import { describe, expect, it } from 'vitest';
import { paceText } from '../../source/report/pace-text.js';
import { createPlainReporter } from '../../source/report/plain.js';

const idle = { account: 'openai', limit: 64, inFlight: 0, waiting: 0, pausedUntil: undefined };

describe('what is said of a provider account', () => {
  it('is nothing while nobody waits for it', () => {
    expect(paceText(idle, 1000)).toBeUndefined();
    expect(paceText({ ...idle, inFlight: 64 }, 1000)).toBeUndefined();
    expect(paceText({ ...idle, pausedUntil: 900 }, 1000)).toBeUndefined();
  });

  it('is how long it is to be left alone, and who is in line', () => {
    expect(paceText({ ...idle, waiting: 3, pausedUntil: 12_600 }, 1000)).toBe(
      'openai: waiting 12 s, 3 in line',
    );
    expect(paceText({ ...idle, pausedUntil: 1001 }, 1000)).toBe('openai: waiting 1 s');
    expect(paceText({ ...idle, limit: 8, waiting: 3 }, 1000)).toBe('openai: 8 at once, 3 in line');
  });

  it('is a line of the log when nothing else was printed for a while', () => {
    let now = 0;
    const lines: string[] = [];
    const reporter = createPlainReporter({
      async write(text) {
        lines.push(text);
      },
      clock: { now: () => now, wait: async () => {} },
      version: '0',
      program: 'evalrun',
    });
    const tell = () => reporter.waits?.([{ ...idle, waiting: 3, pausedUntil: now + 12_000 }]);
    tell();
    now = 6000;
    tell();
    now = 7000;
    tell();
    expect(lines).toEqual(['waits    openai: waiting 12 s, 3 in line\n']);
  });
});
