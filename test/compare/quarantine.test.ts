import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeRun, rerunsOf } from '../../source/compare/judge-run.js';
import type { CheckVerdict } from '../../source/grade/types.js';
import { defaultGate, type FailOn, type GateSettings } from '../../source/project/gate-settings.js';
import type { QuarantineEntry } from '../../source/run/planned.js';
import type { RunTally } from '../../source/tally/types.js';
import {
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
  trialKey,
} from '../tally/support.js';

const ended = '1969-12-31';
const repeat = 3;

function entry(more: Partial<QuarantineEntry> = {}): QuarantineEntry {
  return {
    scenario: 'refund',
    owner: 'Ada',
    reason: 'flips',
    since: '1969-12-01',
    until: '1970-01-20',
    evidence: [],
    ...more,
  };
}

interface Played {
  quarantine?: QuarantineEntry[];
  /** What `refund / d` says in every trial of the candidate. */
  says?: CheckVerdict | 'error';
  /** Held against a base that passes all of it. */
  isCompared?: boolean;
}

/** Two scenarios with the checks `c` and `d`: `refund / d` says something else than all others, which pass. */
function played({ quarantine = [], says = 'fail', isCompared = false }: Played): RunTally {
  const planned = ['refund', 'order'].map((id) => plannedScenario(id, ['c', 'd']));
  const conditions = [plannedCondition('a'), ...(isCompared ? [plannedCondition('b')] : [])];
  const feed = feedOf({
    ...runStarted(planned, repeat, conditions),
    quarantine,
    ...(isCompared && { base: { kind: 'condition' as const, condition: 'b' } }),
  });
  for (const { id: condition } of conditions) {
    for (const { id } of planned) {
      for (let one = 1; one <= repeat; one++) {
        const key = trialKey(id, one, condition);
        const isOdd = id === 'refund' && condition === 'a';
        if (isOdd && says === 'error') feed.errored(key);
        else feed.trial(key, { c: 'pass', d: isOdd && says !== 'error' ? says : 'pass' });
      }
    }
  }
  feed.tell(finished());
  return feed.tally;
}

function decided(how: Played, more: Partial<GateSettings> = {}) {
  return judgeRun(played(how), { gate: { ...defaultGate, ...more } });
}

describe('a quarantined check', () => {
  it('that fails does not fail the gate, and is named beside the verdict', () => {
    expect(decided({}).decision).toMatchObject({ exitCode: 1, headline: 'FAIL: 1 of 2 scenarios fails' });
    const { decision } = decided({ quarantine: [entry({ check: 'd' })] });
    expect(decision).toMatchObject({ exitCode: 0, headline: 'PASS: all 2 scenarios pass' });
    expect(decision.reasons).toEqual(['quarantined: 1 check of 1 scenario, of which 1 fails: refund / d']);
  });

  it('leaves the other checks of its scenario to fail the gate', () => {
    const { decision } = decided({ quarantine: [entry({ check: 'c' })] });
    expect(decision.exitCode).toBe(1);
  });

  it('is no suspect, is not run again, and is in no list of changes', () => {
    const bare = decided({ isCompared: true });
    expect(bare.decision.suspects).toHaveLength(1);
    expect(rerunsOf(played({ isCompared: true }), { gate: defaultGate })).toHaveLength(2);
    const how = { isCompared: true, quarantine: [entry({ check: 'd' })] };
    const { decision, comparison } = decided(how);
    expect(decision).toMatchObject({ exitCode: 0, suspects: [], blocking: [] });
    expect(comparison).toMatchObject({
      changes: [],
      same: 3,
      stillFailing: [],
      quarantined: [{ scenario: 'refund', check: 'd', verdict: 'fail', passed: 0, of: 3 }],
    });
    expect(rerunsOf(played(how), { gate: defaultGate })).toEqual([]);
  });

  it('that could not be graded leaves the verdict as it is', () => {
    const open = { says: 'unknown' as const };
    expect(decided(open).decision.exitCode).toBe(3);
    expect(decided({ ...open, quarantine: [entry({ check: 'd' })] }).decision.exitCode).toBe(0);
    expect(decided({ says: 'error' }).decision.exitCode).toBe(3);
    expect(decided({ says: 'error', quarantine: [entry()] }).decision.exitCode).toBe(0);
  });

  it('never blocks, whatever it says, whatever the gate is to fail on', () => {
    const names: FailOn[] = ['hard-criteria', 'score-drop', 'regression', 'drift', 'axis-drop', 'unknown'];
    fc.assert(
      fc.property(
        fc.constantFrom<CheckVerdict | 'error'>('pass', 'warn', 'fail', 'unknown', 'error'),
        fc.subarray(names, { minLength: 1 }),
        fc.boolean(),
        fc.boolean(),
        (says, failOn, isCompared, confirm) => {
          const how = { says, isCompared, quarantine: [entry()] };
          expect(decided(how, { failOn, confirm }).decision.exitCode).toBe(0);
        },
      ),
    );
  });

  it('is all that was run: then there is no verdict', () => {
    const quarantine = [entry(), entry({ scenario: 'order' })];
    expect(decided({ quarantine }).decision).toMatchObject({
      exitCode: 3,
      headline: 'NO VERDICT: all that was run is quarantined',
    });
  });
});

describe('a quarantine that has ended', () => {
  const quarantine = [entry({ check: 'd', until: ended })];

  it('fails a gate that lists it, compared or not', () => {
    for (const isCompared of [false, true]) {
      const { decision } = decided({ quarantine, isCompared });
      expect(decision.exitCode).toBe(1);
      expect(decision.headline).toMatch(/^FAIL: a quarantine has expired/);
      expect(decision.reasons[0]).toBe(
        'quarantine-expired: refund / d: its quarantine ended on 1969-12-31, and Ada has to release or extend it',
      );
    }
  });

  it('is shouted at where the gate does not list it, and still blocks nothing', () => {
    for (const isCompared of [false, true]) {
      const { decision } = decided({ quarantine, isCompared }, { failOn: ['hard-criteria'] });
      expect(decision.exitCode).toBe(0);
      expect(decision.reasons).toContain(
        'EXPIRED: refund / d: its quarantine ended on 1969-12-31, and Ada has to release or extend it',
      );
    }
  });
});
