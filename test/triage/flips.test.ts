import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPassed } from '../../source/base/draws.js';
import { createRandom } from '../../source/base/random.js';
import { flipRate } from '../../source/base/statistics.js';
import type { RunSummary } from '../../source/run/summary.js';
import { rateVerdict } from '../../source/tally/verdict.js';
import { type CheckFlips, findFlips } from '../../source/triage/flips.js';
import { dayAt, dayMs, type PastCheck, pastRun, pastRuns } from './support.js';

const window = { now: dayAt(30), days: 30 };

/** The one check of a history. */
function only(summaries: readonly RunSummary[], at = window): CheckFlips {
  const [one, ...more] = findFlips(summaries, at);
  expect(more).toEqual([]);
  if (!one) throw new Error('no check was found');
  return one;
}

/** Ways in which a run is no evidence. */
const noEvidence: readonly Partial<RunSummary>[] = [
  { taints: [{ kind: 'auth', message: 'no key' }] },
  { state: 'interrupted' },
  { state: 'stopped' },
  { state: 'unfinished' },
  { regradeOf: '20260101-120000-aaaa' },
  { purpose: 'aa' },
  { purpose: 'attribution' },
  { purpose: 'bisect' },
];

const verdict = fc.constantFrom('pass', 'warn', 'fail', 'unknown');
const histories = fc
  .array(fc.record({ verdict, hash: fc.constantFrom('h', 'other'), asks: fc.constantFrom('x', 'y') }), {
    maxLength: 40,
  })
  .map((runs) => runs.map(({ hash, ...check }, day) => pastRun(day, [check], { hash })));

describe('flips', () => {
  it('are turns between pass and fail, and warn and unknown are passed over', () => {
    const { flips, recent } = only(pastRuns('ppfwupuf'));
    expect(flips.map(({ from, to }) => [from.at, to.at].map((at) => (at - dayAt(0)) / dayMs))).toEqual([
      [1, 2],
      [2, 5],
      [5, 7],
    ]);
    expect(recent).toBe(3);
    expect(only(pastRuns('pwpwup')).flips).toEqual([]);
  });

  it('count as recent when the run that turned is in the window', () => {
    const history = [...pastRuns('pfp'), ...pastRuns('ppf', 40)];
    const found = only(history, { now: dayAt(43), days: 30 });
    expect([found.flips.length, found.recent]).toEqual([3, 1]);
  });

  it('tell how often two trials disagree, of the trials in the window', () => {
    const found = only([
      pastRun(-20, [{ verdict: 'fail', passed: 0, of: 300 }]),
      pastRun(1, [{ verdict: 'pass', passed: 3, of: 3 }]),
      pastRun(2, [{ verdict: 'fail', passed: 1, of: 3 }]),
    ]);
    expect(found.rate).toMatchObject({ passed: 4, of: 6, flipRate: expect.closeTo(4 / 9) });
    expect(found.rate?.interval).toEqual(flipRate({ passed: 4, of: 6 }).interval);
  });

  it('tell the rate of the condition that flips, and do not take two stable ones for a flaky one', () => {
    const stable = [0, 1, 2, 3].map((day) =>
      pastRun(day, day % 2 ? 'pass' : 'fail', { hash: day % 2 ? 'good' : 'bad' }),
    );
    expect(only(stable)).toMatchObject({ flips: [], rate: { flipRate: 0 } });
    const found = only([...stable, pastRun(4, 'fail', { hash: 'good' })]);
    expect(found.rate).toMatchObject({ passed: 6, of: 9 });
  });

  it('tell what was used up in the runs that turned', () => {
    expect(only(pastRuns('pfpp')).wasted).toEqual({ ms: 2000, tokens: 400 });
  });

  it('are none between two groups of one run', () => {
    const run = pastRun(0, 'pass');
    const again = pastRun(0, 'fail').results ?? [];
    expect(only([{ ...run, results: [...(run.results ?? []), ...again] }]).flips).toEqual([]);
  });

  it('are told flakiest first', () => {
    const of = (passed: number): PastCheck => ({
      scenario: `passes ${passed}`,
      verdict: 'warn',
      passed,
      of: 10,
    });
    const found = findFlips([pastRun(0, [of(10), of(5), of(9), of(2)])], window);
    expect(found.map(({ scenario }) => scenario)).toEqual(['passes 5', 'passes 2', 'passes 9', 'passes 10']);
  });

  it('stay what they are where a run asked only part of the suite', () => {
    const both = (refund: PastCheck['verdict']): PastCheck[] => [
      { scenario: 'refund', verdict: refund },
      { scenario: 'order', verdict: 'pass' },
    ];
    const history = [
      pastRun(0, both('pass')),
      pastRun(1, [{ scenario: 'order', verdict: 'pass' }], { isFiltered: true }),
      pastRun(2, both('fail')),
    ];
    const found = findFlips(history, window);
    expect(found.find(({ scenario }) => scenario === 'refund')?.flips).toHaveLength(1);
    expect(found.find(({ scenario }) => scenario === 'order')?.results).toHaveLength(3);
  });
});

