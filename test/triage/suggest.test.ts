import { describe, expect, it } from 'vitest';
import { dayOf } from '../../source/base/day.js';
import { defaultQuarantine, mostQuarantined } from '../../source/project/quarantine-settings.js';
import type { QuarantineEntry } from '../../source/run/planned.js';
import type { RunSummary } from '../../source/run/summary.js';
import { findFlips, windowStart } from '../../source/triage/flips.js';
import { quarantineShare, suggest } from '../../source/triage/suggest.js';
import { dayAt, type PastCheck, pastRun, pastRuns } from './support.js';

/** What is suggested on the last day of a history, by scenario and check. */
function suggested(history: readonly RunSummary[], entries: readonly QuarantineEntry[] = [], day?: number) {
  const now = day === undefined ? Math.max(...history.map(({ startedAt }) => startedAt)) : dayAt(day);
  const window = { now, days: defaultQuarantine.withinDays };
  const rows = suggest(findFlips(history, window), entries, {
    settings: defaultQuarantine,
    now,
    since: windowStart(window),
  });
  return Object.fromEntries(rows.map((row) => [`${row.scenario}/${row.check}`, row.suggestion]));
}

function entry(more: Partial<QuarantineEntry> = {}): QuarantineEntry {
  return {
    scenario: 'refund',
    check: 'c',
    owner: 'Ada',
    reason: 'the model is unsure',
    since: dayOf(dayAt(0)),
    until: dayOf(dayAt(20)),
    evidence: ['20260101-120000-aaaa'],
    ...more,
  };
}

describe('what is suggested', () => {
  it('is a quarantine from two flips in 30 days on', () => {
    expect(suggested(pastRuns('pppf'))).toEqual({ 'refund/c': undefined });
    expect(suggested(pastRuns('ppfp'))).toEqual({ 'refund/c': { kind: 'quarantine', flips: 2 } });
    expect(suggested(pastRuns('pf'), [], 50)).toEqual({ 'refund/c': undefined });
    expect(suggested([...pastRuns('pf'), ...pastRuns('p', 40)])).toEqual({ 'refund/c': undefined });
  });

  it('is no quarantine of a check that passed 14 times in a row since it flipped', () => {
    expect(suggested(pastRuns(`pf${'p'.repeat(13)}`))['refund/c']).toEqual({ kind: 'quarantine', flips: 2 });
    expect(suggested(pastRuns(`pf${'p'.repeat(14)}`))['refund/c']).toBeUndefined();
  });

  it('is that a check is broken which always failed, not that it is flaky', () => {
    expect(suggested(pastRuns('fff'))).toEqual({ 'refund/c': { kind: 'broken', runs: 3 } });
    expect(suggested(pastRuns('fuff'))).toEqual({ 'refund/c': { kind: 'broken', runs: 3 } });
    expect(suggested(pastRuns('ff'))).toEqual({ 'refund/c': undefined });
    expect(suggested(pastRuns('fwff'))).toEqual({ 'refund/c': undefined });
  });

  it('takes no check for broken that passes under another condition', () => {
    const both = (day: number) => {
      const [one, other] = [pastRun(day, 'fail'), pastRun(day, 'pass', { hash: 'deployed' })];
      return { ...one, results: [...(one.results ?? []), ...(other.results ?? [])] };
    };
    expect(suggested([0, 1, 2, 3].map(both))).toEqual({ 'refund/c': undefined });
  });

  it('is a release after 14 clean passes in a row since the quarantine began', () => {
    const long = entry({ until: dayOf(dayAt(40)) });
    const release = { 'refund/c': { kind: 'release', passes: 14 } };
    expect(suggested(pastRuns(`f${'p'.repeat(13)}`), [long])).toEqual({ 'refund/c': undefined });
    expect(suggested(pastRuns(`f${'p'.repeat(14)}`), [long])).toEqual(release);
    expect(suggested(pastRuns(`f${'p'.repeat(7)}u${'p'.repeat(7)}`), [long])).toEqual(release);
    expect(suggested(pastRuns(`f${'p'.repeat(7)}w${'p'.repeat(7)}`), [long])).toEqual({
      'refund/c': undefined,
    });
    const late = entry({ since: dayOf(dayAt(5)), until: dayOf(dayAt(40)) });
    expect(suggested(pastRuns(`f${'p'.repeat(14)}`), [late])).toEqual({ 'refund/c': undefined });
  });

  it('does not count a tainted pass towards a release', () => {
    const history = pastRuns(`f${'p'.repeat(14)}`).map((run, index) =>
      index === 5 ? { ...run, taints: [{ kind: 'auth', message: 'no key' }] } : run,
    );
    expect(suggested(history, [entry({ until: dayOf(dayAt(40)) })])).toEqual({ 'refund/c': undefined });
  });

  it('counts passes of what the check asks now alone', () => {
    const history = pastRuns('p'.repeat(14)).map((run, day) =>
      day < 4 ? pastRun(day, [{ verdict: 'pass', asks: 'before it was rewritten' }]) : run,
    );
    expect(suggested(history, [entry({ until: dayOf(dayAt(40)) })])).toEqual({ 'refund/c': undefined });
  });

  it('is to release a whole scenario only once all of its checks have passed', () => {
    const history = Array.from({ length: 15 }, (_, day) => {
      const checks: PastCheck[] = [
        { check: 'c', verdict: 'pass' },
        { check: 'd', verdict: day === 5 ? 'fail' : 'pass' },
      ];
      return pastRun(day, checks);
    });
    const { check: _, ...whole } = entry({ until: dayOf(dayAt(40)) });
    expect(suggested(history, [whole])).toEqual({ 'refund/c': undefined, 'refund/d': undefined });
    const later = Array.from({ length: 5 }, (_one, day) =>
      pastRun(15 + day, [
        { check: 'c', verdict: 'pass' },
        { check: 'd', verdict: 'pass' },
      ]),
    );
    const release = { kind: 'release', passes: 14 };
    expect(suggested([...history, ...later], [whole])).toEqual({ 'refund/c': release, 'refund/d': release });
  });

  it('is that a quarantine has ended, on the day after its last', () => {
    const flaky = pastRuns('pfpfp');
    expect(suggested(flaky, [entry()], 20)).toEqual({ 'refund/c': undefined });
    expect(suggested(flaky, [entry()], 21)).toEqual({ 'refund/c': { kind: 'expired', until: '2026-01-21' } });
  });

  it('names entries that no run says anything of', () => {
    const rows = suggested(pastRuns('p'), [entry({ scenario: 'gone', until: '2025-01-01' })]);
    expect(rows).toEqual({ 'refund/c': undefined, 'gone/c': { kind: 'expired', until: '2025-01-01' } });
  });
});

describe('the share of a suite that may be quarantined', () => {
  it('is a tenth of its scenarios, and one at least', () => {
    expect([1, 9, 10, 19, 20, 51].map((count) => mostQuarantined(count, defaultQuarantine))).toEqual([
      1, 1, 1, 1, 2, 5,
    ]);
    expect(mostQuarantined(51, { maxShare: 0 })).toBe(0);
  });

  it('is over where more scenarios have a quarantined check than may', () => {
    const suite = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const of = (...scenarios: string[]) =>
      quarantineShare(
        scenarios.map((scenario) => ({ scenario })),
        suite,
        defaultQuarantine,
      );
    expect(of('s1', 's1', 's2')).toEqual({ scenarios: 2, of: 20, most: 2, isOver: false });
    expect(of('s1', 's2', 's3').isOver).toBe(true);
  });
});
