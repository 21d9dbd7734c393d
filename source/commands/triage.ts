import { type ExitCode, UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { loadProject, type Project } from '../project/config.js';
import { safeJson } from '../report/json.js';
import { triageFacts, triageLines } from '../report/triage.js';
import { findSuite, listSuites } from '../suite/find.js';
import type { CommandIo } from './io.js';
import { loadWithFixtures } from './shared/choose-suite.js';
import { writeLines } from './shared/output.js';
import { readTriage } from './shared/quarantine-desk.js';
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
 * done by itself. On a terminal its screen, and what is left to do when that has closed. Exit code 0, and 2 where a
 * quarantine does not fit its suite or a journal of it is damaged.
 */
export async function triageCommand(args: TriageArgs, io: CommandIo): Promise<ExitCode> {
  const { suite, json } = args;
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const names = suite === undefined ? await listSuites(project) : [(await findSuite(project, suite)).name];
  if (isOnScreen(args, io)) await openOnScreen(names, project, io);
  const all = [];
  for (const name of names)
    all.push(await readTriage(project, await loadWithFixtures(project, name, undefined), io));
  const damaged = all.flatMap((one) => one.damaged);
  for (const message of damaged) io.stderr.write(`evalrun: ${makeVisible(message)}\n`);
  if (json === true) await writeLines(io.stdout, [safeJson({ suites: all.map(triageFacts) })]);
  else
    for (const [index, one] of all.entries()) {
      if (index > 0) await writeLines(io.stdout, ['']);
      await writeLines(io.stdout, triageLines(one), io.env);
    }
  return damaged.length > 0 || all.some(({ problems }) => problems.length > 0) ? 2 : 0;
}

async function openOnScreen(names: readonly string[], project: Project, io: CommandIo): Promise<void> {
  if (names.length === 0) throw new UserError(`there are no suites in ${quote(project.config.suites)}`);
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
