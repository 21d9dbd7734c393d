import { describe, expect, it } from 'vitest';
import { createDriver } from '../../source/bisect/driver.js';
import { createRecord } from '../../source/bisect/record.js';
import type { RunEvent } from '../../source/run/events.js';
import { type CellEnd, createFakeRun, guilty, pass, play, settle } from './fake-run.js';
import { plannedBisect, startedBisect } from './planned.js';

/** Takes up a bisect from the events that its journal holds. */
function takeUp(past: readonly RunEvent[], planned = plannedBisect()) {
  const [, ...rest] = past;
  const fake = createFakeRun(planned, rest);
  const driver = createDriver(fake.options());
  return { fake, driver };
}

async function playedOut(planned = plannedBisect(), say: (candidate: string) => CellEnd = guilty(2)) {
  const fake = createFakeRun(planned);
  const driver = createDriver(fake.options());
  const over = driver.start();
  await play(fake, say);
  await over;
  return fake;
}

describe('a bisect that is taken up again', () => {
  it('stays at what it had found, and writes nothing', async () => {
    const { events } = await playedOut();
    const { fake, driver } = takeUp(events);
    await driver.start();
    expect(driver.status()).toMatchObject({ kind: 'found', found: { finding: { hunks: [2] } } });
    expect(fake.events.slice(events.length).map(({ type }) => type)).toEqual(['run-resumed', 'run-finished']);
  });

  it('goes on from what is said before it starts', async () => {
    const planned = plannedBisect({ budget: 6 });
    const { events } = await playedOut(planned);
    expect(events.at(-2)).toMatchObject({ found: { finding: { kind: 'inconclusive', why: 'budget' } } });
    const { fake, driver } = takeUp(events, planned);
    driver.decide({ kind: 'budget', budget: 100 });
    const over = driver.start();
    await play(fake, guilty(2));
    await over;
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
  });

  it('tries again what could not be run, and not for ever', async () => {
    const down = (): CellEnd => ({ error: 'network' });
    const { events, record } = await playedOut(undefined, down);
    expect(record.found()?.finding).toMatchObject({ kind: 'inconclusive', why: 'errors' });
    expect(record.trials).toHaveLength(6);
    const again = takeUp(events);
    const over = again.driver.start();
    await play(again.fake, down);
    await over;
    expect(again.fake.record.trials).toHaveLength(12);
    const third = takeUp(again.fake.events);
    const done = third.driver.start();
    await play(third.fake, guilty(0));
    await done;
    expect(third.driver.status()).toMatchObject({ found: { finding: { hunks: [0] } } });
  });

  it('runs the conversations of a trial that it was killed while planning', async () => {
    const watched = [{ scenario: 'refund', check: 'agrees' }, { scenario: 'delay' }];
    const planned = plannedBisect({ watched });
    const { events } = await playedOut(planned);
    const first = events.findIndex(({ type }) => type === 'plan-extended');
    const { fake, driver } = takeUp(events.slice(0, first + 1), planned);
    // The fake run has no queue of what was planned before: what is in flight is what is missing.
    void driver.start();
    expect(fake.inFlight()).toEqual([{ scenario: 'delay', condition: 'a', repeat: 1 }]);
    expect(fake.record.trials).toMatchObject([
      { trial: 1, cells: [{ key: { scenario: 'refund' } }, { key: { scenario: 'delay' } }] },
    ]);
  });

  it('knows the same of every prefix of its journal as when it was written', async () => {
    const fake = createFakeRun(plannedBisect({ strategy: 'guided' }));
    const driver = createDriver(fake.options({ isAttended: true }));
    void driver.start();
    await play(fake, guilty(3));
    driver.goOn(1);
    await settle();
    driver.decide({ kind: 'note', text: 'in flight' });
    await play(fake, guilty(3));
    driver.decide({ kind: 'override', hunk: 1, says: 'innocent' });
    driver.decide({ kind: 'undo', steps: 1 });
    driver.decide({ kind: 'hand-over', to: 'auto' });
    await play(fake, guilty(3), 2);
    driver.decide({ kind: 'watch', watched: [{ scenario: 'refund' }] });
    await play(fake, guilty(3));
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [3] } } });
    const [started, ...events] = fake.events;
    if (started?.type !== 'run-started') throw new Error('a journal begins with run-started');
    const whole = createRecord(started);
    for (const event of events) whole.hear(event);
    expect(whole.session()).toEqual(fake.record.session());
    for (let cut = 0; cut <= events.length; cut++) {
      const read = createRecord(started);
      for (const event of events.slice(0, cut)) read.hear(event);
      // Nothing that had ended is forgotten or changed by what comes later.
      const { entries } = read.session();
      const isWatched = entries.some(({ kind }) => kind === 'watch');
      if (!isWatched) expect(whole.session().entries.slice(0, entries.length)).toEqual(entries);
    }
  });
});

