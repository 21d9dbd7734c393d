import path from 'node:path';
import type { BisectFound, PlannedBisect } from './bisect-events.js';
import { listRuns, type RunEntry } from './runs.js';
import type { SummedBisect } from './summary.js';
import { taintedFolder } from './tainted.js';

/** A bisect as it is known from its summary, or from the first line of its journal. */
export interface KnownBisect extends SummedBisect {
  runId: string;
  folder: string;
  journal: string;
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
export function knownBisect(entry: RunEntry): KnownBisect | undefined {
  const { runId, folder, journal, summary, started, isRunning } = entry;
  const known = summary?.bisect ?? (started?.bisect && summedBisect(started.bisect));
  const state = known?.found ? 'done' : isRunning ? 'running' : 'unfinished';
  return known && { ...known, runId, folder, journal, state };
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

/**
 * The bisects that look into the run in `folder`, oldest first: read from summaries of later runs of its suite, and from
 * no journal.
 */
export async function bisectsOf(folder: string): Promise<KnownBisect[]> {
  const runId = path.basename(folder);
  const parent = path.dirname(folder);
  const suite = path.basename(parent) === taintedFolder ? path.dirname(parent) : parent;
  const which = { suite: path.basename(suite), after: runId };
  const later = await listRuns(path.dirname(suite), new Map(), which);
  return bisectsByRun(later).get(runId) ?? [];
}
