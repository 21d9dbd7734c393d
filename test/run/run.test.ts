import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../source/model/types.js';
import type { RunEvent, TrialKey } from '../../source/run/events.js';
import { trialId } from '../../source/run/events.js';
import { createExtensions } from '../../source/run/extensions.js';
import { createPlan, trialSeed, trialsInOrder, twinsOf } from '../../source/run/plan.js';
import { replayJournal } from '../../source/run/reader.js';
import { journalFile } from '../../source/run/run-folder.js';
import { createRunId, runIdPattern } from '../../source/run/run-id.js';
import { startRun } from '../../source/run/start.js';
import { readSummary } from '../../source/run/summary.js';
import type { LiveRun } from '../../source/run/types.js';
import { TargetError } from '../../source/target/types.js';
import {
  condition,
  eventsOf,
  instantClock,
  limitClock,
  type Observed,
  observe,
  patternCheck,
  reply,
  runOptions,
  scenario,
  seededTarget,
  tallyOf,
  targetThat,
  temporaryFolder,
} from './support.js';

const scenarios = [scenario('one', ['hello', 'and?']), scenario('two', ['hi']), scenario('three', ['hey'])];

/** A door that a test opens. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('the order of trials', () => {
  const plan = createPlan(scenarios, [condition('a'), condition('b')], 2);

  it('goes through all scenarios before it repeats one, and conditions take turns at going first', () => {
    const order = Array.from(trialsInOrder(plan), (key) => `${key.scenario}${key.repeat}${key.condition}`);
    expect(order).toEqual(
      ['one1a', 'one1b', 'two1b', 'two1a', 'three1a', 'three1b'].concat([
        'one2b',
        'one2a',
        'two2a',
        'two2b',
        'three2b',
        'three2a',
      ]),
    );
  });

  it('holds the added trials of single scenarios', () => {
    const added = createExtensions(plan, [{ type: 'plan-extended', at: 1, scenario: 'two', from: 3, to: 4 }]);
    const order = Array.from(trialsInOrder(plan, added), trialId);
    expect(order).toHaveLength(16);
    expect(order.slice(12)).toEqual(['b/3/two', 'a/3/two', 'a/4/two', 'b/4/two']);
    expect(new Set(order).size).toBe(16);
  });

  it('draws the seed of a trial from what it is, so that nothing else in the plan matters', () => {
    expect(trialSeed('7', 's', 'one', 1)).toBe(trialSeed('7', 's', 'one', 1));
    const seeds = [
      trialSeed('8', 's', 'one', 1),
      trialSeed('7', 't', 'one', 1),
      trialSeed('7', 's', 'two', 1),
      trialSeed('7', 's', 'one', 2),
    ];
    expect(new Set(seeds).add(trialSeed('7', 's', 'one', 1)).size).toBe(5);
  });
});

describe('twins', () => {
  it('have draws of their own, and the first of them those that it would have alone', () => {
    const conditions = [condition('a'), condition('b'), condition('c', 'a'), condition('d', 'b')];
    expect([...twinsOf({ conditions })]).toEqual([
      ['c', 'c'],
      ['d', 'd'],
    ]);
    expect(trialSeed('7', 's', 'one', 1, 'c')).not.toBe(trialSeed('7', 's', 'one', 1));
    expect(trialSeed('7', 's', 'one', 1, undefined)).toBe(trialSeed('7', 's', 'one', 1));
  });
});

describe('the id of a run', () => {
  it('sorts by the time of its start, to the millisecond', () => {
    const bytes = () => new Uint8Array([200, 7]);
    expect(createRunId(Date.UTC(2026, 10, 30, 14, 25, 30, 500), bytes)).toBe('20261130-142530-k2cb');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e10 }), (start, later) => {
        expect(createRunId(start) < createRunId(start + later)).toBe(true);
        expect(createRunId(start)).toMatch(runIdPattern);
      }),
    );
  });
});

describe('a run', () => {
  it('runs every trial of the plan, tallies it and keeps journal and summary for its owner alone', async () => {
    const logs = await temporaryFolder();
    const observed = observe();
    const run = await startRun(runOptions(path.join(logs, 'tiny'), observed, { scenarios }));
    await run.start();
    await run.close();
    const tally = tallyOf(observed);
    expect(tally.state).toBe('completed');
    expect(tally.trials).toEqual({ total: 6, done: 6, running: 0, errors: 0 });
    expect(run.runId).toMatch(/^\d{8}-\d{6}-[2-7a-z]{4}$/);
    expect(await readdir(path.join(logs, 'tiny'))).toEqual([run.runId]);
    expect((await readdir(run.folder)).sort()).toEqual(['journal.jsonl', 'summary.json']);
    expect((await stat(run.folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(run.folder, 'journal.jsonl'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(run.folder, 'summary.json'))).mode & 0o777).toBe(0o600);
    const summary = await readSummary(run.folder);
    expect(summary).toMatchObject({
      runId: run.runId,
      state: 'completed',
      trials: { total: 6, done: 6, errors: 0 },
    });
    expect(summary?.journalBytes).toBe((await stat(path.join(run.folder, journalFile))).size);
  });

  it('tells live what it tells when replayed', async () => {
    const observed = observe();
    const run = await startRun(runOptions(await temporaryFolder(), observed, { scenarios }));
    await run.start();
    await run.close();
    const replay = observe();
    await replayJournal(path.join(run.folder, journalFile), replay.keeper.hear);
    expect(replay.messages).toEqual(observed.messages.filter(({ event }) => event.type !== 'reply-progress'));
    expect(tallyOf(replay)).toEqual(tallyOf(observed));
  });

  it('gives a late listener all of it: what was, from the journal, then what comes', async () => {
    const held = gate();
    const observed = observe();
    const target = targetThat(async ({ scenario: id }) => {
      if (id === 'two') await held.opened;
      return reply('yes');
    });
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, { scenarios, target, repeat: 1, concurrency: 1 }),
    );
    const finished = run.start();
    await until(run, (event) => event.type === 'trial-started' && event.trial.scenario === 'two');
    const late = observe();
    run.feed(late.keeper.hear);
    held.open();
    await finished;
    await run.close();
    expect(late.messages.map(({ position }) => position)).toEqual(
      observed.messages.filter(({ position }) => position).map(({ position }) => position),
    );
  });

  it('reads a trial back while the run goes on', async () => {
    const observed = observe();
    const run = await startRun(runOptions(await temporaryFolder(), observed, { scenarios }));
    await run.start();
    const key: TrialKey = { scenario: 'one', condition: 'a', repeat: 2 };
    const cell = tallyOf(observed).rowById.get('one')?.groups[0]?.cells[1];
    const record = await run.readTrial(key, cell?.positions ?? []);
    expect(record.turns.map((turn) => turn.message)).toEqual(['hello', 'and?']);
    expect(record.results.map((result) => result.checkId)).toEqual(['agrees']);
    expect(record.finished?.end).toEqual({ kind: 'completed' });
    await run.close();
  });

  it('gives a trial the same draws whatever else runs and in whatever order', async () => {
    const transcripts = async (ids: string[], concurrency: number) => {
      const observed = observe();
      const chosen = ids.flatMap((id) => scenarios.filter((each) => each.id === id));
      const run = await startRun(
        runOptions(await temporaryFolder(), observed, { scenarios: chosen, concurrency }),
      );
      await run.start();
      await run.close();
      return new Map(
        eventsOf(observed, 'turn-finished').map(({ trial, turn }) => [
          `${trialId(trial)}/${turn.index}`,
          turn.reply.text,
        ]),
      );
    };
    const all = await transcripts(['one', 'two', 'three'], 5);
    const few = await transcripts(['three', 'one'], 1);
    for (const [id, text] of few) expect(all.get(id)).toBe(text);
    expect(new Set(all.values()).size).toBe(2);
  });

  it('lets its targets go when it is closed', async () => {
    let closed = 0;
    const observed = observe();
    const target = { ...targetThat(() => reply('yes')), close: async () => void closed++ };
    const run = await startRun(runOptions(await temporaryFolder(), observed, { scenarios, target }));
    await run.start();
    expect(closed).toBe(0);
    await run.close();
    expect(closed).toBe(1);
  });

  it('says where it cannot be kept, and how to keep it elsewhere', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(startRun(runOptions(path.join(file, 'logs'), observe(), { scenarios }))).rejects.toThrow(
      /^the run cannot be kept \(ENOTDIR: .*\); EVALRUN_LOGS names another folder for runs$/,
    );
  });

  it('never has more in flight than it is told', async () => {
    let inFlight = 0;
    let most = 0;
    const target = targetThat(async () => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
      return reply('yes');
    });
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, { scenarios, target, repeat: 5, concurrency: 4 }),
    );
    await run.start();
    await run.close();
    expect(most).toBe(4);
  });
});

/** Resolves when a run tells of an event. */
function until(run: LiveRun, isIt: (event: RunEvent) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const leave = run.subscribe(({ event }) => {
      if (!isIt(event)) return;
      leave();
      resolve();
    });
  });
}

