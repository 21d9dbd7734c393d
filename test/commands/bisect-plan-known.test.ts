import { expect, it } from 'vitest';
import { figuresOf } from '../../source/commands/shared/bisect-plan-known.js';
import { noUsage } from '../../source/model/types.js';
import { plannedBisect } from '../bisect/planned.js';
import { feedOf, plannedCondition, plannedScenario, runStarted, trialKey } from '../tally/support.js';

/** What conversations took in a run of two scenarios; the product reports no tokens in those of `silent`. */
async function figuresWith(silent: string | undefined) {
  const started = runStarted([plannedScenario('refund'), plannedScenario('greeting')], 1);
  const feed = feedOf(started);
  for (const scenario of ['refund', 'greeting']) {
    const trial = trialKey(scenario, 1);
    const ended = { at: 2000, trial, attempt: 1, ms: 50 };
    const isSilent = scenario === silent;
    const agent = isSilent ? noUsage : { ...noUsage, input: 100, output: 10 };
    const tokens = { agent, judge: noUsage, ...(isSilent && { isAgentPartial: true as const }) };
    feed.tell({ type: 'trial-started', at: 1500, trial, attempt: 1 });
    feed.tell({ type: 'trial-finished', ...ended, end: { kind: 'completed' }, unsent: [], tokens });
  }
  async function* runs() {
    yield feed.tally;
  }
  const planned = { ...plannedBisect(), watched: [{ scenario: 'refund' }] };
  const figures = await figuresOf(runs, plannedCondition('a'), planned, ['greeting']);
  return { watched: figures?.watched.tokens, rest: figures?.rest.tokens };
}

it('what conversations took is not known in part where the product reports no tokens of some', async () => {
  const whole = await figuresWith(undefined);
  expect(whole.watched).toMatchObject({ agent: { input: 100, output: 10 } });
  expect([whole.watched?.isAgentPartial, whole.rest?.isAgentPartial]).toEqual([undefined, undefined]);
  const unknown = await figuresWith('refund');
  expect([unknown.watched?.isAgentPartial, unknown.rest?.isAgentPartial]).toEqual([true, undefined]);
  const partly = await figuresWith('greeting');
  expect([partly.watched?.isAgentPartial, partly.rest?.isAgentPartial]).toEqual([undefined, true]);
});
