import type { Comparison } from '../../../compare/types.js';
import { formatShare } from '../../../report/format.js';

/** What else is to be said of a comparison, a line each. Holds ids of scenarios and checks: not made safe yet. */
export function noteTexts({ stillFailing, simulatedUsers, falseRed }: Comparison): string[] {
  const notes: string[] = [];
  if (stillFailing.length > 0) {
    const names = stillFailing.map(({ scenario, check }) => `${scenario} / ${check}`);
    notes.push(`fails as before: ${names.join(', ')}`);
  }
  if (simulatedUsers && simulatedUsers.scenarios.length > 0) {
    const how = simulatedUsers.isCompared ? 'confounded' : 'not compared';
    notes.push(`${how}, for a model plays the user: ${simulatedUsers.scenarios.join(', ')}`);
  }
  if (falseRed !== undefined) {
    notes.push(
      `not confirmed: with nothing changed such a gate goes red in ${formatShare(falseRed)} of runs`,
    );
  }
  return notes;
}
