import type { Size } from '../../terminal/size.js';
import type { ShownHome } from './shown.js';
import type { HomeRow } from './state.js';

/** A line of the list: a row, or what stands between rows. */
export type HomeLine =
  | { kind: 'row'; at: number; row: HomeRow }
  | { kind: 'heading'; text: string }
  | { kind: 'space' };

/** Title, heading of the columns, keys, and the terminal's last line. */
const frame = 4;
const tall = 20;

/** Lines below the list, about what is selected. */
export function homeDetailHeight({ rows }: Size): number {
  return rows >= tall ? 4 : 2;
}

export function homeListHeight(size: Size): number {
  return Math.max(1, size.rows - frame - homeDetailHeight(size));
}

const headings: Partial<Record<HomeRow['kind'], string>> = { run: 'unfinished', matter: 'to be seen to' };

/** The rows in their sections. */
export function linesOfHome({ rows }: ShownHome): HomeLine[] {
  const lines: HomeLine[] = [];
  for (const [at, row] of rows.entries()) {
    const heading = headings[row.kind];
    if (heading !== undefined && rows[at - 1]?.kind !== row.kind)
      lines.push({ kind: 'space' }, { kind: 'heading', text: heading });
    lines.push({ kind: 'row', at, row });
  }
  return lines;
}

export function lineOfRow(lines: readonly HomeLine[], at: number): number {
  return lines.findIndex((line) => line.kind === 'row' && line.at === at);
}
