import { wrapToWidth } from '../../../base/width.js';
import { countOf, formatTime, inline } from '../../../report/format.js';
import { type HomeSuite, usualLine } from '../../../report/home.js';
import type { AppModel } from '../../model.js';
import {
  filled,
  fitLine,
  joinFitting,
  type Line,
  type Segment,
  segment,
  spreadLine,
} from '../../segments.js';
import { topFor } from '../../viewport.js';
import { verdictOf } from '../history/list.js';
import { matterLine, suiteColumns, suiteHeading, suiteLine, unfinishedLine } from './columns.js';
import { homeDetailHeight, homeListHeight, lineOfRow, linesOfHome } from './lines.js';
import { type ShownHome, shownHome } from './shown.js';
import { type HomeRow, resumeWords } from './state.js';

/** Home as lines, each fitted to the terminal: all but the line of the keys. */
export function homeView(model: AppModel): Segment[][] {
  const { size } = model.state;
  const width = size.columns - 1;
  const shown = shownHome(model);
  const lines = [titleLine(model, shown, width), ...(shown ? bodyLines(model, shown, width) : [[], waiting])];
  return filled(lines, size.rows - 2).map((line) => fitLine(line, width));
}

const waiting: Line = [segment(' the runs are being read …', 'faint')];

function titleLine({ home }: AppModel, shown: ShownHome | undefined, width: number): Line {
  const { suites = [], unfinished = [], matters = [] } = shown?.facts ?? {};
  const left = joinFitting(
    [[segment('home', 'title')], [segment(inline(home?.project ?? ''), 'accent')]],
    width - 1,
    3,
  );
  const counts = [
    countOf(suites.length, 'suite'),
    ...(unfinished.length > 0 ? [`${unfinished.length} unfinished`] : []),
    ...(matters.length > 0 ? [`${matters.length} to be seen to`] : []),
  ];
  return spreadLine([segment(' '), ...left], shown ? [segment(counts.join('   '), 'faint')] : [], width);
}

function bodyLines(model: AppModel, shown: ShownHome, width: number): Line[] {
  const { size } = model.state;
  if (shown.rows.length === 0) return [[], ...textLines(firstSuite(model), width)];
  const columns = suiteColumns(width);
  const lines = linesOfHome(shown);
  const height = homeListHeight(size);
  const selected = lineOfRow(lines, shown.index);
  const view = { top: model.homeState?.top ?? 0, height, count: lines.length };
  // The selected row stays in view when the terminal becomes lower, or when rows came before it.
  const top = shown.index === 0 ? 0 : topFor(view, selected);
  const where =
    lines.length > height ? [segment(`${shown.index + 1} of ${shown.rows.length}`, 'accent')] : [];
  const now = model.clock.now();
  const drawn = lines.slice(top, top + height).map((line): Line => {
    if (line.kind === 'space') return [];
    if (line.kind === 'heading') return [segment(` ${line.text}`, 'faint')];
    const { row } = line;
    const how = { columns, width, isSelected: line.at === shown.index, now, theme: model.theme };
    if (row.kind === 'suite') return suiteLine(row.of, how);
    return row.kind === 'run' ? unfinishedLine(row.of, how) : matterLine(row.of, how);
  });
  const row = shown.rows[shown.index];
  return [
    spreadLine(suiteHeading(columns), where, width),
    ...filled(drawn, height),
    ...(row ? detailLines(model, shown, row, width) : []),
  ];
}

/** What is selected in full, and the command that a key stands for. */
function detailLines(model: AppModel, shown: ShownHome, row: HomeRow, width: number): Line[] {
  const height = homeDetailHeight(model.state.size);
  const lines = [
    ...(height > 2 ? [[]] : []),
    ...detailTexts(model, shown, row).flatMap((text) => textLines(text, width)),
  ];
  return lines.slice(0, height);
}

function detailTexts({ home }: AppModel, shown: ShownHome, row: HomeRow): string[] {
  const program = home?.program ?? 'evalrun';
  switch (row.kind) {
    case 'suite':
      return [usualText(row.of, program), lastText(row.of, shown)];
    case 'run': {
      const { runId, at, label } = row.of;
      const words = label === undefined ? '' : `   label ${inline(label)}`;
      return [`enter: ${program} ${resumeWords(row.of)}`, `${runId}   begun ${formatTime(at)}${words}`];
    }
    case 'matter':
      return [`${row.of.word}: ${row.of.text}`];
  }
}

function usualText({ suite, usual }: HomeSuite, program: string): string {
  if (!usual) return 'r: its files are being read';
  if (usual.problem !== undefined) return `cannot be run: ${inline(usual.problem)}`;
  const costs =
    usual.asks.length > 0 ? `asks ${usual.asks.map(inline).join(', ')}` : 'simulated: costs nothing';
  return `r: ${inline([program, ...usualLine(suite, usual)].join(' '))}   ${costs}`;
}

function lastText({ last }: HomeSuite, { facts }: ShownHome): string {
  if (!last) {
    const isFirst = facts.suites.every((suite) => suite.last === undefined);
    return isFirst ? 'nothing was run yet: r makes the first run' : 'it was never run';
  }
  const [verdict] = verdictOf(last);
  return `enter: run ${last.runId}   ${verdict}   ${inline(`${last.promptName} on ${last.model}`)}`;
}

function firstSuite({ home }: AppModel): string {
  return `There is no suite in this project yet. ${home?.program ?? 'evalrun'} init writes a first one and runs it on a simulated model, which costs nothing.`;
}

function textLines(text: string, width: number): Line[] {
  return wrapToWidth(text, Math.max(20, width - 2)).map((part) => [segment(` ${part}`)]);
}
