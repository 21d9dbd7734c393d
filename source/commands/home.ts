import type { ExitCode } from '../base/errors.js';
import { loadProject, type Project } from '../project/config.js';
import { openSettings } from '../project/settings.js';
import { type HomeFacts, usualLine } from '../report/home.js';
import { listSuites } from '../suite/find.js';
import type { CommandIo } from './io.js';
import { openHomeDesk } from './shared/home/desk.js';
import { createHomeRuns } from './shared/home/runs.js';
import type { RunArgs } from './shared/run-args.js';
import { loadScreens } from './shared/screens.js';
import { triagedSuite } from './shared/triaged-suite.js';

/**
 * `evalrun` alone, on a terminal: home, from which runs are made, gone on with and opened. When it has closed, what stays of
 * the runs that were made stands in the scrollback. Gives the exit code of those; `printHelp` is called instead where this
 * is no project.
 */
export async function homeCommand(printHelp: () => void, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  if (project.configFile === undefined && (await listSuites(project)).length === 0) {
    printHelp();
    return 0;
  }
  const settings = await openSettings(io.env);
  const runs = createHomeRuns(project, io, () => desk.refresh());
  const desk = openHomeDesk(project, io, {
    lastSuite: settings.get('suite'),
    triage: (suite) => triagedSuite(suite, io, runs.runAgain),
    start: (suite) => runs.start(() => usualRun(project, suite, desk.facts(), io)),
    resume: ({ kind, runId }) =>
      kind === 'bisect' ? runs.resumeBisect(runId) : runs.start(() => resumedRun(project, runId, io)),
  });
  const open = await loadScreens(io);
  try {
    const app = open({ runs: [], home: desk });
    desk.refresh();
    await app;
  } finally {
    desk.close();
  }
  return runs.tell();
}

/** What is run by `evalrun run SUITE`, of the candidate where the config names one. */
async function usualRun(project: Project, suite: string, facts: HomeFacts | undefined, io: CommandIo) {
  const [{ planRuns }, { toMake }, { rememberSuite }] = await Promise.all([
    import('./shared/plan-runs.js'),
    import('./shared/planned-run.js'),
    import('./shared/in-app.js'),
  ]);
  const isCandidate = facts?.suites.find((one) => one.suite === suite)?.usual?.isCandidate === true;
  const line = usualLine(suite, { isCandidate });
  const args: RunArgs = { suites: [suite], line, ...(isCandidate && { candidate: true as const }) };
  const [planned] = await planRuns(args, [suite], project, io);
  if (!planned) throw new Error(`nothing was planned for ${suite}`);
  await rememberSuite([suite], io);
  return toMake(args, planned, project, io);
}

async function resumedRun(project: Project, runId: string, io: CommandIo) {
  const { findRunToResume, planResume } = await import('./run-resume.js');
  const args: RunArgs = { suites: [], line: ['run', '--resume', runId] };
  return planResume(args, await findRunToResume(args, runId, project, io), project, io);
}
