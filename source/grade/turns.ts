import type { Transcript, TrialEnd, Turn } from '../play/types.js';
import type { TurnSelector } from '../suite/types.js';
import type { ToolCall } from '../target/types.js';
import { oneLine, quote } from './quote.js';
import type { CheckOutcome, Evidence } from './types.js';

/**
 * The turns that a check reads. `open` is set when there may have been more to read than `turns`: it says why.
 * What is seen in `turns` counts all the same; what is not seen there is unknown as long as the selection is open.
 *
 * Only a missing fixture and turns that were never played leave a selection open. A reply that was cut off at
 * the token limit, refused, or cut short at the step limit is what a user of the product would have got, and a
 * conversation that reached its turn limit, or that the product ended, is what the product allows: those are graded
 * as they are.
 */
export interface Selection {
  turns: Turn[];
  open?: string;
}

/** The turns of a transcript that `on` names, in order. */
export function selectTurns(transcript: Transcript, on: TurnSelector): Selection {
  const { turns, end, unsent } = transcript;
  const first = turns.at(0);
  const last = turns.at(-1);
  if (!first || !last) return { turns: [], open: endedAt(end) ?? 'no turn was played' };
  const brokenOff = endedAt(end);
  switch (on) {
    case 'replies':
      return selection(turns, brokenOff);
    case 'first':
      return selection([first], turns.length === 1 ? brokenOff : undefined);
    case 'last':
      // Which turn would have been the last is not known while messages are left unsent by a missing fixture.
      return selection(brokenOff && unsent.length > 0 ? [] : [last], brokenOff);
    default: {
      const chosen = turns.filter((turn) => turn.index >= on.from && turn.index <= on.to);
      if (on.to > last.index) return selection(chosen, brokenOff ?? notPlayed(on, last.index, end));
      return selection(chosen, on.to === last.index ? brokenOff : undefined);
    }
  }
}

function selection(turns: Turn[], open: string | undefined): Selection {
  return open === undefined ? { turns } : { turns, open };
}

function endedAt(end: TrialEnd): string | undefined {
  if (end.kind !== 'no-fixture') return undefined;
  return `the trial ended at ${oneLine(`${end.tool}(${end.args})`)}, which no fixture answers`;
}

function notPlayed(on: { from: number; to: number }, played: number, end: TrialEnd): string {
  const missing = Math.max(on.from, played + 1);
  const which = missing === on.to ? `turn ${missing} was` : `turns ${missing} to ${on.to} were`;
  const why = whyOver(played, end);
  return `${which} not played: ${why}`;
}

function whyOver(played: number, end: TrialEnd): string {
  switch (end.kind) {
    case 'turn-limit':
      return `the limit of ${end.maxTurns} turns was reached`;
    case 'ended':
      return `the product ended the session in turn ${end.turn}`;
    case 'completed':
    case 'no-fixture':
      return `the conversation had ${played === 1 ? 'one turn' : `${played} turns`}`;
  }
}

/** The part of a selection up to a turn; it is closed once that turn has been played to its end. */
export function untilTurn(selection: Selection, turn: number | undefined): Selection {
  if (turn === undefined) return selection;
  const turns = selection.turns.filter((one) => one.index <= turn);
  const isPlayed =
    turns.length < selection.turns.length ||
    turns.some((one) => one.index === turn && one.reply.stop !== 'no-fixture');
  return selection.open === undefined || isPlayed ? { turns } : { turns, open: selection.open };
}

/** The outcome of a check that an open selection leaves undecided. */
export function undecided(open: string): CheckOutcome {
  return { verdict: 'unknown', reason: `cannot be decided: ${open}` };
}

/** White space, control and format characters, and those that no font draws: a text of these alone says nothing. */
const nothingVisible = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a reply has no text that a user could read. */
export function hasNoText(turn: Turn): boolean {
  return nothingVisible.test(turn.reply.text);
}

/** Whether nothing at all came back: no text, no tool call. */
export function isEmptyReply(turn: Turn): boolean {
  return hasNoText(turn) && !turn.reply.parts.some((part) => part.kind === 'tool');
}

/** The outcome of a check for absence when one of its replies is not there to be read: never a pass. */
export function nothingToRead(turn: Turn): CheckOutcome {
  return {
    verdict: 'unknown',
    reason: `cannot be decided: the reply of turn ${turn.index} is empty${stopNote([turn])}`,
    evidence: [{ turn: turn.index }],
  };
}

/**
 * What a reason adds when a reply did not end by itself; empty when all did. It goes with whatever was not found, be
 * that a failure or what a check for absence wants: nobody knows what the rest of such a reply would have been.
 */
export function stopNote(turns: readonly Turn[]): string {
  for (const turn of turns) {
    switch (turn.reply.stop) {
      case 'cut-off':
        return ` (turn ${turn.index} was cut off at the token limit)`;
      case 'refused':
        return ` (the model refused in turn ${turn.index})`;
      case 'step-limit':
        return ` (turn ${turn.index} was cut short at the limit of model requests)`;
    }
  }
  return '';
}

/** What a reader wants to see where something was not found: the last reply. */
export function quoteReplies(turns: readonly Turn[]): string {
  const last = turns.at(-1);
  if (!last) return 'no reply';
  if (hasNoText(last)) return `an empty reply in turn ${last.index}`;
  return turns.length === 1
    ? quote(last.reply.text)
    : `in the last of ${turns.length} replies ${quote(last.reply.text)}`;
}

/** One tool call and where it stands. */
export interface PlacedCall {
  turn: Turn;
  /** Index into the reply's parts. */
  part: number;
  call: ToolCall;
}

/** All tool calls of the turns, in order. */
export function callsOf(turns: readonly Turn[]): PlacedCall[] {
  return turns.flatMap((turn) =>
    turn.reply.parts.flatMap((part, index) =>
      part.kind === 'tool' ? [{ turn, part: index, call: part.call }] : [],
    ),
  );
}

/** The place of a call, for the trial screen. */
export function evidenceOf(placed: PlacedCall): Evidence {
  return { turn: placed.turn.index, part: placed.part };
}

/**
 * Where a stretch of `reply.text` (UTF-16 offsets) stands: one piece of evidence a part that it touches.
 * The whole turn where the parts do not hold that text.
 */
export function locate(turn: Turn, start: number, end: number): Evidence[] {
  const found: Evidence[] = [];
  let cursor = 0;
  for (const [index, part] of turn.reply.parts.entries()) {
    if (part.kind !== 'text' || part.text === '') continue;
    const at = turn.reply.text.indexOf(part.text, cursor);
    if (at < 0) continue;
    cursor = at + part.text.length;
    const from = Math.max(start, at);
    const to = Math.min(end, cursor);
    if (from < to) found.push({ turn: turn.index, part: index, start: from - at, end: to - at });
  }
  return found.length > 0 ? found : [{ turn: turn.index }];
}
