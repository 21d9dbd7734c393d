import { formatProblem, type Problem } from './errors.js';

/** Problems each once, those of one file together and in the order of its lines; files in the order they came. */
export function inReadingOrder(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  const files = [...new Set(problems.map(({ file }) => file))];
  const orderOf = new Map(files.map((file, index) => [file, index]));
  return [...unique.values()].sort(
    (a, b) =>
      (orderOf.get(a.file) ?? 0) - (orderOf.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
}
