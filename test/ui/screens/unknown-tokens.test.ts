import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../source/model/types.js';
import { createFakeRun, fakeScenario } from '../fake-run.js';
import { holdApp, keys } from '../model-fixture.js';

const none: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const some: Usage = { input: 4000, output: 100, cacheRead: 0, cacheWrite: 0 };

/** A trial of a product that reports no tokens, or not all of them. */
function runThatReports(agent: Usage) {
  const fake = createFakeRun({ scenarios: [fakeScenario('refund')], repeat: 1 });
  const trial = fake.key('refund', 1);
  fake.start(trial);
  fake.turn(trial, 'hello', [{ kind: 'text', text: 'Hi' }]);
  fake.check(trial, { checkId: 'judge-offers-store-credit', verdict: 'pass' });
  fake.emit({
    type: 'trial-finished',
    at: fake.time.now,
    trial,
    attempt: 1,
    end: { kind: 'completed' },
    unsent: [],
    ms: 1000,
    tokens: { agent, judge: none, isAgentPartial: true },
  });
  return fake;
}

describe('tokens that nobody reported', () => {
  it.each([
    ['unknown where there are none', none, /\? tok/, / \?$/, /tokens \?/],
    ['a lower bound where some are missing', some, /4\.1k\+ tok/, / 4\.1k\+$/, /tokens 4\.1k\+/],
  ])('are %s, in the header, in the row and in the trial', (_what, usage, header, row, trial) => {
    const held = holdApp([runThatReports(usage).run], { columns: 160 });
    expect(held.screen()).toMatch(header);
    expect(held.lines().find((line) => line.includes('refund') && line.includes('PASS'))).toMatch(row);
    held.press(keys.enter);
    expect(held.screen()).toMatch(trial);
  });
});
