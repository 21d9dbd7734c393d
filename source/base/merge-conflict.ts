import type { Problem } from './errors.js';

/** Where a merge was left half done, said once: what it breaks else reads as many mistakes. Empty where there is none. */
export function mergeConflict(text: string, file: string, whatToDo: string): Problem[] {
  const at = text.split(/\r?\n/).findIndex((line) => /^<{7}( |$)/.test(line));
  const message = `a merge conflict stands in the file; ${whatToDo}`;
  return at < 0 ? [] : [{ file, line: at + 1, column: 1, message }];
}
