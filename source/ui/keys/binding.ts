import type { KeyFacts } from './reasons.js';

/** Keys that do one thing on one screen, or on all of them. */
export interface Binding {
  action: string;
  /** Names as `KeyPress` has them. */
  keys: readonly string[];
  /** What it does, for help and the readme. Present tense, no full stop. */
  description: string;
  /** One or two words for the footer, and how much the key deserves its place there: lower comes first. */
  hint?: { words: string; rank: number };
  /** Why the key can do nothing now; undefined when it can. */
  disabled?(facts: KeyFacts): string | undefined;
}
