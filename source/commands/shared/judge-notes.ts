import { UserError } from '../../base/errors.js';
import type { RunStarted } from '../../run/reader.js';
import type { CommandIo } from '../io.js';

/**
 * How far the judge of a run can be trusted, by the labels of today, in lines for its report. Labels that cannot be read
 * are told of there: a report is printed all the same.
 */
export async function judgeNotesOf(started: RunStarted, io: CommandIo): Promise<string[]> {
  const { judge } = started;
  if (!judge) return [];
  const [{ judgeNotes }, { loadLabelsOf }, { loadProject }] = await Promise.all([
    import('../../report/calibration.js'),
    import('./labels.js'),
    import('../../project/config.js'),
  ]);
  try {
    const labels = await loadLabelsOf(await loadProject({ cwd: io.cwd, env: io.env }), judge.prompt);
    return judgeNotes(started, labels, io.program);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const [first = ''] = error.message.split('\n');
    return [...judgeNotes(started, [], io.program), `the labels cannot be read: ${first}`];
  }
}
