import { describe, expect, it } from 'vitest';
import { closeNeeds } from '../../source/bisect/candidate.js';
import { readEvidence } from '../../source/bisect/evidence.js';
import { type HistoryQuestion, historyOfGood } from '../../source/bisect/history.js';
import { defaultPriors } from '../../source/bisect/hypotheses.js';
import { computePosterior, type Posterior } from '../../source/bisect/posterior.js';
import type { Counts } from '../../source/bisect/rates.js';
import { createSession, record } from '../../source/bisect/session.js';
import { accumulate } from '../../source/compare/baseline-accumulate.js';
import { criterionHash } from '../../source/compare/comparable.js';
import type { RunSummary } from '../../source/run/summary.js';
import { check, evidence, runId, saved, scenarioOf } from '../compare/baseline-support.js';
import { runSummary } from '../report/history-support.js';
import { trial } from './support.js';

const good = evidence([scenarioOf('refund', [check('polite', 3, 3)])]);
const scenario = good.scenarios.get('refund');
const polite = scenario?.checks.get('polite');
if (!scenario || !polite) throw new Error('the evidence lacks what it was made with');

const question: HistoryQuestion = {
  suite: 'support',
  scenario: 'refund',
  check: 'polite',
  asks: criterionHash(good, scenario, polite),
  good: good.condition.hash,
  bad: 'bad',
};

/** The n-th run: how often the check passed under each condition, by hash. */
function run(
  n: number,
  conditions: Record<string, [passed: number, of: number]>,
  more: Partial<RunSummary> & { asks?: string } = {},
): RunSummary {
  const { asks = question.asks, ...rest } = more;
  const all = Object.entries(conditions);
  return {
    ...runSummary(n, 1),
    runId: runId(n),
    suite: 'support',
    scores: all.map(([hash, [passed, of]], index) => ({
      condition: `c${index}`,
      hash,
      passed,
      of,
      axes: [],
    })),
    results: all.map(([, [passed, of]], index) => ({
      condition: `c${index}`,
      hash: 'with what it said of its model',
      scenarios: [
        { id: 'refund', ms: 1, tokens: 1, checks: [{ id: 'polite', asks, verdict: 'pass', passed, of }] },
      ],
    })),
    ...rest,
  };
}

const ofGood = (passed: number, of: number) => ({ [question.good]: [passed, of] as [number, number] });

/** The baseline of a run in which the check passed so often. */
function baselineOf(n: number, passed: number, of: number) {
  const { id, parts } = scenario as NonNullable<typeof scenario>;
  const seen = evidence([scenarioOf(id, [check('polite', passed, of)], { parts })], { runId: runId(n) });
  return accumulate(undefined, seen, saved).baseline;
}

describe('what is known of the good prompt from before', () => {
  it('is how often the check passed in runs of just its condition', () => {
    const runs = [
      run(1, ofGood(3, 3)),
      run(2, { other: [0, 3] }),
      run(3, ofGood(2, 3)),
      run(4, ofGood(0, 3), { suite: 'another' }),
      run(5, ofGood(0, 3), { asks: 'something else' }),
    ];
    expect(historyOfGood(question, runs)).toEqual({ passed: 5, failed: 1 });
  });

  it('is nothing where no run, or none that is evidence, graded it', () => {
    expect(historyOfGood(question, [])).toBeUndefined();
    expect(historyOfGood(question, [run(1, ofGood(0, 0))])).toBeUndefined();
    // Summaries of tainted runs, of regraded ones and of bisects hold no results.
    const { results: _, ...tainted } = run(1, ofGood(3, 3));
    expect(historyOfGood(question, [tainted])).toBeUndefined();
  });

  it('is never what raised the flag: the run that is looked into, and those that tried the bad prompt', () => {
    const runs = [run(1, ofGood(3, 3)), run(2, { ...ofGood(30, 30), bad: [0, 3] }), run(3, ofGood(30, 30))];
    expect(historyOfGood({ ...question, of: runId(3) }, runs)).toEqual({ passed: 3, failed: 0 });
  });

  it('is what the baseline counts and no run of it twice', () => {
    const baseline = baselineOf(1, 3, 3);
    const runs = [run(1, ofGood(3, 3)), run(2, ofGood(1, 3))];
    expect(historyOfGood(question, [], baseline)).toEqual({ passed: 3, failed: 0 });
    expect(historyOfGood(question, runs, baseline)).toEqual({ passed: 4, failed: 2 });
  });

  it('leaves out runs that a baseline may count without naming them any more', () => {
    const baseline = baselineOf(300, 3, 3);
    baseline.runs = Array.from({ length: 200 }, (_, index) => runId(101 + index));
    expect(historyOfGood(question, [run(1, ofGood(0, 3)), run(301, ofGood(1, 3))], baseline)).toEqual({
      passed: 4,
      failed: 2,
    });
  });

  it('leaves out a baseline of another condition or check, and one that counts what raised the flag', () => {
    const runs = [run(1, ofGood(3, 3)), run(2, ofGood(1, 3))];
    const onRuns = { passed: 4, failed: 2 };
    expect(historyOfGood({ ...question, good: 'other' }, runs, baselineOf(1, 3, 3))).toBeUndefined();
    const asksElse = evidence([scenarioOf('refund', [check('polite', 3, 3, { hash: 'aaaaaaaaaaaa' })])]);
    expect(historyOfGood(question, runs, accumulate(undefined, asksElse, saved).baseline)).toEqual(onRuns);
    const flagged = { ...question, of: runId(1) };
    expect(historyOfGood(flagged, runs, baselineOf(1, 3, 3))).toEqual({ passed: 1, failed: 2 });
    const blessed = baselineOf(1, 3, 3);
    const known = blessed.scenarios.refund?.checks.polite;
    if (known) known.condition = 'bbbbbbbbbbbb';
    expect(historyOfGood(question, runs, blessed)).toEqual(onRuns);
  });

  it('counts half: as if half as many trials had been run before, and never more than ten', () => {
    const needs = closeNeeds(2, []);
    const entries = [trial('00', 'pass'), trial('11', 'fail'), trial('10', 'fail'), trial('01', 'pass')];
    const evidence = readEvidence(entries.reduce(record, createSession({ hunks: 2 })));
    const believed = (rates: Partial<typeof defaultPriors.rates>) =>
      computePosterior({
        needs,
        evidence,
        priors: { ...defaultPriors, rates: { ...defaultPriors.rates, ...rates } },
      });
    // "Not the prompt" takes its one rate from what nobody knows: only answers with a good rate gain or lose.
    const relative = (posterior: Posterior) =>
      posterior.slice(1).map(({ belief }) => belief / (posterior[1]?.belief ?? 0));
    const [a, b] = defaultPriors.rates.good;
    const expectSame = (history: Counts, good: [number, number]) => {
      const [known, same] = [relative(believed({ history })), relative(believed({ good }))];
      for (const [index, one] of known.entries()) expect(one).toBeCloseTo(same[index] ?? Number.NaN, 12);
      expect(known).not.toEqual(relative(believed({})));
    };
    expectSame({ passed: 8, failed: 2 }, [a + 4, b + 1]);
    expectSame({ passed: 160, failed: 40 }, [a + 8, b + 2]);
  });
});
