import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import type { JsonObject } from '../../source/base/json.js';
import { accumulate } from '../../source/compare/baseline-accumulate.js';
import { baselineEvidence } from '../../source/compare/baseline-evidence.js';
import { compareEvidence } from '../../source/compare/compare.js';
import { evidenceOf } from '../../source/compare/evidence.js';
import { ModelError } from '../../source/model/types.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import type { RunMessage } from '../../source/run/events.js';
import { planScenario } from '../../source/run/plan.js';
import { createTrialReader, replayJournal } from '../../source/run/reader.js';
import { differenceOf, readRecording } from '../../source/run/recording.js';
import { countMissing, planRegrade, startRegrade } from '../../source/run/regrade.js';
import { resumeRun } from '../../source/run/resume.js';
import { journalFile } from '../../source/run/run-folder.js';
import { startRun } from '../../source/run/start.js';
import type { Scenario } from '../../source/suite/types.js';
import type { Target } from '../../source/target/types.js';
import {
  observe,
  patternCheck,
  reply,
  runOptions,
  scenario,
  seededTarget,
  suiteOf,
  tallyOf,
  targetThat,
  temporaryFolder,
} from './support.js';

async function record(scenarios: Scenario[], target: Target = seededTarget): Promise<string> {
  const run = await startRun(
    runOptions(await temporaryFolder(), observe(), { scenarios, target, attempts: 1 }),
  );
  await run.start();
  await run.close();
  return path.join(run.folder, journalFile);
}

async function playedTally(scenarios: Scenario[]) {
  const observed = observe();
  const run = await startRun(
    runOptions(await temporaryFolder(), observed, { scenarios, target: seededTarget, attempts: 1 }),
  );
  await run.start();
  await run.close();
  return tallyOf(observed);
}

async function regrade(journal: string, today: Scenario[]) {
  const readTrial = createTrialReader(journal);
  const plan = await planRegrade(await readRecording(journal), today, readTrial);
  const observed = observe();
  const run = await startRegrade({
    plan,
    readTrial,
    runsFolder: await temporaryFolder(),
    suite: suiteOf(today),
    concurrency: 3,
    attempts: 3,
    limitMs: 180_000,
    clock: systemClock,
    summariser: observed.keeper,
    evalrun: '0.0.0',
    command: 'evalrun regrade',
  });
  await run.start();
  await run.close();
  return { plan, run, tally: tallyOf(observed), messages: observed.messages };
}

const turnsOf = (messages: readonly RunMessage[]) =>
  messages.flatMap(({ event }) =>
    event.type === 'turn-finished' ? [{ trial: event.trial, turn: event.turn }] : [],
  );

