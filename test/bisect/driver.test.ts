import { describe, expect, it, vi } from 'vitest';
import { closeNeeds, isAllowed } from '../../source/bisect/candidate.js';
import { createDriver, type DriverOptions } from '../../source/bisect/driver.js';
import { liveEntries, spentTrials } from '../../source/bisect/session.js';
import { bisectReport } from '../../source/report/bisect-report.js';
import type { RunEvent } from '../../source/run/events.js';
import { condition } from '../run/support.js';
import { createFakeRun, fail, guilty, pass, play, settle } from './fake-run.js';
import { finishedOf } from './finished.js';
import { plannedBisect } from './planned.js';

function begin(
  planned: Parameters<typeof plannedBisect>[0] = {},
  given: Partial<DriverOptions> = {},
  past?: RunEvent[],
) {
  const fake = createFakeRun(plannedBisect(planned), past);
  const driver = createDriver(fake.options(given));
  const over = driver.start();
  over.catch(() => {});
  return { ...fake, fake, driver, over };
}

const attended = { isAttended: true };
const types = (events: readonly RunEvent[]) => events.map(({ type }) => type);
const countOf = (events: readonly RunEvent[], type: RunEvent['type']) =>
  events.filter((event) => event.type === type).length;

/** What is tested on a candidate's prompt is not there before `open` is called. */
function slowOpening() {
  let resolve = () => {};
  const openCondition: DriverOptions['openCondition'] = async (id, { name }) => {
    await new Promise<void>((done) => {
      resolve = done;
    });
    return { condition: condition(id, name), target: { open: () => Promise.reject(new Error('no')) } };
  };
  return { openCondition, open: () => resolve() };
}

describe('a bisect that nobody attends', () => {
  it.each(['auto', 'guided', 'one-by-one', 'binary'] as const)(
    '%s finds the guilty hunk, tells of it once, and its run is complete',
    async (strategy) => {
      const { fake, driver, over, events, record } = begin({ strategy });
      await play(fake, guilty(2));
      await over;
      expect(driver.status()).toMatchObject({ kind: 'found', found: { finding: { hunks: [2] } } });
      expect(types(events).slice(-2)).toEqual(['bisect-found', 'run-finished']);
      expect(countOf(events, 'bisect-found')).toBe(1);
      expect(events.at(-1)).toMatchObject({ outcome: 'completed' });
      expect(record.trials.map(({ trial }) => trial)).toEqual(record.trials.map((_, index) => index + 1));
      const needs = closeNeeds(4, record.session().dependencies);
      for (const { candidate } of record.trials) expect(isAllowed(candidate, needs)).toBe(true);
    },
  );

  it('runs two trials at once where it may, and never more than are wanted', async () => {
    const { fake, over, inFlight, end, record } = begin({}, { parallel: 2 });
    const most: number[] = [];
    while (true) {
      await settle();
      if (inFlight().length === 0) break;
      most.push(inFlight().length);
      const [next] = inFlight();
      end(guilty(1)(record.candidateOf(next?.condition ?? '') ?? ''));
    }
    await over;
    expect(Math.max(...most)).toBe(2);
    const ends = record.trials.filter(({ purpose }) => purpose.kind === 'ends');
    expect(ends.map(({ condition: of }) => of)).toEqual(['a', 'b', 'a', 'b']);
    expect(fake.record.found()?.finding).toMatchObject({ hunks: [1] });
  });

  it('never runs an end again that needs no more, whatever became of the other', async () => {
    const { fake, record } = begin({}, { parallel: 2 });
    await settle();
    let errors = 3;
    await play(fake, (candidate) =>
      candidate === '0000' && errors-- > 0 ? { error: 'network' } : guilty(1)(candidate),
    );
    const ends = record.trials.filter(({ purpose }) => purpose.kind === 'ends');
    expect(ends.filter(({ condition: of }) => of === 'b')).toHaveLength(2);
    expect(ends.filter(({ condition: of }) => of === 'a')).toHaveLength(5);
  });

  it('asks its strategy once for each thing that happened, not once an event', async () => {
    const { driver, end } = begin();
    await settle();
    const before = driver.proposal();
    const heard: unknown[] = [];
    driver.subscribe(() => heard.push(driver.proposal()));
    end(pass);
    expect(heard.length).toBeGreaterThan(1);
    expect(heard[0]).toBe(before);
    expect(heard.at(-1)).toBe(driver.proposal());
  });

  it('says so when its good version fails too', async () => {
    const { fake, driver } = begin();
    await play(fake, () => fail);
    expect(driver.status()).toMatchObject({ found: { finding: { kind: 'good-fails-too' } } });
  });

  it('lets go of what is not tried any more', async () => {
    const { fake, released, record } = begin({}, { parallel: 2 });
    await play(fake, guilty(0));
    const { trials } = record;
    const tried = new Set(trials.map(({ condition: of }) => of));
    const last = trials.at(-1)?.condition;
    for (const one of tried) if (one !== last) expect(released).toContain(one);
  });
});

