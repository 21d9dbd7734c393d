import { jeffreysInterval } from '../base/statistics.js';
import { makeVisible } from '../base/text.js';
import { cacheHitRate, type Usage } from '../model/types.js';

/** A text of a file, a model or a server in one line that is safe to print. */
export function inline(text: string): string {
  return makeVisible(text);
}

/** `0`, `950`, `4.1k`, `12.1k`, `412k`, `1.2M`: never more than five characters below a billion. */
export function formatTokens(tokens: number): string {
  const value = Math.round(tokens);
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

/** As `formatTokens`; `4.1k+` where some were not reported, `?` where none were: nothing known is not zero. */
export function formatKnownTokens(tokens: number, isPartial: boolean): string {
  if (!isPartial) return formatTokens(tokens);
  return tokens === 0 ? '?' : `${formatTokens(tokens)}+`;
}

/** `1,234,567`, the same everywhere whatever the locale. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Milliseconds as `0.4 s`, `12 s`, `3m 05s`, `2h 10m`. */
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

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** How long ago, milliseconds, in one step that a person thinks in: `now`, `5 min`, `3 h`, `12 d`, `2 y`. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h`;
  const days = Math.floor(hours / 24);
  return days < 730 ? `${days} d` : `${Math.floor(days / 365)} y`;
}

/** A share from 0 to 1 as `71 %`; `99 %` and `1 %` at the ends unless it is all or nothing. */
export function formatShare(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return '99 %';
  if (rounded === 0 && share > 0) return '1 %';
  return `${rounded} %`;
}

/** The Jeffreys interval of a rate, as `0.46–1.00`. */
export function formatInterval(passed: number, of: number): string {
  const { low, high } = jeffreysInterval(passed, of);
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}

/** `1 scenario`, `3 scenarios`; `plural` where it is not the noun with an s. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** UTC to the minute, as `2026-11-30 14:25`. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** `cache 68 %`, or that there was no input to tell from. */
export function cacheLine(usage: Usage): string {
  const rate = cacheHitRate(usage);
  return rate === undefined ? 'no input' : `cache ${formatShare(rate)}`;
}
