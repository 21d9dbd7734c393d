import { createHash } from 'node:crypto';

export interface Slot {
  day: string;
  time: string;
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const times = ['8:15', '9:40', '11:05', '14:20', '16:45'];

/** Slots that depend on the account and the turn alone, all different. */
export function freeSlots(account: string, turn: number, count: number): Slot[] {
  const bytes = createHash('sha256').update(`${account}/${turn}`).digest();
  return Array.from({ length: count }, (_, i) => ({
    day: days[((bytes[0] ?? 0) + i) % days.length] ?? 'Monday',
    time: times[((bytes[1] ?? 0) + 2 * i) % times.length] ?? '8:15',
  }));
}
