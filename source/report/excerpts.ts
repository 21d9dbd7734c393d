import { fitToWidth } from '../base/width.js';
import type { Condition } from '../run/planned.js';
import { createTrialReader } from '../run/reader.js';
import type { ReadTrial, TrialRecord } from '../run/types.js';
import type { Cell, CellGroup, RunTally, ScenarioTally } from '../tally/types.js';
import { changeTiers } from './changes.js';
import { markdownBlock, markdownCode } from './markdown-text.js';
import type { FinishedRun } from './reporter.js';
import { transcriptLines } from './transcript.js';

/** One trial that is worth reading, before its conversation is read. */
interface Wanted {
  row: ScenarioTally;
  group: CellGroup;
  cell: Cell;
}

/** What a reader needs of a failing trial: the checks that do not pass, and the turns that they rest on. */
export interface Excerpt {
  scenario: string;
  repeat: number;
  /** `2 of 9 turns`; empty where all are shown. */
  shown: string;
  /** Safe to print. */
  lines: string[];
}

const mostExcerpts = 20;
const mostLines = 80;
const widestLine = 500;

/**
 * Excerpts of the trials behind what is reported, one a scenario, the most important first: what blocks,
 * then suspects, then what fails. Read from the journal one by one; a trial that cannot be read is left out.
 */
export async function* excerptsOf(finished: FinishedRun): AsyncGenerator<Excerpt> {
  const readTrial = createTrialReader(finished.place.journal);
  for (const { row, group, cell } of wantedTrials(finished).slice(0, mostExcerpts)) {
    const condition = finished.tally.conditions.find(({ id }) => id === group.condition);
    const excerpt = condition && (await readExcerpt(readTrial, { condition, row, group, cell }));
    if (excerpt) yield excerpt;
  }
}

/** Undefined for a trial that cannot be read. */
export async function readExcerpt(
  readTrial: ReadTrial,
  { condition, row, group, cell }: Wanted & { condition: Condition },
): Promise<Excerpt | undefined> {
  const key = { scenario: row.scenario.id, condition: group.condition, repeat: cell.repeat };
  const record = await readTrial(key, cell.positions).catch(() => undefined);
  if (!record) return undefined;
  const { cut, shown } = cutRecord(record);
  const heading = { condition, of: group.cells.length, verdict: cell.state.toUpperCase() };
  const lines = Array.from(transcriptLines(cut, heading), (line) =>
    line.length > widestLine ? fitToWidth(line, widestLine) : line,
  );
  const left = lines.length - mostLines;
  const kept = left > 0 ? [...lines.slice(0, mostLines), `… ${left} more lines`] : lines;
  return { scenario: row.scenario.id, repeat: cell.repeat, shown, lines: kept };
}

/** An excerpt as Markdown that is folded away. `name`: what else it is called, made safe. */
export function excerptText({ scenario, repeat, shown, lines }: Excerpt, name = ''): string {
  const title = `${name}${markdownCode(`${scenario}#${repeat}`)}${shown === '' ? '' : `, ${shown}`}`;
  return `\n<details><summary>${title}</summary>\n\n${markdownBlock(lines)}\n\n</details>\n`;
}

function wantedTrials({ tally, comparison, decision }: FinishedRun): Wanted[] {
  const wanted = new Map<string, Wanted>();
  const add = (row: ScenarioTally | undefined, check?: string) => {
    if (!row || wanted.has(row.scenario.id)) return;
    const found = failingTrial(row, check) ?? failingTrial(row);
    if (found) wanted.set(row.scenario.id, { row, ...found });
  };
  if (comparison) {
    const { blocks, suspected } = changeTiers(comparison, decision);
    for (const { scenario, check } of [...blocks, ...suspected]) add(tally.rowById.get(scenario), check);
  }
  for (const row of failingRows(tally)) add(row);
  return [...wanted.values()];
}

/** Rows that fail, in the order of the plan. */
export function failingRows(tally: RunTally): ScenarioTally[] {
  return tally.rows.filter(({ verdict, isQuarantined }) => verdict === 'fail' && !isQuarantined);
}

/** The first failing trial, where `check` is given one that fails for it. */
function failingTrial(row: ScenarioTally, check?: string): Omit<Wanted, 'row'> | undefined {
  for (const group of row.groups) {
    for (const cell of group.cells) {
      if (cell.state === 'fail' && (check === undefined || cell.worstCheck === check)) return { group, cell };
    }
  }
  return undefined;
}

/** The checks that do not pass, and the turns that their evidence names with those before; else the last two turns. */
function cutRecord(record: TrialRecord): { cut: TrialRecord; shown: string } {
  const results = record.results.filter(({ verdict }) => verdict !== 'pass');
  const named = new Set(results.flatMap(({ evidence = [] }) => evidence.map(({ turn }) => turn)));
  const all = record.turns;
  const chosen =
    named.size === 0
      ? all.slice(-2)
      : all.filter(({ index }) => named.has(index) || named.has(index + 1)).slice(0, 6);
  const turns = chosen.length === 0 ? all.slice(-2) : chosen;
  const { log: _, ...rest } = record;
  return {
    cut: { ...rest, results, turns },
    shown: turns.length === all.length ? '' : `${turns.length} of ${all.length} turns`,
  };
}
