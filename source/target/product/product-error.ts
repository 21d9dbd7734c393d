import { z } from 'zod';
import type { TargetError } from '../types.js';

/** An error that a product reports of itself. */
export interface ProductError {
  kind: TargetError['kind'];
  message: string;
  retryAfterMs?: number;
}

const errorSchema = z.object({
  kind: z.string().optional(),
  message: z.string().optional(),
  retryAfterSeconds: z.number().min(0).optional(),
});

const kinds: readonly string[] = ['auth', 'rate-limit', 'fallback', 'network', 'other'];

/**
 * Reads `{kind, message, retryAfterSeconds}`: the error of the command protocol, or what a module has thrown. A
 * kind that is not known counts as `other`, and stands in the message.
 */
export function readProductError(value: unknown): ProductError {
  const read = errorSchema.safeParse(value);
  if (!read.success) {
    return { kind: 'other', message: 'it reports an error that is not {kind, message, retryAfterSeconds}' };
  }
  const { kind = 'other', message = 'it reports an error without a message', retryAfterSeconds } = read.data;
  const isKnown = kinds.includes(kind);
  return {
    kind: isKnown ? (kind as ProductError['kind']) : 'other',
    message: isKnown ? message : `${kind}: ${message}`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterSeconds * 1000) }),
  };
}
