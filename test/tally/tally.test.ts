import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckVerdict } from '../../source/grade/types.js';
import { worstCheck } from '../../source/tally/group.js';
import { activeTime, createTally, endReplay } from '../../source/tally/tally.js';
import { worstVerdict } from '../../source/tally/verdict.js';
import { feedOf, finished, plannedCondition, plannedScenario, runStarted, trialKey } from './support.js';

describe('the tally of a run', () => {
  it('begins with every cell waiting', () => {
    const tally = createTally(runStarted([plannedScenario('one'), plannedScenario('two')], 3));
    expect(tally.trials).toEqual({ total: 6, done: 0, running: 0, errors: 0 });
    expect(tally.rows.map((row) => [row.scenario.id, row.order, row.verdict, row.isPartial])).toEqual([
      ['one', 0, undefined, true],
      ['two', 1, undefined, true],
    ]);
    expect(tally.rowById.get('two')?.groups[0]?.cells.map((cell) => [cell.repeat, cell.state])).toEqual([
      [1, 'waiting'],
      [2, 'waiting'],
      [3, 'waiting'],
    ]);
  });

  it('gives a cell the worst check of its trial, with its reason', () => {
    const feed = feedOf(runStarted([plannedScenario('one', ['c', 'd', 'e'])]));
    feed.trial(trialKey('one', 1), { c: 'warn', d: ['unknown', 'not readable'], e: 'pass' });
    const cell = feed.tally.rows[0]?.groups[0]?.cells[0];
    expect(cell).toMatchObject({
      state: 'unknown',
      worstCheck: 'd',
      why: 'not readable',
      ms: 50,
      attempt: 1,
    });
    expect(cell?.tokens?.agent).toMatchObject({ input: 100, output: 10 });
    feed.trial(trialKey('one', 2), { c: 'pass', d: 'pass', e: 'pass' });
    expect(feed.tally.rows[0]?.groups[0]?.cells[1]).toMatchObject({
      state: 'pass',
      worstCheck: undefined,
      why: undefined,
    });
  });

  it('gives a scenario the worst verdict of its checks, each over all trials', () => {
    const feed = feedOf(runStarted([plannedScenario('one', ['c', 'd'])]));
    feed.trial(trialKey('one', 1), { c: 'fail', d: 'pass' });
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'fail', isPartial: true });
    feed.trial(trialKey('one', 2), { c: 'pass', d: 'fail' });
    feed.trial(trialKey('one', 3), { c: 'pass', d: 'pass' });
    // One failure of three each: no check fails, though two trials did.
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'warn', isPartial: false, tokens: 330, ms: 150 });
    expect(feed.tally.verdicts).toEqual({ pass: 0, warn: 1, fail: 0, unknown: 0, error: 0 });
    expect(feed.tally.tokens).toMatchObject({ agent: { input: 300, output: 30 }, judge: { input: 21 } });
  });

  it('counts the time in which the run was going, and none of what lay between', () => {
    const feed = feedOf(runStarted([plannedScenario('one')], 1));
    feed.tell({ type: 'run-finished', at: 6000, outcome: 'completed' });
    expect(activeTime(feed.tally, 900_000)).toBe(5000);
    feed.tell({ type: 'plan-extended', at: 600_000, scenario: 'one', from: 2, to: 2 });
    expect(activeTime(feed.tally, 601_000)).toBe(6000);
    feed.tell({ type: 'plan-extended', at: 601_000, scenario: 'one', from: 3, to: 3 });
    feed.tell({ type: 'run-finished', at: 602_000, outcome: 'interrupted' });
    expect(feed.tally.activeMs).toBe(7000);
    feed.tell({ type: 'run-resumed', at: 700_000 });
    feed.tell({ type: 'trial-started', at: 703_000, trial: trialKey('one', 1), attempt: 1 });
    // Killed here: nothing says when, but that it was going until its last message.
    feed.tell({ type: 'run-resumed', at: 800_000 });
    feed.tell({ type: 'trial-started', at: 800_500, trial: trialKey('one', 1), attempt: 1 });
    endReplay(feed.tally);
    expect(activeTime(feed.tally, 900_000)).toBe(10_500);
  });

  it('names the failure of a row first where only another check makes it unknown', () => {
    const feed = feedOf(runStarted([plannedScenario('one', ['c', 'd', 'e'])]));
    feed.trial(trialKey('one', 1), { c: ['unknown', 'not readable'], d: 'pass', e: 'pass' });
    feed.trial(trialKey('one', 2), { c: ['unknown', 'not readable'], d: ['fail', 'paid twice'], e: 'pass' });
    feed.trial(trialKey('one', 3), { c: 'pass', d: 'pass', e: 'pass' });
    const [row] = feed.tally.rows;
    expect(row).toMatchObject({
      verdict: 'unknown',
      why: { checkId: 'd', reason: 'paid twice; c is unknown: not readable' },
    });
    const [group] = row?.groups ?? [];
    expect(group && worstCheck(group)).toMatchObject({ id: 'd', passed: 2, of: 3 });
  });

  it('says why with the first reason of the worst check', () => {
    const feed = feedOf(runStarted([plannedScenario('one', ['c', 'd'])]));
    feed.trial(trialKey('one', 1), { c: ['fail', 'c once'], d: 'pass' });
    feed.trial(trialKey('one', 2), { c: 'pass', d: ['fail', 'd first'] });
    feed.trial(trialKey('one', 3), { c: 'pass', d: ['fail', 'd second'] });
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'fail', why: { checkId: 'd', reason: 'd first' } });
  });

  it('counts a check that gave no result as unknown', () => {
    const feed = feedOf(runStarted([plannedScenario('one', ['c', 'd'])], 1));
    feed.trial(trialKey('one', 1), { c: 'pass' });
    expect(feed.tally.rows[0]).toMatchObject({
      verdict: 'unknown',
      why: { checkId: 'd', reason: 'the check gave no result' },
    });
    expect(feed.tally.rows[0]?.groups[0]?.cells[0]?.state).toBe('unknown');
  });

  it('knows nothing of a scenario without checks', () => {
    const feed = feedOf(runStarted([plannedScenario('one', [])], 1));
    feed.trial(trialKey('one', 1), {});
    expect(feed.tally.rows[0]).toMatchObject({
      verdict: 'unknown',
      why: { checkId: undefined, reason: 'the scenario has no checks' },
    });
  });

  it('calls a scenario an error only when all of its trials were', () => {
    const feed = feedOf(runStarted([plannedScenario('one'), plannedScenario('two')]));
    for (const repeat of [1, 2, 3]) feed.errored(trialKey('one', repeat), 'no answer');
    feed.errored(trialKey('two', 1));
    feed.trial(trialKey('two', 2), { c: 'pass' });
    feed.trial(trialKey('two', 3), { c: 'pass' });
    expect(feed.tally.rows.map((row) => row.verdict)).toEqual(['error', 'unknown']);
    expect(feed.tally.rows[0]?.why).toEqual({ checkId: undefined, reason: 'no answer' });
    expect(feed.tally.rows[1]?.why).toEqual({ checkId: undefined, reason: 'busy' });
    expect(feed.tally.trials).toEqual({ total: 6, done: 6, running: 0, errors: 4 });
  });

  it('keeps what is being said while a trial runs, and forgets it afterwards', () => {
    const feed = feedOf(runStarted([plannedScenario('one')]));
    const trial = trialKey('one', 1);
    feed.tell({ type: 'trial-started', at: 5, trial, attempt: 1 });
    expect(feed.tally.trials.running).toBe(1);
    const row = feed.tell({ type: 'reply-progress', trial, turn: 2, text: 'I have ca' });
    expect(row?.groups[0]?.cells[0]).toMatchObject({
      state: 'running',
      startedAt: 5,
      live: { turn: 2, text: 'I have ca' },
    });
    feed.tell({ type: 'reply-progress', trial, turn: 2, text: '', tool: 'get_order' });
    expect(row?.groups[0]?.cells[0]?.live?.tool).toBe('get_order');
    feed.trial(trial, { c: 'pass' });
    expect(row?.groups[0]?.cells[0]).toMatchObject({ state: 'pass', live: undefined, startedAt: undefined });
    expect(feed.tally.trials.running).toBe(0);
  });

  it('counts only the attempt that went through', () => {
    const feed = feedOf(runStarted([plannedScenario('one')], 1));
    const trial = trialKey('one', 1);
    feed.tell({ type: 'trial-started', at: 1, trial, attempt: 1 });
    feed.tell({
      type: 'check-finished',
      at: 1,
      trial,
      attempt: 1,
      result: { checkId: 'c', type: 't', kind: 'hard', verdict: 'fail', reason: 'r' },
    });
    feed.tell({
      type: 'trial-errored',
      at: 2,
      trial,
      attempt: 1,
      kind: 'network',
      message: 'gone',
      final: false,
    });
    expect(feed.tally.rows[0]?.groups[0]?.cells[0]).toMatchObject({ state: 'waiting', positions: [] });
    expect(feed.tally.trials).toEqual({ total: 1, done: 0, running: 0, errors: 0 });
    feed.trial(trial, { c: 'pass' }, { attempt: 2 });
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'pass' });
    // Started at byte 400; its three lines are neighbours.
    expect(feed.tally.rows[0]?.groups[0]?.cells[0]?.positions).toEqual([{ offset: 400, length: 300 }]);
  });

  it('does not count what comes late from an attempt that is over, nor a trial twice', () => {
    const feed = feedOf(runStarted([plannedScenario('one')], 1));
    const trial = trialKey('one', 1);
    feed.trial(trial, { c: 'pass' });
    feed.trial(trial, { c: 'fail' });
    expect(feed.tally.rows[0]).toMatchObject({ verdict: 'pass', tokens: 110 });
    expect(feed.tally.trials).toMatchObject({ done: 1, running: 0 });
  });

  it('puts running cells back to waiting when the run ends, goes on, or was killed', () => {
    for (const event of [finished('interrupted'), { type: 'run-resumed', at: 9 } as const, undefined]) {
      const feed = feedOf(runStarted([plannedScenario('one')]));
      feed.tell({ type: 'trial-started', at: 1, trial: trialKey('one', 1), attempt: 1 });
      if (event) feed.tell(event);
      else endReplay(feed.tally);
      expect(feed.tally.rows[0]?.groups[0]?.cells[0]).toMatchObject({ state: 'waiting', attempt: 0 });
      expect(feed.tally.trials.running).toBe(0);
    }
  });

  it('knows in which state a run is', () => {
    const feed = feedOf(runStarted([plannedScenario('one')], 1));
    expect(feed.tally.state).toBe('running');
    feed.trial(trialKey('one', 1), { c: 'pass' });
    feed.tell(finished('completed'));
    expect(feed.tally).toMatchObject({ state: 'completed', finishedAt: 9000 });
    feed.tell({ type: 'plan-extended', at: 9500, scenario: 'one', from: 2, to: 3 });
    expect(feed.tally).toMatchObject({ state: 'running', finishedAt: undefined, trials: { total: 3 } });
    expect(feed.tally.rows[0]?.isPartial).toBe(true);
    endReplay(feed.tally);
    expect(feed.tally.state).toBe('unfinished');
  });

  it('judges each condition by itself and the row by the worst', () => {
    const conditions = [plannedCondition('a'), plannedCondition('b')];
    const feed = feedOf(runStarted([plannedScenario('one')], 1, conditions));
    feed.trial(trialKey('one', 1, 'a'), { c: 'pass' });
    feed.trial(trialKey('one', 1, 'b'), { c: ['fail', 'only b'] });
    const [row] = feed.tally.rows;
    expect(row?.groups.map((group) => group.verdict)).toEqual(['pass', 'fail']);
    expect(row).toMatchObject({ verdict: 'fail', why: { checkId: 'c', reason: 'only b' } });
  });

  it('cuts long reasons without cutting a character in half', () => {
    const feed = feedOf(runStarted([plannedScenario('one')], 1));
    feed.trial(trialKey('one', 1), { c: ['fail', '😀'.repeat(200)] });
    const why = feed.tally.rows[0]?.why?.reason ?? '';
    expect(why).toBe(`${'😀'.repeat(79)}…`);
  });

  it('ends the same whatever the order in which trials end', () => {
    const verdict = fc.constantFrom<CheckVerdict>('pass', 'warn', 'fail', 'unknown');
    const trials = fc.array(fc.record({ c: verdict, d: verdict }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(trials, fc.infiniteStream(fc.nat()), (results, numbers) => {
        const started = runStarted([plannedScenario('one', ['c', 'd'])], results.length);
        const forwards = feedOf(started);
        const shuffled = feedOf(started);
        const keyed = results.map((checks, index) => ({
          checks,
          repeat: index + 1,
          order: numbers.next().value,
        }));
        for (const { checks, repeat } of keyed) forwards.trial(trialKey('one', repeat), checks);
        keyed.sort((a, b) => a.order - b.order);
        for (const { checks, repeat } of keyed) shuffled.trial(trialKey('one', repeat), checks);
        const facts = (feed: typeof forwards) => {
          const [row] = feed.tally.rows;
          const counts = Array.from(row?.groups[0]?.checks ?? [], ([id, { why: _why, ...rest }]) => [
            id,
            rest,
          ]);
          return [
            row?.verdict,
            row?.isPartial,
            counts,
            row?.groups[0]?.cells.map((cell) => cell.state),
            feed.tally.verdicts,
          ];
        };
        expect(facts(shuffled)).toEqual(facts(forwards));
        const cells = forwards.tally.rows[0]?.groups[0]?.cells ?? [];
        expect(cells.map((cell) => cell.state)).toEqual(results.map(({ c, d }) => worstVerdict([c, d])));
      }),
    );
  });

  it('takes at most a thousand bytes a trial', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const count = 3000;
    const names = Array.from({ length: count }, (_, i) => `scenario-${i}`);
    const started = runStarted(
      names.map((name) => plannedScenario(name)),
      3,
    );
    const before = heap();
    const feed = feedOf(started);
    for (let repeat = 1; repeat <= 3; repeat++) {
      for (const name of names)
        feed.trial(trialKey(name, repeat), { c: ['fail', `${name} ${'x'.repeat(400)}`] });
    }
    const perTrial = (heap() - before) / (count * 3);
    expect(feed.tally.trials.done).toBe(count * 3);
    expect(perTrial).toBeGreaterThan(100);
    expect(perTrial).toBeLessThan(1000);
  });
});
