import { segmentsOf } from '../base/segments.js';

/**
 * The smallest parts of a prompt that a hunk may take or leave. A line holds its own line end. A line that is split
 * is its sentences, which know what separates them from text before them in their line, and the end of that line.
 */
export type Token =
  | { role: 'line'; text: string }
  | { role: 'sentence'; text: string; paragraph: number; separator: string }
  | { role: 'end'; text: string; paragraph: number };

/** The lines of a text, each with its end (`\n`, `\r\n` or `\r`); only the last may lack one. They join to the text. */
export function splitLines(text: string): Token[] {
  return (text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []).map((line) => ({
    role: 'line',
    text: line,
  }));
}

/** The line end that a text uses first. */
export function lineEndOf(text: string): string | undefined {
  return /\r\n|\n|\r/.exec(text)?.[0];
}

/** A text without white space: two texts that share it differ in white space only. */
export function withoutSpacing(text: string): string {
  return text.replace(/\s+/g, '');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const endsInAbbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|no|mr|mrs|ms|dr|st|approx|incl|max|min)\.\s*$/i;

/** The sentences of a line without its end, each with the space before it. They join to the line. */
export function splitSentences(line: string): { separator: string; text: string }[] {
  const sentences: { separator: string; text: string }[] = [];
  let separator = '';
  let open = '';
  for (const { segment } of segmentsOf(line, segmenter)) {
    open += segment;
    // What holds no letter or digit (a closing mark, an emoji) belongs to the sentence before it.
    if (endsInAbbreviation.test(open) || !/[\p{L}\p{N}]/u.test(open)) continue;
    const text = open.trimEnd();
    sentences.push({ separator, text });
    separator = open.slice(text.length);
    open = '';
  }
  const rest = separator + open;
  const last = sentences.at(-1);
  if (last === undefined) return rest === '' ? [] : [{ separator: '', text: rest }];
  last.text += rest;
  return sentences;
}

/** Puts tokens together to a text. */
export interface Writer {
  write(token: Token): void;
  text(): string;
  /** UTF-16 units so far. */
  length(): number;
}

/**
 * Tokens of one text written in their order give that text. Where tokens meet that never met in either text, a line
 * that has no end gets one before the next line, a sentence that became the first of its line loses its separator
 * (one that no longer is gets one), and a line without sentences loses its end.
 */
export function createWriter(lineEnd: string): Writer {
  const written: string[] = [];
  let length = 0;
  let last = '\n';
  let paragraph: number | undefined;
  const put = (text: string) => {
    if (text === '') return;
    written.push(text);
    length += text.length;
    last = text;
  };
  return {
    write(token) {
      const isInLine = !/[\r\n]$/.test(last);
      const goesOn = isInLine && token.role !== 'line' && token.paragraph === paragraph;
      if (token.role === 'end') {
        if (goesOn) put(token.text);
        return;
      }
      if (isInLine && !goesOn) put(lineEnd);
      if (goesOn && token.role === 'sentence') put(token.separator);
      put(token.text);
      paragraph = token.role === 'sentence' ? token.paragraph : undefined;
    },
    text: () => written.join(''),
    length: () => length,
  };
}
