import { textWidth } from '../base/width.js';
import { addUsage, noUsage, type Usage } from '../model/types.js';
import type { RunTally } from '../tally/types.js';
import { usageText } from './closing.js';
import { countOf, formatTime, inline } from './format.js';
import { bundledPrices, isNothing, type Price, type PriceOf } from './prices.js';

/** What one part of a run used on one model, and what that cost. */
export interface PricedLedger {
  who: 'agent' | 'user' | 'judge';
  /** `provider:model`, or what the run calls a product. */
  model: string;
  usage: Usage;
  price: Price;
  /** Why it used more than its tokens say; empty where it did not. */
  atLeast: string[];
}

export interface PricedRun {
  runId: string;
  suite: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** The agent's by model, then the simulated user's, then the judge's; those that used nothing left out. */
  ledgers: PricedLedger[];
  /** The run whose conversations it graded again: their tokens are of that run, and are not priced here. */
  regradeOf?: string;
}

/** What a run cost, ledger by ledger. */
export function priceRun(tally: RunTally, priceOf: PriceOf): PricedRun {
  const { started } = tally;
  const unseen = unseenTokens(tally);
  const ledgers: PricedLedger[] = [];
  const add = (who: PricedLedger['who'], model: string, usage: Usage, atLeast: string[]) => {
    if (isNothing(usage) && atLeast.length === 0) return;
    ledgers.push({ who, model, usage, price: priceOf(model, usage, started.at), atLeast });
  };
  if (!started.regradeOf) {
    for (const [model, { usage, isPartial }] of agentTokens(tally)) {
      const partly = isPartial ? ['some replies came without their tokens'] : [];
      add('agent', model, usage, [...partly, ...unseen]);
    }
    const { user } = tally.tokens;
    if (user) add('user', started.user?.model ?? 'unknown', user, unseen);
  }
  if (!isNothing(tally.tokens.judge))
    add('judge', started.judge?.model ?? 'unknown', tally.tokens.judge, unseen);
  return {
    runId: started.runId,
    suite: started.suite,
    at: started.at,
    ledgers,
    ...(started.regradeOf && { regradeOf: started.regradeOf.runId }),
  };
}

function agentTokens(tally: RunTally): Map<string, { usage: Usage; isPartial: boolean }> {
  const byModel = new Map<string, { usage: Usage; isPartial: boolean }>();
  for (const { id, model } of tally.conditions) {
    const sum = byModel.get(model) ?? { usage: noUsage, isPartial: false };
    for (const row of tally.rows) {
      for (const { tokens } of row.groups.find(({ condition }) => condition === id)?.cells ?? []) {
        if (!tokens) continue;
        sum.usage = addUsage(sum.usage, tokens.agent);
        sum.isPartial ||= tokens.isAgentPartial ?? false;
      }
    }
    byModel.set(model, sum);
  }
  return byModel;
}

/** Reasons why tokens were used that are in no ledger. */
function unseenTokens(tally: RunTally): string[] {
  const { taints, trials, state, rows } = tally;
  const isRepeated = rows.some(({ groups }) =>
    groups.some(({ cells }) => cells.some(({ attempt }) => attempt > 1)),
  );
  return [
    ...(taints.length > 0 ? ['the run is tainted'] : []),
    ...(trials.errors > 0 ? [`${countOf(trials.errors, 'trial')} could not be run`] : []),
    ...(isRepeated ? ['trials were tried again'] : []),
    ...(state === 'completed' ? [] : ['the run is not complete']),
  ];
}

/** A sum of dollars, and whether more was spent than is in it. */
export interface Total {
  dollars: number;
  isAtLeast: boolean;
  /** Dates of the prices in it, sorted. */
  asOf: string[];
}

