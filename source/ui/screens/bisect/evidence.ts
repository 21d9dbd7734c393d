import { makeVisible } from '../../../base/text.js';
import { textWidth } from '../../../base/width.js';
import { candidateName } from '../../../bisect/candidate-prompt.js';
import { verdictOfStep } from '../../../bisect/guided.js';
import type { RecordedCell } from '../../../bisect/recorded-trials.js';
import { liveEntries } from '../../../bisect/session.js';
import { formatBelief } from '../../../report/bisect-words.js';
import type { BisectPurpose } from '../../../run/bisect-events.js';
import { type Line, lineWidth, segment } from '../../segments.js';
import { cellGlyph, type Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { fitName } from '../grid/name.js';
import { type BisectRow, type BisectStanding, cellsOfRow, countsOfRow } from './rows.js';

/** What the cells of a row are drawn with. */
interface CellOptions {
  width: number;
  theme: Theme;
  now: number;
  /** Position of the chosen conversation. */
  cell: number;
}

/** Conversations that belong together, with their positions in the row, and what stands before and behind them. */
interface CellGroup {
  before: string;
  behind?: string;
  cells: readonly { cell: RecordedCell; at: number }[];
}

/**
 * The conversations, a line a watched scenario where there are several; the chosen one inverted. Under what was found by
 * what they were for. Where a line has no room for all of its signs it counts them.
 */
export function cellLines(standing: BisectStanding, row: BisectRow, options: CellOptions): Line[] {
  const label = row.kind === 'hunk' ? 'reverted: ' : 'trials:   ';
  const cells = cellsOfRow(row).map((cell, at) => ({ cell, at }));
  if (cells.length === 0) return [[segment(label, 'faint'), segment('none yet', 'faint')]];
  if (row.kind === 'end')
    return endGroups(standing, row).map((groups) => groupsLine(standing, groups, options));
  const scenarios = [...new Set(cells.map(({ cell }) => cell.key.scenario))];
  // Where that is more than a few lines, one line holds all.
  if (scenarios.length === 1 || scenarios.length > mostScenarioLines)
    return [groupsLine(standing, [{ before: label, cells }], options)];
  return scenarios.map((scenario, index) =>
    groupsLine(
      standing,
      [
        {
          before: index === 0 ? label : ' '.repeat(label.length),
          behind: makeVisible(scenario),
          cells: cells.filter(({ cell }) => cell.key.scenario === scenario),
        },
      ],
      options,
    ),
  );
}

const mostScenarioLines = 3;

/** The trials of the narrowed prompt: a line for what it was confirmed by, one for the rest of the suite. */
function endGroups({ record }: BisectStanding, row: BisectRow): CellGroup[][] {
  const name = row.candidate === undefined ? '' : makeVisible(candidateName(record.planned, row.candidate));
  const cells = row.trials
    .flatMap(({ cells, purpose }) => cells.map((cell) => ({ cell, purpose })))
    .map((one, at) => ({ ...one, at }));
  const of = (before: string, kind: BisectPurpose['kind']): CellGroup[] => {
    const chosen = cells.filter(({ purpose }) => purpose.kind === kind);
    return chosen.length === 0 ? [] : [{ before, cells: chosen }];
  };
  return [
    [...of(`${name}: confirmed `, 'confirm'), ...of('cure check ', 'cure')],
    of(`${name}: the rest of the suite `, 'suite'),
  ].filter((groups) => groups.length > 0);
}

function groupsLine(
  { record }: BisectStanding,
  groups: readonly CellGroup[],
  { width, theme, now, cell: chosen }: CellOptions,
): Line {
  const sign = ({ cell, at }: CellGroup['cells'][number]) => {
    const state = stateOf(record, cell);
    return {
      ...segment(cellGlyph(theme.glyphs, state, now), state),
      ...(at === chosen && { isChosen: true }),
    };
  };
  const lineOf = (middle: (group: CellGroup) => Line) =>
    groups.flatMap((group, index) => [
      segment(`${index === 0 ? '' : '  '}${group.before}`, 'faint'),
      ...middle(group),
      ...(group.behind === undefined ? [] : [segment(` ${group.behind}`, 'faint')]),
    ]);
  const signs = lineOf(({ cells }) => cells.flatMap((one) => [sign(one), segment(' ')]));
  // Behind the last sign stands a space.
  if (lineWidth(signs) <= width + 1) return signs;
  const counted = lineOf(({ cells }) => [segment(countText(record, cells), 'plain')]);
  const open = groups.flatMap(({ cells }) => cells).find(({ at }) => at === chosen);
  const room = width - lineWidth(counted) - chosenBefore.length - 2;
  if (!open || room < 8) return counted;
  const scenario = makeVisible(open.cell.key.scenario);
  return [
    ...counted,
    segment(chosenBefore, 'faint'),
    sign(open),
    segment(` ${fitName(scenario, Math.min(room, textWidth(scenario)))}`, 'faint'),
  ];
}

const chosenBefore = ', chosen: ';

/** `34 of 35 pass`, and how many have not ended. */
function countText(record: BisectStanding['record'], cells: CellGroup['cells']): string {
  const states = cells.map(({ cell }) => stateOf(record, cell));
  const passed = states.filter((state) => state === 'pass').length;
  const open = states.filter((state) => state === 'running' || state === 'waiting').length;
  return `${passed} of ${states.length - open} pass${open === 0 ? '' : `, ${open} open`}`;
}

/** How one conversation ended by the checks that are watched now. */
export function stateOf(
  record: BisectStanding['record'],
  cell: RecordedCell,
): 'waiting' | 'running' | 'pass' | 'fail' | 'unknown' | 'error' {
  if (cell.state !== 'ended') return cell.state;
  const watched = record.watched().filter(({ scenario }) => scenario === cell.key.scenario);
  // Of a scenario that is not watched, as those of the rest of the suite, all checks count.
  const isAll = watched.length === 0 || watched.some(({ check }) => check === undefined);
  const verdicts = isAll
    ? [...cell.checks.values()]
    : watched.map(({ check = '' }) => cell.checks.get(check) ?? 'unknown');
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.length === 0 || verdicts.includes('unknown') ? 'unknown' : 'pass';
}

/** How often it fails without the hunk, and with it. */
export function failsLine({ record, rows }: BisectStanding, row: BisectRow): Line {
  const without = countsOfRow(record, row);
  const bad = rows.find(({ kind }) => kind === 'bad');
  const withIt = bad ? countsOfRow(record, bad) : { failed: 0, of: 0 };
  const rate = ({ failed, of }: { failed: number; of: number }) => `${failed}/${of}`;
  return [
    segment('fails without it ', 'faint'),
    segment(rate(without), 'strong'),
    segment(', with it ', 'faint'),
    segment(rate(withIt), 'strong'),
  ];
}

/** What is to be thought of the hunk, and how much that is believed. */
export function verdictLine(standing: BisectStanding, row: BisectRow, hunk: number): Line {
  const { words, tone } = verdictSoFar(standing, row, hunk);
  const belief = row.belief === undefined ? '' : `   belief ${formatBelief(row.belief)}`;
  return [segment('so far: ', 'faint'), segment(words, tone), segment(belief, 'faint')];
}

function verdictSoFar(
  { session, needs, status }: BisectStanding,
  row: BisectRow,
  hunk: number,
): { words: string; tone: Tone } {
  const said = liveEntries(session).findLast((entry) => entry.kind === 'override' && entry.hunk === hunk);
  if (said?.kind === 'override')
    return { words: `${said.says}, as you say`, tone: said.says === 'guilty' ? 'fail' : 'pass' };
  if (
    status.kind === 'found' &&
    status.found.finding.kind === 'hunks' &&
    status.found.finding.hunks.includes(hunk)
  )
    return { words: 'guilty', tone: 'fail' };
  const verdict = verdictOfStep(session, hunk, needs);
  if (verdict === 'recovered') return { words: 'passes again without it', tone: 'fail' };
  if (verdict === 'still-fails') return { words: 'fails without it too', tone: 'pass' };
  const belief = row.belief ?? 0;
  if (row.trials.length === 0) return { words: 'not reverted alone yet', tone: 'faint' };
  if (belief >= 0.5) return { words: 'guilty, likely', tone: 'fail' };
  return belief < 0.05 ? { words: 'innocent, likely', tone: 'pass' } : { words: 'open', tone: 'plain' };
}

/** Position of the conversation that is chosen: what the person chose, else the last failing one, else the last. */
export function chosenCell(standing: BisectStanding, row: BisectRow, wanted: number | undefined): number {
  const cells = cellsOfRow(row);
  if (wanted !== undefined) return Math.min(wanted, cells.length - 1);
  const failing = cells.findLastIndex((cell) => stateOf(standing.record, cell) === 'fail');
  return failing >= 0 ? failing : cells.length - 1;
}
