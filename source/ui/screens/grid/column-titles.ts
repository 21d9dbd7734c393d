import { fitToWidth, textWidth } from '../../../base/width.js';
import type { Condition } from '../../../run/planned.js';
import { conditionNames } from '../../conditions.js';
import { fitLine, type Segment, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import { groupNumbers } from './cells.js';
import { type GridColumns, gap, markerWidth } from './columns.js';
import { fitName } from './name.js';
import type { SortName } from './sort.js';

/** Which column a sort goes by. */
const sortedColumn: Record<SortName, 'scenario' | 'cells' | 'verdict' | 'change' | 'measure'> = {
  order: 'scenario',
  worst: 'verdict',
  changed: 'change',
  flakiest: 'cells',
  slowest: 'measure',
  tokens: 'measure',
};

/** Titles of the columns; the one that is sorted by is marked, but for the order of the suite, which is no sort. */
export function columnLine(
  columns: GridColumns,
  sort: SortName,
  groups: number,
  theme: Theme,
  changeTitle = 'baseline',
): Segment[] {
  const mark = (column: string) =>
    sort !== 'order' && sortedColumn[sort] === column ? theme.glyphs.sorted : '';
  const title = (words: string, cells: number, column: string, align: 'left' | 'right' = 'left') => {
    const sign = mark(column);
    return segment(fitToWidth(`${words}${sign}`, cells, align), sign === '' ? 'faint' : 'accent');
  };
  const between = segment(' '.repeat(gap));
  const line: Segment[] = [
    segment(' '.repeat(markerWidth)),
    title('scenario', columns.scenario, 'scenario'),
    between,
  ];
  if (columns.tags > 0) line.push(title('tags', columns.tags, ''), between);
  for (let group = 0; group < groups; group++) {
    const words = sort === 'flakiest' ? 'flaky' : groupNumbers(columns);
    const sign = mark('cells');
    const text = sign === '' ? words : `${words}${sign}`;
    line.push(segment(fitToWidth(text, columns.group), sign === '' ? 'faint' : 'accent'), between);
  }
  line.push(title('verdict', columns.verdict, sort === 'worst' ? '' : 'verdict'));
  // The title fills its column, so the mark takes the gap.
  line.push(sort === 'worst' ? segment(`${theme.glyphs.sorted} `, 'accent') : between);
  if (columns.change > 0)
    line.push(title(columns.change > 8 ? changeTitle : '', columns.change, 'change'), between);
  if (columns.rate > 0)
    line.push(segment(fitToWidth('rate'.padStart(columns.rateOnly), columns.rate), 'faint'), between);
  if (columns.measure > 0) {
    line.push(title(sort === 'slowest' ? 'time' : 'tokens', columns.measure, 'measure', 'right'), between);
  }
  line.push(title('why', columns.why, ''));
  return fitLine(line, columns.width);
}

/** Names of the conditions over their groups of cells: what tells them apart. That of the base stands back. */
export function groupLine(
  columns: GridColumns,
  conditions: readonly Condition[],
  base: string | undefined,
): Segment[] {
  const names = conditionNames(conditions);
  const before = markerWidth + columns.scenario + gap + (columns.tags > 0 ? columns.tags + gap : 0);
  const line: Segment[] = [segment(' '.repeat(before))];
  names.forEach((name, at) => {
    const isBase = conditions[at]?.id === base;
    const whole = isBase && textWidth(name) + baseWord.length <= columns.group ? name + baseWord : name;
    line.push(segment(fitName(whole, columns.group), isBase ? 'plain' : 'accent'), segment(' '.repeat(gap)));
  });
  return fitLine(line, columns.width);
}

const baseWord = ', base';
