import path from 'node:path';
import type { Project } from '../../project/config.js';
import { logsFolder, suiteLogs } from '../../project/paths.js';
import { listRuns, type RunEntry } from '../../run/runs.js';

/** The runs of one suite, newest first: of the others no summary is read. */
export function listSuiteRuns(project: Project, env: NodeJS.ProcessEnv, suite: string): Promise<RunEntry[]> {
  const folder = suiteLogs(logsFolder(project, env), suite);
  return listRuns(path.dirname(folder), new Map(), { suite: path.basename(folder) });
}
