import { type Edit, listEdits, type Part, tokensOf } from './hunks-parts.js';
import { type Token, withoutSpacing } from './hunks-tokens.js';

/** Which blocks are applied together (union and find, Tarjan 1975). Every block starts alone. */
export interface Groups {
  find(block: number): number;
  join(one: number, other: number): void;
}

export function createGroups(): Groups {
  const parents = new Map<number, number>();
  const find = (block: number): number => {
    let root = block;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== block) parents.set(block, root);
    return root;
  };
  return {
    find,
    join(one, other) {
      const [first, second] = [find(one), find(other)];
      if (first !== second) parents.set(Math.max(first, second), Math.min(first, second));
    },
  };
}

interface Place {
  edit: Edit;
  /** In the order of the parts. */
  index: number;
  /** Unchanged lines before it and until its end. */
  start: number;
  end: number;
}

/**
 * Groups that change nothing but white space are joined to the nearest that changes words. `larger` names the groups
 * that this must not reach across. Where nothing else differs, the white space is one group.
 */
export function joinSpacing(parts: readonly Part[], groups: Groups, larger: (block: number) => number): void {
  const places = placesOf(parts);
  const members = collect(places, ({ edit }) => groups.find(edit.block));
  const worded = new Set(places.filter(changesWords).map(({ edit }) => groups.find(edit.block)));
  for (const near of collect(places, ({ edit }) => larger(edit.block)).values()) {
    const targets = near.filter(({ edit }) => worded.has(groups.find(edit.block)));
    const others = new Set(
      near.map(({ edit }) => groups.find(edit.block)).filter((root) => !worded.has(root)),
    );
    for (const root of others) {
      const target = nearest(members.get(root) ?? [], targets) ?? near[0];
      if (target !== undefined) groups.join(root, target.edit.block);
    }
  }
}

function placesOf(parts: readonly Part[]): Place[] {
  const places: Place[] = [];
  let at = 0;
  const walk = (list: readonly Part[]) => {
    for (const part of list) {
      if (part.role !== 'edit') {
        // Sentences are not counted, so that the nearest is the same however finely lines are cut.
        if (part.role === 'line') at++;
        continue;
      }
      const place = { edit: part, index: places.length, start: at, end: at };
      places.push(place);
      if (part.end === 'from') walk(part.old);
      place.end = at;
    }
  };
  walk(parts);
  return places;
}

/** Items by a key, in their order. */
export function collect<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const found = new Map<Key, Item[]>();
  for (const item of items) {
    const list = found.get(keyOf(item));
    if (list === undefined) found.set(keyOf(item), [item]);
    else list.push(item);
  }
  return found;
}

function changesWords({ edit }: Place): boolean {
  if (edit.end !== undefined) return true;
  const words = (side: 'old' | 'new') =>
    tokensOf(edit[side], side)
      .map((token) => withoutSpacing(token.text))
      .join('');
  return words('old') !== words('new');
}

/** The nearest target; of those that are as near the last one before, else the first one after. */
function nearest(group: readonly Place[], targets: readonly Place[]): Place | undefined {
  let best: Place | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const place of group) {
    let near: Place | undefined;
    let distance = least;
    for (const target of targets) {
      const lines = Math.max(0, target.start - place.end, place.start - target.end);
      if (lines < distance || (lines === distance && near !== undefined && target.index < place.index))
        [near, distance] = [target, lines];
    }
    if (near !== undefined) [best, least] = [near, distance];
  }
  return best;
}

/** Edits that took or brought lines which belong together (see `pairLines`) are one group. */
export function joinPairs(
  parts: readonly Part[],
  groups: Groups,
  pairs: Record<'old' | 'new', readonly (readonly Token[])[]>,
): void {
  const edits = listEdits(parts).filter((edit) => edit.end === undefined && !edit.isSpacing);
  for (const side of ['old', 'new'] as const) {
    const blocks = new Map<Token, number>();
    for (const edit of edits) for (const token of tokensOf(edit[side], side)) blocks.set(token, edit.block);
    for (const lines of pairs[side]) {
      const found = lines.flatMap((line) => blocks.get(line) ?? []);
      for (const block of found) groups.join(block, found[0] ?? block);
    }
  }
}

/**
 * Tells `add` which blocks stand between two lines that belong together and came (`inner` needs `outer`) or left
 * (`outer` needs `inner`) with the same larger change: what an added `if` holds is never there without it.
 */
export function needPairs(
  parts: readonly Part[],
  pairs: Record<'old' | 'new', readonly (readonly Token[])[]>,
  larger: (block: number) => number,
  add: (block: number, needed: number) => void,
): void {
  for (const side of ['old', 'new'] as const) {
    const other = side === 'old' ? 'new' : 'old';
    const edits = listEdits(parts).filter(
      (edit) => edit.end === undefined && !edit.isSpacing && edit[other].length === 0,
    );
    const editAt = new Map<Token, number>();
    for (const [at, edit] of edits.entries())
      for (const token of tokensOf(edit[side], side)) editAt.set(token, at);
    for (const lines of pairs[side]) {
      const [first, last] = [lines[0], lines.at(-1)].map((line) => line && editAt.get(line));
      if (first === undefined || last === undefined) continue;
      const outer = edits[first]?.block ?? 0;
      for (const { block } of edits.slice(first + 1, last)) {
        if (larger(block) !== larger(outer)) continue;
        if (side === 'new') add(block, outer);
        else add(outer, block);
      }
    }
  }
}
