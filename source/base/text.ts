/**
 * Text from a model, a file or a server is data. `makeVisible` is the one place that makes it safe to print:
 * what a terminal would obey, and what a reader could not see, is replaced by a mark that can be seen.
 */

/** Controls, format characters (bidi, joiners, tags), other invisible characters, line separators, lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The same, with the two sequences that are taken whole: a line end of two characters, and a flag spelt in tag characters. */
const unsafeParts = new RegExp(
  `\\r\\n|\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{2,6}\\u{E007F}|${unsafe.source}`,
  'gu',
);

/** A mark that combines with whatever stands before it: at the start of a line that would be our own drawing. */
const startsWithCombining = /^(?=\p{M})/gmu;

/** Arabic number signs and the like: format characters by category, letters by nature, and visible. */
const visibleFormat = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

/** Scripts in which a zero-width joiner or non-joiner between two letters is spelling. */
const joiningLetter =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;

const pictograph = /\p{Extended_Pictographic}/u;
/** What may stand between a pictograph and the joiner that ties the next one to it. */
const pictographTail = /\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}]/u;
const takesVariation = /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}]/u;

const tabWidth = 4;
const onlyPrintableAscii = /^[\x20-\x7e]*$/;

/**
 * The text with nothing in it that a terminal obeys or a reader cannot see: control characters become their
 * pictures (`␛`, `␍`), bidi overrides, zero-width and other invisible characters become `⟨U+202E⟩`, a tab becomes
 * four spaces, a line end becomes `↵` unless `keepNewlines` is set. Nothing is removed. Joiners and selectors that
 * belong to an emoji or to the spelling of a word stay. Making visible twice changes nothing more.
 */
export function makeVisible(text: string, options: { keepNewlines?: boolean } = {}): string {
  if (onlyPrintableAscii.test(text)) return text;
  const { keepNewlines = false } = options;
  const safe = unsafe.test(text)
    ? text.replace(unsafeParts, (part, offset: number) => visibleForm(part, offset, text, keepNewlines))
    : text;
  return safe.replace(startsWithCombining, '◌');
}

function visibleForm(part: string, offset: number, text: string, keepNewlines: boolean): string {
  if (part === '\n' || part === '\r\n') return keepNewlines ? '\n' : '↵';
  if (part === '\t') return ' '.repeat(tabWidth);
  const code = part.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code === 0x1f3f4 || isSpelling(part, offset, text)) return part;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Whether an invisible character is part of how the visible ones beside it are written. */
function isSpelling(part: string, offset: number, text: string): boolean {
  if (visibleFormat.test(part)) return true;
  const before = characterBefore(text, offset);
  const after = String.fromCodePoint(text.codePointAt(offset + part.length) ?? 0x20);
  if (part === '\u200c' || part === '\u200d') {
    if (joiningLetter.test(before) && joiningLetter.test(after)) return true;
    return part === '\u200d' && pictographTail.test(before) && pictograph.test(after);
  }
  return /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u.test(part) && takesVariation.test(before);
}

function characterBefore(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - 2), offset);
  return Array.from(before).at(-1) ?? '';
}
