import { jeffreysInterval } from '../base/statistics.js';
import { makeVisible } from '../base/text.js';
import { cacheHitRate, type Usage } from '../model/types.js';

/** A text of a file, a model or a server in one line that is safe to print. */
export function inline(text: string): string {
  return makeVisible(text);
}

/** `412`, `12.1k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(1)}k`;
  return `${(tokens / 1e6).toFixed(1)}M`;
}

/** `1,234,567`, the same everywhere whatever the locale. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `0.4 s`, `12 s`, `3m 05s`, `2h 10m`. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(seconds / 3600)}h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}m`;
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

/** `1 scenario`, `3 scenarios`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
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
