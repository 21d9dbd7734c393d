import { currentStrategy, liveSteps } from '../../../bisect/session.js';
import type { BisectFacts } from '../../keys/reasons.js';
import type { AppModel } from '../../model.js';
import { type BisectStanding, standingOf } from './rows.js';

const reading = 'the bisect is still being made';

/** What can be done on the screen of a bisect now, and why not what cannot; undefined on other screens. */
export function bisectFacts({ bisect, bisectDesk }: AppModel): BisectFacts | undefined {
  if (!bisect) return undefined;
  if (!bisectDesk) {
    return {
      noRows: reading,
      noStep: reading,
      noAccept: reading,
      noOverride: reading,
      noSkip: reading,
      noUndo: reading,
      noNote: reading,
      noCells: reading,
      noPrompts: reading,
      noWatch: reading,
      noAuto: reading,
      noGuided: reading,
      noBudget: reading,
      noWrite: reading,
    };
  }
  const standing = standingOf(bisectDesk, bisect.row);
  const row = standing.rows[standing.at];
  const { status, session } = standing;
  const noWord = cannotBeTold(standing);
  const strategy = currentStrategy(session);
  const noHand =
    status.kind === 'found' ? 'it is over, nobody has it: o, b or u goes on from here' : undefined;
  const noHunk = row?.hunk === undefined && status.kind !== 'deciding' ? 'select a hunk first' : undefined;
  const hasSteps = liveSteps(session).length > 0 || status.kind === 'trying';
  return {
    noRows: undefined,
    noStep: noStep(standing),
    noAccept: noWord ?? (status.kind === 'deciding' ? undefined : 'no step waits for your word'),
    noOverride: noWord ?? noHunk,
    noSkip: noWord ?? (status.kind === 'found' ? 'it is over: there is no step to skip' : noHunk),
    noUndo: noWord ?? (hasSteps ? undefined : 'there is nothing to take back'),
    noNote: noWord,
    noCells: (row?.trials.length ?? 0) > 0 ? undefined : 'nothing of this row was tried yet',
    noPrompts:
      row?.kind === 'bad'
        ? 'this is the full prompt: select another row'
        : row?.candidate === undefined
          ? 'select a hunk first'
          : undefined,
    noWatch: noWord,
    noAuto: noWord ?? noHand ?? (strategy === 'auto' ? 'auto has it already: T takes it back' : undefined),
    noGuided:
      noWord ?? noHand ?? (strategy === 'guided' ? 'you have it already: A hands it over' : undefined),
    noBudget: noWord,
    noWrite: noWrite(standing),
  };
}

/** Why nothing can be said in it. */
function cannotBeTold({ desk }: BisectStanding): string | undefined {
  return desk.controls ? undefined : `it is only shown here; it goes on with: ${desk.resume}`;
}

function noStep(standing: BisectStanding): string | undefined {
  const { status, desk } = standing;
  const noWord = cannotBeTold(standing);
  if (noWord !== undefined) return noWord;
  switch (status.kind) {
    case 'planned':
      return desk.plan() ? undefined : 'what it will cost is still being worked out';
    case 'deciding':
      return `say first what hunk ${status.next.hunk + 1} shows: a accepts, o overrides, s skips`;
    case 'trying':
      return 'trials are going on';
    case 'found':
      return 'it is over: o, b or u goes on from here';
    default:
      return undefined;
  }
}

function noWrite(standing: BisectStanding): string | undefined {
  const noWord = cannotBeTold(standing);
  if (noWord !== undefined) return noWord;
  const { status } = standing;
  return status.kind === 'found' && status.found.finding.kind === 'hunks'
    ? undefined
    : 'there is no narrowed prompt before hunks are found';
}
