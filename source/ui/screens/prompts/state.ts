import type { Candidate } from '../../../bisect/candidate.js';
import type { Side } from '../sides/state.js';

/** What the person sees of two prompts side by side: the one that is tried, and the bad one. */
export interface PromptsState {
  candidate: Candidate;
  /** First line on screen, of both. Not set: where they differ first. */
  top: number | undefined;
  /** Which one is shown where there is room for one. */
  side: Side;
}

export const firstPromptsState: Omit<PromptsState, 'candidate'> = { top: undefined, side: 'from' };
