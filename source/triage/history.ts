import path from 'node:path';
import { messageOf } from '../base/errors.js';
import { suiteLogs } from '../project/paths.js';
import { type CreateSummariser, deriveSummary, type KnownSummaries, listRuns } from '../run/runs.js';
import type { RunSummary } from '../run/summary.js';
import { lacksResults } from './results.js';

/** Summaries of the runs of one suite that are over, and what could not be read. */
export interface RunHistory {
  summaries: readonly RunSummary[];
  /** Journals that a summary had to be derived from again and that are damaged: one sentence each, from files. */
  damaged: readonly string[];
}

/**
 * Reads what flips are found by: summaries alone. One of an earlier version, which lacks that, is derived from its journal
 * once more and kept. `known` saves reading again, see `listRuns`; runs that were deleted are not in it any more.
 */
export async function readRunHistory(
  logs: string,
  suite: string,
  createSummariser: CreateSummariser,
  known: KnownSummaries = new Map(),
): Promise<RunHistory> {
  const summaries: RunSummary[] = [];
  const damaged: string[] = [];
  const which = { suite: path.basename(suiteLogs(logs, suite)) };
  for (const { summary, ...place } of await listRuns(logs, known, which)) {
    if (!summary) continue;
    if (!lacksResults(summary)) {
      summaries.push(summary);
      continue;
    }
    try {
      const derived = await deriveSummary(place, createSummariser);
      known.set(place.folder, derived);
      summaries.push(derived);
    } catch (error) {
      damaged.push(messageOf(error));
    }
  }
  return { summaries, damaged };
}
