import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../source/play/types.js';
import { brokenOff, conversation, conversationOf, grade } from './transcripts.js';

/** A conversation of so many turns; the product ends it in the last one, or does not. */
function session(turns: number, ended: boolean): Transcript {
  return conversationOf(
    Array.from({ length: turns }, (_, index) => ({
      said: [`Reply ${index + 1}.`],
      ended: ended && index === turns - 1,
    })),
  );
}

describe('session_ended', () => {
  it('passes when the product ended the session in time', () => {
    expect(grade(session(3, true), 'session_ended', { by_turn: 3 })).toEqual({
      verdict: 'pass',
      reason: 'the product ended the session in turn 3',
      evidence: [{ turn: 3 }],
    });
    expect(grade(session(1, true), 'session_ended', {}).verdict).toBe('pass');
  });

  it('fails when it ended it too late', () => {
    expect(grade(session(4, true), 'session_ended', { by_turn: 3 })).toEqual({
      verdict: 'fail',
      reason: 'expected an end by turn 3, but the product ended the session in turn 4',
      evidence: [{ turn: 4 }],
    });
  });

  it('fails when the deadline has passed, or there is none, and it was not ended', () => {
    expect(grade(session(3, false), 'session_ended', { by_turn: 3 })).toMatchObject({
      verdict: 'fail',
      reason: 'expected the product to end the session by turn 3, which it did not do',
    });
    expect(grade(session(2, false), 'session_ended', {})).toMatchObject({
      verdict: 'fail',
      reason: 'expected the product to end the session, which it did not do in 2 turns',
    });
  });

  it('is unknown when the conversation was over before the deadline', () => {
    expect(grade(session(2, false), 'session_ended', { by_turn: 3 })).toEqual({
      verdict: 'unknown',
      reason: 'cannot be decided: the conversation had 2 turns, and the product had until turn 3 to end it',
    });
    expect(grade(conversation(), 'session_ended', {}).verdict).toBe('unknown');
  });

  it('after a missing fixture is decided only where the deadline has passed', () => {
    expect(grade(brokenOff(session(3, false)), 'session_ended', { by_turn: 3 }).verdict).toBe('fail');
    expect(grade(brokenOff(session(2, false)), 'session_ended', { by_turn: 3 }).verdict).toBe('unknown');
    expect(grade(brokenOff(session(2, false)), 'session_ended', {}).verdict).toBe('unknown');
  });
});