describe('a bisect that is told to stop', () => {
  it('finishes the trial in flight and begins no other, and goes on when told', async () => {
    const { fake, driver, over, run, end, inFlight, events } = begin();
    await play(fake, guilty(2), 5);
    await settle();
    const planned = countOf(events, 'plan-extended');
    run.stop();
    end(pass);
    await over;
    expect(inFlight()).toHaveLength(0);
    expect(countOf(events, 'plan-extended')).toBe(planned);
    expect(driver.status()).toEqual({ kind: 'stopped' });
    driver.goOn();
    await play(fake, guilty(2));
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' });
  });

  it('while a candidate is being opened: that is closed and does not join, and is opened again later', async () => {
    const gates: (() => void)[] = [];
    const close = vi.fn(async () => {});
    const { fake, driver, over, run, events } = begin(
      {},
      {
        async openCondition(id, { name }) {
          await new Promise<void>((resolve) => gates.push(resolve));
          return {
            condition: condition(id, name),
            target: { open: () => Promise.reject(new Error('no')), close },
          };
        },
      },
    );
    await play(fake, guilty(2));
    expect(gates).toHaveLength(1);
    run.stop();
    await over;
    expect(driver.status()).toEqual({ kind: 'stopped' });
    gates[0]?.();
    await settle();
    expect(close).toHaveBeenCalledOnce();
    expect(countOf(events, 'condition-added')).toBe(0);
    driver.goOn();
    await settle();
    expect(gates).toHaveLength(2);
    gates[1]?.();
    await settle();
    expect(countOf(events, 'condition-added')).toBe(1);
    expect(close).toHaveBeenCalledOnce();
  });

  it('by an abort keeps what was said, and begins nothing', async () => {
    const { fake, driver, over, abort, events, inFlight } = begin();
    await play(fake, guilty(2), 5);
    await settle();
    driver.decide({ kind: 'note', text: 'looked fine' });
    abort();
    await over;
    const flying = inFlight().length;
    driver.decide({ kind: 'hand-over', to: 'guided' });
    await settle();
    expect(driver.status()).toEqual({ kind: 'stopped' });
    expect(inFlight()).toHaveLength(flying);
    expect(countOf(events, 'bisect-decided')).toBe(2);
  });

  it('by a key that is refused says why', async () => {
    const { driver, end, run, over } = begin();
    await settle();
    end({ error: 'auth' });
    run.stop();
    end(pass);
    await over;
    expect(driver.status()).toEqual({ kind: 'stopped', why: 'no' });
  });
});

