import { RE2JS } from 're2js';

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

/** Why RE2 refuses a pattern, with what to write instead; undefined when it compiles. */
export function findMistake(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    const why =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /u, '') : String(error);
    const hint = /\(\?<?[=!]/u.test(pattern)
      ? '; RE2 has no look-around: use two checks instead'
      : /\\[1-9]/u.test(pattern)
        ? '; RE2 has no back-references'
        : '';
    return `RE2 refuses this pattern: ${why}${hint}`;
  }
}
