import { describe, expect, it } from 'vitest';
import type { QuarantineEntry } from '../../source/run/planned.js';
import { countedTally, expiredIn, isExpired } from '../../source/tally/quarantine.js';
import { scoresOf } from '../../source/tally/scores.js';
import { type Feed, feedOf, plannedScenario, runStarted, trialKey } from './support.js';

function entry(scenario: string, check?: string, until = '2026-12-14'): QuarantineEntry {
  return {
    scenario,
    ...(check !== undefined && { check }),
    owner: 'Ada',
    reason: 'flips',
    since: '2026-11-30',
    until,
    evidence: [],
  };
}

/** Two scenarios with the checks `c` and `d`, of which `refund / d` fails in every trial and all else passes. */
function played(quarantine: QuarantineEntry[]): Feed {
  const planned = ['refund', 'order'].map((id) => plannedScenario(id, ['c', 'd']));
  const feed = feedOf({ ...runStarted(planned, 2), quarantine });
  for (const id of ['refund', 'order']) {
    for (const repeat of [1, 2])
      feed.trial(trialKey(id, repeat), { c: 'pass', d: id === 'refund' ? 'fail' : 'pass' });
  }
  return feed;
}

describe('a quarantine', () => {
  it('leaves a check out of the verdicts of its scenario and trials, and still counts what it does', () => {
    const { tally } = played([entry('refund', 'd')]);
    const row = tally.rowById.get('refund');
    expect(row?.verdict).toBe('pass');
    expect(row?.why).toBeUndefined();
    expect(row?.groups[0]?.cells.map(({ state }) => state)).toEqual(['pass', 'pass']);
    expect(row?.groups[0]?.checks.get('d')).toMatchObject({ pass: 0, fail: 2 });
    expect(row?.isQuarantined).toBe(false);
    expect(tally.verdicts).toMatchObject({ pass: 2, fail: 0 });
    expect(tally.quarantined).toBe(0);
  });

  it('of a whole scenario shows its verdict and counts it apart', () => {
    for (const entries of [[entry('refund')], [entry('refund', 'c'), entry('refund', 'd')]]) {
      const { tally } = played(entries);
      expect(tally.rowById.get('refund')).toMatchObject({ verdict: 'fail', isQuarantined: true });
      expect(tally.verdicts).toEqual({ pass: 1, warn: 0, fail: 0, unknown: 0, error: 0 });
      expect(tally.quarantined).toBe(1);
    }
  });

  it('counts in no score', () => {
    expect(scoresOf(played([]).tally).all).toEqual({ passed: 2, of: 4, scenarios: 2 });
    expect(scoresOf(played([entry('refund', 'd')]).tally).all).toEqual({ passed: 4, of: 4, scenarios: 2 });
    expect(scoresOf(played([entry('refund')]).tally).all).toEqual({ passed: 2, of: 2, scenarios: 1 });
  });

  it('is left out of what a verdict rests on, with its trials where a whole scenario is', () => {
    const whole = countedTally(played([entry('refund')]).tally);
    expect(whole.rows.map(({ scenario }) => scenario.id)).toEqual(['order']);
    expect(whole.trials.total).toBe(2);
    const single = countedTally(played([entry('refund', 'd')]).tally);
    expect(single.rows[0]?.groups[0] && [...single.rows[0].groups[0].checks.keys()]).toEqual(['c']);
    expect(single.trials.total).toBe(4);
    const { tally } = played([]);
    expect(countedTally(tally)).toBe(tally);
  });

  it('has ended on the day after its last, UTC', () => {
    expect(isExpired({ until: '2026-12-14' }, Date.UTC(2026, 11, 14, 23, 59))).toBe(false);
    expect(isExpired({ until: '2026-12-14' }, Date.UTC(2026, 11, 15))).toBe(true);
    const old = entry('order', 'c', '1969-12-31');
    expect(expiredIn(played([entry('refund'), old]).tally)).toEqual([old]);
  });
});
