import type { PacerState } from '../model/pacing/pacer.js';

/**
 * What there is to say of a provider account that holds requests back: `openai: waiting 12 s, 3 in line`, or, where it
 * is busy with as many as it bears, `openai: 8 at once, 3 in line`. Undefined when nobody waits for it.
 */
export function paceText(
  { account, limit, waiting, pausedUntil }: { account: string } & PacerState,
  now: number,
): string | undefined {
  const line = waiting > 0 ? `, ${waiting} in line` : '';
  const pauseMs = (pausedUntil ?? 0) - now;
  if (pauseMs > 0) return `${account}: waiting ${Math.ceil(pauseMs / 1000)} s${line}`;
  return waiting > 0 ? `${account}: ${limit} at once${line}` : undefined;
}
