import { describe, expect, it } from 'vitest';
import { resumeRun } from '../../source/run/resume.js';
import { startRun } from '../../source/run/start.js';
import {
  condition,
  eventsOf,
  observe,
  reply,
  runOptions,
  scenario,
  targetThat,
  temporaryFolder,
} from './support.js';

const yes = targetThat(() => reply('yes'));

async function standing() {
  const observed = observe();
  const options = runOptions(await temporaryFolder(), observed, {
    scenarios: [scenario('one', ['hi'])],
    target: yes,
  });
  const conditions = [{ condition: { ...condition('a', 'v1'), standby: true as const }, target: yes }];
  const run = await startRun({ ...options, conditions });
  return { observed, run, options: { ...options, conditions } };
}

const joining = (id: string, target = yes) => ({ condition: condition(id, `v-${id}`), target });
const outcomes = (observed: ReturnType<typeof observe>) =>
  eventsOf(observed, 'run-finished').map(({ outcome }) => outcome);

describe('a run that is held', () => {
  it('is not over when nothing is left to do, and is when it is let go of', async () => {
    const { run, observed } = await standing();
    const letGo = run.hold();
    const over = run.start();
    run.addTrials('one', 1, { condition: 'a' });
    await expect.poll(() => eventsOf(observed, 'trial-finished')).toHaveLength(1);
    expect(outcomes(observed)).toEqual([]);
    letGo();
    letGo();
    await over;
    expect(outcomes(observed)).toEqual(['completed']);
    await run.close();
  });

  it('ends when it is told to stop, says so, and goes on when it is held again', async () => {
    const { run, observed } = await standing();
    run.hold();
    const over = run.start();
    expect(run.isStopping).toBe(false);
    run.stop();
    await over;
    expect(run.isStopping).toBe(true);
    expect(outcomes(observed)).toEqual(['stopped']);
    const letGo = run.hold();
    expect(run.isStopping).toBe(false);
    run.addTrials('one', 1, { condition: 'a' });
    await expect.poll(() => eventsOf(observed, 'trial-finished')).toHaveLength(1);
    letGo();
    await run.close();
  });

  it('does not go on once it was aborted', async () => {
    const { run, observed } = await standing();
    run.hold();
    const over = run.start();
    run.abort();
    await over;
    run.hold();
    expect(run.isStopping).toBe(true);
    expect(outcomes(observed)).toEqual(['interrupted']);
    await run.close();
  });

  it('and is over already opens its journal again, and says so once', async () => {
    const { run, options, observed } = await standing();
    await run.start();
    await run.close();
    expect(outcomes(observed)).toEqual(['completed']);
    const again = observe();
    const resumed = await resumeRun({ ...options, summariser: again.keeper, folder: run.folder });
    const letGo = resumed.hold();
    const over = resumed.start();
    resumed.addTrials('one', 1, { condition: 'a' });
    letGo();
    await over;
    await resumed.close();
    expect(eventsOf(again, 'run-resumed')).toHaveLength(1);
    expect(eventsOf(again, 'trial-finished')).toHaveLength(1);
    expect(outcomes(again)).toEqual(['completed', 'completed']);
  });
});

it('a run that is added to by whoever hears of its end has ended all the same, and goes on', async () => {
  const { run, observed } = await standing();
  let isAdded = false;
  run.subscribe(({ event }) => {
    if (event.type !== 'run-finished' || isAdded) return;
    isAdded = true;
    run.addTrials('one', 1, { condition: 'a' });
  });
  await run.start();
  await expect.poll(() => outcomes(observed)).toEqual(['completed', 'completed']);
  await run.close();
});

describe('a condition that joins a run', () => {
  it('has its trials on its own target, stands by, and is closed with the run', async () => {
    const { run, observed } = await standing();
    let isClosed = false;
    const close = async () => {
      isClosed = true;
    };
    const other = { ...targetThat(() => reply('no')), close };
    const letGo = run.hold();
    const over = run.start();
    run.addCondition(joining('c3', other), '01');
    run.addTrials('one', 2, { condition: 'c3', bisect: { trial: 1, purpose: { kind: 'ends' } } });
    letGo();
    await over;
    const verdicts = eventsOf(observed, 'check-finished').map(({ trial, result }) => [
      trial.condition,
      result.verdict,
    ]);
    expect(verdicts).toEqual([
      ['c3', 'fail'],
      ['c3', 'fail'],
    ]);
    expect(eventsOf(observed, 'condition-added')).toMatchObject([
      { candidate: '01', condition: { standby: true } },
    ]);
    expect(isClosed).toBe(false);
    await run.close();
    expect(isClosed).toBe(true);
  });

  it('needs an id of its own', async () => {
    const { run } = await standing();
    expect(() => run.addCondition(joining('a'))).toThrow('has a condition a already');
    await run.close();
  });
});
