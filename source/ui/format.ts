/** Short forms of numbers, for columns that must not jump. */

/** `0`, `950`, `4.1k`, `12.1k`, `412k`, `1.2M`: never more than five characters below a billion. */
export function formatCount(count: number): string {
  const value = Math.round(count);
  if (value < 1000) return String(value);
  for (const [unit, size] of [
    ['k', 1e3],
    ['M', 1e6],
    ['G', 1e9],
  ] as const) {
    const scaled = value / size;
    if (scaled < 99.95) return `${scaled.toFixed(1)}${unit}`;
    if (scaled < 999.5) return `${Math.round(scaled)}${unit}`;
  }
  return `${Math.round(value / 1e9)}G`;
}

/** Milliseconds as `0.4 s`, `3.2 s`, `41 s`, `2m 10s`, `1h 05m`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${twoDigits(whole % 60)}s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

/** A remaining time in steps that do not flicker: `under 5 s`, `25 s`, `2m 10s`, `1h 05m`. */
export function formatRemaining(ms: number): string {
  if (ms < 5000) return 'under 5 s';
  const step = ms < 600_000 ? 5000 : 60_000;
  return formatDuration(Math.ceil(ms / step) * step);
}

/** A share from 0 to 1 as `64 %`. 100 % only when all of it is there, 0 % only when nothing is. */
export function formatShare(share: number): string {
  const percent = share * 100;
  const rounded = Math.round(percent);
  if (rounded === 100 && percent < 100) return '99 %';
  if (rounded === 0 && percent > 0) return '1 %';
  return `${rounded} %`;
}

/** `1 trial`, `3 trials`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
