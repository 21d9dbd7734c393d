import type { Judging } from '../../compare/judge-run.js';
import type { TallyKeeper } from '../../report/summary.js';
import type { LiveRun } from '../../run/types.js';

export async function runAndConfirm(run: LiveRun, _keeper: TallyKeeper, _judging: Judging): Promise<void> {
  await run.start();
}
