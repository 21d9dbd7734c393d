import type { Watched } from '../../../run/bisect-events.js';

/** What the person sees and has chosen while they pick what a bisect goes by. */
export interface WatchState {
  /** What was chosen so far. */
  chosen: readonly Watched[];
  /** Position of the selected row. */
  at: number;
  top: number;
  /** Only scenarios and checks with this text. */
  filter: string;
}

export function firstWatchState(watched: readonly Watched[]): WatchState {
  return { chosen: watched, at: 0, top: 0, filter: '' };
}
