import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trialId } from '../../source/run/events.js';
import { type AddedTrials, createExtensions, extensionEvents } from '../../source/run/extensions.js';
import { trialsInOrder } from '../../source/run/plan.js';
import { plannedCondition, plannedScenario } from '../tally/support.js';

const plan = {
  scenarios: [plannedScenario('one'), plannedScenario('two')],
  conditions: [plannedCondition('a'), plannedCondition('b'), plannedCondition('c', { standby: true })],
  repeat: 2,
};

describe('trials that are added to a plan', () => {
  it('are told of once for all conditions that have as many, and one by one otherwise', () => {
    const extensions = createExtensions(plan);
    const add = (added: AddedTrials) => {
      const events = extensionEvents(plan, extensions, added, 5);
      for (const event of events) extensions.note(event);
      return events.map(({ type: _, at: __, ...event }) => event);
    };
    expect(add({ scenario: 'one', count: 1 })).toEqual([{ scenario: 'one', from: 3, to: 3 }]);
    expect(add({ scenario: 'one', count: 6, condition: 'a', confirms: true })).toEqual([
      { scenario: 'one', condition: 'a', from: 4, to: 9, confirms: true },
    ]);
    expect(add({ scenario: 'one', count: 1 })).toEqual([
      { scenario: 'one', condition: 'a', from: 10, to: 10 },
      { scenario: 'one', condition: 'b', from: 4, to: 4 },
    ]);
    expect(add({ scenario: 'two', count: 2, condition: 'c' })).toEqual([
      { scenario: 'two', condition: 'c', from: 1, to: 2 },
    ]);
  });

  it('never give a number twice, and the events alone give the same trials again', () => {
    const added = fc.record({
      scenario: fc.constantFrom('one', 'two'),
      count: fc.integer({ min: 1, max: 4 }),
      condition: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(added, { maxLength: 8 }), (all) => {
        const live = createExtensions(plan);
        const events = all.flatMap(({ scenario, count, condition }) => {
          const made = extensionEvents(plan, live, { scenario, count, ...(condition && { condition }) }, 1);
          for (const event of made) live.note(event);
          return made;
        });
        const trials = Array.from(trialsInOrder(plan, live), trialId);
        const wanted = all.reduce((sum, { count, condition }) => sum + count * (condition ? 1 : 2), 8);
        expect(new Set(trials).size).toBe(trials.length);
        expect(trials).toHaveLength(wanted);
        expect(Array.from(trialsInOrder(plan, createExtensions(plan, events)), trialId)).toEqual(trials);
      }),
    );
  });
});
