import type { Comparison, CriterionChange } from '../compare/types.js';
import { isFresh } from '../tally/group.js';
import type { CellGroup, RunTally } from '../tally/types.js';

/**
 * What became of a criterion, in the words of the screens: its direction, but for a change for the worse that is not
 * proved, which is called by how far it is.
 */
export type ChangeWord =
  | 'regression'
  | 'suspect'
  | 'drift'
  | 'not-confirmed'
  | 'not-comparable'
  | 'fixed'
  | 'better'
  | 'gone'
  | 'new'
  | 'same';

/** From what a person has to look at first to what they need not look at. */
export const changeWords: readonly ChangeWord[] = [
  'regression',
  'suspect',
  'drift',
  'not-confirmed',
  'not-comparable',
  'fixed',
  'better',
  'gone',
  'new',
  'same',
];

/** What became of a scenario: the first word of its criteria in the order of `changeWords`. */
export interface RowChange {
  word: ChangeWord;
  /** Those of its criteria that changed. */
  changes: readonly CriterionChange[];
}

export function wordOf({ direction, proof }: CriterionChange): ChangeWord {
  const isWorse = direction === 'regression' || direction === 'drift';
  if (isWorse && (proof === 'suspect' || proof === 'not-confirmed')) return proof;
  return direction;
}

/** The same while trials of a confirmation are still to end: what they say so far proves nothing. */
function wordSoFar(change: CriterionChange): ChangeWord {
  const { proof } = change;
  return proof === 'confirmed' || proof === 'not-confirmed' ? 'suspect' : wordOf(change);
}

/** Whether trials of a confirmation are still to end. */
export function isBeingConfirmed(group: CellGroup): boolean {
  if (!group.fresh) return false;
  return group.cells.some(
    ({ repeat, state }) => (state === 'waiting' || state === 'running') && isFresh(group, repeat),
  );
}

/**
 * By scenario, what became of it. Scenarios whose trials have not all ended are left out, and so are all of them where
 * nothing can be compared.
 */
export function rowChanges(
  { refused, candidate, changes, simulatedUsers }: Comparison,
  tally: RunTally,
): Map<string, RowChange> {
  const rows = new Map<string, RowChange>();
  if (refused) return rows;
  const ofScenario = new Map<string, CriterionChange[]>();
  for (const change of changes) {
    const own = ofScenario.get(change.scenario);
    if (own) own.push(change);
    else ofScenario.set(change.scenario, [change]);
  }
  const notCompared = new Set(simulatedUsers?.isCompared === false ? simulatedUsers.scenarios : []);
  const at = tally.conditions.findIndex(({ id }) => id === candidate.condition.id);
  for (const { scenario, groups } of tally.rows) {
    const group = groups[at];
    if (!group || group.isPartial || group.verdict === undefined) continue;
    const own = ofScenario.get(scenario.id) ?? [];
    const isConfirming = groups.some(isBeingConfirmed);
    const words = own.map((change) => (isConfirming ? wordSoFar(change) : wordOf(change)));
    const rest: ChangeWord = notCompared.has(scenario.id) ? 'not-comparable' : 'same';
    rows.set(scenario.id, { word: changeWords.find((word) => words.includes(word)) ?? rest, changes: own });
  }
  return rows;
}

/** Whether two rows are drawn alike. */
export function isSameChange(a: RowChange | undefined, b: RowChange | undefined): boolean {
  return a?.word === b?.word && a?.changes.length === b?.changes.length;
}
