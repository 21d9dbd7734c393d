import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jeffreysInterval } from '../../source/base/statistics.js';
import type { CheckResult, CheckVerdict } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import type { TrialKey } from '../../source/run/events.js';
import type { PlannedScenario } from '../../source/run/planned.js';
import { rateInterval, scoresOf } from '../../source/tally/scores.js';
import { type Feed, feedOf, plannedCondition, plannedScenario, runStarted, trialKey } from './support.js';

type Given = Partial<CheckResult> & { verdict: CheckVerdict };

function trial(feed: Feed, key: TrialKey, results: Record<string, Given>): void {
  feed.tell({ type: 'trial-started', at: 2000, trial: key, attempt: 1 });
  for (const [checkId, given] of Object.entries(results)) {
    const result: CheckResult = { checkId, type: 't', kind: 'hard', reason: '', ...given };
    feed.tell({ type: 'check-finished', at: 2001, trial: key, attempt: 1, result });
  }
  const tokens = { agent: noUsage, judge: noUsage };
  const rest = { end: { kind: 'completed' as const }, unsent: [], ms: 1, tokens };
  feed.tell({ type: 'trial-finished', at: 2002, trial: key, attempt: 1, ...rest });
}

function tagged(id: string, tags: string[], checks: Partial<PlannedScenario['checks'][number]>[] = [{}]) {
  const scenario = plannedScenario(id);
  scenario.tags = tags;
  scenario.checks = checks.map((check, index) => ({
    id: `c${index}`,
    type: 't',
    kind: 'hard',
    absolute: false,
    ...check,
  }));
  return scenario;
}

describe('scores of a run', () => {
  it('counts an axis as right only where all of it was, and keeps the share beside it', () => {
    const feed = feedOf(runStarted([tagged('cancel', ['refund']), tagged('rebook', ['travel'])], 1));
    trial(feed, trialKey('cancel', 1), { c0: { verdict: 'fail', axes: { noop: 1, fields: 0.5 } } });
    trial(feed, trialKey('rebook', 1), { c0: { verdict: 'pass', axes: { noop: 1, fields: 1 } } });
    const { axes, tags, all } = scoresOf(feed.tally);
    expect(axes).toEqual([
      { axis: 'noop', passed: 2, of: 2, scenarios: 2, share: 1 },
      { axis: 'fields', passed: 1, of: 2, scenarios: 2, share: 0.75 },
    ]);
    expect(tags.map(({ tag, passed, of }) => [tag, passed, of])).toEqual([
      ['refund', 0, 1],
      ['travel', 1, 1],
    ]);
    expect(tags[0]?.axes.map(({ axis, passed, of }) => [axis, passed, of])).toEqual([
      ['noop', 1, 1],
      ['fields', 0, 1],
    ]);
    expect(all).toEqual({ passed: 1, of: 2, scenarios: 2 });
  });

  it('adds a check with an axis to the scores of that axis by its verdict', () => {
    const scenario = tagged('two-intents', [], [{ axis: 'routing' }, { axis: 'routing' }, {}]);
    const feed = feedOf(runStarted([scenario], 1));
    trial(feed, trialKey('two-intents', 1), {
      c0: { verdict: 'warn' },
      c1: { verdict: 'fail' },
      c2: { verdict: 'fail' },
    });
    expect(scoresOf(feed.tally).axes).toEqual([
      { axis: 'routing', passed: 1, of: 2, scenarios: 1, share: 0.5 },
    ]);
  });

  it('leaves out what could not be graded or run, whatever it said', () => {
    const feed = feedOf(runStarted([tagged('cancel', ['refund'])], 3));
    trial(feed, trialKey('cancel', 1), { c0: { verdict: 'unknown', axes: { noop: 0 }, score: 1 } });
    feed.errored(trialKey('cancel', 2));
    expect(scoresOf(feed.tally)).toMatchObject({
      axes: [],
      tags: [{ tag: 'refund', passed: 0, of: 0, scenarios: 0 }],
      judged: [],
      meanJudged: undefined,
    });
    trial(feed, trialKey('cancel', 3), { c0: { verdict: 'pass', axes: { noop: 1 } } });
    expect(scoresOf(feed.tally).tags[0]).toMatchObject({ passed: 1, of: 1, scenarios: 1 });
  });

  it('gives a judged case the median over its trials, and five or one where the judge gave no score', () => {
    const judged = [{ kind: 'judged' as const }, { kind: 'judged' as const }];
    const feed = feedOf(runStarted([tagged('late-refund', [], judged)], 3));
    const scores = [2, 5, 4];
    scores.forEach((score, index) => {
      trial(feed, trialKey('late-refund', index + 1), {
        c0: { verdict: score >= 4 ? 'pass' : 'fail', kind: 'judged', score },
        c1: { verdict: index === 0 ? 'pass' : 'fail', kind: 'judged' },
      });
    });
    const { judged: cases, meanJudged } = scoresOf(feed.tally);
    expect(cases).toEqual([
      { scenario: 'late-refund', check: 'c0', median: 4, trials: 3 },
      { scenario: 'late-refund', check: 'c1', median: 1, trials: 3 },
    ]);
    expect(meanJudged).toBe(2.5);
  });

  it('are of one condition at a time', () => {
    const conditions = [plannedCondition('a'), plannedCondition('b')];
    const feed = feedOf(runStarted([tagged('cancel', ['refund'])], 1, conditions));
    trial(feed, trialKey('cancel', 1, 'a'), { c0: { verdict: 'pass' } });
    trial(feed, trialKey('cancel', 1, 'b'), { c0: { verdict: 'fail' } });
    expect(scoresOf(feed.tally).all).toEqual({ passed: 1, of: 1, scenarios: 1 });
    expect(scoresOf(feed.tally, 'b').all).toEqual({ passed: 0, of: 1, scenarios: 1 });
  });
});

describe('the interval of a score', () => {
  it('is that of Jeffreys over scenarios, and repeats make it no narrower', () => {
    const rate = fc
      .integer({ min: 1, max: 40 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
    fc.assert(
      fc.property(rate, fc.integer({ min: 1, max: 6 }), ([passed, of], repeats) => {
        const found = rateInterval({ passed: passed * repeats, of: of * repeats, scenarios: of });
        const { low, high } = jeffreysInterval(passed, of);
        expect(found.low).toBeCloseTo(low, 9);
        expect(found.high).toBeCloseTo(high, 9);
      }),
    );
  });

  it('says nothing of what was never graded', () => {
    expect(rateInterval({ passed: 0, of: 0, scenarios: 0 })).toEqual({ low: 0, high: 1 });
  });
});
