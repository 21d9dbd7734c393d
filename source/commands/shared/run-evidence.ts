import { UserError } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import { evidenceOf } from '../../compare/evidence.js';
import type { Evidence } from '../../compare/types.js';
import { isBeingWritten } from '../../run/lock.js';
import type { Condition } from '../../run/planned.js';
import type { RunStarted } from '../../run/reader.js';
import { findRun } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';

/** One condition of a run of the past. */
export interface RunEvidence {
  started: RunStarted;
  evidence: Evidence;
}

/** Which condition of a run is meant where the line names none: the only one, or the one that is tried. */
type Preferred = 'only' | 'candidate';

/**
 * What a run that has ended says of one of its conditions. `run` as `findRun` takes it; `condition` is its id, its model,
 * or the name of its prompt, and `how` the way in which the line names it. Throws UserError when the run is going on or is a bisect, or the condition is not one.
 */
export async function readRunEvidence(
  logs: string,
  run: string,
  condition: string | undefined,
  preferred: Preferred = 'only',
  how = '--condition',
): Promise<RunEvidence> {
  const place = await findRun(logs, run);
  if (await isBeingWritten(place.journal)) throw new UserError(`run ${place.runId} is still going on`);
  const tally = await readTally(place.journal);
  const { started } = tally;
  if (started.purpose === 'bisect') throw new UserError(noEvidence(started.runId));
  const chosen = chooseCondition(started, condition, preferred, how);
  return { started, evidence: evidenceOf(tally, chosen.id) };
}

/** What a bisect tries next is chosen by what failed before, so its rates are of nothing else. */
function noEvidence(runId: string): string {
  return `run ${runId} is a bisect: it chose what to try by what had failed, so it is no evidence for a baseline or a comparison`;
}

function chooseCondition(
  started: RunStarted,
  wanted: string | undefined,
  preferred: Preferred,
  how: string,
): Condition {
  const all = started.plan.conditions.filter(({ standby }) => standby !== true);
  const base = started.base?.kind === 'condition' ? started.base.condition : undefined;
  const fits = all.filter(({ id, model, promptName }) =>
    wanted === undefined
      ? preferred === 'only' || id !== base
      : id === wanted || model === wanted || promptName === wanted,
  );
  const [only] = fits;
  if (only && fits.length === 1) return only;
  const names = listed(
    all.map(({ id, model, promptName }) => `${id} (${promptName}, ${model})`),
    'or',
  );
  if (wanted === undefined) {
    throw new UserError(`run ${started.runId} has ${all.length} conditions; name one with ${how}: ${names}`);
  }
  const what = fits.length === 0 ? 'is no condition' : `fits ${fits.length} conditions`;
  throw new UserError(`${how} ${quote(wanted)} ${what} of run ${started.runId}; there is ${names}`);
}
