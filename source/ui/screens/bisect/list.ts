import { fitToWidth } from '../../../base/width.js';
import type { RecordedTrial } from '../../../bisect/recorded-trials.js';
import { formatBelief } from '../../../report/bisect-words.js';
import { type Line, type Segment, segment } from '../../segments.js';
import { cellGlyph, type Theme } from '../../theme.js';
import type { BisectRow, BisectStanding } from './rows.js';

/** Cells of each column of the list; 0 for one that is not shown. */
interface ListColumns {
  number: number;
  title: number;
  state: number;
  trials: number;
  bar: number;
  belief: number;
}

const gap = 2;
const marker = 2;
/** `yours: innocent` is cut where there is no room for it. */
const stateWidth = { wide: 15, narrow: 9 };
/** Its title is wider than `71 %`. */
const beliefWidth = 6;

function columnsOf(standing: BisectStanding, width: number): ListColumns {
  const { session, record } = standing;
  const number = String(record.diff.hunks.length).length;
  const state = width >= 70 ? stateWidth.wide : stateWidth.narrow;
  const trials = Math.max(6, Math.min(session.repeats, width >= 70 ? 12 : 6));
  const hasBelief = standing.belief !== undefined;
  const belief = hasBelief ? beliefWidth : 0;
  const bar = hasBelief && width >= 70 ? 8 : 0;
  const fixed = marker + number + 1 + state + trials + belief + bar;
  const gaps = gap * (2 + (belief > 0 ? 1 : 0)) + (bar > 0 ? 1 : 0);
  return { number, title: Math.max(8, width - fixed - gaps), state, trials, bar, belief };
}

const between = segment(' '.repeat(gap));

/** Titles of the columns. */
export function listTitles(standing: BisectStanding, width: number): Line {
  const columns = columnsOf(standing, width);
  const title = (words: string, cells: number) => segment(fitToWidth(words, cells), 'faint');
  return [
    segment(' '.repeat(marker + columns.number + 1)),
    title('hunk', columns.title),
    between,
    title('state', columns.state),
    between,
    title('trials', columns.trials),
    ...(columns.belief > 0
      ? [
          between,
          segment(
            fitToWidth('belief', columns.bar + (columns.bar > 0 ? 1 : 0) + columns.belief, 'right'),
            'faint',
          ),
        ]
      : []),
  ];
}

export function listRow(
  standing: BisectStanding,
  row: BisectRow,
  options: { isSelected: boolean; hasKeys: boolean; width: number; theme: Theme; now: number },
): Line {
  const { isSelected, hasKeys, width, theme, now } = options;
  const columns = columnsOf(standing, width);
  const number = row.hunk === undefined ? '' : String(row.hunk + 1);
  const mark = segment(isSelected ? `${theme.glyphs.marker} ` : '  ', hasKeys ? 'accent' : 'faint');
  const titleTone = isSelected ? 'strong' : row.kind === 'hunk' || row.kind === 'end' ? 'plain' : 'faint';
  if (row.kind === 'end')
    return [
      mark,
      segment(' '.repeat(columns.number + 1)),
      segment(row.title, isSelected ? 'strong' : row.standing.tone),
    ];
  return [
    mark,
    segment(`${fitToWidth(number, columns.number, 'right')} `, 'faint'),
    segment(fitToWidth(row.title, columns.title), titleTone),
    between,
    segment(fitToWidth(row.standing.words, columns.state), row.standing.tone),
    between,
    ...trialSigns(standing, row.trials, columns.trials, theme, now),
    ...(columns.belief > 0 && row.belief !== undefined
      ? [between, ...beliefSegments(row.belief, columns, theme)]
      : []),
  ];
}

/** One sign a trial, the last ones where not all fit, in exactly `width` cells. */
function trialSigns(
  { record }: BisectStanding,
  trials: readonly RecordedTrial[],
  width: number,
  theme: Theme,
  now: number,
): Segment[] {
  const hidden = trials.length > width;
  const shown = hidden ? trials.slice(trials.length - width + 1) : trials;
  const signs = shown.map((trial) => {
    const state = trialState(record, trial);
    return segment(cellGlyph(theme.glyphs, state, now), state);
  });
  const left = width - signs.length - (hidden ? 1 : 0);
  return [
    ...(hidden ? [segment('…', 'faint')] : []),
    ...signs,
    ...(left > 0 ? [segment(' '.repeat(left))] : []),
  ];
}

function trialState(record: BisectStanding['record'], trial: RecordedTrial) {
  const outcome = record.outcomeOf(trial);
  if (outcome === undefined)
    return trial.cells.some(({ state }) => state === 'running') ? 'running' : 'waiting';
  // It was run before one of the scenarios was watched: it says nothing now.
  return outcome === 'unwatched' ? 'waiting' : outcome;
}

function beliefSegments(belief: number, columns: ListColumns, { glyphs }: Theme): Segment[] {
  const text = fitToWidth(formatBelief(belief), columns.belief, 'right');
  const tone = belief >= 0.5 ? 'fail' : belief < 0.02 ? 'faint' : 'plain';
  if (columns.bar === 0) return [segment(text, tone)];
  const filled = Math.round(belief * columns.bar);
  return [
    segment(glyphs.barDone.repeat(filled), tone),
    segment(glyphs.barLeft.repeat(columns.bar - filled), 'faint'),
    segment(' '),
    segment(text, tone),
  ];
}