describe('laws of flips', () => {
  it('are the same in whatever order the runs are read, and however often one is', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat()), (history, keys) => {
        const shuffled = history
          .flatMap((run, index) => (index % 3 === 0 ? [run, run] : [run]))
          .map((run) => ({ run, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ run }) => run);
        expect(findFlips(shuffled, window)).toEqual(findFlips(history, window));
      }),
    );
  });

  it('count no run that is no evidence, wherever it stands', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.constantFrom(...noEvidence)), verdict, (history, bad, said) => {
        const worthless = bad.map((more, index) => ({
          ...pastRun(index, [{ verdict: said, asks: 'x' }], more),
          startedAt: dayAt(index) + dayMs / 2,
          runId: `20260101-130000-${String(index).padStart(4, '0')}`,
        }));
        expect(findFlips([...worthless, ...history], window)).toEqual(findFlips(history, window));
      }),
    );
  });

  it('are none where the condition or the check changed with every run', () => {
    fc.assert(
      fc.property(histories, fc.boolean(), (history, isCondition) => {
        const changed = history.map((run, index) => ({
          ...run,
          results: (run.results ?? []).map((one) => ({
            ...one,
            ...(isCondition && { hash: String(index) }),
            scenarios: one.scenarios.map((scenario) => ({
              ...scenario,
              checks: scenario.checks.map((check) => ({ ...check, asks: isCondition ? 'x' : String(index) })),
            })),
          })),
        }));
        expect(findFlips(changed, window).flatMap(({ flips }) => flips)).toEqual([]);
      }),
    );
  });

  it('are those that each condition has by itself, another one in between or not', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const series = (hash: string, asks: string) =>
          history.filter(
            ({ results }) => results?.[0]?.hash === hash && results[0].scenarios[0]?.checks[0]?.asks === asks,
          );
        const apart = ['h', 'other'].flatMap((hash) => ['x', 'y'].map((asks) => series(hash, asks)));
        const flips = (runs: readonly RunSummary[]) => findFlips(runs, window).flatMap((one) => one.flips);
        const byTime = apart.flatMap(flips).sort((a, b) => a.to.at - b.to.at);
        expect(flips(history)).toEqual(byTime);
        // Counted another way: the letters that are neither pass nor fail taken out, neighbours compared.
        const alternations = apart.map((runs) => {
          const letters = runs.map(({ results }) => results?.[0]?.scenarios[0]?.checks[0]?.verdict);
          const told = letters.filter((one) => one === 'pass' || one === 'fail');
          return told.filter((one, index) => index > 0 && one !== told[index - 1]).length;
        });
        expect(byTime).toHaveLength(alternations.reduce((sum, one) => sum + one, 0));
      }),
    );
  });
});

describe('two flips in 30 days', () => {
  it.each([
    [0.98, [0, 2, 3]],
    [0.9, [4, 29, 54]],
    [0.8, [9, 71, 94]],
    [0.5, [11, 78, 97]],
  ] as const)('are reached by checks that pass at %d as often as is known', (rate, shares) => {
    const scenarios = 1500;
    for (const [index, count] of [4, 15, 30].entries()) {
      const random = createRandom('two flips', rate, count);
      const history = Array.from({ length: count }, (_, run) =>
        pastRun(
          run * (30 / count),
          Array.from({ length: scenarios }, (_one, at): PastCheck => {
            const passed = drawPassed(random, 3, rate);
            return {
              scenario: `s${at}`,
              verdict: rateVerdict({ passed, of: 3 }) ?? 'unknown',
              passed,
              of: 3,
            };
          }),
        ),
      ).map((run, at) => ({ ...run, runId: `20260101-120000-${String(at).padStart(4, '0')}` }));
      const reached = findFlips(history, window).filter(({ recent }) => recent >= 2).length;
      expect(Math.abs((100 * reached) / scenarios - (shares[index] ?? Number.NaN))).toBeLessThan(3);
    }
  });
});
