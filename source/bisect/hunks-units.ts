import type { Token } from './hunks-tokens.js';

/** Lines that are kept whole when a hunk is split: a code fence, a list item with its further lines, else one line. */
export interface Unit {
  tokens: readonly Token[];
  kind: 'heading' | 'item' | 'fence' | 'blank' | 'text';
  /** Of a heading 1 to 6, of all else the columns that it is indented. */
  level: number;
}

const item = /^(\s*)(?:[-*+•]|\d{1,9}[.)])\s+\S/;
const heading = /^\s{0,3}(#{1,6})\s/;

/** The units of a stretch of lines. `fences` numbers the lines that are part of a code fence. */
export function splitUnits(tokens: readonly Token[], fences: ReadonlyMap<Token, number>): Unit[] {
  const units: (Unit & { tokens: Token[] })[] = [];
  let before: number | undefined;
  for (const token of tokens) {
    const last = units.at(-1);
    const inFence = fences.get(token);
    const goesOn =
      inFence === undefined
        ? last?.kind === 'item' && goesOnWith(last.level, token.text)
        : inFence === before;
    if (goesOn) last?.tokens.push(token);
    else units.push({ tokens: [token], ...kindOf(token.text, inFence !== undefined) });
    before = inFence;
  }
  return units;
}

function kindOf(text: string, isFence: boolean): Pick<Unit, 'kind' | 'level'> {
  const indent = indentOf(text);
  if (isFence) return { kind: 'fence', level: indent };
  if (text.trim() === '') return { kind: 'blank', level: 0 };
  const marks = heading.exec(text)?.[1];
  if (marks !== undefined) return { kind: 'heading', level: marks.length };
  return { kind: item.test(text) ? 'item' : 'text', level: indent };
}

function goesOnWith(level: number, text: string): boolean {
  return text.trim() !== '' && !item.test(text) && !heading.test(text) && indentOf(text) > level;
}

function indentOf(text: string): number {
  return (/^[ \t]*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length;
}

/**
 * For each unit the one that it stands under: a list item's outer item, else the heading. Undefined for one that stands
 * under nothing of this stretch.
 */
export function findParents(units: readonly Unit[]): (number | undefined)[] {
  const headings: number[] = [];
  let items: number[] = [];
  return units.map((unit, at) => {
    const level = (index: number | undefined) => units[index ?? -1]?.level ?? 0;
    if (unit.kind === 'blank') return undefined;
    if (unit.kind === 'heading') {
      items = [];
      while (headings.length > 0 && level(headings.at(-1)) >= unit.level) headings.pop();
      headings.push(at);
      return headings.at(-2);
    }
    while (items.length > 0 && level(items.at(-1)) >= unit.level) items.pop();
    const parent = items.at(-1) ?? headings.at(-1);
    if (unit.kind === 'item') items.push(at);
    return parent;
  });
}
