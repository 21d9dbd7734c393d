/** One contiguous change between two texts: lines taken out and lines put in, either of which may be none. */
export interface Hunk {
  removed: string[];
  added: string[];
}

/** The contiguous changes of lines from one text to another, by longest common subsequence: `diff -U0`. */
export function hunksBetween(before: string, after: string): Hunk[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      open = undefined;
      i++;
      j++;
      continue;
    }
    if (open === undefined) {
      open = { removed: [], added: [] };
      hunks.push(open);
    }
    if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) open.removed.push(a[i++] ?? '');
    else open.added.push(b[j++] ?? '');
  }
  return hunks;
}
