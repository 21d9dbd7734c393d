import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { listed, quote } from '../../base/quote.js';
import { mostTrials } from '../../bisect/session.js';
import {
  type HunkSplit,
  hunkSplits,
  type StrategyName,
  strategyNames,
  type Watched,
} from '../../run/bisect-events.js';
import type { Suite } from '../../suite/types.js';
import type { CommandIo } from '../io.js';
import { readName, readWhole } from './flag-values.js';
import { isOnScreen } from './terminal.js';

/** The flags of a bisect of two prompts, as the line gave them. */
export interface LookArgs {
  suite?: string | undefined;
  good?: string;
  bad?: string;
  scenario?: readonly string[];
  check?: readonly string[];
  split?: string;
  model?: string;
  liveTools?: boolean;
  strategy?: string;
  budget?: string;
  repeat?: string;
  /** `false`: it ends with its finding. */
  cureCheck?: boolean;
  concurrency?: string;
  seed?: string;
  /** A run, or the path of one's folder or journal. */
  resume?: string;
  dryRun?: boolean;
  /** A file; `true`: the next version beside the bad one. */
  write?: string | true;
  report?: readonly string[];
  label?: string;
  note?: string;
  plain?: boolean;
  json?: boolean;
  /** The words of the line, for the journal. */
  line: readonly string[];
}

/** What the flags say before any file is read. */
export interface LookFlags {
  split: HunkSplit;
  strategy: StrategyName;
  budget: number | undefined;
  repeats: number | undefined;
}

/** Reads the flags. Throws UserError for what makes no sense, and for a guided bisect that nobody could guide. */
export function readLookFlags(args: LookArgs, io: CommandIo): LookFlags {
  const { repeat, split } = args;
  return {
    split: readName('--split', split ?? 'hunk', hunkSplits),
    strategy: readStrategy(args, io) ?? (isOnScreen(args, io) ? 'guided' : 'auto'),
    budget: readBudget(args),
    repeats: repeat === undefined ? undefined : readWhole('--repeat', repeat, 1, 100),
  };
}

/** What `--budget` says. */
export function readBudget({ budget }: Pick<LookArgs, 'budget'>): number | undefined {
  return budget === undefined ? undefined : readWhole('--budget', budget, 1, mostTrials);
}

/** What `--strategy` says. Throws UserError for `guided` where there is no screen. */
export function readStrategy(args: LookArgs, io: CommandIo): StrategyName | undefined {
  if (args.strategy === undefined) return undefined;
  if (args.strategy === 'all') throw new UserError('--strategy all compares them, and goes with --simulate');
  const strategy = readName('--strategy', args.strategy, strategyNames);
  if (strategy === 'guided' && args.dryRun !== true) refuseUnguided(args, io);
  return strategy;
}

/** Throws UserError where nobody is there who could step through a guided bisect. */
export function refuseUnguided(args: Pick<LookArgs, 'plain' | 'json'>, io: CommandIo): void {
  if (isOnScreen(args, io)) return;
  const flag = args.json ? '--json' : args.plain ? '--plain' : undefined;
  const how = flag === undefined ? 'start it in a terminal' : `leave ${flag} away, in a terminal`;
  throw new UserError(
    `a guided bisect asks a person at every step, and needs the screen: ${how}, or take --strategy auto`,
  );
}

/**
 * What is watched, as `--scenario` and `--check` name it; undefined where they name nothing. A scenario of which a check
 * is named is watched by that check, another by all of its checks. Throws UserError for what the suite does not have.
 */
export function readWatched(
  suite: Suite,
  { scenario: scenarios = [], check: checks = [] }: Pick<LookArgs, 'scenario' | 'check'>,
): Watched[] | undefined {
  if (scenarios.length === 0 && checks.length === 0) return undefined;
  for (const id of scenarios) findScenario(suite, id);
  const named = checks.flatMap((check) => namedChecks(suite, check, scenarios));
  const whole = scenarios
    .filter((id) => !named.some(({ scenario }) => scenario === id))
    .map((scenario) => ({ scenario }));
  const all: Watched[] = [...named, ...whole];
  const keys = all.map(({ scenario, check }) => JSON.stringify([scenario, check]));
  return all.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function findScenario({ name, scenarios }: Suite, id: string): Suite['scenarios'][number] {
  const found = scenarios.find((one) => one.id === id);
  if (found) return found;
  const ids = scenarios.map((one) => one.id);
  throw new UserError(
    `--scenario: the suite ${quote(name)} has no scenario ${quote(id)}; ${suggest(id, ids, 'scenarios')}`,
  );
}

/** `CHECK` in the scenarios that are named, else in the one that has it, or `SCENARIO/CHECK`. */
function namedChecks(suite: Suite, text: string, among: readonly string[]): Watched[] {
  const apart = suite.scenarios.find(({ id }) => text.startsWith(`${id}/`));
  if (apart) {
    const check = text.slice(apart.id.length + 1).trim();
    const checks = apart.checks.map(({ id }) => id);
    if (checks.includes(check)) return [{ scenario: apart.id, check }];
    throw new UserError(
      `--check: scenario ${quote(apart.id)} has no check ${quote(check)}; ${suggest(check, checks, 'checks')}`,
    );
  }
  const where = suite.scenarios.filter(({ id }) => among.length === 0 || among.includes(id));
  const having = where.filter(({ checks }) => checks.some(({ id }) => id === text));
  if (having.length === 0) {
    const checks = [...new Set(where.flatMap((one) => one.checks.map(({ id }) => id)))];
    const place =
      among.length === 0 ? `the suite ${quote(suite.name)}` : listed(among.map((id) => quote(id)));
    throw new UserError(`--check: ${place} has no check ${quote(text)}; ${suggest(text, checks, 'checks')}`);
  }
  if (among.length === 0 && having.length > 1) {
    const places = having.map(({ id }) => `${id}/${text}`);
    const shown = places.length > 6 ? [...places.slice(0, 5), `${places.length - 5} more`] : places;
    throw new UserError(
      `--check: ${having.length} scenarios have a check ${quote(text)}; say of which, as in ${listed(shown, 'or')}`,
    );
  }
  return having.map(({ id: scenario }) => ({ scenario, check: text }));
}
