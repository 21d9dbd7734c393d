import { textWidth } from '../../../base/width.js';
import { clamp } from '../../viewport.js';

/** Cells that each column of the grid takes; 0 for a column that is not shown. Between columns stand two spaces. */
export interface GridColumns {
  width: number;
  scenario: number;
  tags: number;
  /** Of one group of cells. */
  group: number;
  /** Cells that a group has room for. */
  shown: number;
  /** From the start of one cell to the start of the next: 2, or 1 where there are too many. */
  pitch: 1 | 2;
  verdict: number;
  /** What became of it against the base; 0 without one. */
  change: number;
  /** How often the worst check passed, and the interval that goes with it. */
  rate: number;
  /** Cells of the rate alone, before the interval. */
  rateOnly: number;
  /** Tokens, or time where that is what is sorted by. */
  measure: number;
  why: number;
}

/** What the columns are made for: known before the first trial, so that no column ever moves but by a resize. */
export interface GridSchema {
  longestId: number;
  longestTags: number;
  groups: number;
  /** Trials that the plan has for a scenario in one group. */
  repeats: number;
  /** Rows are sorted by the measure, so it has to be seen. */
  isMeasured?: boolean;
  /** The run has a base to be held against. */
  hasBase?: boolean;
  /** Trials that a confirmation may add, to be kept room for where there is some. */
  fresh?: number;
  /** Cells of the longest name over a group; groups are made wider for it where there is room. */
  longestName?: number;
}

/** Marker and a space, before the first column. */
export const markerWidth = 2;
export const gap = 2;
const verdictWidth = 7;
const measureWidth = 7;
/** `0.46–1.00`, and the gap before it. */
const intervalWidth = 11;
const goodWhy = 24;
/** A reason that is wider than this leaves what is more to the tags. */
const wideWhy = 60;
const leastScenario = 24;
const goodScenario = 26;
const mostScenario = 44;
const mostTags = 18;
/** Cells kept for trials that are added. */
const reserved = 2;
/** ` +12`, where a group has more trials than room. */
export const moreWidth = 4;

export function textColumnWidth(texts: Iterable<string>): number {
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, textWidth(text));
  return widest;
}

/**
 * Column widths for a terminal. What does not fit goes in this order: tags, tokens, the rate with its interval, the
 * length of the scenario's name, then that of the reason.
 */
export function gridColumns(columns: number, schema: GridSchema): GridColumns {
  const width = columns - 1;
  const cells = cellLayout(width, schema);
  const cellsWidth = schema.groups * cells.group + (schema.groups - 1) * gap;
  const change = schema.hasBase ? changeWidth(width) : 0;
  const fixed = markerWidth + gap + cellsWidth + gap + verdictWidth + gap + (change > 0 ? change + gap : 0);
  const ideal = clamp(schema.longestId, 8, mostScenario);
  const rateOnly = Math.max(2, String(schema.repeats).length) * 2 + 1;
  let tags = schema.longestTags > 0 ? clamp(schema.longestTags, 4, mostTags) : 0;
  let measure = measureWidth;
  let rate = rateOnly + intervalWidth;
  /** What scenario and reason share. */
  const room = () =>
    width - fixed - [tags, rate, measure].reduce((sum, cells) => sum + (cells > 0 ? cells + gap : 0), 0);
  if (room() < ideal + goodWhy) tags = 0;
  if (room() < ideal + goodWhy) measure = 0;
  if (room() < Math.min(ideal, goodScenario) + goodWhy) rate = 0;
  // Where both are short of room, the name is what a row is known by.
  const least = Math.min(ideal, leastScenario, Math.max(8, Math.floor(room() * 0.6)));
  const scenario = clamp(room() - goodWhy, least, Math.max(least, ideal));
  // What is sorted by takes its cells from the reason: nothing left of it moves.
  if (schema.isMeasured && room() - scenario >= measureWidth + gap) measure = measureWidth;
  if (tags > 0) tags += clamp(room() - scenario - wideWhy, 0, Math.max(0, schema.longestTags - tags));
  const why = Math.max(0, room() - scenario);
  return { width, scenario, tags, ...cells, verdict: verdictWidth, change, rate, rateOnly, measure, why };
}

/** `≠ not comparable`, `▼ regression`, or the sign alone. */
function changeWidth(width: number): number {
  if (width >= 130) return 16;
  return width >= 75 ? 12 : 1;
}

/** A name is not worth more cells than that. */
const mostName = 14;

function cellLayout(
  width: number,
  { groups, repeats, fresh = 0, longestName = 0 }: GridSchema,
): Pick<GridColumns, 'group' | 'shown' | 'pitch'> {
  const least = 7;
  const budget = Math.max(least, Math.floor((width * 0.42 - (groups - 1) * gap) / groups));
  const count = Math.max(1, repeats);
  // Trials of a confirmation and the line before them: as the others where there is much room, close together else.
  const all = count + fresh;
  const apart = fresh === 0 ? 0 : width >= 150 ? all * 2 + 1 : width >= 95 ? all + 1 : 0;
  const named = groups > 1 && width >= 100 ? Math.min(longestName, mostName) : 0;
  const group = (cells: number) => clamp(Math.max(cells + reserved, apart, named), least, budget);
  if (count * 2 - 1 <= budget) return { group: group(count * 2 - 1), shown: count, pitch: 2 };
  if (count <= budget) return { group: group(count), shown: count, pitch: 1 };
  return { group: budget, shown: Math.max(1, budget - moreWidth), pitch: 1 };
}
