import { describe, expect, it } from 'vitest';
import { compareGradings } from '../../source/compare/regrade.js';
import type { CheckVerdict } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import { regradeLines } from '../../source/report/regrade.js';
import { createPlan } from '../../source/run/plan.js';
import type { RunStarted } from '../../source/run/reader.js';
import { applyMessage, createTally } from '../../source/tally/tally.js';
import type { RunTally } from '../../source/tally/types.js';
import { condition, patternCheck, scenario } from '../run/support.js';

/** A run of three trials; verdicts by scenario and check, a letter a trial. */
function tally(results: Record<string, Record<string, string>>): RunTally {
  const scenarios = Object.entries(results).map(([id, checks]) =>
    scenario(
      id,
      ['hi'],
      Object.keys(checks).map((check) => patternCheck(check, 'x')),
    ),
  );
  const started: RunStarted = {
    type: 'run-started',
    version: 1,
    runId: '20261130-142530-k3fz',
    at: 0,
    suite: 'tiny',
    suiteHash: 'x',
    plan: createPlan(scenarios, [condition('a', 'v1')], 3),
    seed: '7',
    concurrency: 1,
    evalrun: '0',
    node: '20',
    command: 'evalrun',
  };
  const made = createTally(started);
  const verdicts: Record<string, CheckVerdict> = { p: 'pass', w: 'warn', f: 'fail', u: 'unknown' };
  for (const [id, checks] of Object.entries(results)) {
    for (let repeat = 1; repeat <= 3; repeat++) {
      const common = { at: repeat, trial: { scenario: id, condition: 'a', repeat }, attempt: 1 };
      applyMessage(made, { event: { type: 'trial-started', ...common } });
      for (const [checkId, letters] of Object.entries(checks)) {
        const verdict = verdicts[letters[repeat - 1] ?? ''] ?? 'unknown';
        const result = {
          checkId,
          type: 'pattern_present',
          kind: 'hard' as const,
          verdict,
          reason: `${checkId} ${verdict}`,
        };
        applyMessage(made, { event: { type: 'check-finished', ...common, result } });
      }
      const tokens = { agent: noUsage, judge: noUsage };
      applyMessage(made, {
        event: { type: 'trial-finished', ...common, end: { kind: 'completed' }, unsent: [], ms: 1, tokens },
      });
    }
  }
  return made;
}

describe('what grading again changes', () => {
  it('names each criterion whose verdict is another one, with the reason why it fails now', () => {
    const before = tally({ refund: { 'says-no': 'ppp', 'offers-credit': 'fff' }, bags: { counts: 'ppp' } });
    const after = tally({ refund: { 'says-no': 'pff', 'offers-credit': 'fff' }, bags: { counts: 'ppp' } });
    expect(compareGradings(before, after)).toEqual({
      changes: [
        {
          scenario: 'refund',
          condition: 'a',
          check: 'says-no',
          before: { verdict: 'pass', passed: 3, of: 3 },
          after: { verdict: 'fail', passed: 1, of: 3, reason: 'says-no fail' },
        },
      ],
      same: 2,
    });
  });

  it('does not call it a change when other trials fail and the verdict stays', () => {
    const { changes, same } = compareGradings(tally({ one: { a: 'ffp' } }), tally({ one: { a: 'pff' } }));
    expect(changes).toEqual([]);
    expect(same).toBe(1);
  });

  it('tells checks that are new from checks that are gone', () => {
    const { changes } = compareGradings(tally({ one: { old: 'ppp' } }), tally({ one: { young: 'fff' } }));
    expect(changes.map(({ check, before, after }) => [check, before?.verdict, after?.verdict])).toEqual([
      ['old', 'pass', undefined],
      ['young', undefined, 'fail'],
    ]);
  });

  it('leaves scenarios out that only one of the runs has', () => {
    const difference = compareGradings(tally({ one: { a: 'ppp' } }), tally({ two: { a: 'fff' } }));
    expect(difference).toEqual({ changes: [], same: 0 });
  });

  it('prints a row a criterion, and of one that passes now why it did not', () => {
    const before = tally({ refund: { a: 'fff', b: 'ppp' } });
    const after = tally({ refund: { a: 'ppp', b: 'ppp', c: 'upp' } });
    const lines = [
      ...regradeLines({
        runId: '20261130-142530-k3fz',
        conditions: after.conditions,
        difference: compareGradings(before, after),
        stale: [{ scenario: 'refund', why: 'its turns changed' }],
        gone: ['bags\x1b[31m'],
        fresh: [],
        missing: 2,
        isDryRun: true,
      }),
    ];
    expect(lines).toEqual([
      'against 20261130-142530-k3fz: 1 verdict would change, 1 check new, 1 criterion keeps its verdict',
      '  refund  a  fail 0/3  -> pass 3/3     was: a fail',
      '  refund  c  new       -> unknown 2/2  c unknown',
      'stale    refund: its turns changed since; its conversations are of how it was',
      'gone     bags␛[31m: the suite has it no more, so it was not graded',
      'missing  2 trials without a conversation: counted as errors',
    ]);
  });
});
