import { describe, expect, it } from 'vitest';
import { compareEvidence } from '../../source/compare/compare.js';
import { differencesOf } from '../../source/compare/differences.js';
import type { Evidence } from '../../source/compare/types.js';
import { noUsage } from '../../source/model/types.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { plannedCondition } from '../tally/support.js';
import { checkEvidence, sideOf } from './sides.js';
import { outcomeOf, type Situation } from './support.js';

const names = ['one', 'two'];
const passing = () => ({ passed: 3, of: 3 });

function withTokens(
  name: string,
  trials: number,
  input: number,
  cacheRead: number,
  more: Partial<Evidence> = {},
) {
  const tokens = { agent: { ...noUsage, input, cacheRead }, judge: noUsage };
  return sideOf(name, names, passing, { tokens, trials, cache: 'warm', ...more });
}

describe('what differs between two conditions', () => {
  it('is named part by part, the prompt first', () => {
    const from = plannedCondition('b', { promptName: 'v14', temperature: 0.7, maxSteps: 8 });
    const to = plannedCondition('a', { promptName: 'v15', model: 'openai:new', temperature: 0, maxSteps: 8 });
    from.parts = { ...from.parts, prompt: 'p14', settings: 's1' };
    to.parts = { ...to.parts, prompt: 'p15', model: 'new', settings: 's2', liveTools: 'l' };
    to.liveTools = true;
    expect(differencesOf(from, to)).toEqual([
      { part: 'prompt', from: 'v14', to: 'v15' },
      { part: 'model', from: 'simulated:tiny', to: 'openai:new' },
      {
        part: 'settings',
        from: 'temperature 0.7, maxTokens 1, maxSteps 8',
        to: 'temperature 0, maxTokens 1, maxSteps 8',
      },
      { part: 'live tools', from: 'fixtures', to: 'live' },
    ]);
  });

  it('is told by hash where both are called the same, and is nothing where only names differ', () => {
    const from = plannedCondition('b', {
      promptName: 'v15',
      parts: { prompt: '11112222aa', model: 'm', target: 't' },
    });
    const to = plannedCondition('a', {
      promptName: 'v15',
      parts: { prompt: '33334444aa', model: 'm', target: 't' },
    });
    expect(differencesOf(from, to)).toEqual([
      { part: 'prompt', from: 'v15 (11112222)', to: 'v15 (33334444)' },
    ]);
    expect(differencesOf(from, { ...from, promptName: 'renamed', promptPath: 'elsewhere.md' })).toEqual([]);
  });

  it('names another version of the product, and says nothing of a side that has said nothing', () => {
    const from = sideOf('same', names, passing, { answered: { models: ['m'], versions: ['2.0'] } });
    const to = sideOf('same', names, passing, { answered: { models: ['m'], versions: ['2.1'] } });
    const silent = sideOf('same', names, passing);
    const difference = { part: 'version', from: '2.0', to: '2.1' };
    expect(compareEvidence(from, to, defaultGate).differences).toEqual([difference]);
    expect(compareEvidence(from, silent, defaultGate).differences).toEqual([]);
  });
});

