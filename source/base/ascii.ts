import { graphemes, textWidth } from './width.js';

/** Whether the locale can show more than ASCII. No locale at all is taken as yes, as on Windows and in containers. */
export function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale === undefined || locale === '') return env.TERM !== 'linux';
  return /utf-?8/i.test(locale);
}

/** What a text for a person becomes before it is written: itself, or ASCII where the locale has nothing else. */
export function textForLocale(env: NodeJS.ProcessEnv): (text: string) => string {
  return isUtf8(env) ? (text) => text : toAscii;
}

/** Characters with a likeness that everybody knows. */
const likenesses: Record<string, string> = {
  '…': '~',
  '↵': '$',
  '⏎': '$',
  '◌': ' ',
  '·': '-',
  '•': '*',
  '–': '-',
  '—': '-',
  '−': '-',
  '×': 'x',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '⟨': '<',
  '⟩': '>',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '\u00a0': ' ',
};

/**
 * A text for a terminal that shows nothing but ASCII: every other character becomes its likeness, or as many `?`
 * as it takes cells, so that columns stay where they are.
 */
export function toAscii(text: string): string {
  if (onlyAscii.test(text)) return text;
  return graphemes(text)
    .map((grapheme) =>
      onlyAscii.test(grapheme) ? grapheme : (likenesses[grapheme] ?? '?'.repeat(textWidth(grapheme))),
    )
    .join('');
}

const onlyAscii = /^[\x00-\x7f]*$/;
