import type { HunkSplit } from '../run/bisect-events.js';
import type { Part, Span } from './hunks-parts.js';

export type HunkKind = 'added' | 'removed' | 'changed' | 'moved';

/** One place that a hunk changes. */
export interface HunkEdit {
  /** UTF-16 offsets in A, and in B. Where the text is in one of them only, the other is the empty place it would have. */
  inA: Span;
  inB: Span;
  /** Lines from 1 at which these begin. */
  lineA: number;
  lineB: number;
  old: string;
  new: string;
  /** Of a move: where the text was, and where it is. */
  end?: 'from' | 'to';
}

/** A change that is applied whole or not at all. */
export interface Hunk {
  /** Ten hexadecimal digits of its texts and places: the same for the same two prompts, however finely the rest is cut. */
  id: string;
  kind: HunkKind;
  /** A few words for lists, safe to print, at most 60 cells. */
  title: string;
  /** Line in A and in B, from 1, of its first change of words (of a move: where the text was, and where it is). */
  lineA: number;
  lineB: number;
  /** All that it takes from A and puts into B, without the white space that it takes along. Of a move the whole text. */
  oldText: string;
  newText: string;
  /** Every place that it changes, in the order of the texts, white space included. */
  edits: readonly HunkEdit[];
  /** Ids of the hunks without which it is never applied. */
  needs: readonly string[];
}

/** Two prompts and what leads from the first (A, the good one) to the second (B). */
export interface PromptDiff {
  split: HunkSplit;
  /** In the order of the texts. */
  hunks: readonly Hunk[];
  /** For `composePrompt`. */
  parts: readonly Part[];
  /** The hunk that each block of `parts` belongs to. */
  hunkOfBlock: ReadonlyMap<number, string>;
  /** What ends a line that has no end of its own. */
  lineEnd: string;
}