describe('errors of a trial', () => {
  async function runWith(say: Parameters<typeof targetThat>[0], attempts = 3): Promise<Observed> {
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('one', ['hello']), scenario('two', ['hello'])],
        target: targetThat(say),
        repeat: 1,
        concurrency: 1,
        attempts,
        clock: instantClock(),
      }),
    );
    await run.start();
    await run.close();
    return observed;
  }

  it('tries again with the same seed, after the others, and keeps nothing of the attempt that failed', async () => {
    const seeds: string[] = [];
    let failures = 2;
    const observed = await runWith(({ scenario: id, seed }) => {
      if (id !== 'one') return reply('yes');
      seeds.push(seed);
      if (failures-- > 0) throw new ModelError('overloaded', 'busy');
      return reply('yes');
    });
    expect(new Set(seeds).size).toBe(1);
    expect(
      eventsOf(observed, 'trial-errored').map(({ attempt, kind, final }) => [attempt, kind, final]),
    ).toEqual([
      [1, 'overloaded', false],
      [2, 'overloaded', false],
    ]);
    expect(eventsOf(observed, 'trial-finished').map(({ trial }) => trial.scenario)).toEqual(['two', 'one']);
    const tally = tallyOf(observed);
    expect(tally.rowById.get('one')).toMatchObject({ verdict: 'pass', why: undefined });
    expect(tally.rowById.get('one')?.groups[0]?.cells[0]?.attempt).toBe(3);
    expect(tally.taints).toEqual([]);
  });

  it('waits as long as the other side asks before it tries again', async () => {
    let asked = 0;
    const observed = await runWith(({ scenario: id }) => {
      if (id === 'one' && asked++ === 0) throw new ModelError('rate-limit', 'slow down', 17_000);
      return reply('yes');
    });
    const [error] = eventsOf(observed, 'trial-errored');
    const again = eventsOf(observed, 'trial-started').at(-1);
    expect((again?.at ?? 0) - (error?.at ?? 0)).toBe(17_000);
  });

  it('leaves a trial an error when no attempt is left, and taints the run if that was a rate limit', async () => {
    const observed = await runWith(({ scenario: id }) => {
      if (id === 'one') throw new ModelError('rate-limit', 'quota used up');
      return reply('yes');
    });
    const tally = tallyOf(observed);
    expect(eventsOf(observed, 'trial-errored').map(({ final }) => final)).toEqual([false, false, true]);
    expect(tally.rowById.get('one')).toMatchObject({
      verdict: 'error',
      why: { checkId: undefined, reason: 'quota used up' },
    });
    expect(tally.trials).toMatchObject({ done: 2, errors: 1 });
    expect(tally.taints).toEqual([{ kind: 'rate-limit', message: 'one: quota used up' }]);
    expect(tally.state).toBe('completed');
  });

  it('stops the whole run at once on an auth error, and taints it', async () => {
    const observed = await runWith(() => {
      throw new ModelError('auth', 'the key is not valid');
    });
    const tally = tallyOf(observed);
    expect(eventsOf(observed, 'trial-errored')).toHaveLength(1);
    expect(eventsOf(observed, 'trial-started')).toHaveLength(1);
    expect(tally.state).toBe('stopped');
    expect(tally.taints).toEqual([{ kind: 'auth', message: 'one: the key is not valid' }]);
  });

  it.each([
    ['a bug', new TypeError('x is undefined'), 'bug'],
    ['a request that was found wrong', new ModelError('bad-request', 'no such parameter'), 'refused-request'],
    ['a product on its defaults', new TargetError('fallback', 'defaults'), 'fallback'],
  ])('does not try again after %s', async (_name, error, kind) => {
    const observed = await runWith(() => {
      throw error;
    });
    expect(
      eventsOf(observed, 'trial-errored').map((event) => [event.kind, event.attempt, event.final]),
    ).toEqual([
      [kind, 1, true],
      [kind, 1, true],
    ]);
  });

  it('says of a bug what it was and where', async () => {
    const observed = await runWith(function breakHere() {
      throw new TypeError('x is undefined');
    });
    expect(eventsOf(observed, 'trial-errored')[0]?.message).toMatch(
      /^x is undefined \(TypeError in .*breakHere, run\.test\.ts:\d+\)$/,
    );
  });

  it('taints the run when the product says that it fell back to its defaults', async () => {
    const observed = await runWith(() => reply('yes', { fallback: true }));
    expect(tallyOf(observed).taints).toEqual([
      { kind: 'fallback', message: 'one: the product fell back to its defaults' },
    ]);
  });

  it('cuts a trial off at the hard limit, also where the target does not listen', async () => {
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('stuck', ['hello'])],
        target: targetThat(() => new Promise(() => {})),
        repeat: 1,
        attempts: 2,
        limitMs: 30_000,
        clock: instantClock(),
      }),
    );
    await run.start();
    await run.close();
    expect(
      eventsOf(observed, 'trial-errored').map(({ kind, message, final }) => [kind, message, final]),
    ).toEqual([
      ['limit', 'not over after 30 seconds', false],
      ['limit', 'not over after 30 seconds', true],
    ]);
  });

  it('hears nothing more of an attempt that was cut off', async () => {
    const [asked, passed, held, answered] = [gate(), gate(), gate(), gate()];
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('slow', ['hello'])],
        target: targetThat(async () => {
          asked.open();
          await held.opened;
          setImmediate(answered.open);
          return reply('yes');
        }),
        repeat: 1,
        attempts: 1,
        limitMs: 10,
        clock: limitClock(10, passed.opened),
      }),
    );
    const finished = run.start();
    await asked.opened;
    passed.open();
    await finished;
    held.open();
    await answered.opened;
    await run.close();
    expect(observed.messages.map(({ event }) => event.type)).toEqual([
      'run-started',
      'trial-started',
      'trial-errored',
      'run-finished',
    ]);
  });

  it('ends the run with the reason when a listener breaks, rather than going on unheard', async () => {
    const observed = observe();
    const run = await startRun(runOptions(await temporaryFolder(), observed, { scenarios }));
    run.subscribe(({ event }) => {
      if (event.type === 'trial-finished') throw new Error('the screen broke');
    });
    await expect(run.start()).rejects.toThrow('the screen broke');
    await expect(run.close()).rejects.toThrow('the screen broke');
  });
});

