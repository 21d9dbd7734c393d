import { makeVisible } from '../../../base/text.js';
import { type TextRange, wrapRanges } from '../../../base/width.js';
import { calibrationText } from '../../../grade/labels/calibration.js';
import type { Label } from '../../../grade/labels/types.js';
import { checkCalibration } from '../../../report/calibration.js';
import { isQuarantinedCheck } from '../../../report/quarantine.js';
import type { TrialKey } from '../../../run/events.js';
import type { RunStarted } from '../../../run/reader.js';
import type { SavedReview } from '../../../run/reviews.js';
import type { TrialRecord } from '../../../run/types.js';
import type { Cell, CellGroup, RunTally, ScenarioTally } from '../../../tally/types.js';
import type { Segment } from '../../segments.js';
import type { Size } from '../../terminal/size.js';
import type { Theme } from '../../theme.js';
import { clamp } from '../../viewport.js';
import { type CheckItem, checkItems, type ReasonNote, reasonLines, worstCheck } from './checks.js';
import { type DeskState, labelOf } from './desk-state.js';
import type { TranscriptLayout } from './drawing.js';
import { type TrialGeometry, trialGeometry, trialWidths } from './geometry.js';
import { findAll } from './highlight.js';
import type { TrialState } from './state.js';
import { layoutTranscript } from './transcript.js';
import type { TrialReading } from './trial-cache.js';

/** Everything the trial screen shows, laid out for the size of the terminal. Its texts are safe to print. */
export interface TrialContents {
  tally: RunTally;
  row: ScenarioTally;
  group: CellGroup;
  cell: Cell;
  reading: TrialReading;
  geometry: TrialGeometry;
  checks: readonly CheckItem[];
  /** Position of the selected check. */
  selected: number;
  reason: readonly (readonly Segment[])[];
  reasonTop: number;
  transcript: TranscriptLayout;
  /** First line of the transcript on screen. */
  top: number;
  raw: RawLayout | undefined;
  rawTop: number;
}

/** The trial as JSON. */
export interface RawLayout {
  text: string;
  lines: readonly TextRange[];
  /** Where in the text the searched one stands. */
  found: readonly TextRange[];
  /** Lines on which it begins, one a place. */
  matches: readonly number[];
}

/** Lines of what is on screen, transcript or JSON, on which the searched text stands, one a place. */
export function matchesOf(contents: TrialContents | undefined): readonly number[] {
  return contents?.raw?.matches ?? contents?.transcript.matches ?? [];
}

/** Whether something that the agent said is on screen. */
export function isReplySeen(trial: TrialState, { geometry, transcript, top, raw }: TrialContents): boolean {
  if (raw || (geometry.mode === 'single' && trial.pane !== 'transcript')) return false;
  const end = top + geometry.transcriptHeight;
  return transcript.replies.some(({ first, last }) => last >= top && first < end);
}

/** Lays trials out, keeping the last layout of each part for as long as what it was made from is the same. */
export function createTrialLayouts(): (
  tally: RunTally,
  trial: TrialState,
  reading: TrialReading,
  size: Size,
  theme: Theme,
  desk?: DeskState,
) => TrialContents | undefined {
  const layTranscript = rememberLast(layoutTranscriptOf);
  const layRaw = rememberLast(layoutRaw);
  const searchRaw = rememberLast(searchedRaw);

  return (tally, trial, reading, size, theme, desk) => {
    const row = tally.rowById.get(trial.trial.scenario);
    const group = row?.groups.find(({ condition }) => condition === trial.trial.condition);
    const cell = group?.cells.find(({ repeat }) => repeat === trial.trial.repeat);
    if (!row || !group || !cell) return undefined;

    const checks = checkItems(row.scenario, reading.record, (id) => isQuarantinedCheck(row, id));
    const chosen = checks.findIndex(({ id }) => id === trial.check);
    const selected = chosen >= 0 ? chosen : worstCheck(checks);
    const reason = reasonLines(
      checks[selected],
      ungradedText(cell, reading.record),
      group.checks.get(checks[selected]?.id ?? ''),
      trialWidths(size).cells.leftWidth - 2,
      deskNotes(tally.started, trial.trial, reading.record, checks[selected], desk),
    );
    const geometry = trialGeometry(size, checks.length, reason.length);
    const transcript = layTranscript(
      reading.record,
      cell.state === 'running' ? cell.live : undefined,
      JSON.stringify(cell.live),
      geometry.transcriptWidth,
      theme,
      checks[selected]?.result,
      trial.search,
      trial.match,
      trial.isUnfolded,
      trial.hidesReview ? undefined : desk?.reviewOf(trial.trial),
    );
    const raw =
      trial.isRaw && reading.record
        ? searchRaw(layRaw(reading.record, size.columns - 2), trial.search)
        : undefined;
    return {
      tally,
      row,
      group,
      cell,
      reading,
      geometry,
      checks,
      selected,
      reason,
      reasonTop: clamp(trial.reasonTop, 0, Math.max(0, reason.length - geometry.reasonHeight)),
      transcript,
      top: transcriptTop(trial, cell, transcript, geometry.transcriptHeight),
      raw,
      rawTop: clamp(trial.rawTop, 0, Math.max(0, (raw?.lines.length ?? 0) - geometry.body)),
    };
  };
}

