import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accumulate, mostCounted } from '../../source/compare/baseline-accumulate.js';
import { parseBaseline } from '../../source/compare/baseline-file.js';
import { failingChecks, readKnown, unnamedLines, whyNoEvidence } from '../../source/compare/baseline-save.js';
import type { Baseline } from '../../source/compare/baseline-schema.js';
import { baselineText } from '../../source/compare/baseline-write.js';
import { bless } from '../../source/compare/bless.js';
import type { Evidence } from '../../source/compare/types.js';
import { createFolder } from '../suite/project.js';
import { check, evidence, judged, runId, saved, scenarioOf } from './baseline-support.js';

/** A run of two scenarios, `passed` of 3 trials of one of the checks of the first. */
function ran(n: number, passed = 3, more: Parameters<typeof evidence>[1] = {}): Evidence {
  return evidence(
    [
      scenarioOf('refund', [check('promises-nothing', passed, 3), judged('kind', 3, 3, 3 + (n % 3))]),
      scenarioOf('hello', [check('greets', 3, 3)]),
    ],
    { runId: runId(n), ...more },
  );
}

function first(run = ran(1)): Baseline {
  return accumulate(undefined, run, saved).baseline;
}

function rateOf(baseline: Baseline, scenario = 'refund', name = 'promises-nothing') {
  const { verdict, passed, of } = baseline.scenarios[scenario]?.checks[name] ?? {};
  return { verdict, passed, of };
}

test('a check is known by all runs of its condition together', () => {
  const second = accumulate(first(), ran(2, 2), saved);
  expect(rateOf(second.baseline)).toEqual({ verdict: 'warn', passed: 5, of: 6 });
  expect(second.baseline.runs).toEqual([runId(1), runId(2)]);
  expect(second.baseline.lastRun.id).toBe(runId(2));
  expect(second.changes.map(({ kind }) => kind)).toEqual(['counted', 'counted', 'counted']);
});

test('the order in which runs are counted does not change what is known', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }), (order) => {
      const count = (numbers: readonly number[]) =>
        numbers.reduce<Baseline | undefined>(
          (sum, n) => accumulate(sum, ran(n, 3 - (n % 2)), saved).baseline,
          undefined,
        );
      expect(count(order)).toEqual(count([1, 2, 3, 4, 5]));
    }),
  );
});

test('a run goes in once', () => {
  const twice = accumulate(first(), ran(1), saved);
  expect(twice).toMatchObject({ isCounted: true, changes: [], baseline: first() });
});

test('conversations that were graded again are not counted a second time, but for what is asked anew', () => {
  const again = evidence(
    [
      scenarioOf('refund', [
        check('promises-nothing', 3, 3),
        judged('kind', 3, 3, 4),
        check('is-short', 3, 3),
      ]),
      scenarioOf('hello', [check('greets', 2, 3, { hash: '0123456789abcdef' })]),
    ],
    { runId: runId(2) },
  );
  const { baseline, changes } = accumulate(first(), again, { ...saved, regradeOf: runId(1) });
  expect(changes).toEqual([
    expect.objectContaining({ check: 'greets', kind: 'superseded' }),
    expect.objectContaining({ check: 'is-short', kind: 'new' }),
    expect.objectContaining({ check: 'kind', kind: 'kept', why: 'counted before' }),
    expect.objectContaining({ check: 'promises-nothing', kind: 'kept', why: 'counted before' }),
  ]);
  expect(rateOf(baseline)).toEqual({ verdict: 'pass', passed: 3, of: 3 });
  expect(baseline.lastRun).toMatchObject({ id: runId(2), regradeOf: runId(1) });
  expect(baseline.runs).toEqual([runId(1)]);
});

