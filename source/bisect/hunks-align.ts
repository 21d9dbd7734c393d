import type { Match } from './hunks-match.js';

/** With more pairs than this none are looked for: the stretch stays one hunk. */
const mostPairs = 2_000_000;
/** Below this share of common words two texts are not versions of each other. */
const leastAlike = 0.5;

/**
 * Which of the new texts is the next version of which old one: the choice in order with the most in common (dynamic
 * programming over the Dice coefficient of their words, Dice 1945).
 */
export function alignTexts(old: readonly string[], fresh: readonly string[]): Match[] {
  if (old.length * fresh.length > mostPairs) return [];
  const oldBags = old.map(wordsOf);
  const newBags = fresh.map(wordsOf);
  const postings = new Map<string, number[]>();
  for (const [j, bag] of newBags.entries()) {
    for (const word of bag) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [j]);
      else list.push(j);
    }
  }
  const width = fresh.length + 1;
  let above = new Float64Array(width);
  /** 0: neither, 1: the old one stays alone, 2: the new one does, 3: a pair. */
  const steps = new Uint8Array((old.length + 1) * width);
  const common = new Uint32Array(fresh.length);
  for (const [at, bag] of oldBags.entries()) {
    common.fill(0);
    for (const word of bag) for (const j of postings.get(word) ?? []) common[j] = (common[j] ?? 0) + 1;
    const row = new Float64Array(width);
    const base = (at + 1) * width;
    for (let j = 0; j < fresh.length; j++) {
      const total = bag.size + (newBags[j]?.size ?? 0);
      const alike = total === 0 ? 0 : (2 * (common[j] ?? 0)) / total;
      const paired = alike >= leastAlike ? (above[j] ?? 0) + alike : -1;
      const alone = Math.max(above[j + 1] ?? 0, row[j] ?? 0);
      row[j + 1] = Math.max(paired, alone);
      steps[base + j + 1] = paired > alone ? 3 : (above[j + 1] ?? 0) >= (row[j] ?? 0) ? 1 : 2;
    }
    above = row;
  }
  const matches: Match[] = [];
  let i = old.length;
  let j = fresh.length;
  while (i > 0 && j > 0) {
    const step = steps[i * width + j];
    if (step === 3) matches.push([i - 1, j - 1]);
    if (step !== 2) i--;
    if (step !== 1) j--;
  }
  return matches.reverse();
}

/** The words of a text in lower case, the second of the same word as another one. */
function wordsOf(text: string): Set<string> {
  const counts = new Map<string, number>();
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    const count = counts.get(word) ?? 0;
    counts.set(word, count + 1);
    words.add(`${word} ${count}`);
  }
  return words;
}
