import { makeVisible } from '../../../base/text.js';
import { formatDuration } from '../../../report/format.js';
import { statusLine } from '../../components/status.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { fitLine, type Segment, segment } from '../../segments.js';
import { spinnerFrame } from '../../theme.js';

/**
 * The last line of the trial screen: how far the reviewer has come while it reads and nothing else is to be said. `said`: see
 * `statusLine`.
 */
export function trialStatus(model: AppModel, width: number, said: string | undefined): Segment[] {
  const { trialDesk, trial, state, theme, clock } = model;
  const reading = trialDesk?.reading;
  if (!reading || state.field || state.message) return statusLine(model, keyFacts(model), width, said);
  const now = clock.now();
  const { scenario, repeat } = reading.trial;
  const isHere = trial?.trial.scenario === scenario && trial.trial.repeat === repeat;
  const turn = reading.turn === 0 ? '' : `, turn ${reading.turn} of ${reading.of}`;
  const what = isHere ? 'this conversation' : `${scenario}#${repeat}`;
  return fitLine(
    [
      segment(`${spinnerFrame(theme.glyphs, now)} `, 'running'),
      segment(makeVisible(`the reviewer reads ${what}${turn}`)),
      segment(`  ${formatDuration(now - reading.startedAt)}   `, 'faint'),
      segment('esc', 'key'),
      segment(' ends it', 'faint'),
    ],
    width,
  );
}
