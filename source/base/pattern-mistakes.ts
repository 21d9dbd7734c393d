import { messageOf } from './errors.js';

/** What YAML and JSON make of a backslash and a letter in double quotes, where a pattern means something else. */
const escapes = new Map([
  ['\u0000', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\u001b', '\\e'],
  ['\u0085', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

const names = new Map([
  ['\b', 'a backspace'],
  ['\f', 'a form feed'],
  ['\u001b', 'an escape character'],
  ['\u2028', 'a line separator'],
  ['\u2029', 'a paragraph separator'],
]);

/** Line ends and tabs are matched on purpose; of these nobody writes one into a pattern as it is. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * What is wrong with a pattern that holds a control character: `"\b"` in double quotes is a backspace, and the pattern
 * would never match what it says. Undefined where there is none.
 */
export function findControlCharacter(pattern: string): string | undefined {
  const found = control.exec(pattern)?.[0];
  if (found === undefined) return undefined;
  const code = found.charCodeAt(0);
  const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const written = escapes.get(found);
  const what = `${names.get(found) ?? 'a control character'} (${shown})`;
  const cause = written === undefined ? '' : `, which is what ${written} means in double quotes`;
  const meant = code <= 0xff ? `; the character itself is \\x${code.toString(16).padStart(2, '0')}` : '';
  return `the pattern holds ${what}${cause}; write it in single quotes, or double the backslash${meant}`;
}

/** What to write for a piece of a pattern that other engines know and RE2 does not; the first that fits counts. */
const hints: readonly [form: RegExp, hint: string][] = [
  [/\(\?<?[=!]/, 'RE2 has no look-around: use two patterns instead'],
  [/\(\?P=|\\k[<{']|\\[1-9]/, 'RE2 has no back-references'],
  [/\(\?P?<[A-Za-z_]\w*(?!\w*>)/, 'a named group is written (?P<name>…)'],
  [
    /\(\?>|[*+?}]\+/,
    'RE2 never backtracks and so has no possessive parts: leave the second "+" or the "?>" out',
  ],
  [/\(\?#/, 'RE2 has no comments: put them beside the pattern'],
  [/\(\?[a-zA-Z]*x[a-zA-Z]*[):]/, 'RE2 has no (?x): write the pattern without spaces that do not count'],
  [/\(\?\(/, 'RE2 has no conditions'],
  [/\(\?[imsU-]*$/, 'flags stand in brackets of their own, as in (?i)'],
  [/\\Z/, 'the end of the text is \\z'],
  [/\\G|\\K/, 'RE2 starts at the start of the text: leave it out'],
  [/\\h/, 'spaces and tabs are [ \\t]'],
  [/\\R/, 'a line end is \\r?\\n'],
  [/\\u[0-9A-Fa-f]{4}/, 'a character by its number is \\x{2014}'],
];

/** Mistakes that RE2 tells apart in its words, and what mends them. */
const mends: readonly [form: RegExp, hint: string][] = [
  [
    /missing argument to repetition operator/,
    'nothing stands before it to be repeated; the character itself is written \\$1',
  ],
  [/missing closing \]/, 'close the set with "]"; the character itself is \\['],
  [/missing closing \)/, 'close the group with ")"; the character itself is \\('],
  [/unexpected \)/, 'no group is open there; the character itself is \\)'],
  [/invalid repeat count/, 'at most 1000 times, and not more at least than at most'],
  [/trailing backslash/, 'a backslash itself is \\\\'],
  [/invalid nested repetition operator/, 'repeat a group instead, (?:…)'],
];

/**
 * Why RE2 refuses a pattern, with what to write instead. `error` is what the engine threw.
 */
export function explainRefusal(pattern: string, error: unknown): string {
  const why = messageOf(error).replace(/^error parsing regexp: /u, '');
  const [, operator = '*'] = /operator: `(.)/u.exec(why) ?? [];
  const hint =
    hints.find(([form]) => form.test(pattern))?.[1] ??
    mends.find(([form]) => form.test(why))?.[1].replace('$1', operator);
  return `RE2 refuses this pattern: ${why}${hint === undefined ? '' : `; ${hint}`}`;
}