describe('tokens of two sides', () => {
  it('are compared between runs of the same cache condition, a trial each', () => {
    const base = withTokens('b', 6, 6000, 3000);
    expect(compareEvidence(base, withTokens('a', 3, 3300, 1650), defaultGate).tokens).toMatchObject({
      hitRate: { from: 0.5, to: 0.5 },
      level: 'warn',
    });
    expect(compareEvidence(base, withTokens('a', 3, 3200, 1600), defaultGate).tokens.level).toBe('ok');
    expect(compareEvidence(base, withTokens('a', 3, 4500, 2250), defaultGate).tokens).toMatchObject({
      inputRatio: 1.5,
      level: 'fail',
    });
    expect(compareEvidence(base, withTokens('a', 3, 3000, 1050), defaultGate).tokens.level).toBe('fail');
  });

  it('are not compared where that would say nothing', () => {
    const base = withTokens('b', 6, 6000, 3000);
    const why = (candidate: Evidence) => compareEvidence(base, candidate, defaultGate).tokens.notComparable;
    expect(why(withTokens('a', 3, 9000, 0, { cache: 'cold' }))).toBe(
      'the cache was warm for the base and cold for the candidate',
    );
    expect(why(withTokens('a', 3, 9000, 0, { cache: 'unknown' }))).toBe(
      'whether the cache was warm is not known',
    );
    const partial = withTokens('a', 3, 9000, 0);
    partial.tokens.isAgentPartial = true;
    expect(why(partial)).toBe('not all tokens were reported');
    const more = withTokens('a', 3, 9000, 0);
    more.scenarios.delete('two');
    expect(why(more)).toBe('the two sides had other conversations');
  });

  it('are those of the conversations that both had, where they are known apart', () => {
    const base = withTokens('b', 6, 1, 0);
    const candidate = withTokens('a', 3, 1, 0);
    for (const side of [base, candidate]) {
      for (const [index, scenario] of [...side.scenarios.values()].entries())
        scenario.usage = { trials: 3, input: 300 * (index + 1), cacheRead: 150 };
    }
    const two = base.scenarios.get('two');
    if (two) two.parts = { ...two.parts, turns: 'longer' };
    const one = candidate.scenarios.get('one');
    if (one?.usage) one.usage = { trials: 6, input: 720, cacheRead: 360 };
    expect(compareEvidence(base, candidate, defaultGate).tokens).toMatchObject({
      inputRatio: 1.2,
      level: 'warn',
    });
  });

  it('fail the gate only where they are to', () => {
    const edit = (base: Evidence, candidate: Evidence) => {
      Object.assign(base, { cache: 'warm' });
      Object.assign(candidate, { cache: 'warm' });
      const usage = candidate.scenarios.get('refund')?.usage;
      if (usage) usage.input *= 2;
    };
    const situation = { base: 'ppp', candidate: 'ppp', edit };
    expect(outcomeOf(situation).decision).toMatchObject({
      exitCode: 0,
      reasons: ['tokens: input tokens a trial ×2.00, cache hit rate 0 % → 0 %, beyond the threshold'],
    });
    expect(outcomeOf({ ...situation, settings: { failOn: ['tokens'] } }).decision).toMatchObject({
      exitCode: 1,
      headline: 'FAIL: tokens are over their limit against the base',
    });
  });
});

describe('the whole suite', () => {
  const many = Array.from({ length: 20 }, (_, index) => `s${index}`);

  it('is seen to get worse where no single criterion shows it', () => {
    const base = sideOf('b', many, passing);
    const candidate = sideOf('a', many, (id) => ({ passed: Number(id.slice(1)) < 8 ? 2 : 3, of: 3 }));
    const { sign } = compareEvidence(base, candidate, defaultGate);
    expect(sign).toMatchObject({ better: 0, worse: 8 });
    expect(sign.p).toBeCloseTo(1 / 256, 10);
  });

  it('does not look worse for want of trials: a base of 20 is compared as a draw of three', () => {
    const base = sideOf('b', many, () => ({ passed: 18, of: 20 }));
    const candidate = sideOf('a', many, (id) => ({ passed: Number(id.slice(1)) < 6 ? 2 : 3, of: 3 }));
    const { sign } = compareEvidence(base, candidate, defaultGate);
    // 18 of 20 draw 3 of 3 in 72 % and less in 28 %.
    expect(sign.better).toBeGreaterThanOrEqual(3);
    expect(sign.p).toBeGreaterThan(0.3);
  });

  it('has axes by the cases that both sides have, each case weighing the same', () => {
    const base = sideOf('b', names, () => ({ passed: 20, of: 20 }));
    const candidate = sideOf('a', names, passing);
    for (const side of [base, candidate]) {
      for (const [id, { checks }] of side.scenarios) {
        const rate = side === base ? { passed: 20, of: 20 } : { passed: id === 'one' ? 0 : 3, of: 3 };
        const fields = id === 'one' ? { axes: { fields: { passed: 1, of: 3 } } } : {};
        checks.set('c', checkEvidence(rate, { axis: 'routing', ...fields }));
      }
    }
    candidate.scenarios.set('new', {
      ...(candidate.scenarios.get('one') ?? {
        id: '',
        hash: '',
        parts: { turns: '', fixtures: '', persona: '' },
        tags: [],
      }),
      id: 'new',
      checks: new Map([['c', checkEvidence({ passed: 0, of: 3 }, { axis: 'routing' })]]),
    });
    expect(compareEvidence(base, candidate, defaultGate).axes).toEqual([
      { axis: 'fields', from: { passed: 1, of: 3 }, to: { passed: 1, of: 3 }, drop: 0 },
      { axis: 'routing', from: { passed: 40, of: 40 }, to: { passed: 3, of: 6 }, drop: 0.5 },
    ]);
  });
});

