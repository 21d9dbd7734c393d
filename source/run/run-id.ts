import { randomBytes } from 'node:crypto';

/** A run's id: UTC time to the second and four base32 digits, so that sorting ids sorts runs by their start. */
export const runIdPattern = /^\d{8}-\d{6}-[a-z2-7]{4}$/;

const digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** A new id, as `20261130-142530-k3fz`. `now` is in milliseconds since the epoch; `random` gives bytes. */
export function createRunId(now: number, random: (bytes: number) => Uint8Array = randomBytes): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const tail = Array.from(random(4), (byte) => digits[byte % digits.length]).join('');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${tail}`;
}

/** A new seed for runs that were given none: short enough to be typed again after `--seed`. */
export function createRunSeed(random: (bytes: number) => Buffer = randomBytes): string {
  return String(random(4).readUInt32BE(0));
}
