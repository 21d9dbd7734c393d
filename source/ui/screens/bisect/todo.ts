import { makeVisible } from '../../../base/text.js';
import { candidateName } from '../../../bisect/candidate-prompt.js';
import { verdictOfStep } from '../../../bisect/guided.js';
import type { Attempt, StepVerdict } from '../../../bisect/next.js';
import { currentBudget } from '../../../bisect/session.js';
import { countOf } from '../../../report/format.js';
import type { BisectFinding } from '../../../run/bisect-events.js';
import { type Line, segment } from '../../segments.js';
import type { BisectRow, BisectStanding } from './rows.js';
import { ofPurpose } from './words.js';

/** What the person is asked for, or what Enter would do. `row`: the one that the person chose. */
export function todoLine(standing: BisectStanding, row: BisectRow | undefined): Line {
  const { status, desk, session } = standing;
  const asks = (text: string) => [segment(text, 'accent')];
  if (!desk.controls)
    return status.kind === 'found'
      ? []
      : [segment(`only shown here; it goes on with: ${makeVisible(desk.resume)}`, 'faint')];
  switch (status.kind) {
    case 'planned':
      if (!desk.plan()) return [];
      return asks('Enter begins: both ends are measured first, two trials each');
    case 'waiting':
      return asks(waitingText(standing, status.next, row));
    case 'deciding': {
      const { hunk, verdict } = status.next;
      return asks(`hunk ${hunk + 1}: ${verdictText[verdict]}; a takes that, o says otherwise, s skips it`);
    }
    case 'asking':
      return asks(
        `${countOf(status.spent, 'trial')} of ${currentBudget(session)} are spent: Enter goes on, b sets another budget, q leaves`,
      );
    case 'stopped':
      return [
        segment(status.why === undefined ? 'stopped' : `stopped: ${makeVisible(status.why)}`, 'warn'),
        segment(`; Enter goes on, and so does ${makeVisible(desk.resume)}`, 'faint'),
      ];
    case 'found':
      return asks(afterText[status.found.finding.kind]);
    case 'trying':
      return [segment(flyingText(standing), 'faint')];
  }
}

/** What is said meanwhile is taken in afterwards. */
function flyingText({ record }: BisectStanding): string {
  const going = record.trials.filter((trial) => record.outcomeOf(trial) === undefined).length;
  return going === 0
    ? ''
    : `${countOf(going, 'trial')} in flight; what you say is taken in when they have ended`;
}

/** What can be done with each finding. */
const afterText: Record<BisectFinding['kind'], string> = {
  hunks: 'w writes the narrowed prompt, p shows it beside the bad one, t its transcripts; o or u goes on',
  'not-the-prompt': 'q leaves; o says otherwise of a hunk, u takes back, and it goes on',
  'good-fails-too': 'q leaves; c changes the checks, u takes back, and it goes on',
  inconclusive: 'b gives it a larger budget, o says what you know, q leaves',
};

const verdictText: Record<StepVerdict, string> = {
  recovered: 'it passes again without it',
  'still-fails': 'it fails without it too',
  unknown: 'nobody could grade it',
};

function waitingText(
  { record, session, needs }: BisectStanding,
  next: Attempt,
  row: BisectRow | undefined,
): string {
  const { purpose, candidate, trials } = next;
  const proposed = purpose.kind === 'step' ? purpose.hunk : undefined;
  const wanted = row?.hunk;
  if (wanted !== undefined && wanted !== proposed) {
    const isAgain = verdictOfStep(session, wanted, needs) !== undefined;
    const other = proposed === undefined ? '' : ` (proposed: ${proposed + 1})`;
    return isAgain
      ? `Enter reverts hunk ${wanted + 1} once more${other}`
      : `Enter reverts hunk ${wanted + 1}, up to ${countOf(session.repeats, 'trial')}${other}`;
  }
  if (proposed !== undefined)
    return `Enter reverts hunk ${proposed + 1}, up to ${countOf(session.repeats, 'trial')}, about ${Math.max(1, Math.round(trials))} expected`;
  return purpose.kind === 'search'
    ? `Enter tries what says most: ${makeVisible(candidateName(record.planned, candidate))}`
    : `Enter goes on with ${ofPurpose(purpose)}`;
}
