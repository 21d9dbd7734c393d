import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../source/compare/evidence.js';
import { noUsage, type Usage } from '../../source/model/types.js';
import type { RunEvent } from '../../source/run/events.js';
import type { AgentReply } from '../../source/target/types.js';
import {
  type Feed,
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
  trialKey,
} from '../tally/support.js';
import { playLetters } from './support.js';

const usage = (more: Partial<Usage>): Usage => ({ ...noUsage, input: 1000, ...more });

/** A trial whose turns are told; its check passes. */
function converse(feed: Feed, repeat: number, replies: Partial<AgentReply>[]): void {
  const trial = trialKey('refund', repeat);
  feed.tell({ type: 'trial-started', at: 2000, trial, attempt: 1 });
  for (const [index, more] of replies.entries()) {
    const reply: AgentReply = {
      parts: [],
      text: '',
      usage: usage({}),
      steps: 1,
      stop: 'end',
      model: 'm',
      ...more,
    };
    const turn = { index: index + 1, message: 'hello', reply, ms: 1 };
    feed.tell({ type: 'turn-finished', at: 2001, trial, attempt: 1, turn });
  }
  const result = { checkId: 'c', type: 't', kind: 'hard', verdict: 'pass', reason: '' } as const;
  feed.tell({ type: 'check-finished', at: 2002, trial, attempt: 1, result });
  const tokens = { agent: usage({}), judge: noUsage };
  const rest = { end: { kind: 'completed' as const }, unsent: [], ms: 1, tokens };
  feed.tell({ type: 'trial-finished', at: 2003, trial, attempt: 1, ...rest });
}

function cacheOf(
  trials: Partial<AgentReply>[][],
  more: Partial<Extract<RunEvent, { type: 'run-started' }>> = {},
) {
  const feed = feedOf({ ...runStarted([plannedScenario('refund')], trials.length), ...more });
  for (const [index, replies] of trials.entries()) converse(feed, index + 1, replies);
  return evidenceOf(feed.tally, 'a').cache;
}

const cold = [{ usage: usage({ cacheWrite: 900 }) }, { usage: usage({ cacheRead: 900 }) }];
const warm = [{ usage: usage({ cacheRead: 900 }) }];
const times = (count: number, trial: Partial<AgentReply>[]) => Array.from({ length: count }, () => trial);

describe('the cache condition of a run', () => {
  it('is told by the first turn of each trial, whatever later turns read', () => {
    expect(cacheOf([cold, cold, cold])).toBe('cold');
    expect(cacheOf([warm, warm, warm])).toBe('warm');
    expect(cacheOf([cold, warm, warm])).toBe('mixed');
  });

  it('goes by nine in ten, so that the few cold trials at the start do not matter', () => {
    expect(cacheOf([cold, ...times(9, warm)])).toBe('warm');
    expect(cacheOf([cold, ...times(8, warm)])).toBe('mixed');
    expect(cacheOf([warm, ...times(9, cold)])).toBe('cold');
  });

  it('is not taken in by a first turn of several steps, which reads what it has written itself', () => {
    // Three steps over a prompt of 900: written once, read twice.
    const steps = [{ steps: 3, usage: usage({ input: 3000, cacheWrite: 950, cacheRead: 1850 }) }];
    expect(cacheOf([steps])).toBe('cold');
    const again = [{ steps: 3, usage: usage({ input: 3000, cacheWrite: 50, cacheRead: 2750 }) }];
    expect(cacheOf([again])).toBe('warm');
    // A provider that reports no writes: the second of two requests reads what the first one was.
    expect(cacheOf([[{ steps: 2, usage: usage({ input: 2500, cacheRead: 1024 }) }]])).toBe('cold');
    expect(cacheOf([[{ steps: 2, usage: usage({ input: 2500, cacheRead: 2048 }) }]])).toBe('warm');
  });

  it('is unknown where nobody says, and of conversations that were graded again', () => {
    expect(cacheOf([[{ usageMissing: true, usage: noUsage }]])).toBe('unknown');
    expect(cacheOf([[{ usage: noUsage }]])).toBe('unknown');
    expect(cacheOf([warm, [{ usageMissing: true }], [{ usageMissing: true }]])).toBe('unknown');
    expect(cacheOf([warm], { regradeOf: { runId: 'x', stale: [] } })).toBe('unknown');
  });
});

