import { makeVisible } from '../../../base/text.js';
import { countsFor } from '../../../bisect/batch.js';
import { badWithout } from '../../../bisect/candidate.js';
import { stepVerdict } from '../../../bisect/guided.js';
import type { RecordedCell } from '../../../bisect/recorded-trials.js';
import { liveEntries } from '../../../bisect/session.js';
import { formatBelief } from '../../../report/bisect-words.js';
import { type Line, segment } from '../../segments.js';
import { cellGlyph, type Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { type BisectRow, type BisectStanding, cellsOfRow, countsOfRow } from './rows.js';

/** The conversations, a line a watched scenario where there are several; the chosen one inverted. */
export function cellLines(
  { record }: BisectStanding,
  row: BisectRow,
  options: { theme: Theme; now: number; cell: number },
): Line[] {
  const { theme, now, cell: chosen } = options;
  const cells = cellsOfRow(row);
  const label = row.kind === 'hunk' ? 'reverted: ' : 'trials:   ';
  if (cells.length === 0) return [[segment(label, 'faint'), segment('none yet', 'faint')]];
  const scenarios = [...new Set(cells.map(({ key }) => key.scenario))];
  const signs = (scenario: string) =>
    cells.flatMap((cell, at) => {
      if (cell.key.scenario !== scenario) return [];
      const state = stateOf(record, cell);
      return [
        { ...segment(cellGlyph(theme.glyphs, state, now), state), ...(at === chosen && { isChosen: true }) },
        segment(' '),
      ];
    });
  if (scenarios.length === 1) return [[segment(label, 'faint'), ...signs(scenarios[0] ?? '')]];
  // Of the rest of a suite there are many: where that is more than a few lines, one line holds all.
  if (scenarios.length > mostScenarioLines)
    return [[segment(label, 'faint'), ...scenarios.flatMap((scenario) => signs(scenario))]];
  return scenarios.map((scenario, index) => [
    segment(index === 0 ? label : ' '.repeat(label.length), 'faint'),
    ...signs(scenario),
    segment(` ${makeVisible(scenario)}`, 'faint'),
  ]);
}

const mostScenarioLines = 3;

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
  const { passed, failed, run } = countsFor(session, badWithout([hunk], needs), { kind: 'step', hunk });
  const verdict = stepVerdict(passed, failed, session.repeats);
  if (verdict === 'recovered') return { words: 'passes again without it', tone: 'fail' };
  if (verdict === 'still-fails') return { words: 'fails without it too', tone: 'pass' };
  const belief = row.belief ?? 0;
  if (run === 0 && row.trials.length === 0) return { words: 'not reverted alone yet', tone: 'faint' };
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
