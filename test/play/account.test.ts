import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedName, type TrialNames, trialAccount } from '../../source/play/account.js';

const names: TrialNames = {
  run: '20261130-142530-k3fz',
  scenario: 'refund-past-window',
  condition: 'a',
  repeat: 2,
  attempt: 1,
};

it('names run, scenario, condition, repeat and attempt', () => {
  expect(trialAccount(names)).toBe('20261130-142530-k3fz-refund-past-window-a-2-1');
});

it('is the same in every run of a seed where accounts are emptied, and another for another suite', () => {
  expect(seedName('7', 'refunds')).toMatch(/^seed-[0-9a-f]{12}$/);
  expect(seedName('7', 'refunds')).toBe(seedName('7', 'refunds'));
  expect(seedName('7', 'refunds')).not.toBe(seedName('8', 'refunds'));
  expect(seedName('7', 'refunds')).not.toBe(seedName('7', 'onboarding'));
});

it('can stand anywhere, whatever the scenario is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (scenario) => {
      const account = trialAccount({ ...names, scenario });
      expect(account).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]*[0-9]$/);
      expect(account.length).toBeLessThanOrEqual(80);
    }),
  );
});

it('is another one for every trial and every attempt at it', () => {
  // Few values, of which many collide once they are made safe.
  const scenario = fc.constantFrom(
    'a/b',
    'a b',
    'a-b',
    'ä-b',
    'a',
    `${'x'.repeat(50)}1`,
    `${'x'.repeat(50)}2`,
    '?',
    '!',
  );
  const some = fc.record({
    run: fc.constantFrom('r', 's'),
    scenario: fc.oneof(scenario, fc.string({ minLength: 1, maxLength: 3 })),
    condition: fc.constantFrom('a', 'b'),
    repeat: fc.integer({ min: 1, max: 12 }),
    attempt: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(some, some, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(trialAccount(one) === trialAccount(other)).toBe(isSame);
    }),
    { numRuns: 2000 },
  );
});
