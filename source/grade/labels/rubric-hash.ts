import { contentHash } from '../../base/hash.js';
import type { CheckSpec } from '../../suite/types.js';
import type { LabelVerdict } from './types.js';

/**
 * Names what a judged check asks: 16 hexadecimal digits over its type and arguments. The score that is needed to pass is
 * no part of it, for it changes nothing of what is asked; whether there is one is.
 */
export function rubricHash({ type, args }: Pick<CheckSpec, 'type' | 'args'>): string {
  const { min_score: needed, ...asked } = args;
  return contentHash({ type, args: asked, isScored: needed !== undefined });
}

/** The score that a check needs to pass; undefined where it asks for pass or fail. */
export function neededScore({ args }: Pick<CheckSpec, 'args'>): number | undefined {
  return typeof args.min_score === 'number' ? args.min_score : undefined;
}

/** The verdict that a score, or a pass and fail, is for a check. */
export function verdictOn(
  check: Pick<CheckSpec, 'args'>,
  said: number | 'pass' | 'fail',
): LabelVerdict & { pass: boolean } {
  if (typeof said === 'number') return { pass: said >= (neededScore(check) ?? 5), score: said };
  return { pass: said === 'pass' };
}
