import { listed, quote } from './quote.js';

/** Edits that turn one text into the other; two neighbours that changed places count as one edit. */
export function editDistance(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  let beforeLast: number[] = [];
  let last = right.map((_, j) => j + 1);
  last.unshift(0);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? 0;
}

/** `minScore`, `min-score` and `min_score` are one word to a person. */
function fold(word: string): string {
  return word
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[\s_-]+/g, '_');
}

/** Longest word that is compared: longer ones are no typing mistakes, and comparing costs their product. */
const longest = 120;

/**
 * The known word that was probably meant, or undefined when none is near enough: at most a third of the word
 * may differ. Of words that are equally near the first one wins.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  const folded = fold(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    if (candidate.length > longest) continue;
    const other = fold(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(folded.length, other.length) / 3));
    // A word of one or two letters is near to everything.
    if (Math.min(folded.length, other.length) < 3 && folded !== other) continue;
    if (Math.abs(folded.length - other.length) > allowed) continue;
    const distance = editDistance(folded, other);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The second half of a message about a word that is not known: `did you mean "pattern"?`, else what there is.
 * `noun` is the plural of what is known (`keys`, `suites`).
 */
export function suggest(word: string, known: readonly string[], noun: string, most = 20): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean ${quote(near)}?`;
  if (known.length === 0) return `there are no ${noun}`;
  const shown = known.slice(0, most).map((name) => quote(name));
  if (known.length > most) return `known ${noun}: ${shown.join(', ')}, and ${known.length - most} more`;
  return `known ${noun}: ${listed(shown)}`;
}
