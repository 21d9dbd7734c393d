import type { Decision } from '../../compare/gate.js';
import { shownPath } from '../../project/paths.js';
import type { RunTally } from '../../tally/types.js';
import type { CommandIo } from '../io.js';
import { tellNotes } from './notes.js';

/**
 * Keeps the scores of a labelled run beside its suite and says where; `suiteFolder` is absolute, and not set where the
 * run has none of its own. Throws UserError when they cannot be written.
 */
export async function keepResults(
  suiteFolder: string | undefined,
  tally: RunTally,
  decision: Decision,
  io: CommandIo,
): Promise<void> {
  const { label } = tally.started;
  if (label === undefined || suiteFolder === undefined) return;
  const { writeResults } = await import('../../report/results-file.js');
  const file = await writeResults(suiteFolder, tally, decision, label);
  const note =
    file === undefined
      ? 'note: no scores are kept, for the run has no verdict'
      : `note: the scores are kept in ${shownPath(io.cwd, file)}`;
  tellNotes([note], io);
}
