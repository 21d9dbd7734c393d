import type { TurnReview } from '../../../grade/review/types.js';
import type { Evidence } from '../../../grade/types.js';
import type { SimulatedMessage, Turn } from '../../../play/types.js';
import { formatDuration, formatKnownTokens } from '../../../report/format.js';
import { signalsText } from '../../../report/transcript.js';
import type { SavedReview } from '../../../run/reviews.js';
import type { TrialRecord } from '../../../run/types.js';
import { createDrawing, type Drawing, type TranscriptLayout, type TranscriptOptions } from './drawing.js';

/** What is being said in a trial that has not ended. */
export interface LiveReply {
  turn: number;
  text: string;
  tool?: string;
}

/** Lays out what was said, turn by turn, and what is being said now. Every text is made visible here. */
export function layoutTranscript(
  record: TrialRecord,
  live: LiveReply | undefined,
  options: TranscriptOptions & { review?: SavedReview | undefined },
): TranscriptLayout {
  const drawing = createDrawing(options);
  const { finished } = record;
  const { review } = options;
  if (review) drawSummary(drawing, review);
  const isLong = record.turns.length > 1 || live !== undefined || (finished?.unsent.length ?? 0) > 0;
  for (const turn of record.turns) {
    drawing.startTurn(turn.index, isLong ? turnTitle(turn) : undefined);
    drawTurn(drawing, turn, options.evidence);
    const said = review?.turns.find((one) => one.turn === turn.index);
    if (said) drawRemarks(drawing, said);
  }
  if (live) drawLive(drawing, live, record.turns.at(-1)?.index ?? 0);
  if (finished) drawEnd(drawing, finished);
  if (record.error) drawing.note(`error, ${record.error.kind}: ${record.error.message}`, 'error');
  if (record.log !== undefined && (record.error || record.turns.some(({ reply }) => reply.text === ''))) {
    drawing.note('the product said beside its replies:', 'faint');
    drawing.note(record.log, 'plain');
  }
  return drawing.done();
}

/** Who read the conversation, and what it says of the whole. Nobody is to take it for a grade. */
function drawSummary(drawing: Drawing, { model, prompt, summary, unread }: SavedReview): void {
  if (unread) {
    drawing.note(`read by ${model} ${prompt}, whose answer could not be read: ${unread.why}`, 'warn');
    return;
  }
  drawing.note(`read by ${model} ${prompt}; part of no verdict`, 'faint');
  if (summary !== '') drawing.remark('review', summary, 'accent');
}

function drawRemarks(drawing: Drawing, { right, missed, tooEarly }: TurnReview): void {
  for (const text of right) drawing.remark('right', text, 'pass');
  for (const text of missed) drawing.remark('missed', text, 'warn');
  for (const text of tooEarly) drawing.remark('early', text, 'warn');
}

function turnTitle(turn: Turn): string {
  const { usage, usageMissing = false, steps } = turn.reply;
  const tokens = formatKnownTokens(usage.input + usage.output, usageMissing);
  return `${formatDuration(turn.ms)}  ${tokens} tok${steps > 1 ? `  ${steps} steps` : ''}`;
}

function drawTurn(drawing: Drawing, turn: Turn, evidence: readonly Evidence[]): void {
  const here = evidence.filter((piece) => piece.turn === turn.index);
  const wholeTurn = here.some(({ part }) => part === undefined);
  drawing.text('user', turn.message, 'accent', { ranges: [], isWhole: false });
  if (turn.simulated) drawing.note(simulatedNote(turn.simulated), 'faint');
  if (wholeTurn && turn.reply.parts.length === 0) drawing.evidenceHere();
  turn.reply.parts.forEach((part, index) => {
    const pieces = here.filter((piece) => piece.part === index);
    const isWhole =
      wholeTurn || pieces.some(({ start, end }) => start === undefined || end === undefined) || false;
    if (part.kind === 'tool') drawing.tool(part.call, isWhole || pieces.length > 0);
    else {
      const ranges = pieces.flatMap(({ start, end }) =>
        start !== undefined && end !== undefined ? [{ start, end }] : [],
      );
      drawing.text('agent', part.text, 'strong', { ranges, isWhole });
    }
  });
  const { signals, suggestions } = turn.reply;
  if (signals) drawing.note(`signals  ${signalsText(signals)}`, 'faint');
  if (suggestions?.length)
    drawing.note(`offers  ${suggestions.map((one) => JSON.stringify(one)).join('  ')}`, 'faint');
  const stop = stopNotes[turn.reply.stop];
  if (turn.reply.parts.length === 0 && stop === undefined) drawing.note('(the agent said nothing)', 'warn');
  if (stop !== undefined) drawing.note(stop, 'warn');
}

/** Whose words they are, so that nobody takes them for the scenario's. */
function simulatedNote({ model, isDone, askedAgain }: SimulatedMessage): string {
  const parts = [
    `user (simulated) by ${model}`,
    isDone && 'has what it came for',
    askedAgain !== undefined && `asked twice: ${askedAgain}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

const stopNotes: Record<Turn['reply']['stop'], string | undefined> = {
  end: undefined,
  'tool-calls': undefined,
  'cut-off': 'cut off at the limit of output tokens',
  refused: 'the model refused to answer',
  'step-limit': 'stopped at the limit of model requests in one turn',
  'no-fixture': undefined,
};

function drawLive(drawing: Drawing, live: LiveReply, lastTurn: number): void {
  if (live.turn > lastTurn) drawing.startTurn(live.turn, 'being said now');
  if (live.tool !== undefined) drawing.note(`calls ${live.tool} …`, 'running');
  if (live.text !== '') drawing.text('agent', live.text, 'running', { ranges: [], isWhole: false });
}

function drawEnd(drawing: Drawing, { end, unsent }: NonNullable<TrialRecord['finished']>): void {
  if (end.kind === 'no-fixture') {
    drawing.note(
      `ended: no fixture answers ${end.tool}(${end.args}), so what comes after is unknown`,
      'warn',
    );
  }
  if (end.kind === 'ended')
    drawing.note(`the product ended the session with its reply to turn ${end.turn}`, 'faint');
  if (end.kind === 'turn-limit') drawing.note(`ended at the limit of ${end.maxTurns} turns`, 'warn');
  for (const message of unsent) drawing.note(`not sent: ${message}`, 'faint');
}
