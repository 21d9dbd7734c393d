import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../base/errors.js';
import { isBeingWritten } from './lock.js';
import { type RunStarted, readRunStarted, replayJournal } from './reader.js';
import { journalFile } from './run-folder.js';
import { runIdPattern } from './run-id.js';
import { type RunSummariser, type RunSummary, readSummary, writeSummary } from './summary.js';
import { taintedFolder } from './tainted.js';

/** Where a run stands on disk: `<logs>/<suite>/<run id>/`, a tainted one in `<logs>/<suite>/tainted/<run id>/`. */
export interface RunPlace {
  runId: string;
  suite: string;
  folder: string;
  journal: string;
}

export interface RunEntry extends RunPlace {
  /** Not set: the run has not ended, or went on after its summary was written. */
  summary: RunSummary | undefined;
  /** Of a run without a summary: the first line of its journal, where that can be read. */
  started: RunStarted | undefined;
  /** A process writes it now. */
  isRunning: boolean;
}

/** Which runs are meant, where not all. */
export interface WhichRuns {
  /** As the folder of its runs is called. */
  suite?: string;
  /** Only those that began after the run of this id. */
  after?: string;
}

/** Runs below a logs folder, newest first, without opening one. None where the folder does not exist. */
export async function findRuns(
  logs: string,
  { suite: only, after = '' }: WhichRuns = {},
): Promise<RunPlace[]> {
  const places: RunPlace[] = [];
  for (const suite of only === undefined ? await subfolders(logs) : [only]) {
    for (const parent of [path.join(logs, suite), path.join(logs, suite, taintedFolder)]) {
      for (const runId of await subfolders(parent)) {
        if (!runIdPattern.test(runId) || runId <= after) continue;
        const folder = path.join(parent, runId);
        places.push({ runId, suite, folder, journal: path.join(folder, journalFile) });
      }
    }
  }
  return places.sort((a, b) => (a.runId < b.runId ? 1 : -1));
}

async function subfolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new UserError(`the runs in ${folder} cannot be read (${code ?? String(error)}); is it a folder?`);
  }
}

/** Summaries that were read, by folder: for whoever lists the same runs again. */
export type KnownSummaries = Map<string, RunSummary>;

/**
 * Runs with what is known of them without reading a journal, newest first. Of `known` nothing is read again whose
 * journal has not grown; what is read is added to it, and runs that are gone leave it.
 */
export async function listRuns(
  logs: string,
  known: KnownSummaries = new Map(),
  which: WhichRuns = {},
): Promise<RunEntry[]> {
  const places = await findRuns(logs, which);
  const entries = await Promise.all(
    places.map(async (place) => ({ ...place, ...(await standing(place, known.get(place.folder))) })),
  );
  known.clear();
  for (const { folder, summary } of entries) if (summary) known.set(folder, summary);
  return entries;
}

async function standing(
  place: RunPlace,
  known: RunSummary | undefined,
): Promise<Pick<RunEntry, 'summary' | 'started' | 'isRunning'>> {
  const bytes = await journalBytes(place);
  const summary = known?.journalBytes === bytes ? known : await readSummary(place.folder);
  if (summary && summary.journalBytes === bytes) return { summary, started: undefined, isRunning: false };
  const started = await readRunStarted(place.journal).catch(() => undefined);
  return { summary: undefined, started, isRunning: await isBeingWritten(place.journal) };
}

async function journalBytes(place: RunPlace): Promise<number | undefined> {
  try {
    return (await stat(place.journal)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The run that is meant by an id, by the beginning of one, or by `last`. Throws UserError that names what there is.
 */
export async function findRun(logs: string, wanted: string): Promise<RunPlace> {
  const places = await findRuns(logs);
  const [newest] = places;
  if (!newest) throw new UserError(`there are no runs in ${logs} yet`);
  if (wanted === 'last') return newestReadable(places, newest);
  const exact = places.find((place) => place.runId === wanted);
  if (exact) return exact;
  const matching = wanted === '' ? [] : places.filter((place) => place.runId.startsWith(wanted));
  const [only] = matching;
  if (only && matching.length === 1) return only;
  if (matching.length > 1) {
    throw new UserError(`${matching.length} runs begin with ${JSON.stringify(wanted)}: ${named(matching)}`);
  }
  throw new UserError(`no run begins with ${JSON.stringify(wanted)}; the newest are ${named(places)}`);
}

/** The newest run that says what it is: one that was killed as it began has nothing to show and nothing to go on with. */
async function newestReadable(places: readonly RunPlace[], newest: RunPlace): Promise<RunPlace> {
  for (const place of places) {
    const isReadable = await readRunStarted(place.journal).then(
      () => true,
      () => false,
    );
    if (isReadable) return place;
  }
  return newest;
}

function named(places: readonly RunPlace[]): string {
  const names = places.slice(0, 5).map((place) => `${place.runId} (${place.suite})`);
  return places.length > 5 ? `${names.join(', ')}, …` : names.join(', ');
}

export interface Rebuilt {
  rebuilt: RunPlace[];
  /** Runs that a process writes now. */
  skipped: RunPlace[];
  failed: { place: RunPlace; message: string }[];
}

/** Makes what hears and sums up the run in a folder. */
export type CreateSummariser = (folder: string) => RunSummariser | Promise<RunSummariser>;

/** Derives the summary of a run that nobody writes from its journal, and keeps it. Throws JournalError. */
export async function deriveSummary(
  place: RunPlace,
  createSummariser: CreateSummariser,
): Promise<RunSummary> {
  const summariser = await createSummariser(place.folder);
  await replayJournal(place.journal, summariser.hear);
  const summary = summariser.summary((await journalBytes(place)) ?? 0);
  await writeSummary(place.folder, summary);
  return summary;
}

/** Derives every summary anew from its journal. A damaged journal is reported and holds up no other. */
export async function rebuildSummaries(logs: string, createSummariser: CreateSummariser): Promise<Rebuilt> {
  const result: Rebuilt = { rebuilt: [], skipped: [], failed: [] };
  for (const place of await findRuns(logs)) {
    if (await isBeingWritten(place.journal)) {
      result.skipped.push(place);
      continue;
    }
    try {
      await deriveSummary(place, createSummariser);
      result.rebuilt.push(place);
    } catch (error) {
      result.failed.push({ place, message: messageOf(error) });
    }
  }
  return result;
}