it('a candidate that cannot be opened ends it with the reason, and can be tried again', async () => {
  let isBroken = true;
  const { fake, driver, over, events } = begin(
    {},
    {
      async openCondition(id, { name }) {
        if (isBroken) throw new Error('no such program');
        return { condition: condition(id, name), target: { open: () => Promise.reject(new Error('no')) } };
      },
    },
  );
  await play(fake, guilty(1));
  await expect(over).rejects.toThrow('no such program');
  expect(driver.status()).toEqual({ kind: 'stopped', why: 'no such program' });
  expect(events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'stopped' });
  isBroken = false;
  driver.goOn();
  await play(fake, guilty(1));
  expect(driver.status()).toMatchObject({ found: { finding: { hunks: [1] } } });
});

describe('a guided bisect with a person', () => {
  it('measures both ends, then waits before each step and for the word on it', async () => {
    const { fake, driver, record, over, events } = begin({ strategy: 'guided' }, attended);
    const say = guilty(3);
    await play(fake, say);
    expect(record.trials).toHaveLength(4);
    const seen: number[] = [];
    for (let step = 0; step < 10; step++) {
      const status = driver.status();
      if (status.kind === 'found') break;
      expect(status).toMatchObject({ kind: 'waiting', next: { purpose: { kind: 'step' } } });
      driver.goOn();
      await play(fake, say);
      const decided = driver.status();
      if (decided.kind !== 'deciding') throw new Error(`not deciding but ${decided.kind}`);
      seen.push(decided.next.hunk);
      expect(decided.next.verdict).toBe(decided.next.hunk === 3 ? 'recovered' : 'still-fails');
      driver.decide({ kind: 'accept', hunk: decided.next.hunk });
      await play(fake, say);
    }
    await over;
    expect(countOf(events, 'bisect-found')).toBe(1);
    expect(countOf(events, 'run-finished')).toBe(1);
    expect(seen).toContain(3);
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [3] } } });
  });

  it('runs the step of the hunk that the person names', async () => {
    const { fake, driver, record } = begin({ strategy: 'guided' }, attended);
    await play(fake, guilty(3));
    driver.goOn(2);
    await play(fake, guilty(3));
    expect(driver.status()).toMatchObject({ kind: 'deciding', next: { hunk: 2, verdict: 'still-fails' } });
    expect(record.trials.slice(4).map(({ candidate }) => candidate)).toEqual(['1101', '1101']);
  });

  it('takes a step back wherever it is: waiting, trying, deciding and found', async () => {
    const { fake, driver, record } = begin({ strategy: 'guided' }, attended);
    const say = guilty(0);
    await play(fake, say);
    driver.goOn(1);
    await settle();
    // While trying: what is in flight ends, and is taken back with the step.
    fake.end(say('1011'));
    driver.decide({ kind: 'undo', steps: 1 });
    await play(fake, say);
    expect(driver.status().kind).toBe('waiting');
    expect(liveEntries(record.session())).toHaveLength(4);
    expect(spentTrials(record.session())).toBe(6);
    driver.goOn(1);
    await play(fake, say);
    expect(driver.status().kind).toBe('deciding');
    driver.decide({ kind: 'undo', steps: 1 });
    await settle();
    expect(driver.status().kind).toBe('waiting');
    expect(liveEntries(record.session())).toHaveLength(4);
    driver.goOn(0);
    await play(fake, say);
    driver.decide({ kind: 'override', hunk: 0, says: 'guilty' });
    await play(fake, say);
    expect(driver.status().kind).toBe('found');
    driver.decide({ kind: 'undo', steps: 1 });
    await settle();
    // The confirmation and the cure went by themselves: they go, and come back only when told.
    expect(driver.status()).toMatchObject({ kind: 'waiting', next: { purpose: { kind: 'confirm' } } });
    const kinds = liveEntries(record.session()).map((entry) =>
      entry.kind === 'trial' ? entry.purpose.kind : entry.kind,
    );
    expect(new Set(kinds.slice(4, -1))).toEqual(new Set(['step']));
    expect(kinds.at(-1)).toBe('override');
    expect(record.found()).toBeUndefined();
    driver.decide({ kind: 'undo', steps: 1 });
    await settle();
    expect(driver.status()).toMatchObject({ kind: 'deciding', next: { hunk: 0, verdict: 'recovered' } });
    driver.decide({ kind: 'undo', steps: 2 });
    await settle();
    expect(driver.status()).toMatchObject({ kind: 'waiting', next: { purpose: { kind: 'ends' } } });
    expect(liveEntries(record.session())).toEqual([]);
    expect(fake.inFlight()).toEqual([]);
    driver.goOn();
    await play(fake, say);
    expect(
      record
        .session()
        .entries.slice(-4)
        .map((entry) => entry.kind),
    ).toEqual(new Array(4).fill('trial'));
  });

  it.each(['in flight', 'over'])(
    'takes nothing but the confirmation back while that is %s, and waits to be told',
    async (when) => {
      const { fake, driver, record } = begin({ strategy: 'guided' }, { ...attended, parallel: 2 });
      const say = guilty(0);
      await play(fake, say);
      driver.goOn(0);
      await play(fake, say);
      const step = liveEntries(record.session()).length;
      expect(step).toBeGreaterThan(8);
      driver.decide({ kind: 'accept', hunk: 0 });
      await settle();
      expect(driver.status()).toMatchObject({ kind: 'trying', purpose: { kind: 'confirm' } });
      if (when === 'over') await play(fake, say);
      else fake.end(say('0111'));
      driver.decide({ kind: 'undo', steps: 1 });
      await play(fake, say);
      const spent = spentTrials(record.session());
      expect(driver.status()).toMatchObject({ kind: 'waiting', next: { purpose: { kind: 'confirm' } } });
      const live = liveEntries(record.session());
      expect(live).toHaveLength(step + 1);
      expect(live.at(-1)).toEqual({ kind: 'accept', hunk: 0 });
      // What is said of other things begins nothing either.
      driver.decide({ kind: 'note', text: 'hm' });
      await settle();
      expect(driver.status().kind).toBe('waiting');
      expect(spentTrials(record.session())).toBe(spent);
      driver.goOn();
      await play(fake, say);
      expect(driver.status()).toMatchObject({ kind: 'found', found: { finding: { hunks: [0] } } });
    },
  );

  it('waits to be told before a cure check and the rest of the suite that an undo left open', async () => {
    const { fake, driver, record } = begin({ strategy: 'guided', budget: 13 }, attended);
    const say = guilty(0);
    await play(fake, say);
    driver.goOn(0);
    await play(fake, say);
    driver.decide({ kind: 'accept', hunk: 0 });
    await play(fake, say);
    expect(spentTrials(record.session())).toBe(13);
    driver.decide({ kind: 'budget', budget: 90 });
    await settle();
    fake.end(say('0111'));
    driver.decide({ kind: 'undo', steps: 1 });
    await play(fake, say);
    expect(driver.status()).toMatchObject({ kind: 'waiting', next: { purpose: { kind: 'cure' } } });
    driver.goOn();
    await play(fake, say);
    expect(driver.status()).toMatchObject({ kind: 'found', found: { finding: { hunks: [0] } } });
    expect(record.trials.at(-1)?.purpose.kind).toBe('suite');
  });

  it('takes nothing of before back by an undo of what waits for its candidate', async () => {
    const { openCondition, open } = slowOpening();
    const { fake, driver, record } = begin({ strategy: 'guided' }, { ...attended, openCondition });
    await play(fake, guilty(0));
    driver.goOn(1);
    await settle();
    driver.decide({ kind: 'undo', steps: 1 });
    open();
    await settle();
    expect(driver.status().kind).toBe('waiting');
    expect(liveEntries(record.session())).toHaveLength(4);
    expect(fake.inFlight()).toEqual([]);
  });

  it('begins nothing that was taken back while its candidate was being opened', async () => {
    const { openCondition, open } = slowOpening();
    const { fake, driver, events } = begin({ strategy: 'guided' }, { ...attended, openCondition });
    await play(fake, guilty(0));
    const planned = countOf(events, 'plan-extended');
    driver.goOn(1);
    await settle();
    driver.decide({ kind: 'skip', hunk: 1 });
    open();
    await settle();
    expect(driver.status().kind).toBe('waiting');
    expect(countOf(events, 'plan-extended')).toBe(planned);
    expect(countOf(events, 'condition-added')).toBe(1);
  });

  it('keeps the step open when a note, a budget or a check comes in between', async () => {
    const { fake, driver, record } = begin({ strategy: 'guided' }, attended);
    const say = guilty(0);
    await play(fake, say);
    driver.goOn(3);
    await play(fake, say);
    for (const decision of [
      { kind: 'note', text: 'hm' },
      { kind: 'budget', budget: 90 },
      { kind: 'watch', watched: [{ scenario: 'refund', check: 'agrees' }] },
    ] as const) {
      driver.decide(decision);
      await settle();
      expect(driver.status()).toMatchObject({ kind: 'deciding', next: { hunk: 3, verdict: 'still-fails' } });
    }
    expect(record.trials).toHaveLength(6);
  });

  it('hands over in the middle of a step and takes back', async () => {
    const { fake, driver, record } = begin({ strategy: 'guided' }, attended);
    const say = guilty(2);
    await play(fake, say);
    driver.goOn(0);
    await play(fake, say, 1);
    await settle();
    driver.decide({ kind: 'hand-over', to: 'auto' });
    await play(fake, say, 2);
    await settle();
    // What was in flight when it was said still belongs to the step.
    expect(record.trials.slice(4, 7).map(({ purpose }) => purpose.kind)).toEqual(['step', 'step', 'search']);
    driver.decide({ kind: 'hand-over', to: 'guided' });
    await play(fake, say);
    expect(driver.status().kind).toBe('waiting');
    driver.decide({ kind: 'hand-over', to: 'auto' });
    await play(fake, say);
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
  });

  it('writes down at once what is said, and counts it when the trials in flight have ended', async () => {
    const { fake, driver, record, events } = begin({ strategy: 'guided' }, attended);
    await play(fake, guilty(2));
    driver.goOn(0);
    await settle();
    driver.decide({ kind: 'skip', hunk: 0 });
    expect(events.at(-1)).toMatchObject({ type: 'bisect-decided', decision: { kind: 'skip' } });
    expect(record.session().entries.at(-1)?.kind).toBe('trial');
    fake.end(fail);
    expect(record.session().entries.slice(-2)).toMatchObject([
      { kind: 'trial', purpose: { kind: 'step', hunk: 0 } },
      { kind: 'skip', hunk: 0 },
    ]);
    expect(driver.status()).toMatchObject({ kind: 'waiting' });
  });

  it('asks at sixty trials whether to go on, once', async () => {
    const flip = { times: 0 };
    const { fake, driver, record } = begin({ strategy: 'auto' }, attended);
    // Neither end nor any other prompt is told from another.
    await play(fake, () => (flip.times++ % 2 === 0 ? pass : fail));
    expect(driver.status()).toEqual({ kind: 'asking', spent: 60 });
    expect(record.trials).toHaveLength(60);
    driver.goOn();
    await play(fake, () => (flip.times++ % 2 === 0 ? pass : fail), 20);
    expect(record.trials.length).toBeGreaterThan(70);
    expect(driver.status().kind).toBe('trying');
  });

  it('refuses words on what is not there, and writes none of them down', () => {
    const { driver, events } = begin({ strategy: 'guided' }, attended);
    const said = [
      [{ kind: 'accept', hunk: 4 }, 'there is no hunk 5 of 4'],
      [{ kind: 'undo', steps: 0 }, 'an undo takes back at least one step'],
      [{ kind: 'budget', budget: 0 }, 'a budget is'],
      [{ kind: 'watch', watched: [] }, 'watches at least one'],
      [{ kind: 'watch', watched: [{ scenario: 'gone' }] }, 'no scenario'],
      [{ kind: 'watch', watched: [{ scenario: 'refund', check: 'gone' }] }, 'no check'],
    ] as const;
    for (const [decision, why] of said) expect(() => driver.decide(decision)).toThrow(why);
    expect(countOf(events, 'bisect-decided')).toBe(0);
  });
});

