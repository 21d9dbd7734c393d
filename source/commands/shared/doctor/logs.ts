import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../base/errors.js';
import { shellQuote } from '../../../compare/baseline-save.js';
import { isLeftBehind } from '../../../run/lock.js';
import { findRuns, type RunPlace } from '../../../run/runs.js';
import { type Finding, fail, ok, warn } from './finding.js';
import { diskFinding } from './machine.js';

/** As many locks as are told of one by one. */
const few = 3;

/** Whether runs can be kept: folder, permissions, space, and locks that killed runs left. `logs` is absolute. */
export async function logsFindings(logs: string, platform: NodeJS.Platform): Promise<Finding[]> {
  const standing = await nearestFolder(logs);
  if (standing === undefined)
    return [fail('logs', `${logs} is no folder, nor can it be made`, 'name another with EVALRUN_LOGS')];
  const refusal = await tryToWrite(standing);
  if (refusal !== undefined)
    return [
      fail(
        'logs',
        `runs cannot be kept in ${logs}: ${standing} cannot be written (${refusal})`,
        'name another folder with EVALRUN_LOGS, or give yourself the right to write there',
      ),
    ];
  const { bavail, bsize } = await statfs(standing);
  return [
    await permissionFinding(logs, standing, platform),
    diskFinding(bavail * bsize, logs),
    ...(await lockFindings(logs)),
  ];
}

/** The folder itself, or the nearest above it that is there; undefined where a file stands in the way. */
async function nearestFolder(folder: string): Promise<string | undefined> {
  for (let current = folder; ; current = path.dirname(current)) {
    const facts = await stat(current).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof facts === 'object') return facts.isDirectory() ? current : undefined;
    if (facts === 'ENOTDIR') return undefined;
    if (path.dirname(current) === current) return undefined;
  }
}

/** The code of what refused it; undefined where a folder can be made in it. Leaves nothing behind. */
async function tryToWrite(folder: string): Promise<string | undefined> {
  try {
    await rm(await mkdtemp(path.join(folder, '.evalrun-doctor-')), { recursive: true });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

async function permissionFinding(
  logs: string,
  standing: string,
  platform: NodeJS.Platform,
): Promise<Finding> {
  if (standing !== logs) return ok('logs', `${logs} is made, for you alone, with the first run`);
  if (platform === 'win32') return ok('logs', `${logs} can be written`);
  const mode = (await stat(logs)).mode & 0o777;
  const shown = mode.toString(8).padStart(4, '0');
  return (mode & 0o077) === 0
    ? ok('logs', `${logs} can be written, and by you alone (${shown})`)
    : warn(
        'logs',
        `others can look into ${logs} (${shown}), where conversations stand`,
        `chmod 700 ${shellQuote(logs)}`,
      );
}

async function lockFindings(logs: string): Promise<Finding[]> {
  let places: RunPlace[];
  try {
    places = await findRuns(logs);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [
      fail('logs', error.message, 'take it out of the folder of runs, or give yourself the right to read it'),
    ];
  }
  const left = [];
  for (const place of places) if (await isLeftBehind(place.journal).catch(() => false)) left.push(place);
  if (left.length === 0) return [ok('lock', 'no run was killed in the middle')];
  const told = left
    .slice(0, few)
    .map(({ runId, suite }) =>
      warn(
        'lock',
        `run ${runId} of ${suite} was killed in the middle`,
        `evalrun run --resume ${runId} finishes it`,
      ),
    );
  const more = left.length - told.length;
  return more > 0
    ? [...told, warn('lock', `${more} more runs were killed in the middle`, 'evalrun runs lists them')]
    : told;
}
