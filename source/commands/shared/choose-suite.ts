import { checkCatalogue } from '../../grade/registry.js';
import type { Project } from '../../project/config.js';
import { filterScenarios, type ScenarioFilter } from '../../suite/filter.js';
import { loadSuite } from '../../suite/load.js';
import type { Suite } from '../../suite/types.js';

/**
 * Loads a suite and leaves the scenarios that are asked for. `fixtures` is a folder, absolute, whose fixtures stand in
 * the place of those of scenarios.
 */
export async function loadChosenSuite(
  project: Project,
  name: string,
  filter: ScenarioFilter,
  fixtures?: string,
): Promise<Suite> {
  const suite = await loadWithFixtures(project, name, fixtures);
  return { ...suite, scenarios: filterScenarios(suite, filter) };
}

/** A whole suite, with the fixtures of the folder, if one is given, in the place of its own. */
export async function loadWithFixtures(
  project: Project,
  name: string,
  fixtures: string | undefined,
): Promise<Suite> {
  const suite = await loadSuite(project, name, checkCatalogue);
  if (fixtures === undefined) return suite;
  const { applyFixtures } = await import('../../suite/fixture-overrides.js');
  return applyFixtures(suite, fixtures, project.root);
}
