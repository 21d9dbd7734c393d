import path from 'node:path';
import { sha256 } from '../../source/base/hash.js';
import { createRandom } from '../../source/base/random.js';
import { candidateName, candidateText } from '../../source/bisect/candidate-prompt.js';
import { type BisectDriver, createDriver } from '../../source/bisect/driver.js';
import { type BisectRecord, createRecord } from '../../source/bisect/record.js';
import type { PlannedBisect } from '../../source/run/bisect-events.js';
import { replayJournal } from '../../source/run/reader.js';
import { resumeRun } from '../../source/run/resume.js';
import { journalFile } from '../../source/run/run-folder.js';
import { type StartRunOptions, startRun } from '../../source/run/start.js';
import type { LiveRun } from '../../source/run/types.js';
import type { Target } from '../../source/target/types.js';
import { condition, type Observed, observe, reply, runOptions, tallyOf, targetThat } from '../run/support.js';
import { scenarios } from './planned.js';

/** What a bisect of a test is of, and on what it runs. */
export interface RealBisect {
  planned: PlannedBisect;
  /** What is tested with a prompt. */
  targetOf(prompt: string): Target;
  seed?: string;
  isAttended?: boolean;
  parallel?: number;
  given?: Partial<StartRunOptions>;
}

export interface OpenReal {
  run: LiveRun;
  driver: BisectDriver;
  record: BisectRecord;
  observed: Observed;
}

/** Says yes as often as a rate says, by what stands in the prompt. The same trial on the same prompt always says the same. */
export function targetWithRate(
  rateOf: (prompt: string, scenario: string) => number,
): (prompt: string) => Target {
  return (prompt) =>
    targetThat(({ seed, scenario, turn }) =>
      reply(createRandom(seed, turn, prompt).next() < rateOf(prompt, scenario) ? 'yes, please' : 'no'),
    );
}

function openerOf({ targetOf }: RealBisect) {
  return async (id: string, { name, text }: { name: string; text: string }) => ({
    condition: {
      ...condition(id, name),
      standby: true as const,
      promptSha256: sha256(text),
      hash: sha256(text),
    },
    target: targetOf(text),
    prompt: { name, path: 'prompts/v2.md', text },
  });
}

/** A new bisect through the real run: scheduler, journal, grading. */
export async function beginReal(runsFolder: string, bisect: RealBisect): Promise<OpenReal> {
  const { planned, seed = '7', given } = bisect;
  const open = openerOf(bisect);
  const observed = observe();
  const run = await startRun({
    ...runOptions(runsFolder, observed, { scenarios, seed, concurrency: 4, repeat: 1, ...given }),
    conditions: [await open('a', planned.good), await open('b', planned.bad)],
    purpose: 'bisect',
    bisect: planned,
  });
  const record = createRecord(tallyOf(observed).started);
  return withDriver({ run, record, observed }, bisect);
}

/** The bisect of a folder again, with nothing but what its journal says. */
export async function resumeReal(folder: string, bisect: RealBisect): Promise<OpenReal> {
  const record = await readReal(folder);
  const { planned, diff } = record;
  const open = openerOf(bisect);
  const observed = observe();
  const joined = record
    .joined()
    .map(({ condition: id, candidate }) =>
      open(id, { name: candidateName(planned, candidate), text: candidateText(diff, candidate) }),
    );
  const run = await resumeRun({
    ...runOptions('', observed, { scenarios, concurrency: 4, ...bisect.given }),
    folder,
    conditions: await Promise.all([open('a', planned.good), open('b', planned.bad), ...joined]),
  });
  return withDriver({ run, record, observed }, bisect);
}

/** What a journal tells of its bisect. */
export async function readReal(folder: string): Promise<BisectRecord> {
  let record: BisectRecord | undefined;
  await replayJournal(path.join(folder, journalFile), ({ event }) => {
    if (event.type === 'run-started') record = createRecord(event);
    else record?.hear(event);
  });
  if (!record) throw new Error('no journal');
  return record;
}

function withDriver(parts: Omit<OpenReal, 'driver'>, bisect: RealBisect): OpenReal {
  const { run, record } = parts;
  const { isAttended = false, parallel = 2 } = bisect;
  const driver = createDriver({
    run,
    record,
    openCondition: openerOf(bisect),
    isAttended,
    parallel,
  });
  return { ...parts, driver };
}

/** Plays a bisect to its end. `person` is asked whenever something has changed. */
export async function finishReal(
  opened: Pick<OpenReal, 'driver' | 'run'>,
  person?: (driver: BisectDriver) => void,
): Promise<void> {
  const { driver, run } = opened;
  let isDue = false;
  if (person)
    driver.subscribe(() => {
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        person(driver);
      });
    });
  await driver.start();
  await run.close();
}
