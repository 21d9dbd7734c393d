import { cutToWidth, wrapToWidth } from '../../../base/width.js';
import { countOf, formatTime, inline } from '../../../report/format.js';
import { driftText, percentText } from '../../../report/history-text.js';
import type { AppModel } from '../../model.js';
import {
  filled,
  fitLine,
  type Line,
  lineWidth,
  type Segment,
  segment,
  spreadLine,
  titleFitting,
} from '../../segments.js';
import type { Size } from '../../terminal/size.js';
import { clamp, topFor } from '../../viewport.js';
import { headingLine, pointOf, runColumns, runLine, verdictOf } from './list.js';
import { plotLines } from './plot.js';
import { type ShownHistory, shownHistory } from './state.js';

/** Lines that each part of the screen has. The terminal's last line stays free, and one is for the keys. */
export interface HistoryHeights {
  plot: number;
  drift: number;
  list: number;
  detail: number;
  /** Empty lines before the list. */
  space: number;
}

const leastPlot = 4;
const tallestPlot = 18;
/** Title, titles of the columns, keys, and the terminal's last line. */
const frame = 4;
const tall = 20;
const wide = 75;

export function historyHeights(model: AppModel): HistoryHeights {
  const { rows } = model.state.size;
  const detail = rows >= tall ? 2 : 1;
  const space = rows >= tall ? 1 : 0;
  const drift = driftHeight(model.state.size);
  const room = Math.max(0, rows - frame - detail - space - drift);
  const plot = clamp(Math.round(room * 0.45), leastPlot, tallestPlot);
  const list = Math.max(1, room - plot);
  // What is asked about takes the place of rows.
  const more = clamp((askedLines(model)?.length ?? 0) - detail, 0, list - 1);
  return { plot, drift, list: list - more, detail: detail + more, space };
}

function shownOf({ pastRuns, history }: AppModel): ShownHistory | undefined {
  return pastRuns && history && shownHistory(pastRuns.series, history);
}

/** The history as lines, each fitted to the terminal: all but the line of the keys. */
export function historyView(model: AppModel): Segment[][] {
  const { pastRuns, state } = model;
  const width = state.size.columns - 1;
  const shown = shownOf(model);
  const lines = shown
    ? shownLines(model, shown, width)
    : [
        [segment(' history', 'title')],
        [],
        ...wrapToWidth(inline(pastRuns?.empty ?? ''), width - 2).map((text) => [segment(` ${text}`)]),
      ];
  return filled(lines, state.size.rows - 2).map((line) => fitLine(line, width));
}

function shownLines(model: AppModel, shown: ShownHistory, width: number): Line[] {
  const { theme, state } = model;
  const heights = historyHeights(model);
  const { runs, index, series } = shown;
  // The selected run stays in view when the terminal becomes lower.
  const top = topFor({ top: shown.view.top, height: heights.list, count: runs.length }, index);
  const columns = runColumns(state.size.columns, runs);
  const where = runs.length > heights.list ? [segment(`${index + 1} of ${runs.length}`, 'accent')] : [];
  const plot =
    series.points.length > 0
      ? plotLines(shown, width - 1, heights.plot, theme)
      : [[segment(' nothing to plot: none of these runs is clean', 'faint')]];
  const rows = runs.slice(top, top + heights.list).map((run) => runLine(shown, run, columns, theme));
  return [
    titleLine(model, shown, width),
    ...filled(plot, heights.plot),
    ...filled(driftLines(shown, model), heights.drift),
    ...filled([], heights.space),
    spreadLine(headingLine(columns, lineWidth(where) + 1), where, width),
    ...filled(rows, heights.list),
    ...filled(lowerLines(model, shown, heights.detail, width), heights.detail),
  ];
}

