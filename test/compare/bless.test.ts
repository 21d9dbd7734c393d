import { describe, expect, test } from 'vitest';
import { contentHash } from '../../source/base/hash.js';
import { accumulate } from '../../source/compare/baseline-accumulate.js';
import { parseBaseline } from '../../source/compare/baseline-file.js';
import { baselineText } from '../../source/compare/baseline-write.js';
import { bless } from '../../source/compare/bless.js';
import { check, commit, evidence, runId, saved, scenarioOf } from './baseline-support.js';

const before = accumulate(
  undefined,
  evidence([scenarioOf('refund', [check('offers-credit', 3, 3), check('is-short', 3, 3)])]),
  saved,
).baseline;
const candidate = evidence(
  [
    scenarioOf('refund', [check('offers-credit', 0, 3), check('is-short', 3, 3), check('is-new', 3, 3)]),
    scenarioOf('fresh', [check('greets', 3, 3)]),
  ],
  { runId: runId(2), prompt: 'v15' },
);
const blessing = {
  scenario: 'refund',
  check: 'offers-credit',
  reason: 'store credit ended in June',
  by: 'Rosa',
  now: saved.now,
  commit,
};

test('one criterion takes what the run shows, and the old expectation stays with reason, author, date and commit', () => {
  const { baseline, from, to } = bless(before, candidate, blessing);
  expect(from).toMatchObject({ verdict: 'pass', passed: 3, of: 3 });
  expect(to).toMatchObject({ verdict: 'fail', passed: 0, of: 3 });
  expect(baseline.scenarios.refund?.checks['offers-credit']).toMatchObject({
    verdict: 'fail',
    passed: 0,
    of: 3,
    known: 'store credit ended in June',
    condition: contentHash(candidate.condition.parts),
  });
  expect(baseline.scenarios.refund?.history).toEqual([
    {
      check: 'offers-credit',
      was: { verdict: 'pass', passed: 3, of: 3, hash: contentHash(['check', 'offers-credit']) },
      how: 'blessed',
      reason: 'store credit ended in June',
      by: 'Rosa',
      at: '2026-11-30',
      run: runId(2),
      prompt: 'prompts/support/v15.md',
      commit,
    },
  ]);
});

test('nothing else changes, in the baseline and in its file', async () => {
  const { baseline } = bless(before, candidate, blessing);
  const { refund, ...others } = baseline.scenarios;
  expect({ ...baseline, scenarios: others }).toEqual({ ...before, scenarios: {} });
  expect(refund?.checks['is-short']).toEqual(before.scenarios.refund?.checks['is-short']);
  const text = await baselineText(before);
  const next = await baselineText(baseline, text);
  const kept = new Set(next.split('\n'));
  const gone = text.split('\n').filter((line) => !kept.has(line));
  expect(gone).toEqual([
    expect.stringContaining('    hash: '),
    expect.stringContaining('      offers-credit: {verdict: pass'),
  ]);
  expect(await parseBaseline(next, 'b.yaml')).toEqual(baseline);
});

test('a criterion that nobody expected anything of is blessed with its reason', () => {
  const { baseline, from } = bless(before, candidate, { ...blessing, check: 'is-new' });
  expect(from).toBeUndefined();
  expect(baseline.scenarios.refund?.checks['is-new']).toMatchObject({ verdict: 'pass', of: 3 });
  expect(baseline.scenarios.refund?.history?.[0]).toMatchObject({ check: 'is-new', reason: blessing.reason });
  const { fresh } = bless(before, candidate, { ...blessing, scenario: 'fresh', check: 'greets' }).baseline
    .scenarios;
  expect(fresh?.checks.greets).toMatchObject({ verdict: 'pass' });
});

test('counts of the old condition do not grow what was blessed under another', () => {
  const { baseline } = bless(before, candidate, blessing);
  const again = evidence([scenarioOf('refund', [check('offers-credit', 3, 3), check('is-short', 3, 3)])], {
    runId: runId(3),
  });
  const { baseline: next, changes } = accumulate(baseline, again, saved);
  expect(changes.find((one) => one.check === 'offers-credit')).toMatchObject({
    kind: 'kept',
    why: 'blessed under another condition',
  });
  expect(next.scenarios.refund?.checks['is-short']).toMatchObject({ of: 6 });
});

describe('refused is', () => {
  test.each([
    ['a scenario that was not run', { scenario: 'refud' }, 'has no scenario "refud"; did you mean "refund"?'],
    ['a check that is not there', { check: 'offers-credits' }, 'did you mean "offers-credit"?'],
    [
      'what is expected already',
      { check: 'is-short' },
      'is expected to pass as it is; there is nothing to bless',
    ],
  ])('%s', (_what, other, message) => {
    expect(() => bless(before, candidate, { ...blessing, ...other })).toThrow(message);
  });

  test('a check of which too little is known', () => {
    const unknown = evidence([scenarioOf('refund', [check('offers-credit', 1, 1, { verdict: 'unknown' })])]);
    expect(() => bless(before, unknown, blessing)).toThrow('too few trials');
  });

  test('a scenario that was changed itself', () => {
    const parts = { turns: 'aaaaaaaaaaaaaaaa', fixtures: 'aaaaaaaaaaaaaaaa', persona: 'aaaaaaaaaaaaaaaa' };
    const changed = evidence([scenarioOf('refund', [check('offers-credit', 0, 3)], { parts })]);
    expect(() => bless(before, changed, blessing)).toThrow('scenario "refund" itself has changed');
  });
});
