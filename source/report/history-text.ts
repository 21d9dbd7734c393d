import { textWidth } from '../base/width.js';
import { countOf, formatTime, inline } from './format.js';
import type { Drift, HistoryPoint, HistorySeries } from './history.js';
import { plotScores } from './plot.js';

/** Runs listed below a plot, the newest ones. */
const listedRuns = 10;
const plotHeight = 9;
const widestPlot = 100;

/**
 * Scores of one suite on one model over time: a plot, where it was drifting, what changed, and the newest runs. Safe to
 * print. `columns`: the width of the terminal.
 */
export function* historyLines(series: HistorySeries, columns: number, ascii: boolean): Generator<string> {
  const { points, drift } = series;
  yield seriesTitle(series);
  yield* plotScores(
    points.map(({ score, changed }) => ({ score, isMarked: changed.length > 0 })),
    { width: Math.min(columns, widestPlot), height: plotHeight, ascii },
  );
  if (points.some(({ changed }) => changed.length > 0))
    yield '       ^ the condition, or what is asked, changed';
  yield driftText(drift);
  yield '';
  yield* runLines(points.slice(-listedRuns).reverse());
}

/** Whose scores they are, and how many. Safe to print. */
export function seriesTitle({ suite, model, liveTools, points }: HistorySeries): string {
  const live = liveTools ? ', live tools' : '';
  return inline(`${suite} on ${model}${live}   ${countOf(points.length, 'clean run')}`);
}

/** What the test for slow falls says, in one line. */
export function driftText(drift: Drift): string {
  switch (drift.kind) {
    case 'too-few':
      return `drift: not known yet, for it takes ${drift.needed} clean runs that ask the same, and there ${drift.runs === 1 ? 'is' : 'are'} ${drift.runs}`;
    case 'none':
      return `drift: none against the first 20 runs (mean ${percentText(drift.mean)}, standard deviation ${percentText(drift.sd)})`;
    case 'fell': {
      const since = `by ${percentText(drift.mean - drift.recent)} since run ${drift.from}, against the first 20 runs (mean ${percentText(drift.mean)})`;
      return drift.hasRecovered
        ? `drift: fell and came back, ${since}; found with run ${drift.found}`
        : `DRIFT: falling ${since}; found with run ${drift.found}`;
    }
  }
}

function* runLines(points: readonly HistoryPoint[]): Generator<string> {
  const rates = points.map(({ passed, of }) => `${passed}/${of}`);
  const rateWidth = Math.max(...rates.map((rate) => rate.length));
  const nameWidth = Math.max(...points.map(({ promptName }) => textWidth(inline(promptName))));
  for (const [index, point] of points.entries()) {
    const name = inline(point.promptName);
    const notes = [
      ...point.axes.map(({ axis, passed, of }) => inline(`${axis} ${passed}/${of}`)),
      point.meanJudged !== undefined && `judged ${point.meanJudged.toFixed(2)}`,
      point.changed.includes('criteria') && 'what is asked changed',
      point.label !== undefined && inline(`label ${point.label}`),
    ].filter((note) => typeof note === 'string');
    const cells = [
      formatTime(point.at),
      point.runId,
      name + ' '.repeat(nameWidth - textWidth(name)),
      percentText(point.score).padStart(7),
      (rates[index] ?? '').padStart(rateWidth),
      notes.join('  '),
    ];
    yield cells.join('  ').trimEnd();
  }
}

/** With one decimal: a trend is made of small moves. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
