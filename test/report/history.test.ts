import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../source/base/random.js';
import { textWidth } from '../../source/base/width.js';
import { historyOf, seriesOf, suiteRunsOf } from '../../source/report/history.js';
import { driftText, historyLines } from '../../source/report/history-text.js';
import { drawPlot, plotScores } from '../../source/report/plot.js';
import type { RunSummary } from '../../source/run/summary.js';
import { runSummary as summary } from './history-support.js';
import { hostile, unsafe } from './support.js';

const days = (scores: number[], more?: (day: number) => Parameters<typeof summary>[2]) =>
  scores.map((passed, day) => summary(day, passed, more?.(day)));

/** About 95, give or take 2, the same every time. */
function usual(count: number, from = 95): number[] {
  const random = createRandom('history');
  return Array.from({ length: count }, () => Math.round(from - 2 + 4 * random.next()));
}

describe('the history of a suite', () => {
  it('is a series a model, oldest first, whatever order the runs come in', () => {
    const other = summary(1, 80, { conditions: [{ id: 'a', promptName: 'v1', model: 'simulated:other' }] });
    const found = historyOf([summary(2, 90), other, summary(0, 95)]);
    expect(found.map(({ model, points }) => [model, points.map(({ score }) => score)])).toEqual([
      ['simulated:tiny', [0.95, 0.9]],
      ['simulated:other', [0.8]],
    ]);
  });

  it('holds clean runs of the whole suite alone', () => {
    const unclean: Partial<RunSummary>[] = [
      { state: 'interrupted', decision: { verdict: 'interrupted', exitCode: 130, headline: '' } },
      { taints: [{ kind: 'auth', message: '' }] },
      { decision: { verdict: 'none', exitCode: 3, headline: '' } },
      { isFiltered: true },
      { regradeOf: 'x' },
      { scores: [{ condition: 'a', hash: 'h', passed: 0, of: 0, axes: [] }] },
    ];
    const failing = { decision: { verdict: 'fail', exitCode: 1, headline: 'FAIL' } };
    const found = historyOf([
      summary(0, 95),
      summary(1, 40, failing),
      ...unclean.map((more, i) => summary(i + 2, 1, more)),
    ]);
    expect(found[0]?.points.map(({ score }) => score)).toEqual([0.95, 0.4]);
  });

  it('marks where the condition or what is asked changed', () => {
    const found = historyOf([
      summary(0, 95),
      summary(1, 95, { hash: 'i' }),
      summary(2, 95, { hash: 'i', criteria: 'd' }),
    ]);
    expect(found[0]?.points.map(({ changed }) => changed)).toEqual([[], ['condition'], ['criteria']]);
    const [plot] = [plotScores([{ score: 1 }, { score: 1, isMarked: true }], { width: 20, height: 4 })];
    expect(plot.at(-1)).toBe(`${' '.repeat(9)}^`);
  });
});

describe('all runs of a suite', () => {
  it('hold those that count for nothing, which say why', () => {
    const [runs] = suiteRunsOf([
      summary(0, 95),
      summary(1, 90, { taints: [{ kind: 'auth', message: '' }] }),
      summary(2, 90, { state: 'interrupted' }),
      summary(3, 90, { isFiltered: true }),
      summary(4, 90, { regradeOf: '20260101-120000-aaaa' }),
      summary(5, 90, { decision: { verdict: 'none', exitCode: 3, headline: '' } }),
    ]);
    expect(runs?.runs.map(({ unclean }) => unclean)).toEqual([
      undefined,
      'tainted: auth',
      'not finished',
      'part of the suite',
      'grades 20260101-120000-aaaa again',
      'no verdict',
    ]);
    expect(runs && seriesOf(runs).points.map(({ score }) => score)).toEqual([0.95]);
  });

  it('make a series of one condition alone, in which only what is asked can change', () => {
    const [runs] = suiteRunsOf([
      summary(0, 95, { hash: 'old' }),
      summary(1, 80, { hash: 'new' }),
      summary(2, 94, { hash: 'old', criteria: 'd' }),
    ]);
    expect(runs && seriesOf(runs, 'old').points.map(({ score, changed }) => [score, changed])).toEqual([
      [0.95, []],
      [0.94, ['criteria']],
    ]);
  });
});

