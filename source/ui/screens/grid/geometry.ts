import type { Size } from '../../terminal/size.js';

/** From this width on totals and keys share the last line. */
const oneLineFrom = 110;

/** Lines at the foot of the screen below the one of the selected row: totals, and the keys or what the app has to say. */
export function footerLines(size: Size): 1 | 2 {
  return size.columns >= oneLineFrom ? 1 : 2;
}

/** The line that says of the selected row what its columns have no room for. */
const detailLines = 1;

/** Rows of the grid that are on screen. Around them: header, progress, column titles, a line of groups if there are several. */
export function gridHeight(size: Size, conditions: number): number {
  const head = 3 + (conditions > 1 ? 1 : 0);
  // The terminal's last line stays empty: a frame as tall as the terminal makes Ink clear all of it.
  return Math.max(1, size.rows - 1 - head - detailLines - footerLines(size));
}
