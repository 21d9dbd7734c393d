/** Beyond what a timer can hold and longer than any run: taken as this much. */
const mostMs = 2 ** 31 - 1;

/**
 * How long a server asks to be left alone, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as an
 * HTTP date. A date is read against the server's own clock where it sends one. Undefined when it asks for nothing,
 * or for no time at all, which would be no help.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = headers.get('retry-after-ms');
  const asked = headers.get('retry-after');
  let wait = ms === null ? Number.NaN : Number.parseFloat(ms);
  if (Number.isNaN(wait) && asked !== null) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(asked)) {
      wait = Number.parseFloat(asked) * 1_000;
    } else {
      const serverNow = Date.parse(headers.get('date') ?? '');
      wait = Date.parse(asked) - (Number.isNaN(serverNow) ? now : serverNow);
    }
  }
  return wait > 0 ? Math.min(Math.ceil(wait), mostMs) : undefined;
}
