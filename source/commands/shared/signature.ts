import { userInfo } from 'node:os';
import { systemClock } from '../../base/clock.js';
import { dayOf } from '../../base/day.js';

/** The name that labels are signed with: what the person has set, or their name on this machine. */
export async function reviewerName(env: NodeJS.ProcessEnv): Promise<string> {
  const { openSettings } = await import('../../project/settings.js');
  return (await openSettings(env)).get('reviewer') || userName(env);
}

/** The person's name on this machine. */
export function userName(env: NodeJS.ProcessEnv): string {
  const named = env.USER || env.LOGNAME || env.USERNAME;
  if (named) return named.slice(0, 200);
  try {
    return userInfo().username || 'somebody';
  } catch {
    // A user without an entry in the system's list, as in containers.
    return 'somebody';
  }
}

/** `2026-11-30`, in UTC. */
export function today(): string {
  return dayOf(systemClock.now());
}
