import type { PassRate } from '../base/statistics.js';
import type { SimulatedRow } from '../bisect/simulate.js';
import type { HunkSplit, StrategyName, Watched } from '../run/bisect-events.js';
import type { Ledgers } from '../run/events.js';
import { smallDropText, watchedText } from './bisect-words.js';
import { countOf, formatDuration, formatShare, formatTokens, inline } from './format.js';

/** How often one end passes, as far as is known before anything is tried. */
export interface ExpectedRate {
  name: string;
  /** Probability that a trial passes. */
  rate: number;
  /** What it comes from; not set: nothing is known, and it is what bisects usually meet. */
  known?: PassRate & { from: string };
}

/** What conversations took before, a mean of each. */
export interface ConversationFigures {
  /** The run that they are of. */
  runId: string;
  /** One conversation of each watched scenario. */
  watched: { tokens: Ledgers; ms: number };
  /** One of each other scenario of the suite. */
  rest: { tokens: Ledgers; ms: number; of: number };
}

/** What a bisect is expected to take. */
export interface BisectPlan {
  suite: string;
  hunks: number;
  split: HunkSplit;
  strategy: StrategyName;
  budget: number;
  /** Trials of a step, and of the cure check. */
  repeats: number;
  watched: readonly Watched[];
  /** The run whose regressions these are. */
  of?: string;
  good: ExpectedRate;
  bad: ExpectedRate;
  /** Bisects with one guilty hunk that were played at these rates; none where there are too many hunks for that. */
  played: SimulatedRow;
  /** Scenarios of the suite that are not watched and are run on the narrowed prompt; undefined: no cure check. */
  restOfSuite: number | undefined;
  /** How often trials are waited for, over how many there are: less than 1 where some run at once. */
  roundsATrial: number;
  /** Conversations in flight at once. */
  concurrency: number;
  /** Not set: no run tells. */
  figures?: ConversationFigures;
}

/** What a number of trials comes to. */
export interface BisectCost {
  trials: number;
  conversations: number;
  /** Tokens in and out; undefined where no run tells. `isAgentPartial`: the agent takes more than that, see `Ledgers`. */
  tokens?: { agent: number; judge: number; user: number; isAgentPartial?: true };
  /** Wall time, where no provider slows it down. */
  ms?: number;
}

/** What is waited for while it is worked out, which for hundreds of hunks takes seconds. */
export const planning = 'working out what it will cost';

/** The share of right answers that is expected of a budget that suffices. */
const enough = 0.9;
/** Of fewer bisects that were played no share is told. */
const tooFew = 8;

/**
 * What is to be expected on average, and in nine of ten bisects at most: the search, then the cure check. Where none was
 * played, both are what all of the budget would cost.
 */
export function costOfBisect(plan: BisectPlan): { mean: BisectCost; nineInTen: BisectCost } {
  const { runs, meanTrials, trialsOfNineInTen } = plan.played;
  // Of what nobody played the budget is all that is known.
  if (runs === 0) return { mean: costOf(plan, plan.budget), nineInTen: costOf(plan, plan.budget) };
  return { mean: costOf(plan, Math.round(meanTrials)), nineInTen: costOf(plan, trialsOfNineInTen) };
}

function costOf(plan: BisectPlan, search: number): BisectCost {
  const { restOfSuite, repeats, watched, figures, roundsATrial, concurrency } = plan;
  const isCured = restOfSuite !== undefined;
  const trials = search + (isCured ? repeats : 0);
  const scenarios = new Set(watched.map(({ scenario }) => scenario)).size;
  const conversations = trials * scenarios + (restOfSuite ?? 0);
  if (!figures) return { trials, conversations };
  const share = isCured ? 1 : 0;
  const sum = (of: (ledgers: Ledgers) => number) =>
    trials * of(figures.watched.tokens) + share * of(figures.rest.tokens);
  const { watched: each, rest } = figures;
  const isPartial = each.tokens.isAgentPartial ?? (isCured && rest.tokens.isAgentPartial);
  const restMs = share * (figures.rest.ms / Math.max(1, Math.min(concurrency, figures.rest.of)));
  return {
    trials,
    conversations,
    tokens: {
      agent: sum(({ agent }) => agent.input + agent.output),
      judge: sum(({ judge }) => judge.input + judge.output),
      user: sum(({ user }) => (user ? user.input + user.output : 0)),
      ...(isPartial && { isAgentPartial: true as const }),
    },
    ms: trials * roundsATrial * figures.watched.ms + restMs,
  };
}

/** A plan whose bisect is not begun: what would be looked into, then what that would take. */
export function* dryRunLines(plan: BisectPlan): Generator<string> {
  const { suite, hunks, split, good, bad, strategy } = plan;
  yield inline(`${suite}   ${good.name} → ${bad.name}   ${countOf(hunks, split)}   ${strategy}`);
  const source = plan.of === undefined ? '' : inline(`   confirmed by run ${plan.of}`);
  for (const one of plan.watched) yield `  watched  ${watchedText(one)}${source}`;
  yield* bisectPlanLines(plan);
}

