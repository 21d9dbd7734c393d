import type { AppModel } from '../../model.js';
import { fitLine, type Line, type Segment, segment } from '../../segments.js';
import { clamp, hiddenText, topFor } from '../../viewport.js';
import { type BisectDetail, detailOf } from './detail.js';
import { chosenCell } from './evidence.js';
import { footLines } from './foot.js';
import { type BisectGeometry, bisectGeometry, isShown } from './geometry.js';
import { statusLineOf, titleLine } from './head.js';
import { listRow, listTitles } from './list.js';
import { type BisectRow, type BisectStanding, standingOf } from './rows.js';
import type { BisectState } from './state.js';

/** Everything that is looked at and worked on, as the state has it. */
export interface BisectLook {
  standing: BisectStanding;
  state: BisectState;
  row: BisectRow;
  geometry: BisectGeometry;
  detail: BisectDetail;
  /** What is to be done, and what is said, below the panes. */
  foot: readonly Line[];
  /** Position of the chosen conversation of the row; -1 where it has none. */
  cell: number;
  /** Lines of the detail's text that are on screen, and the first of them. */
  textHeight: number;
  textTop: number;
}

/** Undefined on other screens, and while the bisect is being made. */
export function lookAtBisect(model: AppModel): BisectLook | undefined {
  const { bisect: state, bisectDesk: desk } = model;
  if (!state || !desk) return undefined;
  const standing = standingOf(desk, state.row);
  const row = standing.rows[standing.at];
  if (!row) return undefined;
  const foot = footLines(model, standing, state.row === undefined ? undefined : row);
  const geometry = bisectGeometry(model.state.size, standing.rows.length, foot.length);
  const cell = chosenCell(standing, row, state.cell);
  const options = {
    width: geometry.detailWidth,
    theme: model.theme,
    now: model.clock.now(),
    tally: model.store.tally,
    cell,
  };
  const detail = detailOf(standing, row, options);
  // The title, a line of room, and what its trials show stay where they are.
  const textHeight = Math.max(1, geometry.detailHeight - 1 - detail.foot.length);
  const textTop = clamp(state.detailTop, 0, Math.max(0, detail.text.length - textHeight));
  return { standing, state, row, geometry, detail, foot, cell, textHeight, textTop };
}

/** The screen as lines, each fitted to the terminal, but for its last one. */
export function bisectView(model: AppModel, look: BisectLook): Segment[][] {
  const width = model.state.size.columns - 1;
  const { standing, foot } = look;
  return [
    titleLine(model, standing, width),
    statusLineOf(model, standing, width),
    ...bodyLines(model, look).map((line) => fitLine(line, width)),
    ...foot.map((line) => fitLine([segment(' '), ...line], width)),
  ];
}

function bodyLines(model: AppModel, look: BisectLook): Line[] {
  const { geometry, state } = look;
  const { mode, body, listWidth, detailWidth } = geometry;
  const { theme } = model;
  const indent = segment(' ');
  const list = isShown(geometry, state, 'list') ? listPane(model, look) : [];
  const detail = isShown(geometry, state, 'detail') ? detailPane(model, look) : [];
  const rows = Array.from({ length: body }, (_, index) => index);
  if (mode === 'wide') {
    const wall = segment(` ${theme.glyphs.wall} `, 'faint');
    return rows.map((at) => [
      indent,
      ...fitLine(list[at] ?? [], listWidth),
      wall,
      ...fitLine(detail[at] ?? [], detailWidth),
    ]);
  }
  if (mode === 'single')
    return rows.map((at) => [indent, ...((state.pane === 'list' ? list : detail)[at] ?? [])]);
  const rule = segment(theme.glyphs.rule.repeat(detailWidth), 'faint');
  const lines = [...list, [rule], ...detail];
  return rows.map((at) => [indent, ...(lines[at] ?? [])]);
}

/** The titles and the rows, in exactly as many lines as they have room for. */
function listPane(model: AppModel, { standing, state, geometry }: BisectLook): Line[] {
  const { listWidth, listRows } = geometry;
  const { theme, clock } = model;
  const top = listTop(state, standing, listRows);
  const hidden = hiddenText({ top, height: listRows, count: standing.rows.length });
  const hasKeys = state.pane === 'list';
  const options = { width: listWidth, theme, now: clock.now() };
  const rows = standing.rows
    .slice(top, top + listRows)
    .map((row, index) =>
      listRow(standing, row, { ...options, hasKeys, isSelected: top + index === standing.at }),
    );
  while (rows.length < listRows) rows.push([]);
  const titles = listTitles(standing, listWidth);
  return [hidden === '' ? titles : withHidden(titles, hidden), ...rows];
}

/** What is out of sight is told of in the place of the first title. */
function withHidden([first = segment(''), hunk = segment(''), ...others]: Line, hidden: string): Line {
  const cells = hunk.text.length;
  const text = `hunk  (${hidden})`;
  return [
    first,
    { ...hunk, text: text.length <= cells ? text.padEnd(cells) : hidden.slice(0, cells).padEnd(cells) },
    ...others,
  ];
}

/** The first row on screen: the selected one is always among them. */
export function listTop({ top }: BisectState, { rows, at }: BisectStanding, height: number): number {
  return topFor({ top, height, count: rows.length }, at);
}

function detailPane(model: AppModel, look: BisectLook): Line[] {
  const { detail, geometry, textHeight, textTop, state } = look;
  const { theme } = model;
  const hasKeys = state.pane === 'detail';
  const hidden = hiddenText({ top: textTop, height: textHeight, count: detail.text.length });
  const title: Line = [
    ...(hasKeys ? [segment(`${theme.glyphs.marker} `, 'accent')] : []),
    ...detail.title,
    ...(hidden === '' ? [] : [segment(`   ${hidden}`, 'accent')]),
  ];
  const text = [...detail.text.slice(textTop, textTop + textHeight)];
  while (text.length < textHeight) text.push([]);
  return [title, ...text, ...detail.foot].slice(0, geometry.detailHeight);
}
