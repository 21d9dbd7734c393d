import { makeVisible } from '../../../base/text.js';
import { textWidth } from '../../../base/width.js';
import type { AppModel } from '../../model.js';
import { fitLine, type Line, lineWidth, type Segment, segment, spreadLine } from '../../segments.js';
import { cellGlyph, type Theme } from '../../theme.js';
import { hiddenText } from '../../viewport.js';
import type { SideContents, SidesContents } from './contents.js';
import type { Side, SidesState } from './state.js';

export interface SidesView {
  title: Segment[];
  names: Segment[];
  body: Segment[][];
}

/** Two conversations beside each other; where there is room for one only, the one that was chosen. */
export function sidesView(model: AppModel, sides: SidesState, contents: SidesContents): SidesView {
  const { theme, state } = model;
  const total = state.size.columns - 1;
  const { from, to, layout, isWide, width, height, top } = contents;
  const wall = segment(` ${theme.glyphs.wall} `, 'faint');
  const lineOf = (side: Side, row: number): Line => {
    const one = side === 'from' ? from : to;
    if (row === top && !one.record)
      return [segment(missingText(one), one.problem === undefined ? 'faint' : 'warn')];
    return layout[side][row] ?? [];
  };
  const body = pairLines(contents, sides.side, theme, lineOf);
  const hidden = hiddenText({ top, height, count: layout.from.length });
  const check = sides.check === undefined ? '' : ` / ${sides.check}`;
  const differ = from.record && to.record ? differText(layout.differences.length) : '';
  const name = (side: Side) =>
    nameLine(model, side === 'from' ? from : to, isWide ? undefined : sides.side === side);
  const namesLine = (): Line => {
    if (isWide) return [...fitLine(name('from'), width), wall, ...name('to')];
    const both = [...name('from'), segment('   '), ...name('to')];
    return lineWidth(both) < total ? both : name(sides.side);
  };
  return {
    title: spreadLine(
      [segment(makeVisible(` ${sides.scenario}${check}`), 'title'), segment(`   ${differ}`, 'faint')],
      hidden === '' ? [] : [segment(hidden, 'accent')],
      total,
    ),
    names: fitLine([segment(' '), ...namesLine()], total),
    body: body.map((line) => fitLine(line, total)),
  };
}

/** The lines of both sides that are on screen, beside each other where there is room; else those of the side that was chosen. */
export function pairLines(
  { isWide, width, height, top }: Pick<SidesContents, 'isWide' | 'width' | 'height' | 'top'>,
  side: Side,
  { glyphs }: Theme,
  lineOf: (side: Side, row: number) => Line,
): Line[] {
  const wall = segment(` ${glyphs.wall} `, 'faint');
  const rows = Array.from({ length: height }, (_, index) => top + index);
  return rows.map((row) =>
    isWide
      ? [segment(' '), ...fitLine(lineOf('from', row), width), wall, ...fitLine(lineOf('to', row), width)]
      : [segment(' '), ...lineOf(side, row)],
  );
}

export function differText(places: number): string {
  if (places === 0) return 'the same words';
  return places === 1 ? '1 place differs' : `${places} places differ`;
}

/** Cells of ` · trial 2 of 3 · ● fail`, and of the same without the word. */
const roomForWord = 24;
const roomForCount = 18;

/** `v14 · trial 2 of 3 · ● pass`; where one side is shown alone, `isShown` says whether it is this one. */
function nameLine(
  { theme, clock, sidesContents }: AppModel,
  side: SideContents,
  isShown: boolean | undefined,
): Line {
  const { name, cell, group } = side;
  // The name of a run fills half of a narrow terminal.
  const room = (sidesContents?.width ?? 0) - textWidth(name);
  const word = isShown === undefined && room >= roomForWord ? 'trial ' : '';
  const of = room >= roomForCount ? ' of ' : '/';
  const { glyphs } = theme;
  const dot = segment(` ${glyphs.dot} `, 'faint');
  return [
    segment(isShown ? `${glyphs.marker} ${name}` : name, 'accent'),
    ...(cell
      ? [
          dot,
          segment(`${word}${cell.repeat}${of}${group?.cells.length ?? 0}`),
          dot,
          segment(`${cellGlyph(glyphs, cell.state, clock.now())} ${cell.state}`, cell.state),
        ]
      : []),
  ];
}

function missingText({ problem }: SideContents): string {
  return problem === undefined ? 'reading …' : makeVisible(problem);
}
