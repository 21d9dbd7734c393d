import path from 'node:path';
import { type ExitCode, UserError } from '../../base/errors.js';
import { combineExitCodes, type Decision } from '../../compare/gate.js';
import { type Judging, judgeRun } from '../../compare/judge-run.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import { loadProject } from '../../project/config.js';
import { closingLines } from '../../report/closing.js';
import type { Reporter } from '../../report/reporter.js';
import { createTallyKeeper, type TallyKeeper } from '../../report/summary.js';
import { journalFile } from '../../run/run-folder.js';
import type { LiveRun, RunListener } from '../../run/types.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { appCompare } from './app-compare.js';
import { bisectOpener } from './bisect-of-run.js';
import { bisectedRuns } from './bisected-runs.js';
import { dueReruns, runAndConfirm } from './confirm-run.js';
import { judgeFactsOf } from './judge-notes.js';
import { keepNoise } from './keep-noise.js';
import { keepResults } from './keep-results.js';
import { tallyOf } from './keeper.js';
import { tellNotes } from './notes.js';
import { writeLines } from './output.js';
import { openReports } from './run-reports.js';
import type { RunToMake } from './run-to-make.js';
import { loadScreens } from './screens.js';
import { triagedSuite } from './triaged-suite.js';

/** A run that was made and is open. */
export interface OpenRun {
  run: LiveRun;
  keeper: TallyKeeper;
  judging: Judging;
  accounts: Accounts | undefined;
  notes: readonly string[];
  places: RunToMake['places'];
  suiteFolder: RunToMake['suiteFolder'];
  lookInto: RunToMake['lookInto'];
}

/** One run of the app: on screen from the start, made once all files are read. */
interface Seat {
  app: AppRun;
  /** Rejects when the run cannot be made, or cannot go on. Never resolves: trials can be added until the person leaves. */
  failure: Promise<never>;
  fail(error: unknown): void;
  seat(open: OpenRun): void;
}

/**
 * Makes runs on screen, one after another, and leaves a summary of each in the scrollback when the app has closed. The
 * screen is there at once; the files are read behind it, and their mistakes are thrown after it has closed again.
 * `reports`: values of `--report`, written then.
 */
export async function runInApp(
  suites: readonly string[],
  load: () => Promise<RunToMake[]>,
  io: CommandIo,
  reports: readonly string[] = [],
): Promise<ExitCode> {
  const beside = await openReports({ files: reports, runs: suites.length, isJson: false }, io);
  const open: OpenRun[] = [];
  const seats = suites.map((suite) => createSeat(suite, io));
  let hasLeft = false;
  const work = async () => {
    // The first frame is drawn before files take the thread.
    await new Promise((resolve) => setImmediate(resolve));
    const runs = await load();
    await rememberSuite(suites, io);
    for (const [index, toMake] of runs.entries()) {
      if (hasLeft) return;
      const { judging, accounts, places, suiteFolder, notes = [] } = toMake;
      const keeper = createTallyKeeper(judging);
      const opened = {
        run: await toMake.open(keeper),
        keeper,
        judging,
        accounts,
        notes,
        places,
        suiteFolder,
        lookInto: toMake.lookInto?.bind(toMake),
      };
      open.push(opened);
      seats[index]?.seat(opened);
    }
    for (const { run, keeper, judging } of open) if (!hasLeft) await runAndConfirm(run, keeper, judging);
  };
  let working: Promise<void> | undefined;
  try {
    const openOn = await loadScreens(io);
    const app = openOn({ runs: seats.map((seat) => seat.app) });
    working = work().catch((error) => {
      for (const seat of seats) seat.fail(error);
    });
    await app;
  } finally {
    hasLeft = true;
    // Whoever leaves while files are read waits for the rest of that, for a run that is being made has to be closed.
    if (open.length < suites.length) await working;
    await closeAll(open);
  }
  tellNotes(
    open.flatMap(({ notes }) => notes),
    io,
  );
  const decisions: Decision[] = [];
  for (const one of open) {
    if (decisions.length > 0) await writeLines(io.stdout, ['']);
    decisions.push(await tellOfRun(one, beside, io));
  }
  const exitCode = decisions.length > 0 ? combineExitCodes(decisions) : 130;
  await beside.finish(exitCode);
  return exitCode;
}

/** What hears of a run that is made over screens: what can be told of it when they have closed, and that it was left. */
export interface OverScreens {
  onOpen?(opened: OpenRun): void;
  onLeft?(): void;
}

/** Runs one scenario over screens that are open, as `evalrun run SUITE --scenario ID` does. Throws UserError. */
export async function runAgain(
  suite: string,
  scenario: string,
  io: CommandIo,
  over?: OverScreens,
): Promise<AppRun> {
  // Checks, models and targets are not loaded before somebody asks for it.
  const [{ planRuns }, { toMake }, project] = await Promise.all([
    import('./plan-runs.js'),
    import('./planned-run.js'),
    loadProject({ cwd: io.cwd, env: io.env }),
  ]);
  const args = { suites: [suite], scenario: [scenario], line: ['run', suite, '--scenario', scenario] };
  const [planned] = await planRuns(args, [suite], project, io);
  if (!planned) throw new UserError(`${suite} cannot be run`);
  return runOverScreens(toMake(args, planned, project, io), io, over);
}

