import type { Project } from '../../project/config.js';
import type { RunListener } from '../../run/types.js';
import type { BisectDesk } from '../../ui/bisect-desk.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import type { OpenBisect } from './make-bisect.js';

export interface BisectSeatOptions {
  /**
   * What it will cost, a line each, shown until a person begins; not set: it begins at once, as one does that goes on or
   * that nobody guides.
   */
  plan?: () => Promise<readonly string[]>;
}

/** The place of a bisect on screen, from before it is made. Its narrowed prompt is written into the project. */
export function createBisectSeat(project: Project, io: CommandIo, { plan }: BisectSeatOptions = {}) {
  let made: OpenBisect | undefined;
  let desk: BisectDesk | undefined;
  let listener: RunListener | undefined;
  let fail: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failure.catch(() => {});
  const theMade = () => {
    if (!made) throw new Error('a trial of a bisect that is not made yet');
    return made;
  };
  const app: AppRun = {
    title: 'bisect',
    feed(hear) {
      listener = hear;
      made?.run.feed(hear);
      return failure;
    },
    readTrial: (key, positions) => theMade().run.readTrial(key, positions),
    get controls() {
      return made?.run;
    },
    async openDesk(started) {
      const { run } = theMade();
      // Loads checks and models: not before a trial is looked at.
      const { trialDeskOf } = await import('./trial-desk.js');
      return trialDeskOf(io, () => run.folder)(started);
    },
    bisect: () => desk,
    paces: () => made?.accounts?.states() ?? [],
  };
  return {
    app,
    fail: (error: unknown) => fail(error),
    seat(opened: OpenBisect): void {
      made = opened;
      desk = liveDesk(opened, project, io, { fail, ...(plan && { plan }) });
      if (listener) opened.run.feed(listener);
      if (!plan) desk.controls?.begin();
    },
  };
}

interface LiveDeskOptions extends BisectSeatOptions {
  /** Hears why it cannot go on. */
  fail(error: unknown): void;
}

/** A bisect that goes on in this process, for its screen. Nothing is tried before somebody begins. */
function liveDesk(
  opened: OpenBisect,
  project: Project,
  io: CommandIo,
  { plan, fail }: LiveDeskOptions,
): BisectDesk {
  const { driver, record, run } = opened;
  const listeners = new Set<() => void>();
  let hasBegun = false;
  let lines: readonly string[] | undefined;

  async function workOut(): Promise<void> {
    lines = (await plan?.()) ?? [];
    for (const listener of listeners) listener();
  }
  workOut().catch(fail);

  return {
    record,
    status: () => (hasBegun ? driver.status() : { kind: 'planned' }),
    proposal: driver.proposal,
    subscribe(listener) {
      listeners.add(listener);
      const leave = driver.subscribe(listener);
      return () => {
        listeners.delete(listener);
        leave();
      };
    },
    plan: () => lines,
    resume: resumeLine(run.runId, io),
    controls: {
      begin() {
        if (hasBegun) return;
        hasBegun = true;
        driver.start().catch(fail);
      },
      goOn: driver.goOn,
      decide: driver.decide,
      async writeNarrowed() {
        const { writeNarrowed } = await import('./write-narrowed.js');
        return writeNarrowed(record, undefined, project);
      },
    },
  };
}

/** The line that goes on with a bisect another time. */
export function resumeLine(runId: string, { program }: CommandIo): string {
  return `${program} bisect --resume ${runId}`;
}