test('a check that asks something else starts anew, and what was expected stays in the history', () => {
  const changed = evidence(
    [
      scenarioOf('refund', [
        check('promises-nothing', 2, 3, { hash: 'fedcba9876543210' }),
        judged('kind', 3, 3, 4),
      ]),
      scenarioOf('hello', [check('greets', 3, 3)]),
    ],
    { runId: runId(2) },
  );
  const { baseline } = accumulate(first(), changed, { ...saved, note: 'asks for less' });
  expect(rateOf(baseline)).toEqual({ verdict: 'warn', passed: 2, of: 3 });
  expect(rateOf(baseline, 'refund', 'kind')).toEqual({ verdict: 'pass', passed: 6, of: 6 });
  expect(baseline.scenarios.refund?.history).toEqual([
    {
      check: 'promises-nothing',
      was: { verdict: 'pass', passed: 3, of: 3, hash: expect.not.stringMatching('fedcba9876543210') },
      how: 'saved',
      reason: 'asks for less',
      by: 'Rosa',
      at: '2026-11-30',
      run: runId(2),
      prompt: 'prompts/support/v14.md',
      commit: saved.commit,
    },
  ]);
});

test('a scenario that was changed starts anew with all of its checks, the others go on', () => {
  const [refund, hello] = ran(2).scenarios.values();
  if (!refund || !hello) throw new Error('two scenarios');
  const parts = { ...hello.parts, turns: 'aaaaaaaaaaaaaaaa' };
  const { baseline } = accumulate(
    first(),
    evidence([refund, { ...hello, parts }], { runId: runId(2) }),
    saved,
  );
  expect(rateOf(baseline, 'hello', 'greets')).toEqual({ verdict: 'pass', passed: 3, of: 3 });
  expect(rateOf(baseline)).toEqual({ verdict: 'pass', passed: 6, of: 6 });
});

test('under another prompt everything is counted anew, with what it differs in', () => {
  const { baseline, differences, changes } = accumulate(first(), ran(2, 2, { prompt: 'v15' }), saved);
  expect(differences).toEqual([{ part: 'prompt', from: 'v14', to: 'v15' }]);
  expect(baseline.runs).toEqual([runId(2)]);
  expect(rateOf(baseline)).toEqual({ verdict: 'warn', passed: 2, of: 3 });
  expect(changes.map(({ check: name, kind }) => [name, kind])).toEqual([
    ['greets', 'anew'],
    ['kind', 'anew'],
    ['promises-nothing', 'superseded'],
  ]);
});

test('another model behind the same name is another condition', () => {
  const other = ran(2, 3, { answered: { models: ['gpt-4o-2026-11-20'], versions: ['2'] } });
  const before = first(ran(1, 3, { answered: { models: ['simulated:support'], versions: ['1'] } }));
  expect(accumulate(before, other, saved).differences).toEqual([
    { part: 'model that answered', from: 'simulated:support', to: 'gpt-4o-2026-11-20' },
    { part: 'version', from: '1', to: '2' },
  ]);
});

test('under another judge only what is judged starts anew', () => {
  const other = ran(2, 3, {
    judge: { model: 'simulated:judge', prompt: 'default@2', promptSha256: 'b'.repeat(64) },
  });
  const { baseline, differences } = accumulate(first(), other, saved);
  expect(differences).toEqual([{ part: 'judge prompt', from: 'default@1', to: 'default@2' }]);
  expect(rateOf(baseline)).toEqual({ verdict: 'pass', passed: 6, of: 6 });
  expect(rateOf(baseline, 'refund', 'kind')).toEqual({ verdict: 'pass', passed: 3, of: 3 });
});

test('a warning that no trial failed over stays a warning in what is pooled', () => {
  const warned = evidence([scenarioOf('hello', [check('budget', 3, 3, { verdict: 'warn' })])]);
  const clean = evidence([scenarioOf('hello', [check('budget', 3, 3)])], { runId: runId(2) });
  const both = accumulate(first(warned), clean, saved).baseline;
  expect(rateOf(both, 'hello', 'budget')).toEqual({ verdict: 'warn', passed: 6, of: 6 });
});

