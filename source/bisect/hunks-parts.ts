import { createWriter, type Token, type Writer } from './hunks-tokens.js';

/**
 * A prompt and its other version at once: tokens that both have, and edits where they differ. Edits of one block are
 * applied together. A moved text stands in the two edits of its block, which share the same list, so that an edit
 * inside it is applied wherever the text is.
 */
export type Part = Token | Edit;

export interface Edit {
  role: 'edit';
  block: number;
  old: readonly Part[];
  new: readonly Part[];
  /** Not set: text is replaced in its place. `from` and `to`: the two ends of a move. */
  end?: 'from' | 'to';
  /** The same words on both sides: only the white space differs. */
  isSpacing?: boolean;
}

export function isToken(part: Part): part is Token {
  return part.role !== 'edit';
}

/** Writes the parts with the edits of those blocks applied for which `isApplied` says so. */
export function writeParts(parts: readonly Part[], isApplied: (block: number) => boolean, out: Writer): void {
  for (const part of parts) {
    if (part.role !== 'edit') out.write(part);
    else writeParts(isApplied(part.block) ? part.new : part.old, isApplied, out);
  }
}

/** All edits in the order of the texts; those inside a moved text once, after the edit that takes it away. */
export function listEdits(parts: readonly Part[]): Edit[] {
  const edits: Edit[] = [];
  for (const part of parts) {
    if (part.role !== 'edit') continue;
    edits.push(part);
    if (part.end !== 'to') edits.push(...listEdits(part.old));
  }
  return edits;
}

/** The tokens of one side, edits inside a moved text included. */
export function tokensOf(parts: readonly Part[], side: 'old' | 'new'): Token[] {
  return parts.flatMap((part) => (part.role === 'edit' ? tokensOf(part[side], side) : [part]));
}

/** UTF-16 offsets in one text, `end` not included. */
export interface Span {
  start: number;
  end: number;
}

/** Where each edit stands in one of the two texts. */
export function findSpans(parts: readonly Part[], side: 'old' | 'new'): Map<Edit, Span> {
  const spans = new Map<Edit, Span>();
  const out = createWriter('\n');
  const walk = (list: readonly Part[]) => {
    for (const part of list) {
      if (part.role !== 'edit') {
        out.write(part);
        continue;
      }
      const start = out.length();
      walk(part[side]);
      spans.set(part, { start, end: out.length() });
    }
  };
  walk(parts);
  return spans;
}