describe('what is watched', () => {
  it('may be several scenarios: they are run in the same trial and give one outcome', async () => {
    const watched = [{ scenario: 'refund', check: 'agrees' }, { scenario: 'delay' }];
    const { fake, driver, record } = begin({ watched });
    await play(fake, (candidate, { scenario }) => (scenario === 'delay' ? guilty(1)(candidate) : pass));
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [1] } } });
    for (const { cells, purpose } of record.trials)
      if (purpose.kind !== 'suite') expect(cells.map(({ key }) => key.scenario)).toEqual(['refund', 'delay']);
    // One outcome a trial, however many conversations it has.
    expect(spentTrials(record.session())).toBe(
      record.trials.filter(({ purpose }) => purpose.kind !== 'suite').length,
    );
  });

  it('may be two checks of a scenario: it is run once', async () => {
    const watched = [
      { scenario: 'refund', check: 'agrees' },
      { scenario: 'refund', check: 'polite' },
    ];
    const { fake, record } = begin({ watched });
    await play(fake, () => ({ agrees: 'pass', polite: 'fail' }), 1);
    expect(record.trials[0]?.cells).toHaveLength(1);
    expect(record.session().entries[0]).toMatchObject({ outcome: 'fail' });
  });

  it('may change in the middle: old trials are read by the new checks, or are no evidence', async () => {
    const { fake, driver, record } = begin();
    await play(fake, () => ({ agrees: 'fail', polite: 'pass' }), 2);
    await settle();
    driver.decide({ kind: 'watch', watched: [{ scenario: 'refund', check: 'polite' }] });
    fake.end(pass);
    expect(record.session().entries.filter(({ kind }) => kind === 'trial')).toMatchObject([
      { outcome: 'pass' },
      { outcome: 'pass' },
      { outcome: 'pass' },
    ]);
    driver.decide({
      kind: 'watch',
      watched: [{ scenario: 'refund', check: 'polite' }, { scenario: 'delay' }],
    });
    await play(fake, () => pass, 1);
    expect(record.trials.map((trial) => record.outcomeOf(trial))).toContain('unwatched');
    await settle();
    expect(fake.inFlight().map(({ scenario }) => scenario)).toEqual(['refund', 'delay']);
    await play(fake, guilty(2));
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
  });
});

