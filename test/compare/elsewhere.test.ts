import { describe, expect, it } from 'vitest';
import type { Json } from '../../source/base/json.js';
import { elsewhere, type KnownSide } from '../../source/compare/elsewhere.js';
import type { Evidence } from '../../source/compare/types.js';
import type { RunStarted } from '../../source/run/reader.js';
import { plannedCondition, plannedScenario, runStarted } from '../tally/support.js';
import { sideOf } from './sides.js';

const watched = [{ scenario: 'one', check: 'c' }];

function side(name: string, evidence: Partial<Evidence> = {}, ran?: Partial<RunStarted>): KnownSide {
  const known = sideOf(name, ['one', 'two'], () => ({ passed: 3, of: 3 }), evidence);
  if (!ran) return { evidence: known };
  const started = { ...runStarted([plannedScenario('one')]), runId: `run of ${name}`, ...ran };
  return { evidence: known, ran: { started, condition: 'a' } };
}

function partsOf(good: KnownSide, bad: KnownSide): string[] {
  return elsewhere(good, bad, watched).map(({ part, from, to }) => `${part} ${from} → ${to}`);
}

describe('what differs beside the prompt', () => {
  it('is nothing where only the prompt does', () => {
    expect(elsewhere(side('v1', {}, {}), side('v2', {}, {}), watched)).toEqual([]);
  });

  it('is model, settings, judge and who answered', () => {
    const condition = plannedCondition('v2', { model: 'openai:b', temperature: 1 });
    condition.parts = { ...condition.parts, model: 'b', settings: 't1' };
    const judge = { model: 'openai:j', prompt: 'default@1', promptSha256: 'aaaaaaaaaa' };
    const from = { judge, answered: { models: ['a'], versions: ['1.0'] } };
    const to = {
      condition,
      judge: { ...judge, prompt: 'default@2' },
      answered: { models: ['b'], versions: ['1.1'] },
    };
    expect(partsOf(side('v1', from), side('v2', to))).toEqual([
      'model simulated:tiny → openai:b',
      expect.stringMatching(/^settings .*→ temperature 1/),
      'version 1.0 → 1.1',
      'judge prompt default@1 → default@2',
    ]);
  });

  it('is what is asked in a scenario that is watched, and in no other', () => {
    const [good, bad] = [side('v1'), side('v2')];
    for (const id of ['one', 'two']) {
      const scenario = bad.evidence.scenarios.get(id);
      if (!scenario) throw new Error('no scenario');
      bad.evidence.scenarios.set(id, {
        ...scenario,
        parts: { ...scenario.parts, fixtures: 'other fixtures' },
        checks: new Map(Array.from(scenario.checks, ([name, check]) => [name, { ...check, hash: 'H' }])),
      });
    }
    expect(partsOf(good, bad)).toEqual(['fixtures of one f → other fi', 'check one / c h → H']);
    expect(elsewhere(good, bad, [{ scenario: 'one', check: 'another' }])).toHaveLength(1);
    expect(elsewhere(good, bad, [{ scenario: 'two' }]).map(({ part }) => part)).toEqual([
      'fixtures of two',
      'check two / c',
    ]);
  });

  it('is each tuning value of the backend that is another one, its files and evalrun itself', () => {
    const tuned = (tuning: Json, more: Partial<RunStarted> = {}) => ({ tuning: { a: tuning }, ...more });
    const good = side(
      'v1',
      {},
      tuned(
        { refund: { days: 30, open: true }, tiers: [1, 2], same: 'x' },
        { sources: { 'simulated:tiny': '11111111aa', 'module shop.ts': '2', gone: '4' } },
      ),
    );
    const bad = side(
      'v2',
      {},
      tuned(
        { refund: { days: 14, open: true }, tiers: [1, 3], same: 'x', fresh: null },
        {
          sources: { 'simulated:tiny': '33333333bb', 'module shop.ts': '2' },
          evalrun: '0.2.0',
          fixtures: 'fixtures/new',
        },
      ),
    );
    expect(partsOf(good, bad)).toEqual([
      'tuning $.refund.days 30 → 14',
      'tuning $.tiers [1,2] → [1,3]',
      'tuning $.fresh none → null',
      'file of simulated:tiny 11111111 → 33333333',
      "folder of fixtures the suite's → fixtures/new",
      'evalrun 0.1.0 → 0.2.0',
    ]);
    // Of a base whose journal is gone nothing of that is known, and nothing is made up.
    expect(elsewhere({ evidence: good.evidence }, bad, watched)).toEqual([]);
  });
});