describe('a person at the controls', () => {
  interface Held {
    run: LiveRun;
    observed: Observed;
    /** Opens the door of every conversation that waits. */
    open(): void;
    finished: Promise<void>;
  }

  /** A run of three scenarios, two at a time, in which every conversation waits for `open`. */
  async function heldRun(): Promise<Held> {
    const held = gate();
    const observed = observe();
    const target = targetThat(async ({ signal }) => {
      await Promise.race([held.opened, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
      return reply('yes');
    });
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, { scenarios, target, repeat: 1, concurrency: 2 }),
    );
    let started = 0;
    const both = until(run, (event) => event.type === 'trial-started' && ++started === 2);
    const finished = run.start();
    await both;
    return { run, observed, open: held.open, finished };
  }

  it('stops: what is in flight finishes, nothing more starts, and the run can be resumed', async () => {
    const { run, observed, open, finished } = await heldRun();
    run.stop();
    open();
    await finished;
    await run.close();
    expect(tallyOf(observed)).toMatchObject({ state: 'stopped', trials: { total: 3, done: 2, running: 0 } });
    expect((await readSummary(run.folder))?.decision).toMatchObject({
      exitCode: 130,
      verdict: 'interrupted',
    });
  });

  it('aborts: what is in flight is not an error and waits again', async () => {
    const { run, observed, finished } = await heldRun();
    run.stop();
    run.abort();
    await finished;
    await run.close();
    const tally = tallyOf(observed);
    expect(tally).toMatchObject({
      state: 'interrupted',
      trials: { total: 3, done: 0, running: 0, errors: 0 },
    });
    expect(eventsOf(observed, 'trial-errored')).toEqual([]);
    expect(tally.rows.map((row) => row.groups[0]?.cells[0]?.state)).toEqual([
      'waiting',
      'waiting',
      'waiting',
    ]);
  });

  it('aborts what goes on when the run is closed', async () => {
    const { run, observed } = await heldRun();
    await run.close();
    expect(tallyOf(observed).state).toBe('interrupted');
  });

  it('pauses: nothing starts until the run goes on', async () => {
    const { run, observed, open, finished } = await heldRun();
    run.pause();
    expect(run.isPaused).toBe(true);
    let ended = 0;
    const both = until(run, (event) => event.type === 'trial-finished' && ++ended === 2);
    open();
    await both;
    await new Promise((resolve) => setImmediate(resolve));
    expect(eventsOf(observed, 'trial-started')).toHaveLength(2);
    run.resume();
    await finished;
    await run.close();
    expect(tallyOf(observed)).toMatchObject({ state: 'completed', trials: { done: 3 } });
  });

  it('adds trials, which are next, and nothing is replaced', async () => {
    const { run, observed, open, finished } = await heldRun();
    run.addTrials('two', 2);
    open();
    await finished;
    await run.close();
    expect(eventsOf(observed, 'plan-extended')).toMatchObject([{ scenario: 'two', from: 2, to: 3 }]);
    const order = eventsOf(observed, 'trial-started').map(({ trial }) => `${trial.scenario}${trial.repeat}`);
    expect(order).toEqual(['one1', 'two1', 'two2', 'two3', 'three1']);
    expect(tallyOf(observed)).toMatchObject({ state: 'completed', trials: { total: 5, done: 5 } });
  });

  it('adds trials under one condition, one that only stood by among them', async () => {
    const logs = await temporaryFolder();
    const observed = observe();
    const run = await startRun(
      runOptions(path.join(logs, 'tiny'), observed, {
        scenarios,
        conditions: [
          { condition: condition('a'), target: seededTarget },
          { condition: { ...condition('b'), standby: true }, target: seededTarget },
        ],
        repeat: 1,
      }),
    );
    await run.start();
    expect(eventsOf(observed, 'trial-started').map(({ trial }) => trial.condition)).not.toContain('b');
    run.addTrials('two', 2, { condition: 'a', confirms: true });
    run.addTrials('two', 2, { condition: 'b', confirms: true });
    await run.start();
    run.addTrials('two', 1);
    await run.start();
    await run.close();
    expect(eventsOf(observed, 'plan-extended')).toMatchObject([
      { scenario: 'two', condition: 'a', from: 2, to: 3, confirms: true },
      { scenario: 'two', condition: 'b', from: 1, to: 2, confirms: true },
      { scenario: 'two', from: 4, to: 4 },
    ]);
    const ended = eventsOf(observed, 'trial-finished').map(({ trial }) => trialId(trial));
    expect(ended.slice(scenarios.length).sort()).toEqual([
      'a/2/two',
      'a/3/two',
      'a/4/two',
      'b/1/two',
      'b/2/two',
    ]);
  });

  it('goes on when trials are added after the end', async () => {
    const { run, observed, open, finished } = await heldRun();
    open();
    await finished;
    expect(tallyOf(observed).state).toBe('completed');
    const again = until(run, (event) => event.type === 'run-finished');
    run.addTrials('one', 1);
    expect(tallyOf(observed).state).toBe('running');
    await again;
    run.addTrials('one', 1);
    await run.start();
    await run.close();
    expect(eventsOf(observed, 'run-finished').map(({ outcome }) => outcome)).toEqual(
      Array(3).fill('completed'),
    );
    expect(
      tallyOf(observed)
        .rowById.get('one')
        ?.groups[0]?.cells.map((cell) => cell.state),
    ).toEqual(Array(3).fill('pass'));
  });

  it('refuses trials of no number and of no scenario', async () => {
    const { run } = await heldRun();
    expect(() => run.addTrials('one', 0)).toThrow(RangeError);
    expect(() => run.addTrials('nothing', 1)).toThrow('no scenario "nothing"');
    expect(() => run.addTrials('one', 1, { condition: 'z' })).toThrow('no condition "z"');
    await run.close();
  });
});

describe('several conditions', () => {
  it('are tallied side by side', async () => {
    const observed = observe();
    const no = targetThat(() => reply('no'));
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios: [scenario('one', ['hello'], [patternCheck('agrees', 'yes')])],
        conditions: [
          { condition: condition('a', 'v1'), target: targetThat(() => reply('yes')) },
          { condition: condition('b', 'v2'), target: no },
        ],
        repeat: 3,
      }),
    );
    await run.start();
    await run.close();
    const [row] = tallyOf(observed).rows;
    expect(row?.groups.map((group) => [group.condition, group.verdict])).toEqual([
      ['a', 'pass'],
      ['b', 'fail'],
    ]);
    expect(row?.verdict).toBe('fail');
  });
});
