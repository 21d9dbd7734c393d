import { type ExitCode, UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import { informationLimit } from '../bisect/limit.js';
import { mostTrials } from '../bisect/session.js';
import {
  type GuiltKind,
  guiltKinds,
  guiltyHunks,
  type Simulated,
  type SimulatedRow,
  simulateBisect,
  sumUp,
} from '../bisect/simulate.js';
import { type SimulatedTable, simulatedFacts, simulatedLines } from '../report/bisect-simulation.js';
import { safeJson } from '../report/json.js';
import { type StrategyName, strategyNames } from '../run/bisect-events.js';
import type { CommandIo } from './io.js';
import { readName, readWhole } from './shared/flag-values.js';
import { writeLines } from './shared/output.js';

/** The flags of `evalrun bisect --simulate`, as the line gave them. */
export interface SimulateArgs {
  rates?: string;
  hunks?: string;
  guilty?: string;
  strategy?: string;
  runs?: string;
  budget?: string;
  seed?: string;
  json?: boolean;
}

/** How often a long simulation says how far it is, in milliseconds. */
const progressEvery = 3000;

/**
 * `evalrun bisect --simulate`: how often strategies find the guilty hunks of drawn prompts, and with how many trials. Runs
 * no agent. Throws UserError for mistakes in flags.
 */
export async function simulateCommand(args: SimulateArgs, io: CommandIo): Promise<ExitCode> {
  const simulation = readSimulation(args);
  const { strategies, runs, ...of } = simulation;
  const rows: SimulatedRow[] = [];
  let lastWord = Date.now();
  for (const strategy of strategies) {
    const bisects: Pick<Simulated, 'ending' | 'trials'>[] = [];
    for (let run = 0; run < runs; run++) {
      if (Date.now() - lastWord >= progressEvery) {
        lastWord = Date.now();
        await writeLines(io.stderr, [`evalrun: ${strategy}: ${run} of ${runs} bisects simulated`], io.env);
        // A person who presses Ctrl+C is heard in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { ending, trials } = simulateBisect({ ...of, strategy, seed: `${of.seed} ${run}` });
      bisects.push({ ending, trials });
    }
    rows.push(sumUp(strategy, bisects));
  }
  const { hunks, guilty, rates } = of;
  const limit = guilty === 'single' ? informationLimit(hunks, rates.good, rates.bad) : undefined;
  const table: SimulatedTable = {
    ...of,
    rows,
    ...(limit !== undefined && Number.isFinite(limit) && { limit }),
  };
  if (args.json === true) await writeLines(io.stdout, [safeJson(simulatedFacts(table))]);
  else await writeLines(io.stdout, simulatedLines(table), io.env);
  return 0;
}

interface SimulationFlags {
  strategies: readonly StrategyName[];
  runs: number;
  hunks: number;
  guilty: GuiltKind;
  rates: { good: number; bad: number };
  seed: string;
  budget?: number;
}

function readSimulation(args: SimulateArgs): SimulationFlags {
  const hunks = readWhole('--hunks', args.hunks ?? '16', 1, 64);
  const guilty = readName('--guilty', args.guilty ?? 'single', guiltKinds);
  const least = guiltyHunks(guilty);
  if (hunks < least)
    throw new UserError(`--guilty ${guilty} takes at least ${least} hunks, found --hunks ${hunks}`);
  const strategy = readName('--strategy', args.strategy ?? 'all', ['all', ...strategyNames] as const);
  return {
    hunks,
    guilty,
    strategies: strategy === 'all' ? strategyNames : [strategy],
    rates: readRates(args.rates ?? '.95,.3'),
    runs: readWhole('--runs', args.runs ?? '100', 1, 100_000),
    seed: args.seed ?? '1',
    ...(args.budget !== undefined && { budget: readWhole('--budget', args.budget, 1, mostTrials) }),
  };
}

function readRates(text: string): { good: number; bad: number } {
  const parts = text.split(',').map((part) => part.trim());
  const [good, bad] = parts.map((part) => (/^(\d+\.?\d*|\.\d+)$/.test(part) ? Number(part) : Number.NaN));
  if (parts.length === 2 && good !== undefined && bad !== undefined && good <= 1 && good >= bad)
    return { good, bad };
  throw new UserError(
    `--rates: expected two pass rates from 1 to 0, without the guilty hunks and with them, as in .95,.3; found ${quote(text)}`,
  );
}