describe('a journal of a bisect', () => {
  const started = startedBisect(plannedBisect());

  it.each([
    [{ kind: 'accept', hunk: 9 }, 'there is no hunk 10 of 4'],
    [{ kind: 'undo', steps: 0 }, 'an undo takes back'],
    [{ kind: 'watch', watched: [{ scenario: 'gone' }] }, 'the bisect has no scenario'],
  ] as const)('that holds a word on what is not there is damaged: %o', (decision, why) => {
    const hear = () => createRecord(started).hear({ type: 'bisect-decided', at: 1, decision });
    expect(hear).toThrow(`the journal of bisect ${started.runId} is damaged: ${why}`);
  });

  it.each(['01', '01x1', '11111'])('that holds a candidate which is none is damaged: %s', (candidate) => {
    const [first] = started.plan.conditions;
    if (!first) throw new Error('no condition');
    const hear = () =>
      createRecord(started).hear({ type: 'condition-added', at: 1, condition: first, candidate });
    expect(hear).toThrow('is damaged: there is no candidate');
  });

  it.each([
    [{ budget: 1001 }, 'a budget is 1 to 1000 trials'],
    [{ weights: [1] }, 'it has 1 weights for 4 hunks'],
    [{ watched: [] }, 'a bisect watches at least one scenario'],
    [{ watched: [{ scenario: 'gone' }] }, 'the bisect has no scenario "gone"'],
    [{ watched: [{ scenario: 'refund', check: 'gone' }] }, 'scenario "refund" has no check "gone"'],
  ])('that plans what no bisect is is damaged: %o', (planned, why) => {
    expect(() => createRecord(startedBisect(plannedBisect(planned)))).toThrow(`is damaged: ${why}`);
  });

  it.each([
    { kind: 'step', hunk: 4 },
    { kind: 'confirm', hunks: [0, 4] },
    { kind: 'suite', hunks: [4] },
  ] as const)('that tries hunks which are not there is damaged: %o', (purpose) => {
    const bisect = { trial: 1, purpose };
    const planned = {
      type: 'plan-extended' as const,
      at: 1,
      scenario: 'refund',
      condition: 'a',
      from: 1,
      to: 1,
    };
    expect(() => createRecord(started).hear({ ...planned, bisect })).toThrow(
      'is damaged: there is no hunk 5 of 4',
    );
  });

  it.each([
    [{ kind: 'hunks', hunks: [4], belief: 0.99 }, 'there is no hunk 5 of 4'],
    [{ kind: 'inconclusive', why: 'budget', leader: { hunks: [7], belief: 0.5 } }, 'there is no hunk 8 of 4'],
  ] as const)('that found what cannot be is damaged: %o', (finding, why) => {
    const found = { finding, headline: 'FOUND', reasons: [] };
    const hear = () => createRecord(started).hear({ type: 'bisect-found', at: 1, found });
    expect(hear).toThrow(`is damaged: ${why}`);
  });

  it('of another cut of the change is not gone on with', () => {
    const planned = plannedBisect();
    const other = { ...planned, hunks: [...planned.hunks].reverse() };
    expect(() => createRecord(startedBisect(other))).toThrow('cuts the change into other hunks');
  });
});

