import { describe, expect, it } from 'vitest';
import { compareEvidence } from '../../source/compare/compare.js';
import { evidenceOf } from '../../source/compare/evidence.js';
import { compareSoFar } from '../../source/compare/judge-run.js';
import { sidesSoFar } from '../../source/compare/so-far.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { applyMessage, createTally } from '../../source/tally/tally.js';
import type { RunTally } from '../../source/tally/types.js';
import { createFakeRun, type FakeRunOptions, fakeCondition, fakeScenario } from '../ui/fake-run.js';

function runOf(options: FakeRunOptions) {
  const fake = createFakeRun(options);
  let tally: RunTally | undefined;
  void fake.run.feed((message) => {
    if (message.event.type === 'run-started') tally = createTally(message.event);
    else if (tally) applyMessage(tally, message);
  });
  if (!tally) throw new Error('the run did not start');
  return { fake, tally };
}

const runOfTwo = () =>
  runOf({
    scenarios: ['done', 'half', 'untouched'].map((id) => fakeScenario(id)),
    conditions: [fakeCondition('a', 'v15'), fakeCondition('b', 'v14')],
    repeat: 2,
  });

const compared = (tally: RunTally) => {
  const { base, candidate } = sidesSoFar(tally, 'b', 'a');
  return compareEvidence(base, candidate, defaultGate);
};

describe('a comparison of a run that is going on', () => {
  it('is of the scenarios that have ended on both sides, and calls none of the others gone or new', () => {
    const { fake, tally } = runOfTwo();
    for (const repeat of [1, 2]) {
      fake.trial(fake.key('done', repeat, 'a'), 'fail');
      fake.trial(fake.key('done', repeat, 'b'), 'pass');
      fake.trial(fake.key('half', repeat, 'a'), 'fail');
    }
    fake.trial(fake.key('half', 1, 'b'), 'pass');
    const { refused, changes } = compared(tally);
    expect(refused).toBeUndefined();
    expect(changes.map(({ scenario, direction }) => [scenario, direction])).toEqual([['done', 'regression']]);
  });

  it('is of the same scenarios of a baseline, so that none is gone that is still to come', () => {
    const { fake, tally } = runOfTwo();
    const known = evidenceOf(tally, 'b');
    for (const repeat of [1, 2]) fake.trial(fake.key('done', repeat, 'a'), 'fail');
    const { base, candidate } = sidesSoFar(tally, known, 'a');
    expect([...base.scenarios.keys()]).toEqual(['done']);
    expect([...candidate.scenarios.keys()]).toEqual(['done']);
  });

  it('is the comparison itself once all has ended', () => {
    const { fake, tally } = runOfTwo();
    for (const id of ['done', 'half', 'untouched'])
      for (const repeat of [1, 2]) {
        fake.trial(fake.key(id, repeat, 'a'), 'fail');
        fake.trial(fake.key(id, repeat, 'b'), 'pass');
      }
    const sides = { base: evidenceOf(tally, 'b'), candidate: evidenceOf(tally, 'a') };
    expect(sidesSoFar(tally, 'b', 'a')).toEqual(sides);
    expect(compared(tally).changes).toHaveLength(3);
  });
});

describe('models that are swapped', () => {
  const models = [fakeCondition('a', 'v15', 'openai:one'), fakeCondition('b', 'v15', 'openai:two')];
  const judging = { gate: defaultGate };

  it('are held against each other, the second against the first, without a base being named', () => {
    const { fake, tally } = runOf({ scenarios: [fakeScenario('refund')], conditions: models });
    for (const repeat of [1, 2, 3]) {
      fake.trial(fake.key('refund', repeat, 'a'), 'pass');
      fake.trial(fake.key('refund', repeat, 'b'), 'fail');
    }
    const comparison = compareSoFar(tally, judging);
    expect(comparison?.base.condition.model).toBe('openai:one');
    expect(comparison?.differences).toEqual([{ part: 'model', from: 'openai:one', to: 'openai:two' }]);
    expect(comparison?.changes.map(({ direction }) => direction)).toEqual(['regression']);
  });

  it('are not compared where a simulated user speaks', () => {
    const simulated = { ...fakeScenario('coverage'), isSimulatedUser: true as const };
    const { fake, tally } = runOf({ scenarios: [fakeScenario('refund'), simulated], conditions: models });
    for (const id of ['refund', 'coverage'])
      for (const repeat of [1, 2, 3]) {
        fake.trial(fake.key(id, repeat, 'a'), 'pass');
        fake.trial(fake.key(id, repeat, 'b'), id === 'coverage' ? 'fail' : 'pass');
      }
    const comparison = compareSoFar(tally, judging);
    expect(comparison?.changes).toEqual([]);
    expect(comparison?.simulatedUsers).toEqual({ scenarios: ['coverage'], isCompared: false });
  });

  it('are not compared in a run of one condition', () => {
    const { tally } = runOf({ scenarios: [fakeScenario('refund')] });
    expect(compareSoFar(tally, judging)).toBeUndefined();
  });
});