describe('the end of a bisect', () => {
  it('by the word of a person comes once', async () => {
    const { fake, driver, over, events } = begin({ strategy: 'guided', skipsCure: true }, attended);
    const say = guilty(0);
    await play(fake, say);
    for (let word = 0; word < 20 && driver.status().kind !== 'found'; word++) {
      const status = driver.status();
      if (status.kind === 'deciding') driver.decide({ kind: 'accept', hunk: status.next.hunk });
      else driver.goOn();
      await play(fake, say);
    }
    await over;
    expect(countOf(events, 'bisect-found')).toBe(1);
    expect(countOf(events, 'run-finished')).toBe(1);
    driver.decide({ kind: 'override', hunk: 0, says: 'guilty' });
    await play(fake, say);
    // It is sure at once, without another trial.
    expect(types(events).slice(-3)).toEqual(['bisect-decided', 'bisect-found', 'run-finished']);
    expect(driver.status().kind).toBe('found');
  });

  it('at its budget is inconclusive, and a larger budget goes on from there', async () => {
    const { fake, driver, record } = begin({ budget: 7 });
    await play(fake, guilty(2));
    expect(driver.status()).toMatchObject({ found: { finding: { kind: 'inconclusive', why: 'budget' } } });
    expect(spentTrials(record.session())).toBe(7);
    driver.decide({ kind: 'budget', budget: 100 });
    await play(fake, guilty(2));
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
    expect(fake.events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' });
  });

  it('is kept when only a note comes after it', async () => {
    const { fake, driver, record } = begin();
    await play(fake, guilty(2));
    const trials = record.trials.length;
    driver.decide({ kind: 'note', text: 'as I thought' });
    await settle();
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
    expect(record.trials).toHaveLength(trials);
    expect(types(fake.events).slice(-3)).toEqual(['bisect-decided', 'bisect-found', 'run-finished']);
  });

  it('is no finding that its cure check refutes: the search goes on to the right one', async () => {
    let isCured = false;
    const { fake, driver, record } = begin();
    // Until the first cure check the draws blame hunk 1, by bad luck; then the truth comes out: it is hunk 3.
    await play(fake, (candidate, { condition: of }) => {
      const trial = record.trials.at(-1);
      if (trial?.purpose.kind === 'cure' && trial.condition === of) isCured = true;
      return guilty(isCured ? 3 : 1)(candidate);
    });
    const cures = record.trials.filter(({ purpose }) => purpose.kind === 'cure');
    expect(cures[0]?.candidate).toBe('1011');
    expect(cures.at(-1)?.candidate).toBe('1110');
    expect(countOf(fake.events, 'bisect-found')).toBe(1);
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [3] } } });
  });

  it('runs what fails of the rest of the suite three times on the narrowed prompt, and on the good one, and the rest once', async () => {
    const { fake, driver, record } = begin();
    await play(fake, (candidate, { scenario }) => {
      if (scenario === 'delay') return { agrees: 'fail' };
      return scenario === 'baggage' ? pass : guilty(2)(candidate);
    });
    const suite = record.trials.filter(({ purpose }) => purpose.kind === 'suite');
    expect(suite.map(({ cells }) => cells.map(({ key }) => key.scenario))).toEqual([
      ['delay', 'baggage'],
      ...new Array(5).fill(['delay']),
    ]);
    expect(suite.map(({ candidate }) => candidate)).toEqual([
      ...new Array(3).fill('1101'),
      ...new Array(3).fill('0000'),
    ]);
    const status = driver.status();
    const reasons = status.kind === 'found' ? status.found.reasons : [];
    expect(reasons).toContain('the rest of the suite on the narrowed prompt, once: 1 of 2 pass');
    expect(reasons).toContain('fails there: delay, passed 0/3, under v1 0/3');
  });

  it('says nothing of the rest of the suite where all of it is watched', async () => {
    const watched = [{ scenario: 'refund' }, { scenario: 'delay' }, { scenario: 'baggage' }];
    const { fake, driver, record } = begin({ watched });
    await play(fake, guilty(2));
    const status = driver.status();
    expect(status).toMatchObject({ found: { finding: { hunks: [2] } } });
    expect(record.trials.some(({ purpose }) => purpose.kind === 'cure')).toBe(true);
    expect(status.kind === 'found' && status.found.reasons.join()).not.toContain('rest of the suite');
    expect(await bisectReport(finishedOf(fake))).not.toContain('changes in the suite');
  });

  it('needs no cure check where the bisect was told to skip it', async () => {
    const { fake, driver, record } = begin({ skipsCure: true });
    await play(fake, guilty(2));
    expect(driver.status()).toMatchObject({ found: { finding: { hunks: [2] } } });
    expect(record.trials.some(({ purpose }) => purpose.kind === 'cure' || purpose.kind === 'suite')).toBe(
      false,
    );
  });
});
