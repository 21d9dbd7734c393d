import { disagreementOf } from '../../../triage/disagree.js';
import type { TriageFacts } from '../../keys/reasons.js';
import type { AppModel } from '../../model.js';
import { lookAtTriage } from './view.js';

/** What can be done on the triage now, and why not what cannot; undefined on other screens. */
export function triageFacts(model: AppModel): TriageFacts | undefined {
  const { triage, triageDesk, triageSuites } = model;
  if (!triage) return undefined;
  const noUndo = triageDesk?.lastChange === undefined ? 'nothing was changed here' : undefined;
  const noOther = triageSuites.length > 1 ? undefined : 'there is only this suite';
  const isNested = triageSuites.length === 0;
  const noBack =
    triage.filter !== '' || isNested || model.back ? undefined : 'nothing to go back to: q quits';
  const look = lookAtTriage(model);
  const row = look?.rows[look.index];
  if (!look || !row || triageDesk?.problem !== undefined) {
    const why =
      triageDesk?.problem !== undefined
        ? 'mend the files first'
        : look
          ? 'no row is selected'
          : 'it is still being read';
    return {
      noRows: why,
      noQuarantine: why,
      noRelease: why,
      noExtend: why,
      noTrials: why,
      noRewrite: why,
      noUndo,
      noOther,
      noBack,
    };
  }
  const { entry } = row;
  const isOne = entry === undefined ? 'it is not quarantined: x quarantines it' : undefined;
  return {
    noRows: undefined,
    noQuarantine: entry && `it is quarantined until ${entry.until}: e extends it, r releases it`,
    noRelease: isOne,
    noExtend: isOne,
    noTrials: disagreementOf(row) ? undefined : noDisagreement(row),
    noRewrite: triageDesk?.placeOf(row.scenario) ? undefined : 'the suite has no such scenario any more',
    noUndo,
    noOther,
    noBack,
  };
}

function noDisagreement({ results }: { results: readonly { of: number }[] }): string {
  return results.some(({ of }) => of > 0)
    ? 'its last trials all came to one verdict: there are no two that disagree'
    : 'no run that is kept graded it';
}