describe('the evidence of a run', () => {
  it('keeps what the product said of itself, sorted, without what it did not say', () => {
    const feed = feedOf(runStarted([plannedScenario('refund')], 2));
    converse(feed, 1, [{ model: 'openai:b', version: '2.1' }, { model: 'openai:a' }]);
    converse(feed, 2, [{ model: '', version: '2.0' }]);
    expect(evidenceOf(feed.tally, 'a').answered).toEqual({
      models: ['openai:a', 'openai:b'],
      versions: ['2.0', '2.1'],
    });
  });

  it('counts tokens, trials and verdicts of the planned trials, and those of a confirmation apart', () => {
    const feed = feedOf(runStarted([plannedScenario('refund')]));
    playLetters(feed, 'a', 'pff');
    feed.tell({
      type: 'plan-extended',
      at: 1,
      scenario: 'refund',
      condition: 'a',
      from: 4,
      to: 9,
      confirms: true,
    });
    playLetters(feed, 'a', 'ppppfu', 4);
    feed.tell(finished());
    const evidence = evidenceOf(feed.tally, 'a');
    expect(evidence).toMatchObject({ trials: 3, isComplete: true, tokens: { agent: { input: 300 } } });
    expect(evidence.scenarios.get('refund')?.usage).toEqual({ trials: 3, input: 300, cacheRead: 0 });
    expect(evidence.scenarios.get('refund')?.checks.get('c')).toMatchObject({
      verdict: 'fail',
      passed: 1,
      of: 3,
      fresh: { passed: 4, of: 5 },
      why: 'it was f',
    });
    // The re-run does not turn what is shown: FAIL stays FAIL until the gate has spoken.
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'fail', isPartial: false });
    expect(feed.tally.trials).toMatchObject({ total: 9, done: 9 });
  });

  it('gives judged checks the median over the trials, and over all with those of a confirmation', () => {
    const scenario = plannedScenario('refund');
    scenario.checks = [{ id: 'c', type: 'judge', kind: 'judged', absolute: false }];
    const feed = feedOf(runStarted([scenario]));
    playLetters(feed, 'a', '245');
    feed.tell({
      type: 'plan-extended',
      at: 1,
      scenario: 'refund',
      condition: 'a',
      from: 4,
      to: 5,
      confirms: true,
    });
    playLetters(feed, 'a', '55', 4);
    expect(evidenceOf(feed.tally, 'a').scenarios.get('refund')?.checks.get('c')).toMatchObject({
      score: 4,
      fresh: { score: 5, pooled: 5 },
    });
  });

  it('is incomplete while planned trials wait, and not for want of those that a confirmation asks for', () => {
    const feed = feedOf(runStarted([plannedScenario('refund')]));
    playLetters(feed, 'a', 'pp');
    expect(evidenceOf(feed.tally, 'a').isComplete).toBe(false);
    playLetters(feed, 'a', 'f', 3);
    feed.tell({ type: 'plan-extended', at: 1, scenario: 'refund', from: 4, to: 9, confirms: true });
    expect(evidenceOf(feed.tally, 'a').isComplete).toBe(true);
  });
});

describe('a base beside what is tested', () => {
  const base = { kind: 'condition' as const, condition: 'b' };
  const conditions = [plannedCondition('a'), plannedCondition('b')];

  it('does not decide the verdict of a row', () => {
    const feed = feedOf({ ...runStarted([plannedScenario('refund')], 3, conditions), base });
    playLetters(feed, 'b', 'fff');
    expect(feed.tally.rows[0]).toMatchObject({ verdict: undefined });
    playLetters(feed, 'a', 'ppp');
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'pass', why: undefined, isPartial: false });
    expect(feed.tally.verdicts).toMatchObject({ pass: 1, fail: 0 });
  });

  it('has no trials while it stands by, and then those that a confirmation asks for', () => {
    const standby = [plannedCondition('a'), plannedCondition('b', { standby: true })];
    const feed = feedOf({ ...runStarted([plannedScenario('refund')], 3, standby), base });
    expect(feed.tally.trials.total).toBe(3);
    playLetters(feed, 'a', 'pff');
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'fail', isPartial: false });
    const stood = feed.tally.rows[0]?.groups[1];
    expect(stood).toMatchObject({ cells: [], verdict: undefined, isPartial: false });
    // A person who asks for more trials asks for those of what is tested.
    feed.tell({ type: 'plan-extended', at: 1, scenario: 'refund', from: 4, to: 4 });
    expect(feed.tally.trials.total).toBe(4);
    playLetters(feed, 'a', 'f', 4);
    feed.tell({
      type: 'plan-extended',
      at: 1,
      scenario: 'refund',
      condition: 'b',
      from: 5,
      to: 10,
      confirms: true,
    });
    expect(feed.tally.trials.total).toBe(10);
    playLetters(feed, 'b', 'pppppf', 5);
    const check = evidenceOf(feed.tally, 'b').scenarios.get('refund')?.checks.get('c');
    expect(check).toMatchObject({ verdict: 'unknown', of: 0, fresh: { passed: 5, of: 6 } });
    expect(stood?.cells.map(({ repeat, state }) => `${repeat} ${state}`)).toContain('10 fail');
  });
});
