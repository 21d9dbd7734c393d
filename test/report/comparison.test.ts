import { describe, expect, it } from 'vitest';
import type { Decision } from '../../source/compare/gate.js';
import { noteTexts } from '../../source/report/changes.js';
import { comparisonLines, verdictLines } from '../../source/report/comparison.js';
import { change, comparison, evidence, hostile, unsafe } from './support.js';

describe('what differs from the base', () => {
  it('has a line a criterion that changed, what is proved last and in capitals, then what did not change', () => {
    const changes = [
      change('refund', {
        proof: 'confirmed',
        p: 0.0004,
        to: evidence(0, 3, { fresh: { passed: 1, of: 6 }, why: 'money back' }),
      }),
      change('shaky', { p: 0.2, needs: 9 }),
      change('cured', { direction: 'fixed', from: evidence(0, 3), to: evidence(3, 3) }),
      change('fresh', { direction: 'new', from: undefined as never, to: evidence(3, 3) }),
      change('moved', { direction: 'not-comparable', why: ['turns'] }),
      change('rude', {
        kind: 'judged',
        direction: 'drift',
        from: evidence(3, 3, { score: 4.5 }),
        to: evidence(2, 3, { score: 4 }),
      }),
    ];
    expect([...comparisonLines(comparison(changes), {})]).toEqual([
      'compared with va on simulated:tiny, the baseline of 2026-11-01 09:30 (run base)',
      '  prompt va → vb',
      'fixed           cured   c  0/3 → 3/3',
      'new             fresh   c  – → 3/3',
      'not comparable  moved   c  3/3 → 0/3  turns',
      'regression      shaky   c  3/3 → 0/3  suspect, p 0.20, 9 trials a side in all would settle it; was never called',
      'drift           rude    c  3/3 score 4.5 → 2/3 score 4  suspect',
      'REGRESSION      refund  c  3/3 → 0/3, re-run 1/6  confirmed by the re-run, p <0.001; money back',
      'nothing else changed (7 criteria)',
      'judged: mean 4.5 → 4.25 (−0.25) over 4 cases',
      'axis routing: 9/9 → 7/9',
      'sign test over scenarios: 1 better, 4 worse, p 0.19',
      'tokens: input ×1.25 a trial, cache 71 % → 69 %; over its warning',
    ]);
  });

  it('names under the verdict what has no line of its own: no criterion twice', () => {
    const shaky = change('shaky', { p: 0.2, needs: 9 });
    const tokens = { by: 'tokens' as const, text: 'input tokens 1.25 times those of the base' };
    const refund = {
      by: 'hard-criteria' as const,
      scenario: 'refund',
      check: 'c',
      text: 'refund / c: regression',
    };
    const decision: Decision = {
      exitCode: 1,
      verdict: 'fail',
      headline: 'FAIL: 1 hard criterion fails against the base',
      coverage: 1,
      blocking: [refund, tokens],
      suspects: [shaky],
      reasons: [
        `hard-criteria: ${refund.text}`,
        `tokens: ${tokens.text}`,
        'suspect: shaky / c: regression, 3/3 → 2/3',
        'failed before and still fails: known / c',
      ],
    };
    const changes = [change('refund', { proof: 'confirmed' }), shaky];
    expect([...verdictLines(decision, comparison(changes))]).toEqual([
      'FAIL: 1 hard criterion fails against the base',
      '  tokens: input tokens 1.25 times those of the base',
      '  failed before and still fails: known / c',
    ]);
    expect([...verdictLines(decision, undefined)]).toHaveLength(5);
  });

  it('is that nothing changed where nothing did', () => {
    const same = comparison([], {
      same: 1,
      sign: { better: 0, worse: 0, p: 1 },
      score: undefined,
      axes: [],
      stillFailing: [],
    });
    expect([...comparisonLines(same, {})].slice(2, 4)).toEqual([
      'nothing changed (1 criterion)',
      expect.stringContaining('tokens'),
    ]);
  });

  it('says where tokens cannot be compared', () => {
    const tokens = { level: 'ok' as const, notComparable: 'cold against warm' };
    const lines = [...comparisonLines(comparison([], { tokens }), {})];
    expect(lines).toContain('tokens: not comparable, cold against warm');
  });

  it('has notes on what is beside the changes', () => {
    const simulatedUsers = { scenarios: ['panic'], isCompared: true };
    expect(noteTexts(comparison([], { simulatedUsers, falseRed: 0.71 }))).toEqual([
      'fails as before: known / c',
      'confounded, for a model plays the user: panic',
      'not confirmed: with nothing changed such a gate goes red in 71 % of runs',
    ]);
  });

  it('is safe to print whatever files and models say', () => {
    const changes = [
      change(hostile, { check: hostile, why: [hostile], to: evidence(0, 3, { why: hostile }) }),
    ];
    const all = comparison(changes, {
      refused: [hostile],
      differences: [{ part: 'model', from: hostile, to: hostile }],
      axes: [{ axis: hostile, from: { passed: 1, of: 2 }, to: { passed: 0, of: 2 }, drop: 0.5 }],
      stillFailing: [{ scenario: hostile, check: hostile }],
    });
    for (const line of comparisonLines(all, {})) expect(line).not.toMatch(unsafe);
  });
});
