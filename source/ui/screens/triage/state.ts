import { criterionId } from '../../../run/change-classes.js';
import type { TriageRow } from '../../../triage/suggest.js';
import { rowsOfConcern, type SuiteTriage } from '../../../triage/triage.js';

/** What a list of flips may be sorted by. */
export const triageSorts = ['flips', 'rate', 'suggestion', 'name'] as const;
export type TriageSort = (typeof triageSorts)[number];

export const triageSortTitles: Record<TriageSort, string> = {
  flips: 'most flips first',
  rate: 'highest flip rate first',
  suggestion: 'what is suggested first',
  name: 'by name',
};

/** What the person sees of the triage. */
export interface TriageState {
  /** Position of the suite. */
  at: number;
  /** By `criterionId`. Not set: what stands first. */
  selected: string | undefined;
  /** Where the selection was last seen, from 0: where it goes on when its row is gone. */
  index: number;
  /** First row on screen. */
  top: number;
  /** The text that rows are narrowed by, as typed. */
  filter: string;
  sort: TriageSort;
  /** Checks that never flipped are shown too. */
  isAll: boolean;
}

export const firstTriageState: TriageState = {
  at: 0,
  selected: undefined,
  index: 0,
  top: 0,
  filter: '',
  sort: 'flips',
  isAll: false,
};

/** Rows that are on the list, in order, and where the selection stands; 0 where there are none. */
export interface ShownTriage {
  rows: readonly TriageRow[];
  index: number;
}

export function shownTriage(triage: SuiteTriage, state: TriageState): ShownTriage {
  const of = state.isAll ? triage.rows : rowsOfConcern(triage);
  const rows = sorted(of, state.sort).filter((row) => matches(row, state.filter));
  const found = rows.findIndex((row) => criterionId(row) === state.selected);
  const last = Math.max(0, rows.length - 1);
  return { rows, index: found >= 0 ? found : state.selected === undefined ? 0 : Math.min(state.index, last) };
}

/** What is most pressing comes first. */
const suggestionOrder = ['expired', 'broken', 'quarantine', 'release'];

function sorted(rows: readonly TriageRow[], sort: TriageSort): TriageRow[] {
  switch (sort) {
    case 'flips':
      return rows.toSorted((a, b) => b.recent - a.recent);
    case 'rate':
      return [...rows];
    case 'suggestion':
      return rows.toSorted((a, b) => suggestionRank(a) - suggestionRank(b));
    case 'name':
      return rows.toSorted((a, b) => (criterionId(a) < criterionId(b) ? -1 : 1));
  }
}

function suggestionRank({ suggestion, entry }: TriageRow): number {
  if (suggestion) return suggestionOrder.indexOf(suggestion.kind);
  return suggestionOrder.length + (entry ? 0 : 1);
}

/** The text stands in a name, an owner, a reason, or in the word for how it stands. */
function matches({ scenario, check, entry, suggestion }: TriageRow, filter: string): boolean {
  const words = [
    `${scenario} / ${check}`,
    entry?.owner,
    entry?.reason,
    entry && 'quarantined',
    suggestion?.kind,
  ];
  return words.some((text) => text?.toLowerCase().includes(filter.trim().toLowerCase()));
}
