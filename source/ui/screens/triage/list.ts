import { fitToWidth, textWidth } from '../../../base/width.js';
import { formatShare, inline } from '../../../report/format.js';
import { isExpired } from '../../../tally/quarantine.js';
import type { Suggestion, TriageRow } from '../../../triage/suggest.js';
import { type Line, type Segment, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { clamp } from '../../viewport.js';
import { fitName } from '../grid/name.js';

/** Cells of the columns of the list; 0 for one that is not shown. Between columns stand two spaces. */
export interface TriageColumns {
  name: number;
  strip: number;
  flips: number;
  rate: number;
  interval: number;
  /** What is suggested; where there is no column for it, else the end of the quarantine. */
  suggestion: number;
  until: number;
  owner: number;
  /** Why it is quarantined: what room is left. */
  reason: number;
}

const gap = 2;
/** `runs`, the title. */
const leastStrip = 4;
const markerWidth = 2;

/** Widths for a terminal; `longest`: cells of the longest name, and results of the longest strip. What has no column is said of the selected row. */
export function triageColumns(columns: number, longest: { name: number; strip: number }): TriageColumns {
  const width = columns - 1;
  const sizes =
    width >= 110
      ? {
          strip: width >= 140 ? 20 : 12,
          flips: 5,
          rate: 5,
          interval: 12,
          suggestion: 10,
          until: 10,
          owner: 14,
        }
      : width >= 75
        ? { strip: 12, flips: 5, rate: 5, interval: 0, suggestion: 16, until: 0, owner: 0 }
        : { strip: 8, flips: 5, rate: 0, interval: 0, suggestion: 10, until: 0, owner: 0 };
  // A young suite has few runs: the names have the room.
  sizes.strip = clamp(longest.strip, leastStrip, sizes.strip);
  const shown = Object.values(sizes).filter((cells) => cells > 0);
  const used = shown.reduce((sum, cells) => sum + cells + gap, markerWidth);
  const room = Math.max(16, width - used);
  const name = width >= 110 ? clamp(longest.name, 16, room) : room;
  return { name, ...sizes, reason: Math.max(0, room - name - gap) };
}

const between = segment(' '.repeat(gap));

/** Titles of the columns. */
export function triageHeadings(columns: TriageColumns): Line {
  const cells: [string, number, 'left' | 'right'][] = [
    ['scenario / check', columns.name, 'left'],
    [columns.strip < 9 ? 'runs' : 'last runs', columns.strip, 'left'],
    ['flips', columns.flips, 'right'],
    ['rate', columns.rate, 'right'],
    ['95 %', columns.interval, 'left'],
    [columns.until > 0 ? 'suggested' : 'to do', columns.suggestion, 'left'],
    ['until', columns.until, 'left'],
    ['owner', columns.owner, 'left'],
    [columns.reason < 6 ? '' : 'reason', columns.reason, 'left'],
  ];
  return [
    segment(' '.repeat(markerWidth)),
    ...cells.flatMap(([words, width, align]) =>
      width === 0 ? [] : [segment(fitToWidth(words, width, align), 'faint'), between],
    ),
  ];
}

/** One check: what is quarantined is dimmed, and says until when. */
export function triageLine(
  row: TriageRow,
  {
    columns,
    isSelected,
    at,
    theme,
  }: { columns: TriageColumns; isSelected: boolean; at: number; theme: Theme },
): Line {
  const { entry, rate, recent } = row;
  const tone: Tone = isSelected ? 'strong' : entry ? 'faint' : 'plain';
  const interval = rate && `${formatShare(rate.interval.low)}–${formatShare(rate.interval.high)}`;
  const cell = (text: string, width: number, align: 'left' | 'right' = 'left') =>
    width === 0 ? [] : [segment(fitToWidth(text, width, align), tone), between];
  const isEnded = entry && isExpired(entry, at);
  return [
    segment(isSelected ? `${theme.glyphs.marker} ` : '  ', 'accent'),
    segment(fitRowName(row, columns.name), tone),
    between,
    ...strip(row, columns.strip, theme),
    between,
    ...cell(String(recent), columns.flips, 'right'),
    ...cell(rate ? formatShare(rate.flipRate) : '', columns.rate, 'right'),
    ...cell(interval ?? '', columns.interval),
    suggestionCell(row, columns),
    between,
    ...(columns.until > 0
      ? [segment(fitToWidth(entry?.until ?? '', columns.until), isEnded ? 'fail' : tone), between]
      : []),
    ...cell(inline(entry?.owner ?? ''), columns.owner),
    ...cell(inline(entry?.reason ?? ''), columns.reason),
  ];
}

/** Scenario and check in exactly so many cells: both give way, for rows of one scenario differ in the other. */
export function fitRowName(
  { scenario, check }: Pick<TriageRow, 'scenario' | 'check'>,
  width: number,
): string {
  const [first, second] = [inline(scenario), inline(check)];
  const room = width - between.text.length - 1;
  // From so many cells on a name is cut in its middle, where those of one kind differ least.
  const least = Math.min(Math.max(14, Math.floor(room * 0.45)), room - 8);
  const tail = Math.min(textWidth(second), Math.max(least, room - textWidth(first)));
  const head = Math.min(textWidth(first), room - tail);
  return fitToWidth(`${fitName(first, head)} / ${fitName(second, tail)}`, width);
}

/** A sign a result, the last on the right. */
function strip({ results, entry }: TriageRow, width: number, { glyphs }: Theme): Segment[] {
  const last = results.slice(-width);
  const signs = last.map(({ verdict }) => segment(glyphs[verdict], entry ? 'faint' : verdict));
  return [segment(' '.repeat(width - last.length)), ...joined(signs)];
}

/** Neighbours that look alike as one piece. */
function joined(signs: readonly Segment[]): Segment[] {
  const pieces: Segment[] = [];
  for (const sign of signs) {
    const last = pieces.at(-1);
    if (last?.tone === sign.tone) pieces[pieces.length - 1] = segment(last.text + sign.text, sign.tone);
    else pieces.push(sign);
  }
  return pieces;
}

const suggestionTones: Record<Suggestion['kind'], Tone> = {
  quarantine: 'warn',
  release: 'pass',
  broken: 'fail',
  expired: 'fail',
};

function suggestionCell(
  { suggestion, entry }: TriageRow,
  { suggestion: width, until }: TriageColumns,
): Segment {
  if (suggestion) return segment(fitToWidth(suggestion.kind, width), suggestionTones[suggestion.kind]);
  if (!entry || until > 0) return segment(' '.repeat(width));
  return segment(fitToWidth(width >= 16 ? `until ${entry.until}` : entry.until, width), 'faint');
}
