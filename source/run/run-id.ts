import { randomBytes } from 'node:crypto';

/**
 * A run's id: UTC time to the second and four base32 digits, the first two of which go on with the time (1/1024 s) and
 * the last two of which are random. So sorting ids sorts runs by their start.
 */
export const runIdPattern = /^\d{8}-\d{6}-[2-7a-z]{4}$/;

/** Base32, in the order in which its digits sort as text. */
const digits = '234567abcdefghijklmnopqrstuvwxyz';

/** A new id, as `20261130-142530-k3fz`. `now` is in milliseconds since the epoch; `random` gives bytes. */
export function createRunId(now: number, random: (bytes: number) => Uint8Array = randomBytes): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const fraction = Math.floor(((now % 1000) / 1000) * 1024);
  const values = [fraction >> 5, fraction, ...random(2)];
  const tail = values.map((value) => digits[value % digits.length]).join('');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${tail}`;
}

/** A new seed for runs that were given none: short enough to be typed again after `--seed`. */
export function createRunSeed(random: (bytes: number) => Buffer = randomBytes): string {
  return String(random(4).readUInt32BE(0));
}