/** What it will take, in lines that are safe to print. */
export function* bisectPlanLines(plan: BisectPlan): Generator<string> {
  const { good, bad } = plan;
  yield `  rates    ${rateText(good)}; ${rateText(bad)}`;
  const smallDrop = smallDropText({ good: good.rate, bad: bad.rate });
  if (smallDrop !== undefined) yield `           ${smallDrop}`;
  yield `  search   ${searchText(plan)}`;
  yield `  budget   ${budgetText(plan)}`;
  if (plan.restOfSuite !== undefined)
    yield `  then     up to ${countOf(plan.repeats, 'trial')} of the narrowed prompt, and the rest of the suite on it: ${countOf(plan.restOfSuite, 'scenario')}`;
  yield `  cost     ${costText(plan)}`;
}

function rateText({ name, rate, known }: ExpectedRate): string {
  const source = known ? `${known.passed}/${known.of} in ${known.from}` : 'taken to be so, for no run tells';
  return inline(`${name} passes ${formatShare(rate)} (${source})`);
}

function searchText({ played, hunks, split }: BisectPlan): string {
  const { runs, meanTrials, trialsOfNineInTen } = played;
  if (runs === 0) return `not known: ${countOf(hunks, split)} take too long to play a bisect of them`;
  if (runs < tooFew)
    return `${countOf(Math.round(meanTrials), 'trial')} on average, ${trialsOfNineInTen} at most: only ${countOf(runs, 'bisect')} with one guilty hunk played at these rates, for ${countOf(hunks, split)} take long`;
  return `${countOf(Math.round(meanTrials), 'trial')} on average, ${trialsOfNineInTen} or fewer in nine of ten: ${countOf(runs, 'bisect')} with one guilty hunk played at these rates`;
}

function budgetText({ played, budget }: BisectPlan): string {
  if (played.runs === 0) return `${countOf(budget, 'trial')}; whether they suffice is not known`;
  const { right, inconclusive } = played.endings;
  if (played.runs < tooFew)
    return `${countOf(budget, 'trial')}: ${right} of ${played.runs} were right, too few to say whether they suffice`;
  const share = right / played.runs;
  if (share >= enough) return `suffices: ${formatShare(share)} were right`;
  const open = inconclusive / played.runs;
  const so = `${formatShare(share)} were right, ${formatShare(open)} came to no answer`;
  if (open >= 1 - enough) return `may be too small: with ${budget} ${so}; --budget N gives it more`;
  return `these rates are hard to tell apart: ${so}`;
}

function costText(plan: BisectPlan): string {
  const { mean, nineInTen } = costOfBisect(plan);
  const counts = `${plan.played.runs === 0 ? 'at most' : 'about'} ${countOf(mean.trials, 'trial')}, ${countOf(mean.conversations, 'conversation')}`;
  if (!mean.tokens || mean.ms === undefined || !plan.figures)
    return `${counts}; tokens and time are not known, for no run of the watched scenarios is there`;
  const tokens = [
    agentText(mean.tokens),
    mean.tokens.judge > 0 && `${formatTokens(mean.tokens.judge)} of the judge`,
    mean.tokens.user > 0 && `${formatTokens(mean.tokens.user)} of the simulated user`,
  ].filter((part) => part !== false);
  const most =
    nineInTen.ms === undefined || !nineInTen.tokens
      ? ''
      : `, in nine of ten at most ${mostText(nineInTen.tokens)}${formatDuration(nineInTen.ms)}`;
  return `${counts}, ${tokens.join(', ')}, ${formatDuration(mean.ms)}${most}, as in run ${inline(plan.figures.runId)}`;
}

/** A product that reports no tokens does not take none. */
function agentText({ agent, isAgentPartial }: NonNullable<BisectCost['tokens']>): string {
  if (!isAgentPartial) return `${formatTokens(agent)} tokens of the agent`;
  return agent === 0
    ? 'tokens of the agent not known, for the product reports none'
    : `over ${formatTokens(agent)} tokens of the agent`;
}

/** Of tokens that are known in part no bound is. */
function mostText({ agent, isAgentPartial }: NonNullable<BisectCost['tokens']>): string {
  return isAgentPartial ? '' : `${formatTokens(agent)} and `;
}

/** The same for machines. */
export function bisectPlanFacts(plan: BisectPlan) {
  const { played, figures, of, restOfSuite, watched, ...rest } = plan;
  const { mean, nineInTen } = costOfBisect(plan);
  return {
    ...rest,
    watched: watched.map(({ scenario, check }) => ({ scenario, check: check ?? null })),
    of: of ?? null,
    restOfSuite: restOfSuite ?? null,
    played: {
      bisects: played.runs,
      right: played.runs === 0 ? null : played.endings.right / played.runs,
      endings: played.endings,
      meanTrials: played.runs === 0 ? null : played.meanTrials,
      trialsOfNineInTen: played.runs === 0 ? null : played.trialsOfNineInTen,
    },
    cost: { mean: costFacts(mean), nineInTen: costFacts(nineInTen), from: figures?.runId ?? null },
  };
}

/** `agentPartial` as in the reports of runs and bisects. */
function costFacts({ tokens, ...cost }: BisectCost) {
  const { isAgentPartial = false, ...known } = tokens ?? {};
  return { ...cost, ...(tokens && { tokens: { ...known, agentPartial: isAgentPartial } }) };
}
