import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../source/base/random.js';
import type { BisectDriver } from '../../source/bisect/driver.js';
import type { BisectRecord } from '../../source/bisect/record.js';
import type { RecordedTrial } from '../../source/bisect/recorded-trials.js';
import { trialId } from '../../source/run/events.js';
import { replayJournal } from '../../source/run/reader.js';
import { journalFile } from '../../source/run/run-folder.js';
import { temporaryFolder } from '../run/support.js';
import { plannedBisect } from './planned.js';
import { beginReal, finishReal, type RealBisect, readReal, resumeReal, targetWithRate } from './real-run.js';

/** Hunk 2 of three is guilty. */
const rateOf = (prompt: string, scenario: string) =>
  scenario === 'baggage' ? 0.5 : prompt.includes('Rule 2 is bad') ? 0.2 : 0.97;

function texts(hunks: number) {
  const text = (end: string) =>
    Array.from({ length: hunks }, (_, at) => `Rule ${at + 1} is ${end}.\nLine ${at + 1} stays.\n`).join('');
  return { good: text('good'), bad: text('bad') };
}

/** What a bisect came to, without the times. */
function facts(record: BisectRecord): object {
  const isOfSuite = ({ purpose }: RecordedTrial) => purpose.kind === 'suite';
  const trials = record.trials
    .filter((trial) => !isOfSuite(trial))
    .map((trial) => [trial.trial, trial.candidate, trial.purpose, record.outcomeOf(trial)]);
  // The rest of the suite may have been planned in part: what was not is a trial of its own.
  const suite = record.trials.filter(isOfSuite).flatMap(({ cells }) => cells.map(({ key }) => trialId(key)));
  const said = record.session().entries.filter(({ kind }) => kind !== 'trial');
  return { trials, suite: suite.sort(), said, finding: record.found()?.finding };
}

/** No conversation of a journal ends twice. */
async function expectEachOnce(folder: string): Promise<void> {
  const ended: string[] = [];
  await replayJournal(path.join(folder, journalFile), ({ event }) => {
    if (event.type === 'trial-finished') ended.push(trialId(event.trial));
  });
  expect(new Set(ended).size).toBe(ended.length);
}

/** Takes up a journal that was cut, and plays it to its end. */
async function resumeCut(
  bytes: Buffer,
  folder: string,
  bisect: RealBisect,
  person?: (driver: BisectDriver) => void,
): Promise<BisectRecord> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, journalFile), bytes);
  await finishReal(await resumeReal(folder, bisect), person);
  await expectEachOnce(folder);
  return readReal(folder);
}

function cutsOf(bytes: Buffer, random: number): number[] {
  const cuts: number[] = [];
  for (let at = bytes.indexOf(10) + 1; at > 0; at = bytes.indexOf(10, at) + 1) cuts.push(at);
  const [first = 0] = cuts;
  const draw = createRandom('cuts', bytes.length);
  for (let one = 0; one < random; one++) cuts.push(first + Math.floor(draw.next() * (bytes.length - first)));
  return cuts;
}

async function inBatches<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  for (let next = 0; next < items.length; next += 8) await Promise.all(items.slice(next, next + 8).map(act));
}

/**
 * Decides by what is recorded and not by what was before, so that one who comes back goes on as before: takes the first
 * step back once, watches more after the second, and hands over to auto after the fourth.
 */
function person(driver: BisectDriver): void {
  const { record } = driver;
  const { entries } = record.session();
  const said = (kind: string) => entries.filter((entry) => entry.kind === kind).length;
  const status = driver.status();
  if (status.kind === 'deciding') driver.decide({ kind: 'accept', hunk: status.next.hunk });
  else if (status.kind === 'asking') driver.goOn();
  else if (status.kind === 'waiting') {
    const steps = said('accept');
    if (steps === 1 && said('undo') === 0) driver.decide({ kind: 'undo', steps: 1 });
    else if (steps === 2 && said('watch') === 0)
      driver.decide({
        kind: 'watch',
        watched: [{ scenario: 'refund', check: 'agrees' }, { scenario: 'delay' }],
      });
    else if (steps === 3 && said('hand-over') === 0) driver.decide({ kind: 'hand-over', to: 'auto' });
    else driver.goOn();
  }
}

describe('a bisect that was killed', () => {
  it('by itself ends the same, with the same trials, wherever its journal was cut', async () => {
    const home = await temporaryFolder();
    // One at a time: of two at once the second may not have been planned yet, and then something else is tried.
    const bisect = { planned: plannedBisect(texts(3)), targetOf: targetWithRate(rateOf), parallel: 1 };
    const whole = await beginReal(home, bisect);
    await finishReal(whole);
    const found = facts(await readReal(whole.run.folder));
    expect(found).toMatchObject({ finding: { kind: 'hunks', hunks: [1] } });
    const bytes = await readFile(path.join(whole.run.folder, journalFile));
    const cuts = cutsOf(bytes, 20);
    expect(cuts.length).toBeGreaterThan(100);
    await inBatches(cuts, async (cut) => {
      const record = await resumeCut(bytes.subarray(0, cut), path.join(home, `cut-${cut}`), bisect);
      expect([cut, facts(record)]).toEqual([cut, found]);
    });
  }, 60_000);

  it('with a person keeps what was said, and ends with the right hunk', async () => {
    const home = await temporaryFolder();
    const bisect: RealBisect = {
      planned: plannedBisect({ ...texts(5), strategy: 'guided' }),
      targetOf: targetWithRate(rateOf),
      isAttended: true,
    };
    const whole = await beginReal(home, bisect);
    await finishReal(whole, person);
    const record = await readReal(whole.run.folder);
    expect(record.found()?.finding).toMatchObject({ kind: 'hunks', hunks: [1] });
    const kinds = new Set(record.session().entries.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['trial', 'accept', 'undo', 'watch', 'hand-over']));
    const bytes = await readFile(path.join(whole.run.folder, journalFile));
    const lines = cutsOf(bytes, 0);
    const cuts = [...lines.filter((_, at) => at % 4 === 0), ...cutsOf(bytes, 12).slice(lines.length)];
    await inBatches(cuts, async (cut) => {
      const folder = path.join(home, `cut-${cut}`);
      const part = bytes.subarray(0, cut);
      const saidBefore = part.toString('utf8').split('"type":"bisect-decided"').length - 1;
      const resumed = await resumeCut(part, folder, bisect, person);
      expect([cut, resumed.found()?.finding]).toMatchObject([cut, { kind: 'hunks', hunks: [1] }]);
      const said = (one: BisectRecord) => one.session().entries.filter(({ kind }) => kind !== 'trial');
      expect(said(resumed).slice(0, saidBefore)).toEqual(said(record).slice(0, saidBefore));
    });
  }, 60_000);

  it('goes on in another folder from its journal alone', async () => {
    const home = await temporaryFolder();
    const bisect = { planned: plannedBisect(texts(3)), targetOf: targetWithRate(rateOf) };
    const first = await beginReal(home, bisect);
    first.run.subscribe(({ event }) => {
      if (event.type === 'trial-finished' && first.record.trials.length >= 7) first.run.abort();
    });
    await finishReal(first);
    expect(first.driver.status().kind).toBe('stopped');
    const elsewhere = path.join(await temporaryFolder(), 'copied');
    await cp(first.run.folder, elsewhere, { recursive: true });
    await finishReal(await resumeReal(elsewhere, bisect));
    const record = await readReal(elsewhere);
    expect(record.found()?.finding).toMatchObject({ kind: 'hunks', hunks: [1] });
    await expectEachOnce(elsewhere);
  });
});
