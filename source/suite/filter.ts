import { UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { listed, quote } from '../base/quote.js';
import type { Scenario, Suite } from './types.js';

export interface ScenarioFilter {
  /** Ids, or patterns with `*` (any characters) and `?` (one character). A scenario that one of them names is taken. */
  scenario?: readonly string[] | undefined;
  /** A scenario that has one of them is taken. */
  tag?: readonly string[] | undefined;
}

/**
 * The scenarios that a filter takes, in the order of the suite; all of them without a filter.
 * Throws UserError for a pattern or tag that no scenario has, and when the two together leave none: a run of
 * nothing would look like a run in which nothing failed.
 */
export function filterScenarios(suite: Suite, filter: ScenarioFilter): Scenario[] {
  const patterns = filter.scenario ?? [];
  const tags = filter.tag ?? [];
  const ids = suite.scenarios.map(({ id }) => id);
  const allTags = [...new Set(suite.scenarios.flatMap((scenario) => scenario.tags))].sort();

  const taken = new Set<string>();
  for (const pattern of patterns) {
    const matches = ids.filter(matcherOf(pattern, ids));
    if (matches.length === 0) {
      const hint = suggest(pattern.replace(/[*?]/g, ''), ids, 'scenarios', 10);
      throw new UserError(`no scenario of ${suite.name} is named by ${quote(pattern)}; ${hint}`);
    }
    for (const id of matches) taken.add(id);
  }
  for (const tag of tags) {
    if (allTags.includes(tag)) continue;
    throw new UserError(
      `no scenario of ${suite.name} has the tag ${quote(tag)}; ${suggest(tag, allTags, 'tags')}`,
    );
  }
  const left = suite.scenarios.filter(
    (scenario) =>
      (patterns.length === 0 || taken.has(scenario.id)) &&
      (tags.length === 0 || tags.some((tag) => scenario.tags.includes(tag))),
  );
  if (left.length === 0) {
    const asked = [
      ...patterns.map((pattern) => `--scenario ${quote(pattern)}`),
      ...tags.map((tag) => `--tag ${quote(tag)}`),
    ];
    throw new UserError(`no scenario of ${suite.name} fits all of ${listed(asked)}`);
  }
  return left;
}

/** An id that has `*` in it is meant when it exists. */
function matcherOf(pattern: string, ids: readonly string[]): (id: string) => boolean {
  if (ids.includes(pattern)) return (id) => id === pattern;
  const wanted = Array.from(pattern);
  return (id) => fits(Array.from(id), wanted);
}

/** `*` stands for any characters, `?` for one. Tries no more than text times pattern, however many stars there are. */
function fits(text: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  /** The last star, and where in the text what follows it is looked for. */
  let star: number | undefined;
  let from = 0;
  while (at < text.length) {
    if (wanted[next] === '*') {
      star = next++;
      from = at;
    } else if (next < wanted.length && (wanted[next] === '?' || wanted[next] === text[at])) {
      next++;
      at++;
    } else if (star !== undefined) {
      next = star + 1;
      at = ++from;
    } else return false;
  }
  return wanted.slice(next).every((character) => character === '*');
}
