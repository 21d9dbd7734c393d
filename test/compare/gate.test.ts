import { describe, expect, it } from 'vitest';
import { combineExitCodes, type Decision, decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { endReplay } from '../../source/tally/tally.js';
import { type Feed, feedOf, finished, plannedScenario, runStarted, trialKey } from '../tally/support.js';

const gate = defaultGate;

function feed(...ids: string[]): Feed {
  return feedOf(runStarted(ids.map((id) => plannedScenario(id))));
}

/** Three trials of a scenario: `p` pass, `w` warn, `f` fail, `u` unknown, `e` error. */
function trials(given: Feed, scenario: string, letters: string): void {
  const verdicts = { p: 'pass', w: 'warn', f: 'fail', u: 'unknown' } as const;
  for (const [index, letter] of [...letters].entries()) {
    const key = trialKey(scenario, index + 1);
    if (letter === 'e') given.errored(key);
    else given.trial(key, { c: verdicts[letter as keyof typeof verdicts] });
  }
}

describe('the gate', () => {
  it('holds when all scenarios pass', () => {
    const run = feed('one', 'two');
    trials(run, 'one', 'ppp');
    trials(run, 'two', 'ppp');
    run.tell(finished());
    expect(decide(run.tally, gate)).toEqual({
      exitCode: 0,
      verdict: 'pass',
      headline: 'PASS: all 2 scenarios pass',
      reasons: [],
      coverage: 1,
    });
  });

  it('holds with scenarios that warn, and says so', () => {
    const run = feed('one', 'two');
    trials(run, 'one', 'ppf');
    trials(run, 'two', 'ppp');
    run.tell(finished());
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 0,
      headline: 'PASS: none of 2 scenarios fails (1 pass, 1 warn)',
    });
  });

  it('fails over one violation of an absolute criterion, where hard criteria count', () => {
    const scenario = plannedScenario('one');
    for (const check of scenario.checks) check.absolute = true;
    const run = feedOf(runStarted([scenario]));
    trials(run, 'one', 'ppf');
    run.tell(finished());
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 1,
      headline: 'FAIL: an absolute criterion is violated',
      reasons: ['hard-criteria: one / c: violated in 1 of 3 trials, and one is enough'],
    });
    expect(decide(run.tally, { ...gate, failOn: ['score-drop'] })).toMatchObject({ exitCode: 0 });
  });

  it('fails when a scenario fails, and names it', () => {
    const run = feed('one', 'two');
    trials(run, 'one', 'pff');
    trials(run, 'two', 'ppp');
    run.tell(finished());
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 1,
      verdict: 'fail',
      headline: 'FAIL: 1 of 2 scenarios fails',
      reasons: ['fails: one'],
    });
  });

  it('has no verdict when too few trials were graded, even where all that were passed', () => {
    const run = feed('one', 'two');
    trials(run, 'one', 'ppp');
    trials(run, 'two', 'ppe');
    run.tell(finished());
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 3,
      verdict: 'none',
      headline: 'NO VERDICT: 83.3 % of the trials were run and graded, at least 95 % are needed',
    });
    expect(decide(run.tally, { ...gate, minCoverage: 0.8 })).toMatchObject({
      exitCode: 0,
      headline: 'PASS: none of 2 scenarios fails (1 pass, 1 unknown)',
    });
  });

  it('has no verdict when a scenario might fail, had its trials been graded', () => {
    const lenient = { ...gate, minCoverage: 0 };
    for (const letters of ['uuu', 'eee', 'pfu', 'puu']) {
      const run = feed('one', 'two');
      trials(run, 'one', letters);
      trials(run, 'two', 'ppp');
      run.tell(finished());
      expect(decide(run.tally, lenient), letters).toMatchObject({
        exitCode: 3,
        headline: 'NO VERDICT: 1 scenario could not be graded well enough',
        reasons: ['could fail or not, for want of graded trials: one'],
      });
    }
  });

  it('has no verdict about scenarios without checks', () => {
    const run = feedOf(runStarted([plannedScenario('one', [])], 1));
    run.trial(trialKey('one', 1), {});
    run.tell(finished());
    expect(decide(run.tally, { ...gate, minCoverage: 0 })).toMatchObject({ exitCode: 3 });
  });

  it('takes no evidence from a tainted run', () => {
    const run = feed('one');
    trials(run, 'one', 'fff');
    run.tell({ type: 'taint', at: 1, kind: 'rate-limit', message: 'one: quota' });
    run.tell(finished());
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 3,
      verdict: 'none',
      headline: 'NO VERDICT: the run is tainted and is no evidence',
      reasons: ['tainted by rate-limit: one: quota', 'fails: one'],
    });
  });

  it('is interrupted where a person left, whatever tainted it before', () => {
    const run = feed('one');
    run.tell({ type: 'taint', at: 1, kind: 'rate-limit', message: 'one: quota' });
    run.tell(finished('interrupted'));
    expect(decide(run.tally, gate)).toMatchObject({ exitCode: 130, verdict: 'interrupted' });
  });

  it.each([
    ['stopped', 'INTERRUPTED: 3 of 6 trials done'],
    ['interrupted', 'INTERRUPTED: 3 of 6 trials done'],
  ] as const)('is interrupted with a run that was %s, whatever was found', (outcome, headline) => {
    const run = feed('one', 'two');
    trials(run, 'one', 'fff');
    run.tell(finished(outcome));
    expect(decide(run.tally, gate)).toMatchObject({ exitCode: 130, verdict: 'interrupted', headline });
  });

  it('is interrupted with a run that was killed, and has no verdict on one that goes on', () => {
    const run = feed('one');
    trials(run, 'one', 'p');
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 3,
      headline: 'NO VERDICT: still running, 1 of 3 trials done',
    });
    endReplay(run.tally);
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 130,
      headline: 'INTERRUPTED: 1 of 3 trials done',
    });
  });

  it('says of a run that was left before its turn that it was not begun', () => {
    const run = feed('one');
    endReplay(run.tally);
    expect(decide(run.tally, gate)).toMatchObject({
      exitCode: 130,
      verdict: 'interrupted',
      headline: 'NOT BEGUN: none of 3 trials was started',
    });
  });

  it('decides about several runs by the worst of them', () => {
    const of = (exitCode: 0 | 1 | 3 | 130): Decision => ({
      exitCode,
      verdict: 'pass',
      headline: '',
      reasons: [],
      coverage: 1,
    });
    expect(combineExitCodes([of(0), of(0)])).toBe(0);
    expect(combineExitCodes([of(0), of(3)])).toBe(3);
    expect(combineExitCodes([of(3), of(1), of(0)])).toBe(1);
    expect(combineExitCodes([of(1), of(130)])).toBe(130);
  });
});
