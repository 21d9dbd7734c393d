import type { PassRate } from '../../base/statistics.js';
import { baselineEvidence } from '../../compare/baseline-evidence.js';
import { findBaseline, readBaseline } from '../../compare/baseline-file.js';
import { evidenceOf } from '../../compare/evidence.js';
import type { Evidence } from '../../compare/types.js';
import { addUsage, noUsage } from '../../model/types.js';
import type { Project } from '../../project/config.js';
import { shownPath } from '../../project/paths.js';
import type { ConversationFigures } from '../../report/bisect-plan.js';
import type { PlannedBisect, Watched } from '../../run/bisect-events.js';
import type { Ledgers } from '../../run/events.js';
import type { Condition } from '../../run/planned.js';
import { type RunStarted, readRunStarted } from '../../run/reader.js';
import type { RunEntry } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';
import type { RunTally } from '../../tally/types.js';

/** Runs that are looked at, the newest first. */
const mostRuns = 30;

/** The runs of a suite that are meant by their first lines, the newest first; before all others the one of the id `first`. */
export type KnownRuns = (
  first: string | undefined,
  isMeant: (started: RunStarted) => boolean,
) => AsyncGenerator<RunTally>;

/** One that cannot be read tells nothing. What was read is not read again. */
export function knownRuns(entries: readonly RunEntry[], suite: string): KnownRuns {
  const startedOf = readOnce(readRunStarted);
  const tallyOf = readOnce(readTally);
  return async function* (first, isMeant) {
    const others = entries.filter(({ runId }) => runId !== first).slice(0, mostRuns);
    for (const { journal } of [...entries.filter(({ runId }) => runId === first), ...others]) {
      const started = await startedOf(journal);
      if (started?.suite !== suite || !isMeant(started)) continue;
      const tally = await tallyOf(journal);
      if (tally) yield tally;
    }
  };
}

function readOnce<T>(read: (journal: string) => Promise<T>): (journal: string) => Promise<T | undefined> {
  const known = new Map<string, Promise<T | undefined>>();
  return (journal) => {
    const reading = known.get(journal) ?? read(journal).catch(() => undefined);
    known.set(journal, reading);
    return reading;
  };
}

/** How often what is watched passed. `passed` and `of`: of the worst of it. */
export interface Seen extends PassRate {
  /** Where it was seen; not made safe. */
  from: string;
  /** Of the worst watched check of each scenario: checks of one conversation hang together. */
  rates: readonly PassRate[];
}

/** What the baseline of a condition says; undefined where there is none of just this condition. */
export async function seenInBaseline(
  project: Project,
  suite: string,
  condition: Condition,
  watched: readonly Watched[],
): Promise<Seen | undefined> {
  const place = await findBaseline(project, suite, condition).catch(() => undefined);
  const baseline = place && (await readBaseline(project, place.path).catch(() => undefined));
  const evidence = baseline && baselineEvidence(baseline);
  if (!place || evidence?.condition.hash !== condition.hash) return undefined;
  return seenIn(evidence, watched, shownPath(project.root, place.path));
}

/** The last run that tried it; first the one whose red verdict is looked into. */
export async function seenInRuns(
  runs: KnownRuns,
  { hash }: Condition,
  { watched, of }: PlannedBisect,
): Promise<Seen | undefined> {
  const isMeant = ({ plan, purpose }: RunStarted) =>
    purpose !== 'bisect' && plan.conditions.some((one) => one.hash === hash);
  for await (const tally of runs(of, isMeant)) {
    const condition = tally.conditions.find((one) => one.hash === hash);
    const from = `run ${tally.started.runId}`;
    const seen = condition && seenIn(evidenceOf(tally, condition.id), watched, from);
    if (seen) return seen;
  }
  return undefined;
}

/** Undefined where a watched check was never graded. */
function seenIn(evidence: Evidence, watched: readonly Watched[], from: string): Seen | undefined {
  const rates: PassRate[] = [];
  for (const scenario of new Set(watched.map((one) => one.scenario))) {
    const wanted = watched.filter((one) => one.scenario === scenario).map(({ check }) => check);
    const checks = Array.from(evidence.scenarios.get(scenario)?.checks.values() ?? []).filter(
      ({ id }) => wanted.includes(undefined) || wanted.includes(id),
    );
    // Trials that raised a suspicion were selected for failing; those that confirmed it were not.
    const counts = checks.map(({ passed, of, fresh }) => (fresh && fresh.of > 0 ? fresh : { passed, of }));
    const graded = counts.filter(({ of }) => of > 0);
    const [first, ...others] = graded;
    if (!first || graded.length < checks.length) return undefined;
    rates.push(others.reduce(worse, first));
  }
  const [first, ...others] = rates;
  return first && { ...others.reduce(worse, first), rates, from };
}

function worse(one: PassRate, other: PassRate): PassRate {
  return other.passed / other.of < one.passed / one.of ? { passed: other.passed, of: other.of } : one;
}

/** What conversations took in the last run of the watched scenarios on this model. */
export async function figuresOf(
  runs: KnownRuns,
  { model }: Condition,
  { watched, of }: PlannedBisect,
  rest: readonly string[],
): Promise<ConversationFigures | undefined> {
  const ids = [...new Set(watched.map(({ scenario }) => scenario))];
  const isMeant = ({ plan }: RunStarted) => plan.conditions.some((one) => one.model === model);
  for await (const tally of runs(of, isMeant)) {
    const means = ids.map((id) => meanOf(tally, id));
    if (means.some((mean) => mean === undefined)) continue;
    const others = rest.map((id) => meanOf(tally, id)).filter((mean) => mean !== undefined);
    // Scenarios that were not run there are taken to be like those that were.
    const share = others.length > 0 ? rest.length / others.length : 0;
    return {
      runId: tally.started.runId,
      watched: {
        tokens: addLedgers(means.flatMap((mean) => mean ?? [])),
        ms: Math.max(...means.map((mean) => mean?.ms ?? 0)),
      },
      rest: {
        tokens: addLedgers(others, share),
        ms: share * others.reduce((sum, { ms }) => sum + ms, 0),
        of: rest.length,
      },
    };
  }
  return undefined;
}

/** A mean conversation of a scenario; undefined where none has ended. */
function meanOf({ rowById }: RunTally, scenario: string): { tokens: Ledgers; ms: number } | undefined {
  const cells = (rowById.get(scenario)?.groups ?? []).flatMap((group) => group.cells);
  const ended = cells.flatMap(({ tokens, ms }) => (tokens && ms !== undefined ? [{ tokens, ms }] : []));
  if (ended.length === 0) return undefined;
  return {
    tokens: addLedgers(ended, 1 / ended.length),
    ms: ended.reduce((sum, { ms }) => sum + ms, 0) / ended.length,
  };
}

function addLedgers(all: readonly { tokens: Ledgers }[], times = 1): Ledgers {
  const sum = (of: (ledgers: Ledgers) => Ledgers['agent'] | undefined) => {
    const { input, output, cacheRead, cacheWrite } = all
      .map(({ tokens }) => of(tokens) ?? noUsage)
      .reduce(addUsage, noUsage);
    return {
      input: input * times,
      output: output * times,
      cacheRead: cacheRead * times,
      cacheWrite: cacheWrite * times,
    };
  };
  return {
    agent: sum(({ agent }) => agent),
    judge: sum(({ judge }) => judge),
    user: sum(({ user }) => user),
    ...(all.some(({ tokens }) => tokens.isAgentPartial) && { isAgentPartial: true as const }),
  };
}
