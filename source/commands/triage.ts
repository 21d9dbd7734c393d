import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { loadProject, type Project } from '../project/config.js';
import { safeJson } from '../report/json.js';
import { triageFacts, triageLines } from '../report/triage.js';
import type { RunHistory } from '../triage/history.js';
import type { SuiteTriage } from '../triage/triage.js';
import type { CommandIo } from './io.js';
import { loadWithFixtures } from './shared/choose-suite.js';
import { writeLines } from './shared/output.js';
import { openQuarantineDesk, readHistory } from './shared/quarantine-desk.js';
import { openScreens } from './shared/screens.js';
import { isOnScreen } from './shared/terminal.js';

export interface TriageArgs {
  /** Not set: all suites. */
  suite?: string | undefined;
  plain?: boolean;
  json?: boolean;
}

/**
 * `evalrun triage`: what flips with nothing changed, what is quarantined, and what may be done about it; nothing is ever
 * done by itself. On a terminal its screen, and what is left to do when that has closed. Exit code 0, and 2 where a quarantine does not fit its suite or a journal is damaged.
 */
export async function triageCommand(args: TriageArgs, io: CommandIo): Promise<ExitCode> {
  const { suite, json } = args;
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  if (isOnScreen(args, io)) await openOnScreen(await suiteNames(project, suite), io);
  const history = await readHistory(project, io);
  const all = await triageSuites(project, suite, history);
  for (const message of history.damaged) io.stderr.write(`evalrun: ${makeVisible(message)}\n`);
  if (json === true) await writeLines(io.stdout, [safeJson({ suites: all.map(triageFacts) })]);
  else
    for (const [index, one] of all.entries()) {
      if (index > 0) await writeLines(io.stdout, ['']);
      await writeLines(io.stdout, triageLines(one), io.env);
    }
  return history.damaged.length > 0 || all.some(({ problems }) => problems.length > 0) ? 2 : 0;
}

async function openOnScreen(names: readonly string[], io: CommandIo): Promise<void> {
  const [{ openSettings }, { triagedSuite }, { runAgain }] = await Promise.all([
    import('../project/settings.js'),
    import('./shared/triaged-suite.js'),
    import('./shared/in-app.js'),
  ]);
  const last = (await openSettings(io.env)).get('suite');
  // The one that the person works on comes first.
  const ordered = [...names].sort((a, b) => Number(b === last) - Number(a === last));
  const triage = ordered.map((suite) => triagedSuite(suite, io, runAgain));
  await openScreens({ runs: [], triage }, io);
}

/** The suite that is asked for, or all there are. Throws UserError where there is none. */
async function suiteNames(project: Project, asked: string | undefined): Promise<string[]> {
  const { listSuites } = await import('../suite/load.js');
  const names = await listSuites(project);
  if (asked === undefined) {
    if (names.length > 0) return names;
    throw new UserError(`there are no suites in ${quote(project.config.suites)}`);
  }
  if (names.includes(asked)) return [asked];
  throw new UserError(`there is no suite ${quote(asked)}; ${suggest(asked, names, 'suites')}`);
}

async function triageSuites(
  project: Project,
  asked: string | undefined,
  history: RunHistory,
): Promise<SuiteTriage[]> {
  const { listSuites } = await import('../suite/load.js');
  const names = asked === undefined ? await listSuites(project) : [asked];
  const all: SuiteTriage[] = [];
  for (const name of names) {
    const suite = await loadWithFixtures(project, name, undefined);
    all.push(await openQuarantineDesk(project, suite, async () => history).triage());
  }
  return all;
}
