import { z } from 'zod';
import type { JsonObject } from '../../base/json.js';
import type { TurnReview } from './types.js';

/** Characters of an answer beyond which it is no review. */
const longestAnswer = 100_000;

const sentences = z.array(z.string().transform((text) => text.trim())).max(30);

const schema = z.object({
  turns: z.array(z.object({ turn: z.int(), right: sentences, missed: sentences, too_early: sentences })),
  summary: z.string(),
});

/** A review as it was read, or why it could not be. */
export type ReadReview = { turns: TurnReview[]; summary: string } | { why: string };

/**
 * Reads the reviewer's answer: one JSON object, with prose or a code fence around it at most, which has to speak of every
 * turn once. Everything else cannot be read.
 */
export function readReview(answer: string, turns: number): ReadReview {
  if (answer.length > longestAnswer) return { why: 'it is too long' };
  const [first, last] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  if (first < 0 || last < first) return { why: 'it holds no JSON object' };
  let value: unknown;
  try {
    value = JSON.parse(answer.slice(first, last + 1));
  } catch {
    return { why: 'its JSON is not complete' };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { why: `"${issue?.path.join('.') || 'the answer'}" is not as it was asked for` };
  }
  const numbers = parsed.data.turns.map(({ turn }) => turn);
  const missing = Array.from({ length: turns }, (_, at) => at + 1).find((turn) => !numbers.includes(turn));
  if (missing !== undefined) return { why: `it says nothing of turn ${missing}` };
  if (numbers.length !== turns)
    return { why: `it speaks of ${numbers.length} turns, and there are ${turns}` };
  return {
    turns: parsed.data.turns
      .map(({ too_early: tooEarly, ...rest }) => ({ ...rest, tooEarly }))
      .sort((a, b) => a.turn - b.turn),
    summary: parsed.data.summary.trim(),
  };
}

/** JSON Schema of the answer, for providers that enforce one. */
export const reviewSchema: JsonObject = {
  type: 'object',
  properties: {
    turns: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          turn: { type: 'integer' },
          right: { type: 'array', items: { type: 'string' } },
          missed: { type: 'array', items: { type: 'string' } },
          too_early: { type: 'array', items: { type: 'string' } },
        },
        required: ['turn', 'right', 'missed', 'too_early'],
        additionalProperties: false,
      },
    },
    summary: { type: 'string' },
  },
  required: ['turns', 'summary'],
  additionalProperties: false,
};