describe('slow drift', () => {
  it('takes 20 runs that ask the same to be known', () => {
    expect(historyOf(days(usual(19)))[0]?.drift).toEqual({ kind: 'too-few', runs: 19, needed: 20 });
    const asked = days(usual(30), (day) => ({ criteria: day < 25 ? 'old' : 'new' }));
    expect(historyOf(asked)[0]?.drift).toEqual({ kind: 'too-few', runs: 5, needed: 20 });
  });

  it('is none while scores move as they do', () => {
    expect(historyOf(days(usual(40)))[0]?.drift.kind).toBe('none');
  });

  it('is found where every move is too small to see, over edits of the prompt too', () => {
    const ramp = usual(15).map((score, i) => score - Math.round(0.5 * i));
    const all = days([...usual(20), ...ramp], (day) => ({ hash: `prompt-${Math.floor(day / 5)}` }));
    const { drift } = historyOf(all)[0] ?? {};
    expect(drift).toMatchObject({ kind: 'fell', hasRecovered: false });
    expect(drift && driftText(drift)).toMatch(
      /^DRIFT: falling by \d\.\d % since run 202601\d\d-120000-aaaa, against the first 20 runs \(mean 9\d\.\d %\)/,
    );
  });

  it('of a score that never moved is not one trial that failed once', () => {
    const steady = new Array<number>(20).fill(100);
    expect(historyOf(days([...steady, 99, 100, 100]))[0]?.drift.kind).toBe('none');
    expect(historyOf(days([...steady, 93, 100]))[0]?.drift.kind).toBe('fell');
  });
});

describe('a plot of scores', () => {
  it('is drawn within its size, whatever the scores', () => {
    const point = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), isMarked: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 0, max: 20 }),
        fc.boolean(),
        (points, width, height, ascii) => {
          const lines = plotScores(points, { width, height, ascii });
          expect(lines).toHaveLength(width < 8 || height < 2 ? 0 : height);
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
          if (ascii) expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
        },
      ),
    );
  });

  it('says of each point where it stands, and there is a dot', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 100 }),
        fc.boolean(),
        (scores, ascii) => {
          const points = scores.map((score) => ({ score }));
          const { lines, places } = drawPlot(points, { width: 40, height: 6, ascii });
          expect(places).toHaveLength(scores.length);
          for (const { line, column } of places)
            expect(lines[line]?.[column]).toMatch(ascii ? /\*/ : /[\u2801-\u28ff]/);
        },
      ),
    );
  });

  it('rises to the right for scores that rise', () => {
    const points = Array.from({ length: 40 }, (_, i) => ({ score: 0.5 + i / 80 }));
    const drawn = plotScores(points, { width: 47, height: 6 });
    expect(drawn).toMatchInlineSnapshot(`
      [
        " 100 %┤                                 ⢀⣀⡠⠤⠔⠒⠊",
        "      │                         ⢀⣀⡠⠤⠔⠒⠊⠉⠁",
        "  75 %┤                ⣀⣀⠤⠤⠤⠔⠒⠊⠉⠁",
        "      │        ⣀⣀⠤⠤⠒⠒⠉⠉",
        "  50 %┤⣀⣀⠤⠤⠒⠒⠉⠉",
        "",
      ]
    `);
    expect(plotScores(points.slice(0, 4), { width: 20, height: 4, ascii: true })).toMatchInlineSnapshot(`
      [
        "  60 %|",
        "      |    * *",
        "  50 %|* *",
        "",
      ]
    `);
  });
});

it('what is printed has the newest runs first, and nothing in it that a terminal obeys', () => {
  const more = { label: hostile, conditions: [{ id: 'a', promptName: hostile, model: hostile }] };
  const series = historyOf(days([95, 90, 97], () => more))[0];
  const lines = series ? [...historyLines(series, 80, false)] : [];
  expect(lines.join('\n')).not.toMatch(unsafe);
  const runs = lines.filter((line) => line.startsWith('2026-'));
  expect(runs.map((line) => line.slice(0, 10))).toEqual(['2026-01-03', '2026-01-02', '2026-01-01']);
  expect(runs[0]).toMatch(/ 97\.0 % {2}97\/100 {2}label/);
});