/** Whose scores they are and how many; at the other end which of several. */
function titleLine({ pastRuns }: AppModel, shown: ShownHistory, width: number): Line {
  const { at, suite, series, view } = shown;
  const others = suite.runs.length - series.points.length;
  const count = countOf(series.points.length, 'clean run');
  const [point] = series.points;
  const of = pastRuns?.series.length ?? 1;
  const position = of > 1 ? [segment('tab', 'key'), segment(` ${at + 1}/${of}`, 'faint')] : [];
  const counts =
    view.only === undefined
      ? segment(others > 0 ? `${count}, ${others} not clean` : count, 'faint')
      : segment(`only this ${inline(point?.promptName ?? '')}: ${count}`, 'warn');
  const parts: Line[] = [
    [segment(inline(suite.suite), 'title')],
    ...(view.only === undefined ? [] : [[counts]]),
    [segment(inline(suite.model), 'accent')],
    ...(suite.liveTools ? [[segment('live tools', 'warn')]] : []),
    ...(view.only === undefined ? [[counts]] : []),
  ];
  const left = titleFitting('history', parts, width - lineWidth(position) - 2);
  return spreadLine([segment(' '), ...left], position, width);
}

/** The same for every suite, so that nothing moves when another one is looked at. */
function driftHeight({ columns, rows }: Size): number {
  if (columns >= 150) return 1;
  return columns < wide && rows >= tall ? 3 : 2;
}

/** What the test for slow falls says. The most important comes first: where there is no room, the rest is left out. */
function driftLines({ series }: ShownHistory, { state }: AppModel): Line[] {
  const { drift } = series;
  const most = driftHeight(state.size);
  const width = Math.max(20, state.size.columns - 3);
  const tone = drift.kind === 'fell' ? (drift.hasRecovered ? 'warn' : 'fail') : 'faint';
  const texts = wrapToWidth(inline(driftText(drift)), width);
  const last = texts.length > most ? [cutToWidth(`${texts[most - 1]} …`, width)] : texts.slice(most - 1);
  return [...texts.slice(0, most - 1), ...last].map((text) => [segment(` ${text}`, tone)]);
}

/** What counting a run in the baseline changes, while that is asked; undefined otherwise. */
function askedLines({ state: { field } }: AppModel): readonly string[] | undefined {
  return field?.kind === 'promote' ? field.proposal.lines : undefined;
}

/** What is asked about, as much of it as there is room for; otherwise the selected run. */
function lowerLines(model: AppModel, shown: ShownHistory, height: number, width: number): Line[] {
  const asked = askedLines(model);
  if (!asked) {
    const selected = shown.runs[shown.index];
    return selected ? detailLines(shown, selected, height) : [];
  }
  const kept = asked.length > height ? asked.slice(0, Math.max(1, height - 1)) : asked;
  const rest = asked.length - kept.length;
  return [
    ...kept.map((line) => [segment(cutToWidth(` ${inline(line)}`, width), 'accent')]),
    ...(rest > 0 ? [[segment(` … and ${countOf(rest, 'more line')}`, 'faint')]] : []),
  ];
}

/** The selected run in full: where it is, what it scored; then what is to be known of it. */
function detailLines(shown: ShownHistory, run: ShownHistory['runs'][number], height: number): Line[] {
  const [verdict, tone] = verdictOf(run);
  const changes = changeTexts(shown, run).map((text) => segment(`   ${text}`, 'warn'));
  const facts: Segment[] = [
    segment(` ${inline(run.runId)}`, 'accent'),
    segment(`   ${verdict}`, tone),
    segment(`   ${percentText(run.score)}  ${run.passed}/${run.of}`),
    ...run.axes.map(({ axis, passed, of }) => segment(`   ${inline(axis)} ${passed}/${of}`, 'faint')),
    ...(run.meanJudged === undefined ? [] : [segment(`   judged ${run.meanJudged.toFixed(2)}`, 'faint')]),
  ];
  if (height > 1) return [facts, changes];
  return [changes.length > 0 ? [...facts.slice(0, 1), ...changes] : facts];
}

function changeTexts(shown: ShownHistory, run: ShownHistory['runs'][number]): string[] {
  if (run.unclean !== undefined) return [`not in the plot: ${inline(run.unclean)}`];
  const { points } = shown.series;
  const point = pointOf(shown, run);
  const before = point && points[points.indexOf(point) - 1];
  if (!point || !before) return [];
  const texts: string[] = [];
  if (point.changed.includes('condition')) {
    const names = [before.promptName, point.promptName].map(inline);
    const how = names[0] === names[1] ? `, ${names[0]} still` : `: ${names[0]} → ${names[1]}`;
    texts.push(`the condition changed${how}`);
  }
  if (point.changed.includes('criteria'))
    texts.push(`what is asked changed since ${formatTime(before.at).slice(0, 10)}`);
  return texts;
}