describe('grading a run again', () => {
  it('keeps every conversation to the last member and asks no agent', async () => {
    const scenarios = [scenario('one', ['a', 'b']), scenario('two', ['ü'])];
    const journal = await record(scenarios);
    const before: RunMessage[] = [];
    await replayJournal(journal, (message) => before.push(message));
    const { tally, messages } = await regrade(journal, scenarios);
    const inOrder = (list: ReturnType<typeof turnsOf>) => list.map((one) => JSON.stringify(one)).sort();
    expect(inOrder(turnsOf(messages))).toEqual(inOrder(turnsOf(before)));
    expect(tally.trials).toMatchObject({ total: 4, done: 4, errors: 0 });
    const finished = (list: RunMessage[]) =>
      list
        .flatMap(({ event }) =>
          event.type === 'trial-finished' ? [JSON.stringify([event.trial, event.ms, event.tokens])] : [],
        )
        .sort();
    expect(finished(messages)).toEqual(finished(before));
  });

  it('grades by the checks of today', async () => {
    const saysYes = targetThat(() => reply('yes'));
    const journal = await record([scenario('one', ['a'], [patternCheck('agrees', 'yes')])], saysYes);
    const { tally } = await regrade(journal, [scenario('one', ['a'], [patternCheck('agrees', 'no')])]);
    expect(tally.verdicts).toMatchObject({ fail: 1, pass: 0 });
    expect(tally.started.regradeOf?.stale).toEqual([]);
  });

  it('grades against the tuning values that the product told then, and asks it for none', async () => {
    let asked = 0;
    const level = (bounds: JsonObject) => ({
      ...patternCheck('level', ''),
      type: 'signal',
      args: { name: 'level', ...bounds },
    });
    const target: Target = {
      ...targetThat(() => reply('yes', { signals: { level: 7 } })),
      tuning: async () => ({ limits: { most: asked++ === 0 ? 9 : 0 } }),
    };
    const most = { tuning: '$.limits.most' };
    const journal = await record([scenario('one', ['a'], [level({ max: most })])], target);
    const graded = async (bounds: JsonObject) => {
      const { tally, messages } = await regrade(journal, [scenario('one', ['a'], [level(bounds)])]);
      expect(tally.started.tuning).toEqual({ a: { limits: { most: 9 } } });
      return messages.flatMap(({ event }) => (event.type === 'check-finished' ? [event.result] : []));
    };
    expect((await graded({ max: most })).map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    const [strict] = await graded({ min: most });
    expect(strict).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('9') });
    const [mistaken] = await graded({ max: { tuning: '$.limits.least' } });
    expect(mistaken).toMatchObject({ verdict: 'unknown' });
    expect(asked).toBe(1);
  });

  it('tells scenarios apart that changed, are gone or are new', async () => {
    const journal = await record([
      scenario('kept', ['a']),
      scenario('reworded', ['b']),
      scenario('dropped', ['c']),
      scenario('renamed', ['e']),
    ]);
    const { plan, tally } = await regrade(journal, [
      scenario('added', ['d']),
      scenario('kept', ['a'], [patternCheck('another', 'no')]),
      scenario('reworded', ['b, please']),
      { ...scenario('renamed', ['e']), variables: { name: 'Bo' }, hash: 'another' },
    ]);
    expect(plan).toMatchObject({
      stale: [
        { scenario: 'reworded', why: 'its turns changed' },
        { scenario: 'renamed', why: 'its persona changed' },
      ],
      gone: ['dropped'],
      fresh: ['added'],
    });
    expect(tally.started.regradeOf?.stale).toEqual(plan.stale);
    expect(tally.rows.map((row) => row.scenario.id)).toEqual(['kept', 'reworded', 'renamed']);
  });

  it('says what the conversations are of, also where the scenario has changed since, and when it is graded again', async () => {
    const [then, today] = [scenario('one', ['a']), scenario('one', ['b'])];
    const first = await regrade(await record([then]), [today]);
    const second = await regrade(path.join(first.run.folder, journalFile), [today]);
    const planned = (one: Scenario) => {
      const { hash, parts } = planScenario(one);
      return { hash, parts };
    };
    for (const { plan, tally } of [first, second]) {
      expect(plan.stale).toEqual([{ scenario: 'one', why: 'its turns changed' }]);
      expect(tally.started.plan.scenarios).toMatchObject([planned(then)]);
    }
    const { baseline } = accumulate(undefined, evidenceOf(first.tally, 'a'), { now: 0 });
    expect(baseline.scenarios.one).toMatchObject(planned(then));
    const fresh = evidenceOf(await playedTally([today]), 'a');
    const known = baselineEvidence(baseline);
    expect(compareEvidence(known, fresh, defaultGate).changes).toMatchObject([
      { direction: 'not-comparable', why: ['turns'] },
    ]);
  });

  it('counts trials without a conversation as errors, at once', async () => {
    const breaks = targetThat(({ scenario: id }) => {
      if (id === 'two') throw new ModelError('bad-answer', 'nonsense');
      return reply('yes');
    });
    const scenarios = [scenario('one', ['a']), scenario('two', ['b'])];
    const { tally, plan } = await regrade(await record(scenarios, breaks), scenarios);
    expect(countMissing(plan)).toBe(2);
    expect(tally.trials).toMatchObject({ total: 4, done: 4, errors: 2 });
    expect(tally.rowById.get('two')?.groups[0]?.cells[0]?.why).toContain('could not be run in');
  });

  it('is tainted by what tainted the run', async () => {
    const breaks = targetThat(({ scenario: id }) => {
      if (id === 'two') throw new ModelError('rate-limit', 'slow down');
      return reply('yes');
    });
    const scenarios = [scenario('one', ['a']), scenario('two', ['b'])];
    const { tally } = await regrade(await record(scenarios, breaks), scenarios);
    expect(tally.taints.map(({ kind }) => kind)).toEqual(['rate-limit']);
    expect(tally.state).toBe('completed');
  });

  it('keeps trials that were added to a scenario', async () => {
    const scenarios = [scenario('one', ['a']), scenario('two', ['b'])];
    const run = await startRun(runOptions(await temporaryFolder(), observe(), { scenarios }));
    run.addTrials('two', 2);
    await run.start();
    await run.close();
    const { tally } = await regrade(path.join(run.folder, journalFile), scenarios);
    expect(tally.rowById.get('two')?.groups[0]?.cells).toHaveLength(4);
    expect(tally.trials).toMatchObject({ total: 6, done: 6, errors: 0 });
  });

  it('cannot be resumed, since what is left would be played', async () => {
    const scenarios = [scenario('one', ['a'])];
    const { run } = await regrade(await record(scenarios), scenarios);
    const again = resumeRun({
      ...runOptions('', observe(), { scenarios }),
      folder: run.folder,
    });
    await expect(again).rejects.toThrow('begin anew: evalrun regrade');
  });
});

