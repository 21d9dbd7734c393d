import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth } from '../../../base/width.js';
import { formatDuration, formatKnownTokens } from '../../../report/format.js';
import { quarantinedWord } from '../../../report/quarantine.js';
import type { QuarantineEntry } from '../../../run/planned.js';
import type { ScenarioTally } from '../../../tally/types.js';
import { rowRate } from '../../rate.js';
import type { RowChange } from '../../row-change.js';
import { type Segment, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import { groupSegments } from './cells.js';
import { rowChangeSegment } from './change.js';
import { type GridColumns, gap } from './columns.js';
import { fitName } from './name.js';
import { meanMs, type SortName } from './sort.js';
import { whySegments } from './why.js';

/** What a row is drawn with besides its tally. */
export interface RowDrawing {
  columns: GridColumns;
  sort: SortName;
  theme: Theme;
  now: number;
  isSelected: boolean;
  /** Position of the selected cell over all groups; -1 when the row is not selected. */
  chosenCell: number;
  /** Positions of the groups that are shown. The same array for as long as they are the same. */
  groups: readonly number[];
  /** What became of it; its changes count in the revision of the row. */
  change: RowChange | undefined;
  /** Quarantined since the run began. */
  later: QuarantineEntry | undefined;
}

const between = segment(' '.repeat(gap));

/** One row of the grid in exactly `columns.width` cells. Its texts are made visible here. */
export function rowSegments(row: ScenarioTally, drawing: RowDrawing): Segment[] {
  const { columns, theme, isSelected, now, later } = drawing;
  const isDimmed = row.isQuarantined || later !== undefined;
  const segments: Segment[] = [
    segment(isSelected ? `${theme.glyphs.marker} ` : '  ', 'accent'),
    segment(
      fitName(makeVisible(row.scenario.id), columns.scenario),
      isSelected ? 'strong' : isDimmed ? 'faint' : 'plain',
    ),
    between,
  ];
  if (columns.tags > 0) {
    segments.push(segment(fitToWidth(tagsText(row), columns.tags), 'faint'), between);
  }
  let chosen = drawing.chosenCell;
  row.groups.forEach((group, at) => {
    const { length } = group.cells;
    if (drawing.groups.includes(at))
      segments.push(
        ...groupSegments(group, columns, chosen < length ? chosen : -1, theme, now, isDimmed),
        between,
      );
    chosen = chosen >= length ? chosen - length : -1;
  });
  const verdict = verdictSegment(row, columns.verdict);
  segments.push(later ? { ...verdict, tone: 'faint' } : verdict, between);
  if (columns.change > 0) segments.push(rowChangeSegment(drawing.change, columns.change, theme), between);
  if (columns.rate > 0) segments.push(rateSegment(row, columns), between);
  if (columns.measure > 0) {
    segments.push(
      segment(fitToWidth(measureText(row, drawing.sort), columns.measure, 'right'), 'faint'),
      between,
    );
  }
  segments.push(...whySegments(row, columns.why, later));
  return segments;
}

export function tagsText({ scenario }: ScenarioTally): string {
  return makeVisible(scenario.tags.join(' '));
}

/** Final verdicts stand out; one that may still change is written small, one that counts for nothing in brackets. */
function verdictSegment({ verdict, isPartial, isQuarantined }: ScenarioTally, width: number): Segment {
  if (verdict === undefined) return segment(' '.repeat(width));
  if (isQuarantined) return segment(fitToWidth(quarantinedWord(verdict), width), 'faint');
  if (isPartial) return segment(fitToWidth(verdict, width), 'faint');
  return segment(fitToWidth(verdict.toUpperCase(), width), verdict);
}

/** Of the worst check. Rates end and intervals begin at one place; a rate of hundreds of trials pushes its interval out. */
function rateSegment(row: ScenarioTally, { rate: width, rateOnly }: GridColumns): Segment {
  const found = rowRate(row);
  if (!found) return segment(' '.repeat(width));
  const text = `${found.rate.padStart(rateOnly)}  ${found.interval}`;
  return segment(fitToWidth(textWidth(text) <= width ? text : found.rate, width), 'faint');
}

function measureText(row: ScenarioTally, sort: SortName): string {
  if (sort === 'slowest') {
    const ms = meanMs(row);
    return ms > 0 ? formatDuration(ms) : '';
  }
  const isPartial = row.groups.some(({ cells }) => cells.some(({ tokens }) => tokens?.isAgentPartial));
  return row.tokens > 0 || isPartial ? formatKnownTokens(row.tokens, isPartial) : '';
}

/** Remembers drawn rows, so that a flush draws those that changed and no others. */
export interface RowCache {
  segments(row: ScenarioTally, revision: number, drawing: RowDrawing): Segment[];
}

/** More than any terminal shows at once; beyond that the rows scrolled away are forgotten. */
const mostRemembered = 400;

export function createRowCache(): RowCache {
  const drawn = new Map<string, { revision: number; drawing: RowDrawing; segments: Segment[] }>();
  return {
    segments(row, revision, drawing) {
      const { id } = row.scenario;
      const known = drawn.get(id);
      if (known && known.revision === revision && isSame(known.drawing, drawing) && !isMoving(row)) {
        return known.segments;
      }
      if (drawn.size >= mostRemembered) drawn.clear();
      const segments = rowSegments(row, drawing);
      drawn.set(id, { revision, drawing, segments });
      return segments;
    },
  };
}

/** Rows with a spinner are drawn anew each time. */
function isMoving(row: ScenarioTally): boolean {
  return row.groups.some(({ cells }) => cells.some(({ state }) => state === 'running'));
}

function isSame(a: RowDrawing, b: RowDrawing): boolean {
  return (
    a.columns === b.columns &&
    a.sort === b.sort &&
    a.theme === b.theme &&
    a.isSelected === b.isSelected &&
    a.later === b.later &&
    a.chosenCell === b.chosenCell
  );
}
