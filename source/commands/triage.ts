import type { ExitCode } from '../base/errors.js';
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

export interface TriageArgs {
  /** Not set: all suites. */
  suite?: string | undefined;
  json?: boolean;
}

/**
 * `evalrun triage`: what flips with nothing changed, what is quarantined, and what may be done about it; nothing is ever
 * done by itself. Exit code 0, and 2 where a quarantine does not fit its suite or a journal is damaged.
 */
export async function triageCommand({ suite, json }: TriageArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
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
