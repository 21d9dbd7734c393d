import { scenarioSources } from '../../../suite/types.js';
import type { ScenarioTally } from '../../../tally/types.js';
import { changeWords, type RowChange, wordOf } from '../../row-change.js';

/** Which rows are shown, made from what the person typed. */
export interface Filter {
  matches(row: ScenarioTally): boolean;
  /** Where a part of the query can match nothing: what would. */
  problem: string | undefined;
}

/** What became of a scenario against the base; undefined where that is not known. */
export type FindChange = (scenario: string) => RowChange | undefined;

const verdicts = ['pass', 'warn', 'fail', 'unknown', 'error', 'running', 'waiting'] as const;

/**
 * Words separated by spaces, all of which must hold: `tag:T`, `verdict:V`, `source:S`, `change:C` (any of several
 * values separated by commas; a tag, verdict, source or change that begins so), everything else is looked for in the
 * scenario's id, tags and reason. Letter case does not matter. `verdict:running` and `verdict:waiting` are rows with
 * such a trial, `change:fixed` those of which any criterion was fixed.
 */
export function parseFilter(query: string, changeOf: FindChange = () => undefined): Filter {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => parseTerm(term, changeOf));
  return {
    matches: (row) => terms.every((term) => term.matches(row)),
    problem: terms.find((term) => term.problem !== undefined)?.problem,
  };
}

function parseTerm(term: string, changeOf: FindChange): Filter {
  const [, field, list = ''] = /^(tag|verdict|source|change):(.*)$/.exec(term) ?? [];
  const values = list.split(',').filter(Boolean);
  // `tag:` alone, still being typed, hides nothing.
  if (field !== undefined && values.length === 0) return { matches: () => true, problem: undefined };
  switch (field) {
    case 'tag':
      return {
        matches: ({ scenario }) =>
          startsWithAny(
            scenario.tags.map((tag) => tag.toLowerCase()),
            values,
          ),
        problem: undefined,
      };
    case 'verdict':
      return {
        matches: (row) => startsWithAny(states(row), values),
        problem: unknownValue(values, verdicts),
      };
    case 'source':
      return {
        matches: ({ scenario }) => startsWithAny(scenario.source ? [scenario.source] : [], values),
        problem: unknownValue(values, scenarioSources),
      };
    case 'change':
      return {
        matches: ({ scenario }) => {
          const change = changeOf(scenario.id);
          return change !== undefined && startsWithAny([change.word, ...change.changes.map(wordOf)], values);
        },
        problem: unknownValue(values, changeWords),
      };
    default:
      return { matches: (row) => rowText(row).includes(term), problem: undefined };
  }
}

function startsWithAny(texts: readonly string[], beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => texts.some((text) => text.startsWith(beginning)));
}

function states(row: ScenarioTally): string[] {
  const trials = row.groups.flatMap(({ cells }) => cells.map(({ state }) => state));
  const going = trials.filter((state) => state === 'running' || state === 'waiting');
  return row.verdict ? [row.verdict, ...going] : going;
}

/** As the row says it. */
function rowText({ scenario, why, isQuarantined }: ScenarioTally): string {
  const word = isQuarantined ? ' quarantined' : '';
  return `${scenario.id} ${scenario.tags.join(' ')} ${why?.reason ?? ''}${word}`.toLowerCase();
}

function unknownValue(values: readonly string[], known: readonly string[]): string | undefined {
  const stranger = values.find((value) => !known.some((name) => name.startsWith(value)));
  return stranger === undefined ? undefined : known.join(' ');
}