/** All that could be priced, together; undefined where nothing could. */
export function totalOf(runs: readonly PricedRun[]): Total | undefined {
  const ledgers = runs.flatMap((run) => run.ledgers);
  const dates = new Set<string>();
  let dollars = 0;
  let isAtLeast = false;
  for (const { price, atLeast } of ledgers) {
    if (price.kind === 'unknown') isAtLeast = true;
    if (price.kind !== 'priced') continue;
    dollars += price.dollars;
    dates.add(price.asOf);
    isAtLeast ||= atLeast.length > 0 || price.isLowestTier === true;
  }
  return dates.size === 0 ? undefined : { dollars, isAtLeast, asOf: [...dates].sort() };
}

/** What runs cost, in lines for a person: a line a ledger and a total, each with the date of its prices. */
export function* priceLines(runs: readonly PricedRun[]): Generator<string> {
  for (const [index, run] of runs.entries()) {
    if (index > 0) yield '';
    yield inline(`run ${run.runId}   ${run.suite}   ${formatTime(run.at)}`);
    if (run.regradeOf !== undefined) {
      yield `  grades conversations again: those are priced with run ${inline(run.regradeOf)}`;
    }
    if (run.ledgers.length === 0) yield '  no tokens were reported';
    const widest = Math.min(40, Math.max(0, ...run.ledgers.map(({ model }) => textWidth(inline(model)))));
    for (const ledger of run.ledgers) yield* ledgerLines(ledger, widest);
    const total = totalOf([run]);
    if (total && run.ledgers.length > 1) yield `  total  ${totalText(total)}`;
  }
  const total = totalOf(runs);
  if (total && runs.length > 1) {
    yield '';
    yield `all ${countOf(runs.length, 'run')}  ${totalText(total)}`;
  }
  yield* unknownLines(runs);
}

function* ledgerLines(
  { who, model, usage, price, atLeast }: PricedLedger,
  widest: number,
): Generator<string> {
  const name = inline(model);
  const padded = name + ' '.repeat(Math.max(0, widest - textWidth(name)));
  yield `  ${who.padEnd(5)}  ${padded}  ${priceText(price, atLeast.length > 0)}`;
  yield `         ${usageText(usage)}`;
  if (atLeast.length > 0) yield `         more was used than is counted: ${atLeast.join(', ')}`;
  if (price.kind === 'priced' && price.isLowestTier) {
    yield '         at the price of short requests: long ones cost more, and their lengths are not kept';
  }
}

function priceText(price: Price, isAtLeast: boolean): string {
  switch (price.kind) {
    case 'simulated':
      return 'simulated: not priced';
    case 'unknown':
      return 'no price known';
    case 'priced': {
      const table = price.source === 'config' ? '.evalrc.json' : `genai-prices ${bundledPrices.version}`;
      const least = isAtLeast || price.isLowestTier ? 'at least ' : '';
      return `${least}${formatDollars(price.dollars)}   prices of ${inline(price.asOf)} (${table})`;
    }
  }
}

function totalText({ dollars, isAtLeast, asOf }: Total): string {
  return `${isAtLeast ? 'at least ' : ''}${formatDollars(dollars)}   prices of ${inline(asOf.join(' and '))}`;
}

/** Which models have no price, and where one is said. */
function* unknownLines(runs: readonly PricedRun[]): Generator<string> {
  const unknown = runs.flatMap(({ ledgers }) => ledgers.filter(({ price }) => price.kind === 'unknown'));
  const names = [...new Set(unknown.map(({ model }) => model))];
  if (names.length === 0) return;
  yield '';
  for (const name of names) {
    yield inline(
      `no price of ${name}: say it in .evalrc.json, "prices": {${JSON.stringify(name)}: {"input": 1, "output": 5, "asOf": "2026-11-30"}}, in dollars a million tokens`,
    );
  }
}

/** `$1.23`, `$0.0042`: two decimals, and of less than a dime two digits that say something. */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return '$0.00';
  if (dollars >= 0.1) return `$${dollars.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
  const decimals = Math.min(8, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(decimals)}`;
}