describe('simulated users', () => {
  const simulated = (name: string, ids: string[], more: Partial<Evidence> = {}) => {
    const side = sideOf(name, names, () => ({ passed: name === 'a' ? 0 : 3, of: 3 }), more);
    for (const id of ids) Object.assign(side.scenarios.get(id) ?? {}, { isSimulatedUser: true });
    return side;
  };

  it('are compared under other conditions only when asked for, and then marked', () => {
    const [base, candidate] = [simulated('b', ['two']), simulated('a', ['two'])];
    const found = compareEvidence(base, candidate, defaultGate);
    expect(found.simulatedUsers).toEqual({ scenarios: ['two'], isCompared: false });
    expect(found.changes.map(({ scenario }) => scenario)).toEqual(['one']);
    const asked = compareEvidence(base, candidate, defaultGate, { simulatedUsers: true });
    expect(asked.simulatedUsers).toEqual({ scenarios: ['two'], isCompared: true });
    expect(asked.changes.map(({ scenario }) => scenario)).toEqual(['one', 'two']);
  });

  it('leave nothing to compare where they speak in every scenario', () => {
    const [base, candidate] = [simulated('b', names), simulated('a', names)];
    expect(compareEvidence(base, candidate, defaultGate).refused).toEqual([
      'a simulated user speaks in every scenario: what differs may be its doing',
    ]);
  });

  it('are compared with themselves, unless another model plays them', () => {
    const same = { condition: plannedCondition('same') };
    const base = simulated('b', names, { ...same, user: { model: 'x:one', prompt: 'user@1' } });
    const candidate = simulated('a', names, { ...same, user: { model: 'x:two', prompt: 'user@1' } });
    expect(
      compareEvidence(base, { ...candidate, user: { model: 'x:one', prompt: 'user@1' } }, defaultGate)
        .changes,
    ).toMatchObject([{ direction: 'regression' }, { direction: 'regression' }]);
    expect(compareEvidence(base, candidate, defaultGate).changes).toMatchObject([
      { direction: 'not-comparable', why: ['user model'] },
      { direction: 'not-comparable', why: ['user model'] },
    ]);
  });
});

