import { cutToWidth } from '../base/width.js';
import { noUsage, type Usage } from '../model/types.js';
import type { JournalPosition, Ledgers } from '../run/events.js';
import type { Cell, TrialInFlight } from './types.js';
import { isWorse } from './verdict.js';

/** In cells of a terminal. */
const reasonWidth = 160;

/**
 * A reason cut to 160 cells. The copy is a text of its own: a slice would hold on to the whole of what it was
 * cut from for as long as the tally lives.
 */
export function cutReason(reason: string): string {
  const cut = cutToWidth(reason, reasonWidth);
  return cut === reason ? reason : Buffer.from(cut, 'utf8').toString('utf8');
}

/** A cell whose trial has not begun. */
export function newCell(repeat: number): Cell {
  // All members at once: an object that grows member by member takes twice the memory.
  return {
    repeat,
    state: 'waiting',
    attempt: 0,
    tokens: undefined,
    ms: undefined,
    startedAt: undefined,
    live: undefined,
    positions: [],
    why: undefined,
    worstCheck: undefined,
  };
}

/** Puts a cell back to what it was before its trial began. */
export function resetCell(cell: Cell): void {
  Object.assign(cell, newCell(cell.repeat));
}

/** An attempt begins: nothing of an earlier one counts. */
export function startCell(
  cell: Cell,
  attempt: number,
  at: number,
  position: JournalPosition | undefined,
): void {
  resetCell(cell);
  cell.state = 'running';
  cell.attempt = attempt;
  cell.startedAt = at;
  if (position) cell.positions.push(position);
}

/**
 * The trial has ended and was graded: its verdict is the worst of its checks but for those that are left out, unknown
 * when it has none.
 */
export function finishCell(
  cell: Cell,
  { checks, leftOut }: Pick<TrialInFlight, 'checks'> & { leftOut: ReadonlySet<string> },
  tokens: Ledgers,
  ms: number,
): void {
  endCell(cell);
  const judge = isNothing(tokens.judge) ? noUsage : tokens.judge;
  cell.tokens = {
    agent: tokens.agent,
    judge,
    ...(tokens.user && { user: tokens.user }),
    ...(tokens.isAgentPartial && { isAgentPartial: true }),
  };
  cell.ms = ms;
  let worst:
    | { id: string; verdict: Cell['state'] & ('pass' | 'warn' | 'fail' | 'unknown'); reason: string }
    | undefined;
  for (const [id, { verdict, reason }] of checks) {
    if (leftOut.has(id)) continue;
    if (!worst || isWorse(verdict, worst.verdict)) worst = { id, verdict, reason };
  }
  cell.state = worst?.verdict ?? 'unknown';
  if (!worst) cell.why = 'the scenario has no checks';
  else if (worst.verdict !== 'pass') {
    cell.why = worst.reason;
    cell.worstCheck = worst.id;
  }
}

/** The trial could not be run, and no attempt is left. */
export function failCell(cell: Cell, message: string): void {
  endCell(cell);
  cell.state = 'error';
  cell.why = cutReason(message);
}

function endCell(cell: Cell): void {
  cell.live = undefined;
  cell.startedAt = undefined;
  // A list that was pushed to has room for many more; from now on nothing is added.
  cell.positions = cell.positions.slice();
}

function isNothing(usage: Usage): boolean {
  return usage.input === 0 && usage.output === 0 && usage.cacheRead === 0 && usage.cacheWrite === 0;
}
