import type { Size } from '../../terminal/size.js';
import { clamp } from '../../viewport.js';
import type { BisectState } from './state.js';

/** Where the panes of a bisect stand. Widths and heights are in cells and lines. */
export interface BisectGeometry {
  /** `wide`: list left, detail right. `stacked`: one below the other. `single`: one of them. */
  mode: 'wide' | 'stacked' | 'single';
  /** Lines between the head and what is to be done. */
  body: number;
  listWidth: number;
  /** Rows of the list, its titles left out. */
  listRows: number;
  detailWidth: number;
  detailHeight: number;
}

const wideFrom = 110;
/** Lines of the body from which both panes stand one below the other. */
const stackedFrom = 15;
/** Two lines of head, the keys; and the terminal's last line, which is never drawn on. */
const frame = 4;
/** The wall between the panes and a space on either side. */
const wall = 3;
/** A line that names what is below it. */
const rule = 1;

/** `rows`: how many the list has. `foot`: lines of what is to be done and of what is said. */
export function bisectGeometry({ columns, rows: lines }: Size, rows: number, foot: number): BisectGeometry {
  const body = Math.max(4, lines - frame - foot);
  const inner = columns - 2;
  if (columns >= wideFrom) {
    const listWidth = clamp(Math.floor(inner * 0.54), 58, 100);
    const detailWidth = inner - listWidth - wall;
    return { mode: 'wide', body, listWidth, listRows: body - rule, detailWidth, detailHeight: body };
  }
  // What is said for a moment does not change how it is laid out.
  if (lines - frame - 1 < stackedFrom)
    return {
      mode: 'single',
      body,
      listWidth: inner,
      listRows: body - rule,
      detailWidth: inner,
      detailHeight: body,
    };
  const listRows = clamp(rows, 3, Math.floor(body / 2) - rule);
  return {
    mode: 'stacked',
    body,
    listWidth: inner,
    listRows,
    detailWidth: inner,
    detailHeight: body - listRows - 2 * rule,
  };
}

/** Whether a pane is on screen. */
export function isShown(
  { mode }: BisectGeometry,
  { pane }: BisectState,
  which: BisectState['pane'],
): boolean {
  return mode !== 'single' || pane === which;
}
