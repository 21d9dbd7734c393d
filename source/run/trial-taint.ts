import { taintOf } from '../model/types.js';
import type { TrialErrorKind } from './events.js';

/** How a trial that ended for good in an error makes its run unusable as evidence; undefined: it lowers coverage alone. */
export function taintOfTrial(kind: TrialErrorKind): 'auth' | 'rate-limit' | 'fallback' | undefined {
  if (kind === 'fallback') return kind;
  return kind === 'auth' || kind === 'rate-limit' ? taintOf(kind) : undefined;
}
