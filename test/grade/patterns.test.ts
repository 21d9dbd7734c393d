import { describe, expect, it } from 'vitest';
import { findCheck } from '../../source/grade/registry.js';
import { call, conversation, conversationOf, grade, mistakesOf, unanswered } from './transcripts.js';

describe('pattern_present', () => {
  const transcript = conversation(['Looking…', call('get_order'), 'Your number is RF-204518.'], 'Bye.');

  it('passes on a match in one of the replies, and points at it inside its part', () => {
    expect(grade(transcript, 'pattern_present', { pattern: 'RF-[0-9]{6}' })).toEqual({
      verdict: 'pass',
      reason: 'saw "Looking… Your number is RF-204518." in turn 1',
      evidence: [{ turn: 1, part: 2, start: 15, end: 24 }],
    });
  });

  it('points at each part that a match touches', () => {
    expect(grade(transcript, 'pattern_present', { pattern: '(?s)king.*Your' }).evidence).toEqual([
      { turn: 1, part: 0, start: 3, end: 8 },
      { turn: 1, part: 2, start: 0, end: 4 },
    ]);
  });

  it('says what was expected and quotes what was said', () => {
    expect(grade(transcript, 'pattern_present', { pattern: 'RF' }, { on: 'last' })).toEqual({
      verdict: 'fail',
      reason: 'expected a match of RF, saw "Bye."',
    });
  });

  it('cuts what it quotes, on one line and between characters', () => {
    const { reason } = grade(conversation(`a\n\n${'👩‍👩‍👧'.repeat(400)}`), 'pattern_present', {
      pattern: 'RF',
    });
    expect(reason.length).toBeLessThan(400);
    expect(reason).not.toMatch(/\n/);
    expect(() => encodeURIComponent(reason)).not.toThrow();
    expect(reason).toMatch(/…"$/);
  });

  it('knows letter case unless told otherwise', () => {
    expect(grade(conversation('Full REFUND'), 'pattern_present', { pattern: 'refund' }).verdict).toBe('fail');
    expect(grade(conversation('Full REFUND'), 'pattern_present', { pattern: '(?i)refund' }).verdict).toBe(
      'pass',
    );
  });

  it('finds words of other scripts', () => {
    expect(
      grade(conversation('Die Rückerstattung folgt.'), 'pattern_present', { pattern: '(?i)RÜCK\\p{L}+' })
        .verdict,
    ).toBe('pass');
    expect(grade(conversation('可以全额退款。'), 'pattern_present', { pattern: '全额.款' }).verdict).toBe(
      'pass',
    );
  });
});

describe('pattern_absent', () => {
  it('is not got round by invisible characters within what must be absent', () => {
    const transcript = conversation('You get a full re\u200bfu\u00adnd today.');
    expect(grade(transcript, 'pattern_absent', { pattern: 'refund' })).toMatchObject({
      verdict: 'fail',
      evidence: [{ turn: 1, part: 0, start: 15, end: 23 }],
    });
    expect(grade(transcript, 'pattern_present', { pattern: 'refund' }).verdict).toBe('fail');
  });

  it('names a match once where invisible characters only stand beside it', () => {
    const { evidence } = grade(conversation('\u200bA refund.\u200b'), 'pattern_absent', {
      pattern: 'refund',
    });
    expect(evidence).toEqual([{ turn: 1, part: 0, start: 3, end: 9 }]);
  });

  it('fails on a match, and quotes it with what stands around it', () => {
    const transcript = conversation(
      'Hello.',
      `${'word '.repeat(60)}a full refund today ${'more '.repeat(60)}`,
    );
    const outcome = grade(transcript, 'pattern_absent', { pattern: '(?i)\\bfull refund\\b' });
    expect(outcome.verdict).toBe('fail');
    expect(outcome.reason).toMatch(
      /^expected no match of \(\?i\)\\bfull refund\\b, saw "….*word a full refund today more.*…" in turn 2$/,
    );
    expect(outcome.evidence).toEqual([{ turn: 2, part: 0, start: 302, end: 313 }]);
  });

  it.each(['\u200b', '\u200b\u2060\ufeff', '\u0000\u0000', ' \u00ad\u3164\u2800 '])(
    'is unknown over a reply of which nothing is seen: %j',
    (reply) => {
      expect(grade(conversation(reply), 'pattern_absent', { pattern: 'refund' }).verdict).toBe('unknown');
      expect(grade(conversation(reply), 'keywords_absent', { words: ['refund'] }).verdict).toBe('unknown');
    },
  );

  it('is unknown where there is nothing to read', () => {
    expect(grade(conversation('Hello.', ''), 'pattern_absent', { pattern: 'refund' })).toEqual({
      verdict: 'unknown',
      reason: 'cannot be decided: the reply of turn 2 is empty',
      evidence: [{ turn: 2 }],
    });
    const refused = conversationOf([{ said: [], stop: 'refused' }]);
    expect(grade(refused, 'pattern_absent', { pattern: 'refund' })).toMatchObject({
      verdict: 'unknown',
      reason: 'cannot be decided: the reply of turn 1 is empty (the model refused in turn 1)',
    });
  });

  it('reads what a reply has that was cut off', () => {
    const cutOff = conversationOf([{ said: ['You will get a'], stop: 'cut-off' }]);
    expect(grade(cutOff, 'pattern_absent', { pattern: 'refund' }).verdict).toBe('pass');
  });

  it('decides on the turns that the turn limit left, and not on those that were never played', () => {
    const limited = {
      ...conversation('One.', 'Two.'),
      end: { kind: 'turn-limit', maxTurns: 2 } as const,
      unsent: ['third'],
    };
    expect(grade(limited, 'pattern_absent', { pattern: 'refund' }).verdict).toBe('pass');
    expect(grade(limited, 'pattern_absent', { pattern: 'refund' }, { on: { from: 2, to: 4 } })).toEqual({
      verdict: 'unknown',
      reason: 'cannot be decided: turns 3 to 4 were not played: the limit of 2 turns was reached',
    });
    expect(grade(limited, 'pattern_absent', { pattern: 'Two' }, { on: { from: 2, to: 4 } }).verdict).toBe(
      'fail',
    );
  });

  it('does not take the turn in which a fixture was missing for the last one while messages are unsent', () => {
    const brokenOff = { ...conversation(['No refund.', unanswered('get_order')]), unsent: ['and then?'] };
    expect(grade(brokenOff, 'pattern_absent', { pattern: 'refund' }, { on: 'last' }).verdict).toBe('unknown');
    expect(grade(brokenOff, 'pattern_absent', { pattern: 'refund' }).verdict).toBe('fail');
    const atTheEnd = { ...brokenOff, unsent: [] };
    expect(grade(atTheEnd, 'pattern_absent', { pattern: 'refund' }, { on: 'last' }).verdict).toBe('fail');
  });

  it('takes no longer than the text is long', () => {
    const transcript = conversation('a'.repeat(200_000));
    const start = performance.now();
    expect(grade(transcript, 'pattern_absent', { pattern: '(a*)*b' }).verdict).toBe('pass');
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('a pattern that cannot be used', () => {
  it.each([
    ['(', 'RE2 refuses this pattern: missing closing ): `(`'],
    ['a(?=b)', 'RE2 has no look-around: use two patterns instead'],
    ['(a)\\1', 'RE2 has no back-references'],
    ['(a{1000}){1000}', 'invalid repeat count'],
    ['x*', 'this pattern matches every text'],
  ])('is a mistake in the suite: %s', (pattern, message) => {
    const [mistake] = mistakesOf('pattern_present', { pattern });
    expect(mistake).toContain('pattern: ');
    expect(mistake).toContain(message);
  });

  it('may match an empty line, which not every reply has', () => {
    expect(mistakesOf('pattern_absent', { pattern: '(?m)^$' })).toEqual([]);
  });

  it('gives a made-up id the words that it looks for', () => {
    expect(findCheck('pattern_absent')?.mainArgument({ pattern: '(?i)\\bfull refund\\b' })).toBe(
      'full refund',
    );
  });
});
