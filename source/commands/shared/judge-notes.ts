import { UserError } from '../../base/errors.js';
import { makeVisible } from '../../base/text.js';
import type { KnownLabels } from '../../grade/labels/types.js';
import type { RunStarted } from '../../run/reader.js';
import type { CommandIo } from '../io.js';

/** What reports say of a run's judge. */
export interface JudgeFacts {
  /** For the top of the report, see `judgeNotes`. */
  judgeNotes: string[];
  /** Of its prompt. */
  labels: KnownLabels;
}

/**
 * How far the judge of a run can be trusted, by the labels of today. Labels that cannot be read are told of in the notes: a
 * report is printed all the same.
 */
export async function judgeFactsOf(started: RunStarted, io: CommandIo): Promise<JudgeFacts> {
  const { judge } = started;
  if (!judge) return { judgeNotes: [], labels: [] };
  const [{ judgeNotes }, { loadLabelsOf }, { loadProject }] = await Promise.all([
    import('../../report/calibration.js'),
    import('./labels.js'),
    import('../../project/config.js'),
  ]);
  try {
    const labels = await loadLabelsOf(await loadProject({ cwd: io.cwd, env: io.env }), judge.prompt);
    return { judgeNotes: judgeNotes(started, labels, io.program), labels };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const [first = ''] = error.message.split('\n');
    const notes = judgeNotes(started, 'unread', io.program);
    return { judgeNotes: [...notes, `the labels cannot be read: ${makeVisible(first)}`], labels: 'unread' };
  }
}

/** The notes alone. */
export async function judgeNotesOf(started: RunStarted, io: CommandIo): Promise<string[]> {
  return (await judgeFactsOf(started, io)).judgeNotes;
}
