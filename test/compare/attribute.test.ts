import { describe, expect, it } from 'vitest';
import type { PassRate } from '../../source/base/statistics.js';
import { confirmAttributed, findAttributed, toConfirm } from '../../source/compare/attribute.js';
import { type BelievedRates, fitRates } from '../../source/compare/fit-rates.js';
import { noiseFloor } from '../../source/compare/noise-floor.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { sideOf } from './sides.js';

const of = (passed: number, all: number): PassRate => ({ passed, of: all });

/** Sides by scenario: passed of two. */
function twoRuns(name: string, rates: Record<string, PassRate>) {
  return sideOf(name, Object.keys(rates), (id) => rates[id] ?? of(0, 0), { repeat: 2 });
}

describe('attribution', () => {
  const base = () =>
    twoRuns('v14', { broken: of(2, 2), cured: of(0, 2), flaky: of(1, 2), same: of(2, 2), dark: of(2, 2) });
  const candidate = () =>
    twoRuns('v15', { broken: of(0, 2), cured: of(2, 2), flaky: of(0, 2), same: of(2, 2), dark: of(0, 1) });

  it('holds conditions to what is stable in both runs of both, and names the rest noise', () => {
    const report = findAttributed(base(), candidate());
    expect(
      report.checks.map(({ scenario, attribution, direction }) => [scenario, attribution, direction]),
    ).toEqual([
      ['broken', 'attributed', 'worse'],
      ['cured', 'attributed', 'better'],
      ['flaky', 'noise', undefined],
      ['dark', 'ungraded', undefined],
    ]);
    expect(report).toMatchObject({
      same: 1,
      flips: { from: { flipped: 1, of: 5 }, to: { flipped: 0, of: 4 } },
    });
    expect(report.differences).toEqual([{ part: 'prompt', from: 'v14', to: 'v15' }]);
    expect(toConfirm(report)).toEqual([
      { scenario: 'broken', check: 'c' },
      { scenario: 'cured', check: 'c' },
    ]);
  });

  it('is confirmed by four more a side, in the direction that was seen, or turns out to be noise', () => {
    const [before, after] = [base(), candidate()];
    const fresh = (side: typeof before, id: string, rate: PassRate) => {
      const check = side.scenarios.get(id)?.checks.get('c');
      if (check) check.fresh = rate;
    };
    fresh(before, 'broken', of(4, 4));
    fresh(after, 'broken', of(1, 4));
    fresh(before, 'cured', of(3, 4));
    fresh(after, 'cured', of(4, 4));
    const report = confirmAttributed(findAttributed(before, after));
    expect(report.checks.slice(0, 2).map(({ attribution }) => attribution)).toEqual(['confirmed', 'noise']);
    // 6 of 6 against 1 of 6, by scipy's boschloo_exact.
    expect(report.checks[0]?.p).toBeCloseTo(0.0031738281, 9);
    expect(toConfirm(report)).toEqual([]);
  });

  it('rests on no tainted run, and on nothing that was asked differently', () => {
    const tainted = { ...candidate(), taints: ['auth: no'] };
    expect(findAttributed(base(), tainted)).toMatchObject({
      refused: ['a run that is tainted is no evidence (auth: no)'],
      checks: [],
    });
    const changed = candidate();
    const check = changed.scenarios.get('broken')?.checks.get('c');
    if (check) check.hash = 'other';
    expect(findAttributed(base(), changed).notComparable).toEqual([
      { scenario: 'broken', check: 'c', why: ['the check'] },
    ]);
  });
});

describe('the noise floor of a suite', () => {
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const run = (flaky: number) =>
    sideOf('v14', names, (id) => (id === 's3' ? of(flaky, 3) : of(3, 3)), { repeat: 3 });

  it('names the checks that disagree with themselves, and how often they do', () => {
    const floor = noiseFloor(run(3), run(1), defaultGate, { draws: 50 });
    expect(floor).toMatchObject({ checks: 10, flipped: 1 });
    expect(floor.noisy).toHaveLength(1);
    expect(floor.noisy[0]).toMatchObject({ scenario: 's3', passed: 4, of: 6, isFlipped: true });
    expect(floor.noisy[0]?.flipRate).toBeCloseTo(4 / 9, 10);
    expect(floor.noisy[0]?.flipInterval.high).toBe(0.5);
  });

  it('says how often the configured gate is falsely red and which drop it sees, the same for the same seed', () => {
    const confirmed = noiseFloor(run(3), run(3), defaultGate, { draws: 200 });
    const single = noiseFloor(run(3), run(3), { ...defaultGate, confirm: false }, { draws: 200 });
    expect(confirmed.falseRed).toBeLessThan(0.06);
    expect(single.falseRed).toBeGreaterThan(confirmed.falseRed + 0.02);
    expect(confirmed.smallestDrop).toBeGreaterThan(0.5);
    expect(confirmed.smallestDrop).toBeLessThan(0.9);
    expect(single.smallestDrop ?? 1).toBeLessThan(confirmed.smallestDrop ?? 0);
    expect(noiseFloor(run(3), run(3), defaultGate, { draws: 200 })).toEqual(confirmed);
  });

  it('believes of a check that always passed what the others of the suite show', () => {
    const many = Array.from({ length: 100 }, () => of(6, 6));
    const steady = fitRates(many);
    const shaky = fitRates([...many.slice(0, 50), ...Array.from({ length: 50 }, () => of(4, 6))]);
    const failsNext = ({ a, b }: BelievedRates) => b / (a + b + 6);
    expect(failsNext(steady)).toBeLessThan(0.002);
    expect(failsNext(shaky)).toBeGreaterThan(10 * failsNext(steady));
    expect(shaky.a / (shaky.a + shaky.b)).toBeCloseTo(5 / 6, 1);
  });

  it('sees nothing where nothing may block, and nothing fall where nothing passes', () => {
    expect(noiseFloor(run(3), run(3), { ...defaultGate, failOn: [] }, { draws: 20 })).toMatchObject({
      falseRed: 0,
    });
    expect(
      noiseFloor(run(3), run(3), { ...defaultGate, failOn: [] }, { draws: 20 }).smallestDrop,
    ).toBeUndefined();
    const failing = sideOf('v14', names, () => of(0, 3));
    expect(noiseFloor(failing, failing, defaultGate, { draws: 20 }).smallestDrop).toBeUndefined();
  });
});