test('a check that could not be graded well enough is expected nothing of, and what was known of it stays', () => {
  const unknown = evidence([scenarioOf('hello', [check('greets', 1, 1, { verdict: 'unknown' })])]);
  expect(accumulate(undefined, unknown, saved)).toMatchObject({
    baseline: { scenarios: { hello: { checks: {} } } },
    changes: [{ kind: 'unknown' }],
  });
  const before = first(evidence([scenarioOf('hello', [check('greets', 3, 3)])]));
  const after = accumulate(before, { ...unknown, runId: runId(2) }, saved).baseline;
  expect(rateOf(after, 'hello', 'greets')).toEqual({ verdict: 'pass', passed: 3, of: 3 });
});

describe('a run of some scenarios', () => {
  const inSuite = new Set(['refund', 'hello']);
  const partial = (n: number, more: Parameters<typeof evidence>[1] = {}) =>
    evidence([scenarioOf('hello', [check('greets', 3, 3)])], { runId: runId(n), ...more });

  test('changes those alone, and goes in once', () => {
    const before = first();
    const once = accumulate(before, partial(2), { ...saved, inSuite }).baseline;
    expect(once).toMatchObject({ lastRun: before.lastRun, runs: before.runs });
    expect(once.scenarios.refund).toEqual(before.scenarios.refund);
    expect(rateOf(once, 'hello', 'greets')).toEqual({ verdict: 'pass', passed: 6, of: 6 });
    expect(accumulate(once, partial(2), { ...saved, inSuite }).isCounted).toBe(true);
  });

  test('of another condition would leave a file of two, and is refused', () => {
    expect(() => accumulate(first(), partial(2, { prompt: 'v15' }), { ...saved, inSuite })).toThrow(
      'its condition is not that of the baseline (prompt v14 → v15), and it has only 1',
    );
  });

  test('takes scenarios out that the suite has no more', () => {
    const { baseline, changes } = accumulate(first(), partial(2), { ...saved, inSuite: new Set(['hello']) });
    expect(Object.keys(baseline.scenarios)).toEqual(['hello']);
    expect(changes.filter(({ kind }) => kind === 'gone')).toHaveLength(2);
  });
});

describe('a run that is older than the baseline', () => {
  test('is counted where nothing changed, and takes nothing back', () => {
    const newer = evidence(
      [
        scenarioOf('refund', [
          check('promises-nothing', 3, 3, { hash: 'fedcba9876543210' }),
          judged('kind', 3, 3, 4),
        ]),
        scenarioOf('hello', [check('greets', 3, 3)]),
      ],
      { runId: runId(5) },
    );
    const { baseline, changes } = accumulate(first(newer), ran(2, 0), saved);
    expect(changes.find(({ kind }) => kind === 'kept')).toMatchObject({ why: 'the baseline is newer' });
    expect(baseline.scenarios.refund?.checks['promises-nothing']).toMatchObject({
      hash: 'fedcba9876543210',
      of: 3,
    });
    expect(baseline.lastRun.id).toBe(runId(5));
    expect(rateOf(baseline, 'hello', 'greets')).toEqual({ verdict: 'pass', passed: 6, of: 6 });
  });

  test('is refused under another condition', () => {
    expect(() => accumulate(first(ran(5)), ran(2, 3, { prompt: 'v13' }), saved)).toThrow(
      'the baseline is newer',
    );
  });

  test('is refused where nobody can know any more whether it was counted', () => {
    const many = Array.from({ length: mostCounted }, (_, n) => runId(n + 10));
    expect(() => accumulate({ ...first(ran(400)), runs: many }, ran(2), saved)).toThrow(
      'it is older than the last 200',
    );
  });
});

test('the list of counted runs is bounded', () => {
  const many = Array.from({ length: mostCounted }, (_, n) => runId(n + 10));
  const { runs } = accumulate({ ...first(), runs: many }, ran(500), saved).baseline;
  expect(runs).toHaveLength(mostCounted);
  expect(runs.at(-1)).toBe(runId(500));
});

