import type { CheckVerdict } from '../grade/types.js';
import type { Watched } from '../run/bisect-events.js';
import type { RecordedTrial } from './recorded-trials.js';
import type { Outcome } from './session.js';

/**
 * How a trial ended: one outcome for all that is watched, for several checks are never counted as if they were
 * independent. A conversation that could not be run, one that the trial does not have because its scenario was not
 * watched yet, and a check that nobody could grade leave it without evidence, whatever the others say: fails that count
 * where passes do not would blame the innocent.
 */
export function outcomeBy(watched: readonly Watched[], { cells }: RecordedTrial): Outcome {
  const verdicts: CheckVerdict[] = [];
  let isError = false;
  for (const { scenario, check } of watched) {
    const cell = cells.find(({ key }) => key.scenario === scenario);
    if (!cell) return 'unwatched';
    if (cell.state === 'error') isError = true;
    else if (check === undefined) verdicts.push(...cell.checks.values());
    else verdicts.push(cell.checks.get(check) ?? 'unknown');
  }
  if (isError) return 'error';
  if (verdicts.length === 0 || verdicts.includes('unknown')) return 'unknown';
  return verdicts.includes('fail') ? 'fail' : 'pass';
}
