import { RE2JS } from 're2js';
import { explainRefusal, findControlCharacter } from '../base/pattern-mistakes.js';

const compiled = new Map<string, RE2JS>();

/**
 * A pattern in RE2 syntax: linear in time whatever the text, `(?i)` allowed, no look-around, no back-references.
 * Compiled once a process: patterns come from the files of a suite, so there are few. Throws for a refused one.
 */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const fresh = RE2JS.compile(pattern);
  compiled.set(pattern, fresh);
  return fresh;
}

/**
 * Why a pattern is refused, with what to write instead; undefined when it compiles and holds no character that stands
 * there by mistake.
 */
export function findMistake(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
  } catch (error) {
    return explainRefusal(pattern, error);
  }
  return findControlCharacter(pattern);
}
