import { fitToWidth, textWidth } from '../../../base/width.js';
import { formatTime, inline } from '../../../report/format.js';
import type { HistoryPoint, HistoryRun } from '../../../report/history.js';
import { percentText } from '../../../report/history-text.js';
import { gateWords } from '../../gate-words.js';
import { type Line, type Segment, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { clamp } from '../../viewport.js';
import { fitName } from '../grid/name.js';
import { runKey, type ShownHistory } from './state.js';

/** Cells of the columns of the list; 0 for one that is not shown. Between columns stand two spaces. */
export interface RunColumns {
  date: number;
  verdict: number;
  score: number;
  rate: number;
  condition: number;
  notes: number;
}

const gap = 2;
/** Marker, mark, a space each; and the sign of a change before the condition. */
const signsWidth = 4;
const changeWidth = 2;
const narrow = 75;

/** Widths for a terminal. Narrow ones have the day without its year, and no counts. */
export function runColumns(columns: number, runs: readonly HistoryRun[]): RunColumns {
  const width = columns - 1;
  const isNarrow = columns < narrow;
  const date = isNarrow ? 11 : 16;
  const rate = isNarrow ? 0 : Math.max(6, ...runs.map(({ passed, of }) => `${passed}/${of}`.length));
  const [verdict, score] = [8, 7];
  const fixed = signsWidth + date + verdict + score + rate + changeWidth + gap * (rate > 0 ? 5 : 4);
  const names = Math.max(16, width - fixed);
  const longest = Math.max(9, ...runs.map(({ promptName }) => textWidth(inline(promptName))));
  const condition = clamp(longest, 9, Math.max(9, Math.floor(names / 2)));
  return { date, verdict, score, rate, condition, notes: Math.max(0, names - condition) };
}

const between = segment('  ');

/** Titles of the columns; that of the last one leaves `room` cells at the end. */
export function headingLine(columns: RunColumns, room: number): Line {
  const last = ['label and notes', 'notes'].find((words) => words.length <= columns.notes - room) ?? '';
  const cell = (words: string, cells: number, align: 'left' | 'right' = 'left') =>
    cells === 0 ? [] : [segment(fitToWidth(words, cells, align), 'faint'), between];
  return [
    segment(' '.repeat(signsWidth)),
    ...cell('date', columns.date),
    ...cell('verdict', columns.verdict),
    ...cell('score', columns.score, 'right'),
    ...cell('passed', columns.rate, 'right'),
    segment(' '.repeat(changeWidth)),
    ...cell('condition', columns.condition),
    segment(last, 'faint'),
  ];
}

/** Those that the column has no room for are shorter. */
const verdicts: Record<string, readonly [words: string, tone: Tone] | undefined> = {
  ...gateWords,
  none: ['NONE', gateWords.none[1]],
  interrupted: ['STOPPED', gateWords.interrupted[1]],
};

/** The verdict in words, and how it looks. */
export function verdictOf({ verdict }: Pick<HistoryRun, 'verdict'>): readonly [words: string, tone: Tone] {
  return Object.hasOwn(verdicts, verdict) ? (verdicts[verdict] ?? ['', 'plain']) : [inline(verdict), 'plain'];
}

/** One row of the list. Runs that count for nothing are faint, and say why. */
export function runLine(shown: ShownHistory, run: HistoryRun, columns: RunColumns, theme: Theme): Line {
  const key = runKey(run);
  const isSelected = shown.runs[shown.index] === run;
  const isMarked = shown.view.marked.includes(key);
  const point = pointOf(shown, run);
  const isChanged = (point?.changed.length ?? 0) > 0;
  const [verdict, verdictTone] = verdictOf(run);
  const tone: Tone = isSelected ? 'strong' : run.unclean === undefined ? 'plain' : 'faint';
  const date = formatTime(run.at);
  const cells: Segment[] = [
    segment(isSelected ? `${theme.glyphs.marker} ` : '  ', 'accent'),
    segment(isMarked ? `${theme.glyphs.markedPoint} ` : '  ', 'warn'),
    segment(fitToWidth(date.slice(-columns.date), columns.date), tone),
    between,
    segment(fitToWidth(verdict, columns.verdict), run.unclean === undefined ? verdictTone : 'faint'),
    between,
    segment(fitToWidth(percentText(run.score), columns.score, 'right'), tone),
    between,
  ];
  if (columns.rate > 0)
    cells.push(segment(fitToWidth(`${run.passed}/${run.of}`, columns.rate, 'right'), tone), between);
  cells.push(
    segment(isChanged ? '^ ' : '  ', 'warn'),
    segment(fitName(inline(run.promptName), columns.condition), tone),
    between,
  );
  const notes = notesOf(shown, run).join('  ');
  cells.push(segment(fitToWidth(notes, columns.notes), run.unclean === undefined ? 'plain' : 'faint'));
  return cells;
}

/** The run as it stands in the plot; undefined for one that does not. */
export function pointOf({ series }: ShownHistory, run: HistoryRun): HistoryPoint | undefined {
  return series.points.find((point) => runKey(point) === runKey(run));
}

/** What is to be said of a run beside its score, its label first. Safe to print. */
function notesOf(shown: ShownHistory, run: HistoryRun): string[] {
  const { drift } = shown.series;
  const notes = [
    run.unclean,
    run.label,
    pointOf(shown, run)?.changed.includes('criteria') && 'what is asked changed',
    drift.kind === 'fell' && drift.from === run.runId && 'the fall began here',
    drift.kind === 'fell' && drift.found === run.runId && 'the fall was found here',
  ];
  return notes.filter((note) => typeof note === 'string').map(inline);
}
