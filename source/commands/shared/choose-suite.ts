import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import type { Project } from '../../project/config.js';
import { openSettings } from '../../project/settings.js';
import type { QuarantineEntry } from '../../run/planned.js';
import { filterScenarios, type ScenarioFilter } from '../../suite/filter.js';
import { listSuites, loadSuite } from '../../suite/load.js';
import type { Suite } from '../../suite/types.js';
import type { CommandIo } from '../io.js';
import { tellNotes } from './notes.js';
import { isInteractive } from './terminal.js';

/** A suite to be run, with what is quarantined of all of it. */
export interface ChosenSuite extends Suite {
  quarantine: QuarantineEntry[];
}

/**
 * Loads a suite and leaves the scenarios that are asked for. `fixtures` is a folder, absolute, whose fixtures stand in
 * the place of those of scenarios.
 */
export async function loadChosenSuite(
  project: Project,
  name: string,
  filter: ScenarioFilter,
  fixtures?: string,
): Promise<ChosenSuite> {
  const [suite, { loadQuarantine }] = await Promise.all([
    loadWithFixtures(project, name, fixtures),
    import('../../triage/quarantine-suite.js'),
  ]);
  const quarantine = await loadQuarantine(project, suite, systemClock.now());
  return { ...suite, scenarios: filterScenarios(suite, filter), quarantine };
}

/** A whole suite, with the fixtures of the folder, if one is given, in the place of its own. */
export async function loadWithFixtures(
  project: Project,
  name: string,
  fixtures: string | undefined,
): Promise<Suite> {
  const { checkCatalogue } = await import('../../grade/registry.js');
  const suite = await loadSuite(project, name, checkCatalogue);
  if (fixtures === undefined) return suite;
  const { applyFixtures } = await import('../../suite/fixture-overrides.js');
  return applyFixtures(suite, fixtures, project.root);
}

/**
 * The suites that are asked for, each once. When none is, the only one there is; of several, for a person at a terminal, the
 * one of their settings, which is told. Throws UserError where that is none. `how`: what to do then.
 */
export async function chooseSuites(
  asked: readonly string[],
  project: Project,
  io: CommandIo,
  how = 'name the suite to run',
): Promise<string[]> {
  if (asked.length > 0) return [...new Set(asked)];
  const all = await listSuites(project);
  if (all.length === 1) return all;
  if (all.length === 0) {
    const where = quote(project.config.suites);
    throw new UserError(`there are no suites in ${where}; a suite is a folder in it with a suite.yaml`);
  }
  // What a script or CI does hangs on no person's settings.
  const usual = isInteractive(io) ? (await openSettings(io.env)).get('suite') : undefined;
  if (usual !== undefined && all.includes(usual)) {
    tellNotes(
      [`note: no suite is named, so ${quote(usual)} is meant: that of your settings (evalrun config)`],
      io,
    );
    return [usual];
  }
  throw new UserError(`${how}: ${listed(all, 'or')}`);
}