describe('what a gate says beside its verdict', () => {
  it('shows a suspect with what would settle it', () => {
    const { decision } = outcomeOf({
      base: 'ppp',
      candidate: 'pff',
      again: { candidate: 'ppffff', base: 'ppppff' },
    });
    expect(decision.headline).toBe('PASS: nothing blocks against the base (0 as before, 1 suspect)');
    expect(decision.reasons).toHaveLength(1);
    expect(decision.reasons[0]).toMatch(
      /^suspect: refund \/ c: regression, 3\/3 → 1\/3, re-run 2\/6, p 0\.\d+; \d+ trials a side in all would settle it$/,
    );
    expect(decision.suspects).toHaveLength(1);
  });

  it.each([
    [{ base: 'ppp', candidate: 'fff' }, 'it was not run again, 3 trials a side in all would settle it'],
    [
      { base: '555', candidate: '222', check: { kind: 'judged' } },
      'it was not run again, 3 trials a side in all would settle it',
    ],
    [{ base: '555', candidate: '333', check: { kind: 'judged' } }, 'it was not run again'],
    [
      {
        base: '555',
        candidate: '333',
        check: { kind: 'judged' },
        again: { base: '355333', candidate: '333353' },
      },
      'the re-run does not prove it',
    ],
    [
      { base: 'ppp', candidate: 'fff', again: { base: 'ffffff', candidate: 'fffppp' } },
      'with the rates as they stand no number of trials that one would run settles it',
    ],
    [
      { base: 'ppp', candidate: 'fff', again: { base: 'pppppp', candidate: 'eeeeee' } },
      'its re-run could not be graded, 3 trials a side in all would settle it',
    ],
  ] satisfies [Situation, string][])('says of %j what would settle it', (situation, settles) => {
    const { reasons } = outcomeOf(situation).decision;
    expect(reasons.find((line) => line.startsWith('suspect: refund / c'))?.split('; ')[1]).toBe(settles);
  });

  it('counts judged criteria that fail without a base apart from scores that dropped', () => {
    const { decision } = outcomeOf({
      base: '555',
      candidate: '111',
      check: { kind: 'judged' },
      edit: (base) => base.scenarios.get('refund')?.checks.clear(),
    });
    expect(decision.headline).toBe('FAIL: 1 judged criterion fails against the base');
    expect(decision.reasons).toEqual(['score-drop: refund / c: new, and fails 0/3']);
  });

  it('tells what was fixed from what got better', () => {
    const headlineOf = (base: string, candidate: string) => outcomeOf({ base, candidate }).decision.headline;
    expect(headlineOf('fff', 'ppp')).toBe('PASS: nothing blocks against the base (0 as before, 1 fixed)');
    expect(headlineOf('ppf', 'ppp')).toBe('PASS: nothing blocks against the base (0 as before, 1 better)');
  });

  it('has no verdict where the judge is another one, whatever it says', () => {
    const { decision } = outcomeOf({
      base: '555',
      candidate: '555',
      check: { kind: 'judged' },
      edit: (base) =>
        Object.assign(base, { judge: { model: 'other', prompt: 'default@1', promptSha256: 'abc' } }),
    });
    expect(decision.headline).toBe('NO VERDICT: no criterion is asked the same way on both sides');
    expect(decision.reasons).toEqual(['1 criterion not comparable: judge model']);
  });

  it('names what failed before and still fails', () => {
    expect(outcomeOf({ base: 'fff', candidate: 'fff' }).decision.reasons).toEqual([
      'failed before and still fails: refund / c',
    ]);
  });

  it('says how often it is wrong where nothing is confirmed', () => {
    const { decision, comparison } = outcomeOf({
      base: 'ppp',
      candidate: 'ppp',
      settings: { confirm: false },
    });
    // One check that passed three of three, and one of the field beside it: it fails within three trials in 6 %.
    expect(comparison.falseRed).toBeCloseTo(0.06, 2);
    expect(decision.reasons[0]).toBe(
      'nothing was confirmed: with nothing changed a gate like this goes red in about 6 % of runs',
    );
  });

  it('has no verdict where there is nothing to compare with', () => {
    const { decision } = outcomeOf({
      base: 'ppp',
      candidate: 'fff',
      edit: (base) => Object.assign(base, { isComplete: false }),
    });
    expect(decision).toMatchObject({
      exitCode: 3,
      headline: 'NO VERDICT: there is nothing that the run can be compared with',
      reasons: ['the base is incomplete: not all of its trials were run'],
    });
  });
});