/** Makes a run over screens that are open, and starts it. Leaving it aborts and closes it. Throws as `toMake.open` does. */
export async function runOverScreens(
  toMake: RunToMake,
  io: CommandIo,
  { onOpen, onLeft }: OverScreens = {},
): Promise<AppRun> {
  const { suite, judging, accounts, places, suiteFolder, notes = [] } = toMake;
  const keeper = createTallyKeeper(judging);
  const run = await toMake.open(keeper);
  const seat = createSeat(suite, io);
  const opened = { run, keeper, judging, accounts, notes, places, suiteFolder, lookInto: undefined };
  seat.seat(opened);
  onOpen?.(opened);
  const work = runAndConfirm(run, keeper, judging).catch(seat.fail);
  return Object.defineProperties({} as AppRun, {
    ...Object.getOwnPropertyDescriptors(seat.app),
    leave: {
      value: async () => {
        run.abort();
        await work;
        await run.close();
        onLeft?.();
      },
    },
  });
}

/** The suite that a person ran last; of several none is the usual one. */
export async function rememberSuite([suite, ...others]: readonly string[], io: CommandIo): Promise<void> {
  if (suite === undefined || others.length > 0) return;
  const { openSettings } = await import('../../project/settings.js');
  (await openSettings(io.env)).set('suite', suite);
}

function createSeat(suite: string, io: CommandIo): Seat {
  let made: OpenRun | undefined;
  let listener: RunListener | undefined;
  let fail: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failure.catch(() => {});
  const folder = () => {
    if (!made) throw new Error('the run is not made yet');
    return made.run.folder;
  };
  const comparing = appCompare(() => made?.judging, folder, io);
  return {
    failure,
    fail,
    seat(opened) {
      made = opened;
      if (listener) opened.run.feed(listener);
    },
    app: {
      title: suite,
      feed(hear) {
        listener = hear;
        made?.run.feed(hear);
        return failure;
      },
      readTrial(key, positions) {
        if (!made) throw new Error('a trial of a run that is not made yet');
        return made.run.readTrial(key, positions);
      },
      get controls() {
        return made?.run;
      },
      async openDesk(started) {
        const run = made?.run;
        if (!run) throw new Error('a trial of a run that is not made yet');
        // Loads checks and models: not before a trial is looked at.
        const { trialDeskOf } = await import('./trial-desk.js');
        return trialDeskOf(io, () => run.folder)(started);
      },
      bisectOf: bisectOpener(io),
      triage: (name) => triagedSuite(name, io, runAgain),
      ...comparing,
      // Between its last trial and the first that confirms a suspect a run has ended, and has no verdict yet.
      judge: (tally) =>
        made && dueReruns(tally, made.judging).length === 0 ? comparing.judge(tally) : undefined,
      get knownTrials() {
        return comparing.knownTrials;
      },
      paces: () => made?.accounts?.states() ?? [],
      notes: () => made?.notes ?? [],
    },
  };
}

/** Closes every run, also where one of them cannot be, and throws the first reason then. */
async function closeAll(open: readonly OpenRun[]): Promise<void> {
  const closed = await Promise.allSettled(open.map(({ run }) => run.close()));
  for (const result of closed) if (result.status === 'rejected') throw result.reason;
}

/** Prints what stays of a run after the app has closed, reports it, and decides about it. */
export async function tellOfRun(
  { run, keeper, judging, places, suiteFolder, lookInto }: OpenRun,
  reports: Reporter,
  io: CommandIo,
): Promise<Decision> {
  const tally = tallyOf(keeper);
  const judgement = judgeRun(tally, judging);
  const { decision, comparison, attribution, noise } = judgement;
  if (lookInto && decision.verdict === 'fail') {
    await lookInto({ tally, decision, comparison, folder: run.folder });
    await writeLines(io.stdout, ['']);
  }
  const told = {
    ...(comparison && { comparison }),
    ...(attribution && { attribution }),
    ...(noise && { noise }),
    bisects: await bisectedRuns(run.folder),
    ...(await judgeFactsOf(tally.started, io)),
  };
  const options = { ...told, hidePassed: true, program: io.program };
  await writeLines(io.stdout, closingLines(tally, decision, options), io.env);
  const place = { journal: path.join(run.folder, journalFile) };
  await reports.finishRun({ tally, decision, place, ...told, ...(places && { places }) });
  await keepResults(suiteFolder, tally, decision, io);
  await keepNoise(suiteFolder, tally, judgement, io);
  return decision;
}
