import type { BisectFound, PlannedBisect } from './bisect-events.js';
import { listRuns, type RunEntry, type RunPlace } from './runs.js';
import type { SummedBisect } from './summary.js';

/** A bisect as it is known from its summary, or from the first line of its journal. */
export interface KnownBisect extends SummedBisect {
  runId: string;
  /** `unfinished`: it was stopped or killed, and can go on. */
  state: 'done' | 'running' | 'unfinished';
}

/** What is shown of a bisect. `found`: not set where it has found nothing yet. */
export function summedBisect(planned: PlannedBisect, found?: BisectFound): SummedBisect {
  const { good, bad, hunks, watched, of } = planned;
  return {
    good: good.name,
    bad: bad.name,
    hunks: hunks.length,
    watched,
    ...(of !== undefined && { of }),
    ...(found && { found }),
  };
}

/** What a run that is a bisect is of; undefined for other runs, and for what cannot be read. */
export function knownBisect({ runId, summary, started, isRunning }: RunEntry): KnownBisect | undefined {
  const known = summary?.bisect ?? (started?.bisect && summedBisect(started.bisect));
  return known && { ...known, runId, state: known.found ? 'done' : isRunning ? 'running' : 'unfinished' };
}

/** The bisects among runs by the run that they look into, oldest first. */
export function bisectsByRun(entries: readonly RunEntry[]): Map<string, KnownBisect[]> {
  const found = new Map<string, KnownBisect[]>();
  for (const entry of [...entries].sort((a, b) => (a.runId < b.runId ? -1 : 1))) {
    const bisect = knownBisect(entry);
    if (bisect?.of === undefined) continue;
    found.set(bisect.of, [...(found.get(bisect.of) ?? []), bisect]);
  }
  return found;
}

/** The bisects that look into a run, oldest first: read from summaries of later runs of its suite, and from no journal. */
export async function bisectsOf(logs: string, { runId, suite }: RunPlace): Promise<KnownBisect[]> {
  const later = await listRuns(logs, new Map(), { suite, after: runId });
  return bisectsByRun(later).get(runId) ?? [];
}
