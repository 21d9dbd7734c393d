import type { TrialKey } from '../../../run/events.js';

export const paneNames = ['checks', 'reason', 'transcript'] as const;
export type PaneName = (typeof paneNames)[number];

/**
 * Where a text is scrolled to. `auto`: to the evidence of the selected check if there is any, to the end while
 * the trial is running, to the start otherwise. `end`: at the end, and it stays there as the text grows.
 */
export type Scroll = 'auto' | 'end' | number;

/** What the person sees and has chosen on the trial screen. */
export interface TrialState {
  trial: TrialKey;
  pane: PaneName;
  /** The check that is selected, by id. Not set: the worst one. */
  check: string | undefined;
  scroll: Scroll;
  reasonTop: number;
  /** The trial as JSON instead of panes. */
  isRaw: boolean;
  rawTop: number;
  /** Arguments and answers of tools are shown whole, not by their first lines. */
  isUnfolded: boolean;
  /** What the reviewer said is not shown beside the turns. */
  hidesReview: boolean;
  /** Looked for in the transcript, or in the JSON; empty when nothing is. */
  search: string;
  /** Which of the places where it is found, from 0. */
  match: number;
}

export function openedTrial(trial: TrialKey): TrialState {
  return {
    trial,
    pane: 'checks',
    check: undefined,
    scroll: 'auto',
    reasonTop: 0,
    isRaw: false,
    rawTop: 0,
    isUnfolded: false,
    hidesReview: false,
    search: '',
    match: 0,
  };
}
