/** Exit codes of the whole program. See `compare/gate.ts` for the one place that picks between 0, 1 and 3. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/**
 * One mistake in something a person wrote.
 * `line` and `column` count from 1; 0 means that the mistake has no place in the file (it is missing, say).
 */
export interface Problem {
  file: string;
  line: number;
  column: number;
  /** What is wrong, and what would be right. One sentence, no full stop needed, no control characters. */
  message: string;
}

/** `file:line:column: message`, the form that editors and CI logs turn into links. */
export function formatProblem(problem: Problem): string {
  const place = problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  return `${place}: ${problem.message}`;
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error that is the answer to the user, not a bug: printed without a stack, then the process exits with `exitCode`. */
export class UserError extends Error {
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = 2) {
    super(message);
    this.name = 'UserError';
    this.exitCode = exitCode;
  }
}

/** What the system refused, a folder that cannot be read, say: its message names what and where. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** What the process ends with where nobody mends this error on its way: 3 for a mistake of ours. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UserError) return error.exitCode;
  return isSystemError(error) ? 2 : 3;
}

/** Every mistake found in the files of one load, reported together. Exit code 2. */
export class InputError extends UserError {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'), 2);
    this.name = 'InputError';
    this.problems = problems;
  }
}
