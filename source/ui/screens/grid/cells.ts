import { isFresh } from '../../../tally/group.js';
import type { CellGroup } from '../../../tally/types.js';
import type { Segment } from '../../segments.js';
import { segment } from '../../segments.js';
import { cellGlyph, type Theme } from '../../theme.js';
import { clamp } from '../../viewport.js';
import { type GridColumns, moreWidth } from './columns.js';

/**
 * One group of cells in exactly `columns.group` cells of width. Trials of a confirmation are set apart from the others.
 * A scenario with more trials than others has them closer together; where even so there is no room, a window of them is
 * shown (the one with the selected trial in it) and how many more there are.
 */
export function groupSegments(
  trials: CellGroup,
  columns: GridColumns,
  /** Position of the selected cell in this group; -1 when it is not here. */
  chosen: number,
  theme: Theme,
  now: number,
  /** It counts for nothing, and is dimmed. */
  isQuarantined = false,
): Segment[] {
  const { group } = columns;
  const { cells } = trials;
  const isApart = (index: number) => trials.fresh !== undefined && index > 0 && isBorder(trials, index);
  const borders = trials.fresh ? cells.filter((_, index) => isApart(index)).length : 0;
  const pitch = (cells.length + borders) * 2 - 1 <= group ? columns.pitch : 1;
  const isFitting = cells.length + borders <= group;
  const room = isFitting ? cells.length : Math.max(1, group - moreWidth);
  const first = isFitting ? 0 : clamp(chosen - room + 1, 0, Math.max(0, cells.length - room));
  const shown = cells.slice(first, first + room);

  const segments: Segment[] = [];
  let used = 0;
  shown.forEach((cell, index) => {
    const between = pitch === 2 ? ' ' : '';
    const gap = isFitting && isApart(index) ? `${between}${theme.glyphs.apart}${between}` : between;
    if (index > 0 && gap !== '') {
      segments.push(segment(gap, 'faint'));
      used += gap.length;
    }
    const piece = segment(cellGlyph(theme.glyphs, cell.state, now), isQuarantined ? 'faint' : cell.state);
    segments.push(first + index === chosen ? { ...piece, isChosen: true } : piece);
    used += 1;
  });
  if (!isFitting) {
    const hidden = cells.length - room;
    const more = hidden > 99 ? ' >99' : ` +${hidden}`;
    segments.push(segment(more, 'faint'));
    used += more.length;
  }
  if (used < group) segments.push(segment(' '.repeat(group - used)));
  return segments;
}

/** Whether a confirmation begins or ends between a cell and the one before it. */
function isBorder(trials: CellGroup, index: number): boolean {
  const fresh = (at: number) => isFresh(trials, trials.cells[at]?.repeat ?? 0);
  return fresh(index) !== fresh(index - 1);
}

/** Numbers of the trials over their cells: all of them while they have one digit, then every fifth. */
export function groupNumbers(columns: GridColumns): string {
  const { group, shown, pitch } = columns;
  const places = Array.from({ length: group }, () => ' ');
  const isDense = pitch === 1 || shown > 9;
  for (let number = 1; number <= shown; number++) {
    if (isDense && number !== 1 && number % 5 !== 0) continue;
    const label = String(number);
    const at = (number - 1) * pitch;
    if (at + label.length > group) break;
    for (let digit = 0; digit < label.length; digit++) places[at + digit] = label[digit] ?? ' ';
  }
  return places.join('');
}
