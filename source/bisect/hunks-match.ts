import { diffArrays } from 'diff';

/** Two places that are the same: index in the old list, index in the new one. */
export type Match = readonly [old: number, new: number];

/** A stretch of each of two lists, ends not included; one of the two may be empty. */
export interface Range {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/**
 * What stands between the matches of two lists of these lengths, in order: before each match, and after the last. Where
 * nothing does, both stretches are empty.
 */
export function* rangesBetween(
  matches: readonly Match[],
  oldLength: number,
  newLength: number,
): Generator<Range> {
  let [oldStart, newStart] = [0, 0];
  for (const [oldEnd, newEnd] of [...matches, [oldLength, newLength] as const]) {
    yield { oldStart, oldEnd, newStart, newEnd };
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  }
}

/** Beyond so many edits in a stretch without a single unique line, the stretch counts as replaced. */
const mostEdits = 1500;

/**
 * What stays of one list in another, in order. Lines that both have exactly once anchor the rest (patience diff, Bram
 * Cohen), so that blank lines and brackets do not tie unrelated text together; between anchors the shortest edit
 * (Myers 1986, of the `diff` package).
 */
export function matchLists(oldKeys: readonly string[], newKeys: readonly string[]): Match[] {
  const matches: Match[] = [];
  const open = [{ oldStart: 0, oldEnd: oldKeys.length, newStart: 0, newEnd: newKeys.length }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    let { oldStart, oldEnd, newStart, newEnd } = range;
    while (oldStart < oldEnd && newStart < newEnd && oldKeys[oldStart] === newKeys[newStart])
      matches.push([oldStart++, newStart++]);
    while (oldStart < oldEnd && newStart < newEnd && oldKeys[oldEnd - 1] === newKeys[newEnd - 1])
      matches.push([--oldEnd, --newEnd]);
    if (oldStart === oldEnd || newStart === newEnd) continue;
    const anchors = longestRising(uniqueMatches(oldKeys, newKeys, { oldStart, oldEnd, newStart, newEnd }));
    if (anchors.length === 0) {
      const old = oldKeys.slice(oldStart, oldEnd);
      const fresh = newKeys.slice(newStart, newEnd);
      for (const [i, j] of shortestEdit(old, fresh)) matches.push([oldStart + i, newStart + j]);
      continue;
    }
    for (const [i, j] of [...anchors, [oldEnd, newEnd] as const]) {
      open.push({ oldStart, oldEnd: i, newStart, newEnd: j });
      if (i < oldEnd) matches.push([i, j]);
      oldStart = i + 1;
      newStart = j + 1;
    }
  }
  return matches.sort((one, other) => one[0] - other[0]);
}

/** Keys that stand exactly once in each of the two ranges, in the order of the old one. */
function uniqueMatches(oldKeys: readonly string[], newKeys: readonly string[], range: Range): Match[] {
  const oldPlaces = uniquePlaces(oldKeys, range.oldStart, range.oldEnd);
  const newPlaces = uniquePlaces(newKeys, range.newStart, range.newEnd);
  const found: Match[] = [];
  for (const [key, i] of oldPlaces) {
    const j = newPlaces.get(key);
    if (key !== '' && i >= 0 && j !== undefined && j >= 0) found.push([i, j]);
  }
  return found.sort((one, other) => one[0] - other[0]);
}

/** Where each key stands; -1 for one that stands there more than once. */
function uniquePlaces(keys: readonly string[], start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at++) {
    const key = keys[at] ?? '';
    places.set(key, places.has(key) ? -1 : at);
  }
  return places;
}

/** The longest choice of matches whose new places rise too (patience sorting, Fredman 1975). */
function longestRising(matches: readonly Match[]): Match[] {
  const piles: number[] = [];
  const before: number[] = [];
  for (const [at, [, place]] of matches.entries()) {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((matches[piles[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (piles[low - 1] ?? -1) : -1;
    piles[low] = at;
  }
  const chosen: Match[] = [];
  for (let at = piles.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const match = matches[at];
    if (match !== undefined) chosen.push(match);
  }
  return chosen.reverse();
}

function shortestEdit(oldKeys: readonly string[], newKeys: readonly string[]): Match[] {
  // What the other side does not have cannot match, and would cost the most time.
  const inOld = new Set(oldKeys);
  const inNew = new Set(newKeys);
  const oldPlaces = placesOf(oldKeys, inNew);
  const newPlaces = placesOf(newKeys, inOld);
  const changes = diffArrays(
    oldPlaces.map((at) => oldKeys[at] ?? ''),
    newPlaces.map((at) => newKeys[at] ?? ''),
    { maxEditLength: mostEdits },
  );
  const matches: Match[] = [];
  let i = 0;
  let j = 0;
  for (const change of changes ?? []) {
    if (change.added) j += change.count;
    else if (change.removed) i += change.count;
    else {
      for (const end = i + change.count; i < end; i++, j++)
        matches.push([oldPlaces[i] ?? 0, newPlaces[j] ?? 0]);
    }
  }
  return matches;
}

function placesOf(keys: readonly string[], wanted: ReadonlySet<string>): number[] {
  return [...keys.keys()].filter((at) => wanted.has(keys[at] ?? ''));
}
