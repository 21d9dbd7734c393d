import { UserError } from '../../../base/errors.js';
import { type NoiseEntry, noisePath, readNoise } from '../../../compare/noise-file.js';
import type { Project } from '../../../project/config.js';
import { logsFolder } from '../../../project/paths.js';
import { historyOf, type SuiteRuns, suiteRunsOf } from '../../../report/history.js';
import { type HomeFacts, homeSuites, unfinishedRuns } from '../../../report/home.js';
import { driftMatters, mistakeMatter, oldRunMatters, sortedMatters } from '../../../report/home-matters.js';
import { type KnownSummaries, listRuns } from '../../../run/runs.js';
import { findSuite, listSuites } from '../../../suite/find.js';
import { lacksResults } from '../../../triage/results.js';
import type { HomeDesk } from '../../../ui/types.js';
import type { CommandIo } from '../../io.js';
import { pastRunsOpener } from '../past-runs.js';

/** What home reads and does, beside the runs that are made over it. */
export interface OpenHomeDesk extends HomeDesk {
  /** Lists the runs, then reads the files of the suites one after another; again when something has changed. */
  read(): Promise<void>;
  /** Reads nothing more. */
  close(): void;
}

export function openHomeDesk(
  project: Project,
  io: CommandIo,
  doing: Pick<HomeDesk, 'lastSuite' | 'start' | 'resume' | 'triage'>,
): OpenHomeDesk {
  const listeners = new Set<() => void>();
  const known: KnownSummaries = new Map();
  let facts: HomeFacts | undefined;
  let runs: readonly SuiteRuns[] = [];
  let turn = 0;

  function tell(next: HomeFacts): void {
    facts = next;
    for (const listener of listeners) listener();
  }

  async function read(): Promise<void> {
    const mine = ++turn;
    const isCurrent = () => mine === turn;
    // What a triage has summed up anew meanwhile has the same journal as before.
    for (const [folder, summary] of known) if (lacksResults(summary)) known.delete(folder);
    const [names, entries] = await Promise.all([
      listSuites(project),
      listRuns(logsFolder(project, io.env), known),
    ]);
    const noise = new Map(
      await Promise.all(names.map(async (name) => [name, await noiseOf(project, name)] as const)),
    );
    if (!isCurrent()) return;
    const summaries = entries.flatMap(({ summary }) => (summary ? [summary] : []));
    runs = suiteRunsOf(summaries);
    const series = historyOf(summaries).filter(({ suite }) => names.includes(suite));
    const before = facts;
    const suites = homeSuites(names, entries, series, noise).map((suite) => {
      // What its files said is said until they are read again.
      const usual = before?.suites.find((one) => one.suite === suite.suite)?.usual;
      return usual ? { ...suite, usual } : suite;
    });
    const unfinished = unfinishedRuns(entries);
    const matters = [...driftMatters(series), ...oldRunMatters(names, summaries)];
    tell({ suites, unfinished, matters: sortedMatters(matters) });
    const { suiteStanding } = await import('./standing.js');
    for (const [index, suite] of suites.entries()) {
      const standing = await suiteStanding(project, suite.suite, summaries);
      if (!isCurrent()) return;
      suites[index] = { ...suite, usual: standing.usual };
      matters.push(...standing.matters);
      tell({ suites: [...suites], unfinished, matters: sortedMatters(matters) });
    }
  }

  async function readOrTell(): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { suites = [], unfinished = [] } = facts ?? {};
      tell({ suites, unfinished, matters: [mistakeMatter('', error.message)] });
    }
  }

  return {
    project: project.config.project,
    program: io.program,
    ...doing,
    facts: () => facts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pastRuns: {
      get series() {
        return runs;
      },
      empty: `There is no run to show yet: r on home makes the first one.`,
      ...pastRunsOpener(project, io),
    },
    read: readOrTell,
    refresh: () => void readOrTell(),
    close() {
      turn++;
      listeners.clear();
    },
  };
}

/** None where the file cannot be read: a run says why it cannot. */
async function noiseOf(project: Project, name: string): Promise<NoiseEntry[]> {
  try {
    const { folder } = await findSuite(project, name);
    return await readNoise(project, noisePath({ folder }));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
