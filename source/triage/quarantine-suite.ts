import { dayOf, daysAfter } from '../base/day.js';
import { InputError, type Problem } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { positionAt, problemAt } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import { quote } from '../base/quote.js';
import type { Project } from '../project/config.js';
import { type QuarantineSettings, quarantineSettings } from '../project/quarantine-settings.js';
import type { QuarantineEntry } from '../run/planned.js';
import type { Suite } from '../suite/types.js';
import { allChecks, type QuarantineFile, readQuarantine } from './quarantine-file.js';
import { quarantineShare } from './suggest.js';

/** What a quarantine is held against: all scenarios of its suite with their checks. */
export type QuarantinedSuite = Pick<Suite, 'name' | 'folder'> & {
  scenarios: readonly { id: string; checks: readonly { id: string }[] }[];
};

/**
 * The quarantine of a whole suite, for a run. Throws InputError for a file that cannot be read, names what the suite does
 * not have, runs longer than it may, or quarantines more scenarios than may be: nothing is run on such a one.
 */
export async function loadQuarantine(
  project: Project,
  suite: QuarantinedSuite,
  now: number,
): Promise<QuarantineEntry[]> {
  const file = await readQuarantine(project, suite);
  const settings = quarantineSettings(project.config.quarantine);
  const problems = quarantineMistakes(file, suite, settings, now);
  if (problems.length > 0) throw new InputError(problems);
  return file.entries;
}

/** What of a quarantine does not fit its suite and the settings, in the order of the file. */
export function quarantineMistakes(
  { file, entries, node }: QuarantineFile,
  suite: QuarantinedSuite,
  settings: QuarantineSettings,
  now: number,
): Problem[] {
  if (!node) return [];
  const found: Problem[] = [];
  const share = quarantineShare(
    entries,
    suite.scenarios.map(({ id }) => id),
    settings,
  );
  for (const [index, entry] of entries.entries()) {
    const add = (key: string, message: string) =>
      found.push(problemAt(file, positionAt(node, [index, key]), message));
    const unknown = unknownPart(entry, suite);
    if (unknown) add(unknown.key, unknown.message);
    const tooLate = whyTooLate(entry.until, settings, now);
    if (tooLate !== undefined) add('until', tooLate);
  }
  if (share.isOver) {
    const scenarios = [...new Set(entries.map(({ scenario }) => scenario))];
    const index = entries.findIndex(({ scenario }) => scenario === scenarios[share.most]);
    found.push(problemAt(file, positionAt(node, [index, 'scenario']), shareText(share)));
  }
  return inReadingOrder(found);
}

/** Why a quarantine may not last until a day; undefined where it may. */
export function whyTooLate(
  until: string,
  { maxDays }: Pick<QuarantineSettings, 'maxDays'>,
  now: number,
): string | undefined {
  const last = daysAfter(dayOf(now), maxDays);
  return until > last
    ? `a quarantine ends at most ${maxDays} days ahead, on ${last}; it can be extended then`
    : undefined;
}

/** What an entry names that its suite does not have. */
export function unknownPart(
  { scenario, check }: Pick<QuarantineEntry, 'scenario' | 'check'>,
  { name, scenarios }: QuarantinedSuite,
): { key: 'scenario' | 'check'; message: string } | undefined {
  const found = scenarios.find(({ id }) => id === scenario);
  if (!found) {
    const ids = scenarios.map(({ id }) => id);
    const message = `${quote(name)} has no scenario ${quote(scenario)}; ${suggest(scenario, ids, 'scenarios')}`;
    return { key: 'scenario', message };
  }
  if (check === undefined || found.checks.some(({ id }) => id === check)) return undefined;
  const ids = [...found.checks.map(({ id }) => id), allChecks];
  const message = `${quote(scenario)} has no check ${quote(check)}; ${suggest(check, ids, 'checks')}`;
  return { key: 'check', message };
}

/** Why no more scenarios may be quarantined. */
export function shareText({ scenarios, of, most }: ReturnType<typeof quarantineShare>): string {
  const count = scenarios === 1 ? '1 scenario' : `${scenarios} scenarios`;
  return `${count} of ${of} would be quarantined, and at most ${most} may be: a gate that looks away from more says nothing; mend or release one, or raise quarantine.maxShare in .evalrc.json`;
}
