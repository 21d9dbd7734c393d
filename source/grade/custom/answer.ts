import { z } from 'zod';
import { jsonMistake, parseJsonText } from '../../base/json-text.js';
import type { Transcript } from '../../play/types.js';
import { oneLine, quote } from '../quote.js';
import type { CheckOutcome, Evidence } from '../types.js';

const offset = z.int().min(0);
const answerSchema = z.strictObject({
  verdict: z.enum(['pass', 'warn', 'fail', 'unknown']),
  reason: z.string().refine((reason) => reason.trim() !== '', 'is blank'),
  score: z.number().min(1).max(5).exactOptional(),
  axes: z.record(z.string().min(1), z.number().min(0).max(1)).exactOptional(),
  evidence: z
    .array(
      z.strictObject({
        turn: z.int().min(1),
        part: offset.exactOptional(),
        start: offset.exactOptional(),
        end: offset.exactOptional(),
      }),
    )
    .max(100)
    .exactOptional(),
});

/** Characters of the reason that are kept. */
const longestReason = 600;

/** The outcome that a custom check's answer says; the text says what is wrong with the answer. */
export function readCustomAnswer(
  text: string,
  kind: 'hard' | 'judged',
  transcript: Transcript,
): CheckOutcome | string {
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (error) {
    return text.trim() === ''
      ? 'it answered nothing'
      : `its answer ${jsonMistake(error)}: ${quote(text, 80)}`;
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return `its answer is not valid: ${oneLine(`${where}${issue?.message ?? ''}`)}`;
  }
  const { reason, score, evidence = [], ...rest } = parsed.data;
  if (score !== undefined && kind === 'hard') return 'its answer is not valid: score goes with kind: judged';
  const misplaced = evidence.find((one) => !standsIn(transcript, one));
  if (misplaced)
    return `its answer is not valid: the evidence ${JSON.stringify(misplaced)} is no place in the conversation`;
  return {
    ...rest,
    reason: oneLine(reason, longestReason),
    ...(score !== undefined && { score }),
    ...(evidence.length > 0 && { evidence }),
  };
}

function standsIn({ turns }: Transcript, { turn, part, start, end }: Evidence): boolean {
  const found = turns.find(({ index }) => index === turn);
  if (!found) return false;
  if (part === undefined) return start === undefined && end === undefined;
  const piece = found.reply.parts[part];
  if (!piece) return false;
  if (start === undefined && end === undefined) return true;
  return (
    piece.kind === 'text' && (start ?? 0) < (end ?? piece.text.length) && (end ?? 0) <= piece.text.length
  );
}
