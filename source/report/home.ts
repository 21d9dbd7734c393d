import type { NoiseEntry } from '../compare/noise-file.js';
import { type KnownBisect, knownBisect } from '../run/bisects-of.js';
import type { Ledgers } from '../run/events.js';
import type { RunEntry } from '../run/runs.js';
import type { RunSummary } from '../run/summary.js';
import { bisectName } from './bisected.js';
import type { HistorySeries } from './history.js';
import type { HomeMatter } from './home-matters.js';

/** What a person finds in a project before anything is run: suites, what was left half done, what is to be seen to. */
export interface HomeFacts {
  suites: HomeSuite[];
  /** Newest first. */
  unfinished: UnfinishedRun[];
  /** The most urgent first; of suites whose files are still being read, nothing yet. */
  matters: HomeMatter[];
}

/** One suite at a glance. Its texts are from files and not made safe to print. */
export interface HomeSuite {
  suite: string;
  /** The newest run that has a verdict, or found that it can have none; not set where there is none. */
  last?: HomeRun;
  /** Of the clean runs of its newest series, oldest first. */
  series?: HistorySeries;
  /** Of the model that the last run was made on. */
  noise?: NoiseEntry;
  /** How it is usually run; not set while its files are being read. */
  usual?: UsualRun;
}

/** A run that is over. */
export interface HomeRun {
  runId: string;
  /** Milliseconds since the epoch. */
  at: number;
  verdict: string;
  promptName: string;
  model: string;
  /** Input and output of all ledgers. */
  tokens: number;
  /** Not all of them were reported. */
  isPartial: boolean;
}

/** The run that one key makes. */
export interface UsualRun {
  /** Of the candidate that the config names, and not of what is deployed. */
  isCandidate: boolean;
  /** Who is asked and may have to be paid; none where all that is asked is simulated. */
  asks: readonly string[];
  /** Why it cannot be run: the first mistake in its files. */
  problem?: string;
}

/** The words after the program's name: `run support-agent --candidate`. */
export function usualLine(suite: string, { isCandidate }: Pick<UsualRun, 'isCandidate'>): string[] {
  return ['run', suite, ...(isCandidate ? ['--candidate'] : [])];
}

/** A run that was stopped, aborted or killed and can go on. Not made safe to print. */
export interface UnfinishedRun {
  runId: string;
  suite: string;
  kind: 'run' | 'bisect';
  /** Milliseconds since the epoch. */
  at: number;
  /** `v15 on simulated:tiny`, `bisect v14 → v15`. */
  what: string;
  label?: string;
  /** Trials that have ended, where that is known, of those planned; not set of a bisect, whose end nobody knows. */
  done?: number;
  total?: number;
}

/** The suites of these names with what their runs say, also where they were never run. `series`: those of `historyOf`. */
export function homeSuites(
  names: readonly string[],
  entries: readonly RunEntry[],
  series: readonly HistorySeries[],
  noise: ReadonlyMap<string, readonly NoiseEntry[]>,
): HomeSuite[] {
  const summaries = entries.flatMap(({ summary }) => (summary ? [summary] : []));
  return names.map((suite) => {
    const last = newest(summaries.filter((summary) => summary.suite === suite && hasVerdict(summary)));
    const run = last && homeRun(last);
    const own = newestSeries(series.filter((one) => one.suite === suite && !one.liveTools));
    const floor = noise.get(suite)?.find(({ model, live }) => model === run?.model && !live);
    return {
      suite,
      ...(run && { last: run }),
      ...(own && { series: own }),
      ...(floor && { noise: floor }),
    };
  });
}

function newest(summaries: readonly RunSummary[]): RunSummary | undefined {
  return summaries.reduce<RunSummary | undefined>(
    (best, one) => (best === undefined || one.runId > best.runId ? one : best),
    undefined,
  );
}

/** A bisect has a finding instead, one that grades again says nothing new, and one that can go on is not over. */
function hasVerdict(summary: RunSummary): boolean {
  return summary.bisect === undefined && summary.regradeOf === undefined && !canGoOn(summary);
}

function canGoOn({ state, decision }: RunSummary): boolean {
  return state === 'unfinished' || decision.verdict === 'interrupted';
}

function homeRun({ runId, startedAt, decision, conditions, tokens }: RunSummary): HomeRun {
  const [condition] = conditions;
  return {
    runId,
    at: startedAt,
    verdict: decision.verdict,
    promptName: condition?.promptName ?? '',
    model: condition?.model ?? '',
    tokens: allTokens(tokens),
    isPartial: tokens.isAgentPartial === true,
  };
}

function allTokens({ agent, judge, user }: Ledgers): number {
  return [agent, judge, user].reduce((sum, usage) => sum + (usage?.input ?? 0) + (usage?.output ?? 0), 0);
}

function newestSeries(series: readonly HistorySeries[]): HistorySeries | undefined {
  const end = ({ points }: HistorySeries) => points.at(-1)?.runId ?? '';
  return series.reduce<HistorySeries | undefined>(
    (best, one) => (best === undefined || end(one) > end(best) ? one : best),
    undefined,
  );
}

/**
 * Runs that can go on, newest first. Not those that are being written, are tainted, or grade another again: what they
 * lack is not made up by going on.
 */
export function unfinishedRuns(entries: readonly RunEntry[]): UnfinishedRun[] {
  return entries
    .flatMap((entry) => {
      const bisect = knownBisect(entry);
      const one = bisect ? unfinishedBisect(entry, bisect) : unfinishedRun(entry);
      return one ? [one] : [];
    })
    .sort((a, b) => (a.runId < b.runId ? 1 : -1));
}

function unfinishedBisect(entry: RunEntry, bisect: KnownBisect): UnfinishedRun | undefined {
  if (bisect.state !== 'unfinished' || (entry.summary?.taints.length ?? 0) > 0) return undefined;
  const { runId, suite, summary, started } = entry;
  const label = summary?.label ?? started?.label;
  return {
    runId,
    suite: (summary ?? started)?.suite ?? suite,
    kind: 'bisect',
    at: summary?.startedAt ?? started?.at ?? 0,
    what: bisectName(bisect),
    ...(label !== undefined && { label }),
  };
}

function unfinishedRun({ runId, summary, started, isRunning }: RunEntry): UnfinishedRun | undefined {
  if (isRunning) return undefined;
  if (summary) {
    if (!canGoOn(summary) || summary.taints.length > 0 || summary.regradeOf !== undefined) return undefined;
    const { suite, startedAt, conditions, label, trials } = summary;
    return {
      runId,
      suite,
      kind: 'run',
      at: startedAt,
      what: namesOf(conditions),
      ...(label !== undefined && { label }),
      done: trials.done,
      total: trials.total,
    };
  }
  if (!started || started.regradeOf) return undefined;
  const { suite, plan, label, at } = started;
  const conditions = plan.conditions.filter(({ standby }) => !standby);
  return {
    runId,
    suite,
    kind: 'run',
    at,
    what: namesOf(conditions),
    ...(label !== undefined && { label }),
    total: plan.scenarios.length * conditions.length * plan.repeat,
  };
}

function namesOf(conditions: readonly { promptName: string; model: string }[]): string {
  return conditions.map(({ promptName, model }) => `${promptName} on ${model}`).join(' and ');
}