describe('what is no evidence', () => {
  const say: [string, CellEnd, string][] = [
    ['an error for good', { error: 'rate-limit' }, 'error'],
    ['a time-out', { error: 'limit' }, 'error'],
    ['a fallback', { fallback: true }, 'error'],
    ['a check that nobody could grade', { agrees: 'unknown' }, 'unknown'],
  ];

  it.each(say)('%s of one conversation, whatever the other says', async (_, how, outcome) => {
    for (const other of [pass, { agrees: 'fail' } as CellEnd]) {
      const watched = [{ scenario: 'refund', check: 'agrees' }, { scenario: 'delay' }];
      const fake = createFakeRun(plannedBisect({ watched }));
      void createDriver(fake.options()).start();
      await play(fake, (_candidate, { scenario }) => (scenario === 'refund' ? how : other), 2);
      expect(fake.record.session().entries).toMatchObject([{ outcome }]);
    }
  });

  it('an attempt that fell back does not spoil the one after it', () => {
    const started = startedBisect(plannedBisect());
    const record = createRecord(started);
    const trial = { scenario: 'refund', condition: 'a', repeat: 1 };
    const at = { at: 1, trial };
    const reply = {
      parts: [],
      text: '',
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      steps: 1,
    };
    const turn = {
      index: 1,
      message: 'hi',
      ms: 1,
      reply: { ...reply, stop: 'end', model: '', fallback: true },
    };
    const result = { checkId: 'agrees', type: 'pattern_present', kind: 'hard', verdict: 'fail', reason: '' };
    const tokens = { agent: reply.usage, judge: reply.usage };
    for (const event of [
      {
        ...at,
        type: 'plan-extended',
        scenario: 'refund',
        condition: 'a',
        from: 1,
        to: 1,
        bisect: { trial: 1, purpose: { kind: 'ends' } },
      },
      { ...at, type: 'trial-started', attempt: 1 },
      { ...at, type: 'turn-finished', attempt: 1, turn },
      { ...at, type: 'trial-errored', attempt: 1, kind: 'network', message: '', final: false },
      { ...at, type: 'trial-started', attempt: 2 },
      { ...at, type: 'check-finished', attempt: 2, result },
      { ...at, type: 'trial-finished', attempt: 2, end: { kind: 'completed' }, unsent: [], ms: 1, tokens },
    ])
      record.hear(event as unknown as RunEvent);
    expect(record.session().entries).toMatchObject([{ kind: 'trial', outcome: 'fail' }]);
  });

  it('errors never count against the budget, and end a search only when six come in a row', async () => {
    const fake = createFakeRun(plannedBisect({ budget: 60 }));
    const driver = createDriver(fake.options());
    const over = driver.start();
    let trials = 0;
    // Two of three cannot be run: an unlucky rate limit all the way.
    await play(fake, (candidate) => (trials++ % 3 > 0 ? { error: 'rate-limit' } : guilty(1)(candidate)));
    await over;
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [1] } } });
    const errors = fake.record.trials.filter((trial) => fake.record.outcomeOf(trial) === 'error');
    expect(errors.length).toBeGreaterThan(20);
  });

  it('an answer that was confirmed stays one when its cure check cannot be run', async () => {
    const fake = createFakeRun(plannedBisect());
    const driver = createDriver(fake.options());
    const over = driver.start();
    await play(fake, (candidate) =>
      fake.record.trials.at(-1)?.purpose.kind === 'cure' ? { error: 'network' } : guilty(1)(candidate),
    );
    await over;
    expect(driver.status()).toMatchObject({ found: { finding: { kind: 'hunks', hunks: [1] } } });
    const cures = fake.record.trials.filter(({ purpose }) => purpose.kind === 'cure');
    expect(cures).toHaveLength(6);
  });
});
