/** Cells of the terminal. */
export interface Size {
  columns: number;
  rows: number;
}

/** Below this no screen is drawn, only a line that says so. */
export const smallest: Size = { columns: 60, rows: 15 };

/** The terminal's size; 80x24 where it does not say (0 is what a terminal says that was not told its size). */
export function readSize(stdout: { columns?: number; rows?: number }): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}

export function isTooSmall(size: Size): boolean {
  return size.columns < smallest.columns || size.rows < smallest.rows;
}
