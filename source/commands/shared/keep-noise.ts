import type { Judgement } from '../../compare/judge-run.js';
import type { RunTally } from '../../tally/types.js';
import type { CommandIo } from '../io.js';
import { tellNotes } from './notes.js';

/**
 * Keeps the noise floor that a clean and complete A/A run has found with its suite, for the verdicts to come, and says
 * so. One of some scenarios only is told and not kept. Throws UserError and InputError when the file is not to be written.
 */
export async function keepNoise(
  suiteFolder: string | undefined,
  tally: RunTally,
  { noise, decision }: Judgement,
  io: CommandIo,
): Promise<void> {
  const { started } = tally;
  if (!noise || decision.verdict !== 'measured' || suiteFolder === undefined) return;
  if (started.filtered) {
    tellNotes(
      ['note: not kept: scenarios were left out, and the noise floor is that of the whole suite'],
      io,
    );
    return;
  }
  const [{ noiseEntry, noisePath, writeNoise }, { loadProject }, { shownPath }] = await Promise.all([
    import('../../compare/noise-file.js'),
    import('../../project/config.js'),
    import('../../project/paths.js'),
  ]);
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const file = noisePath({ folder: suiteFolder });
  const { gate } = started;
  if (!gate) return;
  await writeNoise(project, file, noiseEntry(tally, noise, gate));
  tellNotes([`note: the noise floor is kept in ${shownPath(project.root, file)}`], io);
}