const noRecord: TrialRecord = {
  key: { scenario: '', condition: '', repeat: 0 },
  attempt: 0,
  turns: [],
  results: [],
  finished: undefined,
  error: undefined,
};

function layoutTranscriptOf(
  record: TrialRecord | undefined,
  live: Cell['live'],
  // The live reply may grow in place: what it says is what tells that there is something new to lay out.
  _said: string | undefined,
  width: number,
  theme: Theme,
  result: CheckItem['result'],
  search: string,
  match: number,
  isUnfolded: boolean,
  review: SavedReview | undefined,
): TranscriptLayout {
  return layoutTranscript(record ?? noRecord, live, {
    width,
    glyphs: theme.glyphs,
    evidence: result?.evidence ?? [],
    search,
    match,
    isUnfolded,
    review,
  });
}

/** What is to be said of the judge of a check, and of a label that its verdict has. */
function deskNotes(
  started: RunStarted,
  trial: TrialKey,
  record: TrialRecord | undefined,
  item: CheckItem | undefined,
  desk: DeskState | undefined,
): ReasonNote[] {
  if (!desk || !item || (item.result ?? item.planned)?.kind !== 'judged') return [];
  if (desk.problem !== undefined)
    return [{ text: `the labels cannot be read: ${desk.problem}`, tone: 'warn' }];
  if (!desk.desk) return [];
  const calibration = checkCalibration(started, desk.labels, trial.scenario, item.id);
  const label = labelOf(started, desk.labels, record, item.id);
  return [
    calibration
      ? {
          text: `judge ${calibrationText(calibration)}`,
          tone: calibration.kind === 'calibrated' ? 'plain' : 'warn',
        }
      : { text: 'uncalibrated: nothing holds this check against the verdicts of people', tone: 'warn' },
    ...(label ? [{ text: labelText(label), tone: 'accent' as const }] : []),
  ];
}

function labelText({ expected, by, isSighted, note }: Label): string {
  const word = expected.pass ? 'pass' : 'fail';
  const score = expected.score === undefined ? '' : ` (${expected.score} of 5)`;
  const who = by === undefined ? '' : ` by ${by}`;
  const how = isSighted ? ', with the verdict in view' : '';
  return `labelled ${word}${score}${who}${how}${note === undefined ? '' : `: ${note}`}`;
}

function layoutRaw(record: TrialRecord, width: number): { text: string; lines: TextRange[] } {
  const text = makeVisible(JSON.stringify(record, null, 2), { keepNewlines: true });
  return { text, lines: wrapRanges(text, width) };
}

function searchedRaw(laid: Pick<RawLayout, 'text' | 'lines'>, search: string): RawLayout {
  const found = findAll(laid.text, search);
  let line = 0;
  const matches = found.map(({ start }) => {
    while ((laid.lines[line + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) line++;
    return line;
  });
  return { ...laid, found, matches };
}

function ungradedText(cell: Cell, record: TrialRecord | undefined): string {
  switch (cell.state) {
    case 'waiting':
      return 'waiting: this trial has not started yet';
    case 'running':
      return 'not graded yet: the trial is running';
    case 'error':
      return `not graded: the trial could not be run${cell.why === undefined ? '' : ` (${cell.why})`}`;
    default:
      // Until the trial is read nothing is known of it, not even that.
      return record ? 'not graded' : '';
  }
}

function transcriptTop(trial: TrialState, cell: Cell, transcript: TranscriptLayout, height: number): number {
  const last = Math.max(0, transcript.lines.length - height);
  const { scroll } = trial;
  if (scroll === 'end') return last;
  if (scroll !== 'auto') return clamp(scroll, 0, last);
  const [evidence] = transcript.evidence;
  // What led to it stands above, what followed below.
  if (evidence !== undefined) {
    const third = Math.floor(height / 3);
    return evidence < 2 * third ? 0 : clamp(evidence - third, 0, last);
  }
  return cell.state === 'running' ? last : 0;
}

/** A function that gives its last result again for the same arguments. */
function rememberLast<Args extends readonly unknown[], Result>(make: (...args: Args) => Result) {
  let last: { args: Args; result: Result } | undefined;
  return (...args: Args): Result => {
    if (!last?.args.every((arg, index) => arg === args[index])) last = { args, result: make(...args) };
    return last.result;
  };
}