describe('failing checks', () => {
  const failing = ran(2, 0);

  test('are those of the run', () => {
    expect(failingChecks(failing, undefined)).toEqual([
      { scenario: 'refund', check: 'promises-nothing', passed: 0, of: 3 },
    ]);
    const { changes } = accumulate(
      first(failing),
      { ...failing, runId: runId(3) },
      { ...saved, regradeOf: runId(2) },
    );
    expect(failingChecks(failing, first(failing), changes)).toEqual([]);
  });

  test('are not those that only all trials together make fail: their counts are shown', () => {
    const warned = first(ran(1, 2));
    const { changes } = accumulate(warned, ran(2, 2), saved);
    expect(failingChecks(ran(2, 2), warned, changes)).toEqual([]);
    expect(changes.find(({ check: name }) => name === 'promises-nothing')).toMatchObject({
      from: { verdict: 'warn', passed: 2, of: 3 },
      to: { verdict: 'fail', passed: 4, of: 6 },
    });
  });

  test('are named on the line, with or without a reason', () => {
    const found = failingChecks(failing, undefined, []);
    expect(readKnown(['refund/promises-nothing'], found)).toEqual(
      new Map([['refund/promises-nothing', true]]),
    );
    expect(readKnown(['refund/promises-nothing: v16 mends it'], found)).toEqual(
      new Map([['refund/promises-nothing', 'v16 mends it']]),
    );
    expect(() => readKnown(['refund/promises-nothin'], found)).toThrow(
      'no check of that name fails in the run; did you mean "refund/promises-nothing"?',
    );
    expect(unnamedLines(runId(2), found, 'evalrun')).toContain(
      `  evalrun baseline save ${runId(2)} --known 'refund/promises-nothing: why'`,
    );
  });

  test('that were named stay known while they ask the same', () => {
    const known = new Map([['refund/promises-nothing', 'v16 mends it']]);
    const { baseline } = accumulate(undefined, ran(1, 0), { ...saved, known });
    expect(failingChecks(failing, baseline, [])).toEqual([]);
    expect(
      accumulate(baseline, failing, saved).baseline.scenarios.refund?.checks['promises-nothing'],
    ).toMatchObject({
      verdict: 'fail',
      passed: 0,
      of: 6,
      known: 'v16 mends it',
    });
  });
});

test('tainted runs and unfinished ones are no evidence', () => {
  expect(whyNoEvidence(ran(1))).toBeUndefined();
  expect(whyNoEvidence(ran(1, 3, { taints: ['rate-limit'] }))).toContain('tainted (rate-limit)');
  expect(whyNoEvidence(ran(1, 3, { isComplete: false }))).toContain('not complete');
  expect(whyNoEvidence(ran(1, 3, { trials: 0 }))).toContain('no trial');
});

test('two branches that change different scenarios merge without a conflict, history included', async () => {
  const many = evidence(
    ['a', 'b', 'c'].map((id) => scenarioOf(id, [check('x', 3, 3), check('y', 3, 3)])),
    { runId: runId(1) },
  );
  const base = first(many);
  const text = await baselineText(base);
  const worse = evidence(
    ['a', 'b', 'c'].map((id) => scenarioOf(id, [check('x', 0, 3), check('y', 0, 3)])),
    { runId: runId(2), prompt: 'v15' },
  );
  const who = { now: saved.now, by: 'Rosa', reason: 'wanted' };
  const ours = bless(base, worse, { scenario: 'a', check: 'y', ...who }).baseline;
  const theirs = accumulate(
    bless(base, worse, { scenario: 'b', check: 'x', ...who }).baseline,
    evidence([scenarioOf('c', [check('x', 3, 3), check('y', 3, 3)])], { runId: runId(3) }),
    { ...saved, inSuite: new Set(['a', 'b', 'c']) },
  ).baseline;
  const folder = await createFolder({
    base: text,
    ours: await baselineText(ours, text),
    theirs: await baselineText(theirs, text),
  });
  const merged = execFileSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  await writeFile(path.join(folder, 'merged'), merged);
  const { scenarios } = await parseBaseline(merged, 'merged');
  expect(scenarios.a).toEqual(ours.scenarios.a);
  expect(scenarios.b).toEqual(theirs.scenarios.b);
  expect(scenarios.c).toEqual(theirs.scenarios.c);
});
