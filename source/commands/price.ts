import type { ExitCode } from '../base/errors.js';
import { loadProject } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { safeJson } from '../report/json.js';
import { type PricedRun, priceLines, priceRun, totalOf } from '../report/price.js';
import { bundledPrices, createPrices } from '../report/prices.js';
import { findRun } from '../run/runs.js';
import { readTally } from '../tally/replay.js';
import type { CommandIo } from './io.js';
import { writeLines } from './shared/output.js';

export interface PriceArgs {
  /** Ids, beginnings of ids, or `last`. */
  runs: readonly string[];
  json?: boolean;
}

/**
 * `evalrun price`: what runs cost, from their tokens and a dated table of prices. Nothing is fetched; the agent, the
 * simulated user and the judge are kept apart.
 */
export async function priceCommand(args: PriceArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const logs = logsFolder(project, io.env);
  const priceOf = await createPrices(project.config.prices);
  const priced = new Map<string, PricedRun>();
  for (const wanted of args.runs) {
    const { journal, runId } = await findRun(logs, wanted);
    // Named twice, it was paid for once.
    if (!priced.has(runId)) priced.set(runId, priceRun(await readTally(journal), priceOf));
  }
  const runs = [...priced.values()];
  if (args.json === true) {
    await writeLines(io.stdout, [
      safeJson({
        table: { name: '@pydantic/genai-prices', ...bundledPrices },
        currency: 'USD',
        runs: runs.map((run) => ({
          ...run,
          at: new Date(run.at).toISOString(),
          total: totalOf([run]) ?? null,
        })),
        total: totalOf(runs) ?? null,
      }),
    ]);
    return 0;
  }
  await writeLines(io.stdout, priceLines(runs), io.env);
  return 0;
}
