import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { quote } from '../../base/quote.js';
import type { ChatModel } from '../types.js';
import { readLatencyFactor } from './latency.js';
import { loadBehaviours } from './load.js';
import { createSimulatedModel } from './model.js';

/** What opening a simulated model needs. */
export interface SimulatedModelOptions {
  /** Folder of `<name>.yaml` files, absolute. */
  simulatedFolder: string;
  clock: Clock;
  env: Record<string, string | undefined>;
}

const ending = '.yaml';

/**
 * Names of the simulated models of a folder, sorted; none when there is no such folder. Throws UserError where something
 * else stands in its place, or it cannot be read.
 */
export async function listSimulatedModels(folder: string): Promise<string[]> {
  const files: string[] = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UserError(
      `the simulated models in ${folder} cannot be read (${error.code ?? String(error)}); is it a folder?`,
    );
  });
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/**
 * Opens the simulated model that `<simulatedFolder>/<name>.yaml` describes. Throws UserError when there is none,
 * naming those that there are, and InputError with all mistakes of its file.
 */
export async function openSimulatedModel(
  name: string,
  { simulatedFolder, clock, env }: SimulatedModelOptions,
): Promise<ChatModel> {
  const latencyFactor = readLatencyFactor(env);
  const names = await listSimulatedModels(simulatedFolder);
  // Looked up in the list, not on the disk: a name is no path that could lead out of the folder.
  if (!names.includes(name)) {
    const hint = suggest(name, names, 'simulated models');
    throw new UserError(
      `there is no simulated model ${quote(name)}: no file ${quote(`${name}${ending}`)} in ${simulatedFolder}; ${hint}`,
    );
  }
  const file = join(basename(simulatedFolder), `${name}${ending}`);
  const behaviours = await loadBehaviours(join(simulatedFolder, `${name}${ending}`), { name, file });
  return createSimulatedModel(behaviours, { clock, latencyFactor });
}
