import { formatProblem } from '../../base/errors.js';
import { makeVisible } from '../../base/text.js';
import { findStrayVariables } from '../../project/variables.js';
import type { Suite } from '../../suite/types.js';
import type { CommandIo } from '../io.js';

/** What was noticed on the way to a run and stops nothing, on standard error: results go to the other one. */
export function tellNotes(suites: readonly Suite[], { stderr, env }: CommandIo): void {
  const lines = [
    ...suites.flatMap(({ notes = [] }) => notes.map((note) => `note: ${formatProblem(note)}`)),
    ...findStrayVariables(env).map((sentence) => `warning: ${sentence}`),
  ];
  for (const line of lines) stderr.write(`${makeVisible(line)}\n`);
}
