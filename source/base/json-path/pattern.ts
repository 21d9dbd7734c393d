import { RE2JS } from 're2js';
import { explainRefusal, findControlCharacter } from '../pattern-mistakes.js';

/** Longest pattern that is taken from data, in UTF-16 units: matching takes time in proportion to it. */
export const longestDataPattern = 1000;

/**
 * The pattern of `match` or `search`. I-Regexp (RFC 9485) is a part of RE2 but for its dot, which stands for no
 * line end; what RE2 knows beyond it is allowed too. Linear in time whatever the text. Throws for a refused one.
 */
export function compileIRegexp(pattern: string): RE2JS {
  // Before anything else stands around it: `a)(b` is no pattern.
  RE2JS.compile(pattern);
  return RE2JS.compile(`(?:${withoutLineEnds(pattern)})`);
}

/** Why a pattern is refused, undefined when it compiles. */
export function patternMistake(pattern: string): string | undefined {
  try {
    compileIRegexp(pattern);
  } catch (error) {
    return explainRefusal(pattern, error);
  }
  return findControlCharacter(pattern);
}

/** Each dot that is no escape and in no class, as the class that it means. */
function withoutLineEnds(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\./g, (piece) =>
    piece === '.' ? '[^\\n\\r]' : piece,
  );
}
