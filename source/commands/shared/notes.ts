import { withoutCommands } from '../../base/ci-commands.js';
import { formatProblem } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import { makeVisible } from '../../base/text.js';
import type { Project } from '../../project/config.js';
import { shortestKey } from '../../project/known-secrets.js';
import { findStrayVariables } from '../../project/variables.js';
import type { Place, Scenario, Suite } from '../../suite/types.js';
import type { CommandIo } from '../io.js';

/** What was noticed on the way to a run and stops nothing, on standard error: results go to the other one. */
export function tellNotes(notes: readonly string[], { stderr }: Pick<CommandIo, 'stderr'>): void {
  for (const note of notes) stderr.write(`${withoutCommands(makeVisible(note))}\n`);
}

/** What a dry run leaves undone of what its line asks for: `given` are the flags that want something written. */
export function rehearsalNotes(given: Readonly<Record<string, boolean>>): string[] {
  const flags = Object.keys(given).filter((flag) => given[flag] === true);
  if (flags.length === 0) return [];
  return [
    `note: with --dry-run nothing is written: ${listed(flags, 'and')} ${flags.length === 1 ? 'is' : 'are'} left out`,
  ];
}

/** Variables that were probably meant for evalrun and set nothing, a line each. */
export function variableNotes(env: NodeJS.ProcessEnv): string[] {
  return findStrayVariables(env).map((sentence) => `warning: ${sentence}`);
}

/** What is odd about the machine that a run is made on: variables that set nothing, and keys that are too short. */
export function machineNotes(project: Project, env: NodeJS.ProcessEnv): string[] {
  return [...variableNotes(env), ...keyNotes(project, env)];
}

/** Keys of providers that are too short to be known again in what comes back, a line each. */
export function keyNotes({ config }: Project, env: NodeJS.ProcessEnv): string[] {
  const names = Object.values(config.providers).flatMap(({ keyEnv }) => keyEnv ?? []);
  return [...new Set(names)]
    .filter((name) => {
      const { length } = (env[name] ?? '').trim();
      return length > 0 && length < shortestKey;
    })
    .map(
      (name) =>
        `warning: the key in ${name} has fewer than ${shortestKey} characters, too few to be kept out of replies and reports`,
    );
}

/** What is no mistake in a suite and perhaps not meant, a line each. Holds text from files: make it visible. */
export function suiteNotes(suite: Suite): string[] {
  return [
    ...(suite.notes ?? []).map((note) => `note: ${formatProblem(note)}`),
    ...noteScenarios(suite, hasNoChecks, 'no checks', 'nothing can fail there'),
    ...noteScenarios(
      suite,
      (scenario) => !hasNoChecks(scenario) && scenario.checks.every(({ place }) => isShared(place, suite)),
      'no checks of their own',
      `only those of ${suite.place.file} can fail there`,
    ),
  ];
}

function hasNoChecks({ checks }: Scenario): boolean {
  return checks.length === 0;
}

/** Whether a check stands in suite.yaml, for every scenario. */
function isShared(place: Place, suite: Suite): boolean {
  return place.file === suite.place.file;
}

function noteScenarios(
  suite: Suite,
  isMeant: (scenario: Scenario) => boolean,
  what: string,
  so: string,
): string[] {
  const ids = suite.scenarios.filter(isMeant).map(({ id }) => quote(id));
  if (ids.length === 0) return [];
  const shown = ids.length > 5 ? [...ids.slice(0, 5), `${ids.length - 5} more`] : ids;
  const have = ids.length === 1 ? 'scenario has' : 'scenarios have';
  const which = ids.length === 1 ? what.replace('their', 'its') : what;
  return [`note: ${ids.length} ${have} ${which} in ${suite.name}, so ${so}: ${listed(shown)}`];
}
