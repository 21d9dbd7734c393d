import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { baselineEvidence } from '../../compare/baseline-evidence.js';
import { parseBaseline } from '../../compare/baseline-file.js';
import type { Judging } from '../../compare/judge-run.js';
import type { Project } from '../../project/config.js';
import { todaysGate } from '../../project/run-gate.js';
import { baselineCopy } from '../../run/run-folder.js';

/**
 * What a run of the past is judged by: the copy of its baseline that stands in `folder`, and for journals that do not
 * say what their gate went by, what holds today. Throws InputError when the copy cannot be read.
 */
export async function readJudging(
  folder: string,
  project: Project,
  env: NodeJS.ProcessEnv,
): Promise<Judging> {
  const gate = todaysGate(project.config, env);
  const text = await readBaselineCopy(folder);
  if (text === undefined) return { gate };
  return { gate, baseline: baselineEvidence(await parseBaseline(text, path.join(folder, baselineCopy))) };
}

/** The text of the baseline that a run was compared with, from its folder; undefined where there is none. */
export async function readBaselineCopy(folder: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(folder, baselineCopy), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
