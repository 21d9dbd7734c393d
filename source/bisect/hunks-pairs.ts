import type { Token } from './hunks-tokens.js';

/** What opens and closes: template blocks (Jinja, Handlebars) and tags. */
const marks =
  /\{%-?\s*(?<jinjaEnd>end)?(?<jinja>\w+)[^%]*%\}|\{\{~?(?<handle>[#/])(?<handleName>[\w.-]+)[^}]*\}\}|<(?<tagEnd>\/)?(?<tag>[a-zA-Z][\w-]*)(?<tagRest>(?:\s[^<>]*)?)>/g;

const jinjaBlocks = new Set([
  'if',
  'for',
  'block',
  'macro',
  'raw',
  'filter',
  'call',
  'with',
  'autoescape',
  'trans',
]);

interface Mark {
  name: string;
  isEnd: boolean;
  /** `else`, which belongs to what is open. */
  isMiddle: boolean;
}

const fence = /^\s{0,3}(?<mark>`{3,}|~{3,})(?<info>[^`]*)$/;

/** The fence that a line opens or closes, without its language. */
function fenceOf(line: string): { mark: string; isBare: boolean } | undefined {
  const groups = fence.exec(line.trimEnd())?.groups;
  const mark = groups?.mark;
  return mark === undefined ? undefined : { mark, isBare: (groups?.info ?? '').trim() === '' };
}

/** For each line the number of the code fence that it is part of (its two marks included), undefined outside. */
export function findFences(lines: readonly string[]): (number | undefined)[] {
  const fences: (number | undefined)[] = [];
  let open: string | undefined;
  let count = 0;
  for (const line of lines) {
    const found = fenceOf(line);
    if (open === undefined) {
      if (found === undefined) fences.push(undefined);
      else {
        open = found.mark;
        fences.push(++count);
      }
      continue;
    }
    fences.push(count);
    if (found?.isBare && found.mark[0] === open[0] && found.mark.length >= open.length) open = undefined;
  }
  return fences;
}

/**
 * Lines that are worth nothing without each other: the two marks of a code fence, a tag and its end, a template's `if`,
 * `else` and `endif`. Only what stands on different lines.
 */
export function pairLines(lines: readonly Token[]): Token[][] {
  const texts = lines.map((line) => line.text);
  const fences = findFences(texts);
  const pairs: Token[][] = [];
  const open: { name: string; lines: Token[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const number = fences[at];
    if (number !== undefined) {
      if (fences[at - 1] !== number) {
        const last = fences.lastIndexOf(number);
        const end = lines[last];
        if (end !== undefined && last > at) pairs.push([line, end]);
      }
      continue;
    }
    for (const mark of marksOf(line.text)) {
      if (mark.isMiddle) open.at(-1)?.lines.push(line);
      else if (!mark.isEnd) open.push({ name: mark.name, lines: [line] });
      else {
        const start = open.findLastIndex(({ name }) => name === mark.name);
        // An end without a start, or tags that are only mentioned, bind nothing.
        const [block] = start < 0 ? [] : open.splice(start);
        if (block?.lines.some((other) => other !== line)) pairs.push([...block.lines, line]);
      }
    }
  }
  return pairs;
}

/** Whether a line holds a template mark, which a cut between sentences could tear apart. */
export function hasMarks(text: string): boolean {
  return marksOf(text).length > 0;
}

function marksOf(text: string): Mark[] {
  const found: Mark[] = [];
  const line = text.trim();
  for (const { groups = {}, index, 0: mark } of line.matchAll(marks)) {
    const { jinja, handleName, tag } = groups;
    if (jinja !== undefined) {
      const isMiddle = jinja === 'else' || jinja === 'elif';
      if (isMiddle || jinjaBlocks.has(jinja))
        found.push({ name: `%${jinja}`, isEnd: groups.jinjaEnd !== undefined, isMiddle });
    } else if (handleName !== undefined) {
      found.push({ name: `#${handleName}`, isEnd: groups.handle === '/', isMiddle: false });
    } else if (tag !== undefined && !groups.tagRest?.endsWith('/')) {
      // A tag inside a sentence is a word of it.
      const isEnd = groups.tagEnd !== undefined;
      if (isEnd ? index + mark.length === line.length : index === 0)
        found.push({ name: `<${tag}`, isEnd, isMiddle: false });
    }
  }
  return found;
}
