import { describe, expect, it } from 'vitest';
import type { Direction, Evidence, Proof } from '../../source/compare/types.js';
import { outcomeOf, type Situation } from './support.js';

interface Answer {
  direction?: Direction;
  why?: string[];
  proof?: Proof;
  /** Suspects that are to be re-run, and whether on the base too. */
  rerun?: 'candidate' | 'both';
  exitCode: 0 | 1 | 3;
}

const absolute = { absolute: true };
const judged = { kind: 'judged' as const };
const check = (evidence: Evidence) => evidence.scenarios.get('refund')?.checks.get('c');
const only = (evidence: Evidence) => evidence.scenarios.get('refund');

/** What is right in each situation, and why. */
const situations: [name: string, situation: Situation, answer: Answer][] = [
  ['nothing changed', { base: 'ppp', candidate: 'ppp' }, { exitCode: 0 }],
  ['2 of 3 against 3 of 3', { base: 'ppp', candidate: 'ppf' }, { direction: 'drift', exitCode: 0 }],
  ['3 of 3 against 2 of 3', { base: 'ppf', candidate: 'ppp' }, { direction: 'better', exitCode: 0 }],
  ['2 of 3 against none', { base: 'fff', candidate: 'ppf' }, { direction: 'better', exitCode: 0 }],
  ['warn on both', { base: 'ppf', candidate: 'fpp' }, { exitCode: 0 }],
  [
    'passed and fails, not re-run yet',
    { base: 'ppp', candidate: 'pff' },
    { direction: 'regression', proof: 'suspect', rerun: 'both', exitCode: 0 },
  ],
  [
    'passed and fails, and fails again',
    { base: 'ppp', candidate: 'pff', again: { candidate: 'ffffff', base: 'pppppp' } },
    { direction: 'regression', proof: 'confirmed', exitCode: 1 },
  ],
  [
    'passed and fails, and passes again',
    { base: 'ppp', candidate: 'pff', again: { candidate: 'pppppp', base: 'pppppp' } },
    { direction: 'regression', proof: 'not-confirmed', exitCode: 0 },
  ],
  [
    'the base turns out to be no better',
    { base: 'ppp', candidate: 'pff', again: { candidate: 'pppfff', base: 'ppffff' } },
    { direction: 'regression', proof: 'suspect', exitCode: 0 },
  ],
  [
    '9 of 9 against 3 of 6 is enough',
    { base: 'ppp', candidate: 'pff', again: { candidate: 'pppfff', base: 'pppppp' } },
    { direction: 'regression', proof: 'confirmed', exitCode: 1 },
  ],
  [
    'a base that is known is not re-run',
    { base: 'ppp', candidate: 'pff', known: { passed: 20, of: 20 } },
    { direction: 'regression', proof: 'suspect', rerun: 'candidate', exitCode: 0 },
  ],
  [
    'a warning against a base that is known',
    { base: 'ppp', candidate: 'ppf', known: { passed: 20, of: 20 } },
    { direction: 'drift', proof: 'suspect', rerun: 'candidate', exitCode: 0 },
  ],
  [
    'a warning against a base that is known, and warns again',
    { base: 'ppp', candidate: 'ppf', known: { passed: 20, of: 20 }, again: { candidate: 'pppppf' } },
    { direction: 'drift', proof: 'suspect', exitCode: 0 },
  ],
  [
    'a warning against a base that is known, and passes again',
    { base: 'ppp', candidate: 'ppf', known: { passed: 20, of: 20 }, again: { candidate: 'pppppp' } },
    { direction: 'drift', proof: 'not-confirmed', exitCode: 0 },
  ],
  [
    'passed and fails, and only warns again',
    { base: 'ppp', candidate: 'pff', again: { candidate: 'pppppf', base: 'pppppp' } },
    { direction: 'regression', proof: 'not-confirmed', exitCode: 0 },
  ],
  [
    'the base is judged by all its trials, not by its last run',
    { base: 'ppp', candidate: 'ppf', known: { passed: 18, of: 20 } },
    { exitCode: 0 },
  ],
  [
    'a base that fails now and then was not fixed by three trials that pass',
    { base: 'ppp', candidate: 'ppp', known: { passed: 11, of: 12 } },
    { exitCode: 0 },
  ],
  [
    'an absolute check that was violated once in twelve is not cured by three that pass',
    { base: 'ppp', candidate: 'ppp', check: absolute, known: { passed: 11, of: 12 } },
    { exitCode: 0 },
  ],
  [
    'nor is any check where nothing is confirmed',
    { base: 'ppp', candidate: 'ppp', settings: { confirm: false }, known: { passed: 11, of: 12 } },
    { exitCode: 0 },
  ],
  [
    'a warning without a failure violates nothing, also where nothing is confirmed',
    { base: 'ppp', candidate: 'wpp', settings: { confirm: false } },
    { direction: 'drift', exitCode: 0 },
  ],
  [
    'a warning without a failure is no suspect: its pass rate did not fall',
    { base: 'ppp', candidate: 'wpp', known: { passed: 20, of: 20 } },
    { direction: 'drift', exitCode: 0 },
  ],
  [
    'a warning without a failure fails where drifts are to',
    { base: 'ppp', candidate: 'wpp', settings: { failOn: ['hard-criteria', 'drift'] } },
    { direction: 'drift', exitCode: 1 },
  ],
  [
    'a base that failed most of the time was',
    { base: 'ppp', candidate: 'ppp', known: { passed: 3, of: 12 } },
    { direction: 'fixed', exitCode: 0 },
  ],
  [
    'a score that fell by one point, as much as it may',
    { base: '555', candidate: '444', check: judged, settings: { meanDrop: 2 } },
    { direction: 'drift', exitCode: 0 },
  ],
  [
    'a score that rose by one point',
    { base: '444', candidate: '555', check: judged },
    { direction: 'better', exitCode: 0 },
  ],
  [
    'a score between two of a base of several runs',
    {
      base: '555',
      candidate: '555',
      check: judged,
      edit: (base) => Object.assign(check(base) ?? {}, { score: 4.75 }),
    },
    { exitCode: 0 },
  ],
  [
    'an absolute check is violated once',
    { base: 'ppp', candidate: 'ppf', check: absolute },
    { direction: 'regression', proof: 'violation', exitCode: 1 },
  ],
  [
    'an absolute check is violated in a re-run alone',
    { base: 'ppp', candidate: 'ppp', check: absolute, again: { candidate: 'pfpppp' } },
    { direction: 'regression', proof: 'violation', exitCode: 1 },
  ],
  [
    'an absolute check was violated in the base likewise',
    { base: 'fpp', candidate: 'ppf', check: absolute },
    { exitCode: 0 },
  ],
  [
    'an absolute check was violated once and now is always',
    { base: 'fpp', candidate: 'fff', check: absolute },
    { direction: 'regression', proof: 'suspect', rerun: 'both', exitCode: 0 },
  ],
  ['failed and still fails', { base: 'fff', candidate: 'fff' }, { exitCode: 0 }],
  ['failed and passes', { base: 'fff', candidate: 'ppp' }, { direction: 'fixed', exitCode: 0 }],
  [
    'failed most of the time and passes, as a lucky draw would',
    { base: 'pff', candidate: 'ppp' },
    { direction: 'better', exitCode: 0 },
  ],
  [
    'a new criterion that fails',
    { base: 'ppp', candidate: 'fff', edit: (base) => only(base)?.checks.clear() },
    { direction: 'new', exitCode: 1 },
  ],
  [
    'a new criterion that passes',
    { base: 'ppp', candidate: 'ppp', edit: (base) => only(base)?.checks.clear() },
    { direction: 'new', exitCode: 3 },
  ],
  [
    'a new judged criterion that fails',
    { base: '555', candidate: '111', check: judged, edit: (base) => only(base)?.checks.clear() },
    { direction: 'new', exitCode: 1 },
  ],
  [
    'a new judged criterion that fails, where judged ones fail nothing',
    {
      base: '555',
      candidate: '111',
      check: judged,
      settings: { failOn: ['hard-criteria'] },
      edit: (base) => only(base)?.checks.clear(),
    },
    { direction: 'new', exitCode: 3 },
  ],
  [
    'a criterion that is gone',
    { base: 'ppp', candidate: 'ppp', edit: (_, candidate) => only(candidate)?.checks.clear() },
    { direction: 'gone', exitCode: 3 },
  ],
  [
    'a scenario that is gone, with no other in common',
    { base: 'ppp', candidate: 'ppp', edit: (base) => base.scenarios.clear() },
    { exitCode: 3 },
  ],
  [
    'a criterion that was changed, and passes',
    { base: 'fff', candidate: 'ppp', edit: (base) => Object.assign(check(base) ?? {}, { hash: 'old' }) },
    { direction: 'not-comparable', why: ['the check'], exitCode: 3 },
  ],
  [
    'a criterion that was changed, and fails',
    { base: 'ppp', candidate: 'fff', edit: (base) => Object.assign(check(base) ?? {}, { hash: 'old' }) },
    { direction: 'not-comparable', why: ['the check'], exitCode: 1 },
  ],
  [
    'other turns and other fixtures',
    {
      base: 'ppp',
      candidate: 'ppp',
      edit: (base) =>
        Object.assign(only(base) ?? {}, { parts: { turns: 'old', fixtures: 'old', persona: 'p' } }),
    },
    { direction: 'not-comparable', why: ['turns', 'fixtures'], exitCode: 3 },
  ],
  [
    'another rubric',
    {
      base: '555',
      candidate: '111',
      check: judged,
      edit: (base) => Object.assign(check(base) ?? {}, { hash: 'old rubric' }),
    },
    { direction: 'not-comparable', why: ['the check'], exitCode: 1 },
  ],
  [
    'another judge, with another prompt',
    {
      base: '555',
      candidate: '111',
      check: judged,
      edit: (base) => {
        base.judge = { model: 'other', prompt: 'default@2', promptSha256: 'def' };
      },
    },
    { direction: 'not-comparable', why: ['judge prompt', 'judge model'], exitCode: 1 },
  ],
  [
    'another judge, of what failed before already',
    {
      base: '111',
      candidate: '111',
      check: judged,
      edit: (base) => {
        base.judge = { model: 'other', prompt: 'default@1', promptSha256: 'abc' };
      },
    },
    { direction: 'not-comparable', why: ['judge model'], exitCode: 3 },
  ],
  [
    'another judge, and it passes',
    {
      base: '555',
      candidate: '555',
      check: judged,
      edit: (base) => {
        base.judge = { model: 'other', prompt: 'default@1', promptSha256: 'abc' };
      },
    },
    { direction: 'not-comparable', why: ['judge model'], exitCode: 3 },
  ],
  [
    'another judge does not matter to a hard criterion',
    {
      base: 'ppp',
      candidate: 'ppp',
      edit: (base) => {
        base.judge = { model: 'other', prompt: 'default@2', promptSha256: 'def' };
      },
    },
    { exitCode: 0 },
  ],
  [
    'unknown in the candidate',
    { base: 'ppp', candidate: 'puu' },
    { direction: 'not-comparable', why: ['not graded well enough in the candidate'], exitCode: 3 },
  ],
  [
    'unknown in the base',
    { base: 'puu', candidate: 'ppp' },
    { direction: 'not-comparable', why: ['not graded well enough in the base'], exitCode: 3 },
  ],
  [
    'unknown in the base, and fails',
    { base: 'puu', candidate: 'fff' },
    { direction: 'not-comparable', why: ['not graded well enough in the base'], exitCode: 1 },
  ],
  [
    'unknown where it failed before',
    { base: 'fff', candidate: 'puu' },
    { direction: 'not-comparable', why: ['not graded well enough in the candidate'], exitCode: 3 },
  ],
  ['a budget that warns in both', { base: 'wpp', candidate: 'www' }, { exitCode: 0 }],
  [
    'a budget that now warns',
    { base: 'ppp', candidate: 'ppw', known: { passed: 9, of: 9 } },
    { direction: 'drift', exitCode: 0 },
  ],
  [
    'a case whose median dropped by two',
    { base: '555', candidate: '333', check: judged },
    { direction: 'regression', proof: 'suspect', rerun: 'both', exitCode: 0 },
  ],
  [
    'a case whose median dropped by two, and again',
    { base: '555', candidate: '333', check: judged, again: { candidate: '333343', base: '555545' } },
    { direction: 'regression', proof: 'confirmed', exitCode: 1 },
  ],
  [
    'a case whose median dropped by two, and not again',
    { base: '555', candidate: '333', check: judged, again: { candidate: '555555', base: '555555' } },
    { direction: 'regression', proof: 'not-confirmed', exitCode: 0 },
  ],
  [
    'a case whose median dropped, and that the re-run shows half of the time on either side',
    { base: '555', candidate: '511', check: judged, again: { candidate: '555111', base: '555551' } },
    { direction: 'regression', proof: 'suspect', exitCode: 0 },
  ],
  [
    'a judged case that fell below what passes, by no more than a case may fall',
    { base: '333', candidate: '222', check: judged, settings: { meanDrop: 9 } },
    { direction: 'regression', proof: 'suspect', rerun: 'both', exitCode: 0 },
  ],
  [
    'a judged case that fell below what passes, and again',
    {
      base: '333',
      candidate: '222',
      check: judged,
      settings: { meanDrop: 9 },
      again: { candidate: '222322', base: '333333' },
    },
    { direction: 'regression', proof: 'confirmed', exitCode: 1 },
  ],
  [
    'a suspect whose re-run could not be graded',
    { base: 'ppp', candidate: 'fff', again: { candidate: 'eeeeee', base: 'pppppp' } },
    { direction: 'regression', proof: 'suspect', exitCode: 3 },
  ],
  [
    'a suspect whose re-run passed as far as it could be graded, which is most of it',
    { base: 'ppp', candidate: 'fff', again: { candidate: 'pppppe', base: 'pppppp' } },
    { direction: 'regression', proof: 'not-confirmed', exitCode: 0 },
  ],
  [
    'a suspect that could block if the base had been graded again',
    { base: 'ppp', candidate: 'fff', again: { candidate: 'pppfff', base: 'uuuuuu' } },
    { direction: 'regression', proof: 'suspect', exitCode: 3 },
  ],
  [
    'a judged suspect whose re-run could not be graded',
    { base: '555', candidate: '333', check: judged, again: { candidate: 'uuuuuu', base: '555555' } },
    { direction: 'regression', proof: 'suspect', exitCode: 3 },
  ],
  [
    'a mean that dropped, of cases whose re-run could not be graded',
    { base: '555', candidate: '454', check: judged, again: { candidate: 'uuuuuu', base: '555555' } },
    { direction: 'drift', exitCode: 3 },
  ],
  [
    'a suspect whose re-run could not be graded, where it may not fail the gate',
    {
      base: 'ppp',
      candidate: 'fff',
      settings: { failOn: ['tokens'] },
      again: { candidate: 'eeeeee', base: 'pppppp' },
    },
    { direction: 'regression', proof: 'suspect', exitCode: 0 },
  ],
  [
    'a score that moved within what counts, but the mean by more than it may',
    { base: '555', candidate: '454', check: judged },
    { direction: 'drift', rerun: 'both', exitCode: 0 },
  ],
  [
    'the mean is still down with the cases re-run',
    { base: '555', candidate: '454', check: judged, again: { candidate: '444444', base: '555555' } },
    { direction: 'drift', exitCode: 1 },
  ],
  [
    'the mean is up again with the cases re-run',
    { base: '555', candidate: '454', check: judged, again: { candidate: '555555', base: '555455' } },
    { direction: 'drift', exitCode: 0 },
  ],
  [
    'a tainted base',
    { base: 'ppp', candidate: 'ppp', edit: (base) => base.taints.push('auth: no') },
    { exitCode: 3 },
  ],
  [
    'without confirmation one failure is enough',
    { base: 'ppp', candidate: 'ppf', settings: { confirm: false } },
    { direction: 'regression', proof: 'violation', exitCode: 1 },
  ],
  [
    'without confirmation scores count as they fall',
    { base: '555', candidate: '333', check: judged, settings: { confirm: false } },
    { direction: 'regression', exitCode: 1 },
  ],
  [
    'what may not fail the gate is not re-run',
    { base: 'ppp', candidate: 'fff', settings: { failOn: ['score-drop'] } },
    { direction: 'regression', proof: 'suspect', exitCode: 0 },
  ],
  [
    'a drift that may fail the gate is confirmed like the rest',
    { base: 'ppp', candidate: 'ppf', settings: { failOn: ['drift'] } },
    { direction: 'drift', proof: 'suspect', rerun: 'both', exitCode: 0 },
  ],
  [
    'unknown fails where it is said to',
    { base: 'ppp', candidate: 'ppu', settings: { failOn: ['unknown'] } },
    { direction: 'not-comparable', why: ['not graded well enough in the candidate'], exitCode: 1 },
  ],
];

describe('situations with a right answer', () => {
  it.each(situations)('%s', (_, situation, { direction, why, proof, rerun, exitCode }) => {
    const { comparison, suspects, decision } = outcomeOf(situation);
    const [change] = comparison.changes;
    expect(change?.direction).toBe(direction);
    expect(change?.why).toEqual(why);
    expect(change?.proof).toBe(proof);
    expect(suspects.map(({ needsBase }) => (needsBase ? 'both' : 'candidate'))).toEqual(rerun ? [rerun] : []);
    expect(decision.exitCode, decision.headline).toBe(exitCode);
  });
});
