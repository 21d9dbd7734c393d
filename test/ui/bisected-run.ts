import { createDriver } from '../../source/bisect/driver.js';
import type { PlannedBisect } from '../../source/run/bisect-events.js';
import type { RunControls, TrialRecord } from '../../source/run/types.js';
import type { BisectDesk } from '../../source/ui/bisect-desk.js';
import type { AppRun } from '../../source/ui/types.js';
import { type CellEnd, createFakeRun, fail, pass, settle } from '../bisect/fake-run.js';
import { plannedBisect } from '../bisect/planned.js';
import { type HeldApp, holdApp, keys } from './model-fixture.js';

export interface BisectedRun {
  app: HeldApp;
  fake: ReturnType<typeof createFakeRun>;
  /** Ends what is in flight, one trial after another, until none is: those fail that hold all guilty hunks. */
  play(...guilty: number[]): Promise<void>;
  /** Ends the first that is in flight. */
  end(how: CellEnd): Promise<void>;
  /** What the desk was asked to write. */
  written: number;
}

/** A bisect on its screen whose run runs nothing: a test says how each of its trials ends. */
export async function holdBisect(
  given: Parameters<typeof plannedBisect>[0] = {},
  {
    columns = 80,
    rows = 24,
    plan = ['about 20 trials'] as readonly string[] | 'working',
    isPast = false,
    problem = undefined as Error | undefined,
    parallel = 1,
  } = {},
): Promise<BisectedRun> {
  const planned: PlannedBisect = plannedBisect({ strategy: 'guided', ...given });
  const fake = createFakeRun(planned);
  const { run, record, events } = fake;
  const driver = createDriver(fake.options({ isAttended: true, parallel }));
  let hasBegun = false;
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    driver.start().catch(() => {});
  };
  const held = { written: 0 };
  const desk: BisectDesk = {
    record,
    status: () => (hasBegun ? driver.status() : { kind: 'planned' }),
    proposal: driver.proposal,
    subscribe: driver.subscribe,
    plan: () => (plan === 'working' ? undefined : plan),
    resume: 'evalrun bisect --resume 20261130-120000-aaaa',
    ...(!isPast && {
      controls: {
        begin,
        goOn: driver.goOn,
        decide: driver.decide,
        async writeNarrowed() {
          held.written++;
          if (problem) throw problem;
          return { path: 'prompts/v3.md', isOld: held.written > 1 };
        },
      },
    }),
  };
  const controls: RunControls = {
    isPaused: false,
    pause() {},
    resume() {},
    stop: () => run.stop(),
    abort: () => fake.abort(),
    addTrials: run.addTrials,
  };
  const appRun: AppRun = {
    feed(listener) {
      const told = events.map((event, at) => ({ event, position: { offset: 2 * at, length: 1 } }));
      for (const message of told) listener(message);
      run.subscribe(({ event }) =>
        listener({ event, position: { offset: 2 * (events.length - 1), length: 1 } }),
      );
    },
    async readTrial(key, positions): Promise<TrialRecord> {
      const read: TrialRecord = {
        key,
        attempt: 1,
        turns: [],
        results: [],
        finished: undefined,
        error: undefined,
      };
      for (const { offset } of positions) {
        // Two apart, so that the tally joins none.
        const event = events[offset / 2];
        if (event?.type === 'turn-finished') read.turns.push(event.turn);
        if (event?.type === 'check-finished') read.results.push(event.result);
      }
      return read;
    },
    ...(!isPast && { controls }),
    bisect: () => desk,
  };
  const app = holdApp([appRun], { columns, rows });
  const end = async (how: CellEnd) => {
    await settle();
    fake.end(how);
    await settle();
    app.model.resize(app.model.state.size);
  };
  return {
    app,
    fake,
    end,
    async play(...guilty) {
      await settle();
      while (fake.inFlight().length > 0) {
        const candidate = record.candidateOf(fake.inFlight()[0]?.condition ?? '') ?? '';
        await end(guilty.every((hunk) => candidate[hunk] === '1') ? fail : pass);
      }
      app.model.resize(app.model.state.size);
    },
    get written() {
      return held.written;
    },
  };
}

/** Begins, and measures both ends. */
export async function begun(...given: Parameters<typeof holdBisect>): Promise<BisectedRun> {
  const held = await holdBisect(...given);
  held.app.press(keys.enter);
  await held.play(2);
  return held;
}