describe('whether a conversation is of a scenario', () => {
  const turn = (index: number, message: string, more = {}) => ({
    index,
    message,
    reply: reply('yes'),
    ms: 1,
    ...more,
  });
  const record = (turns: ReturnType<typeof turn>[], unsent: string[] = []) => ({
    key: { scenario: 'one', condition: 'a', repeat: 1 },
    attempt: 1,
    turns,
    results: [],
    finished: {
      end: { kind: 'completed' as const },
      unsent,
      ms: 1,
      tokens: { agent: reply('').usage, judge: reply('').usage },
    },
    error: undefined,
  });
  const planned = scenario('one', ['a', 'b', 'c']);

  it('is of it when all was said, and when what was not said is what is planned', () => {
    expect(differenceOf(planned, record([turn(1, 'a'), turn(2, 'b'), turn(3, 'c')]))).toBeUndefined();
    expect(differenceOf(planned, record([turn(1, 'a')], ['b', 'c']))).toBeUndefined();
  });

  it('is not of it when a message is another, is missing, or was added', () => {
    for (const other of [
      record([turn(1, 'a'), turn(2, 'B'), turn(3, 'c')]),
      record([turn(1, 'a'), turn(2, 'b')]),
      record([turn(1, 'a'), turn(2, 'b'), turn(3, 'c'), turn(4, 'd')]),
      record([turn(1, 'a')], ['b', 'other']),
      record([turn(1, 'a')], ['c']),
    ])
      expect(differenceOf(planned, other)).toBe('its turns changed');
  });

  it('takes any message for a turn that a model plays', () => {
    const played = {
      ...planned,
      turns: [
        { kind: 'fixed' as const, message: 'a' },
        { kind: 'simulated' as const, instruction: 'insist', maxTurns: 3 },
      ],
    };
    const simulated = (at: number) => ({
      simulated: { model: 'm', plannedTurn: at, isDone: false, usage: reply('').usage },
    });
    expect(
      differenceOf(played, record([turn(1, 'a'), turn(2, 'x', simulated(2)), turn(3, 'y', simulated(2))])),
    ).toBeUndefined();
    expect(differenceOf(played, record([turn(1, 'a')]))).toBeUndefined();
    expect(differenceOf(played, record([turn(1, 'x', simulated(1))]))).toBe('its turns changed');
    expect(
      differenceOf(played, record([turn(1, 'a'), turn(2, 'x', simulated(2))], ['insist'])),
    ).toBeUndefined();
  });

  it('sees that a fixture answers otherwise now', () => {
    const call = { name: 'get_order', args: { id: 7 }, result: { days: 45 }, from: 'fixture' as const };
    const said = record([
      { ...turn(1, 'a'), reply: reply('yes', { parts: [{ kind: 'tool', call }] }) },
      turn(2, 'b'),
      turn(3, 'c'),
    ]);
    const withFixture = (days: number): Scenario => ({
      ...planned,
      fixtures: { get_order: { kind: 'constant', value: { days } } },
    });
    expect(differenceOf(withFixture(45), said)).toBeUndefined();
    expect(differenceOf(withFixture(10), said)).toBe('its fixtures changed');
    expect(differenceOf(planned, said)).toBe('its fixtures changed');
  });
});
