import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblem, InputError } from '../../source/base/errors.js';
import { accumulate } from '../../source/compare/baseline-accumulate.js';
import { baselineEvidence } from '../../source/compare/baseline-evidence.js';
import {
  baselinePath,
  findBaseline,
  listBaselines,
  modelOfBaseline,
  modelOfFile,
  parseBaseline,
  readBaseline,
} from '../../source/compare/baseline-file.js';
import type { Baseline } from '../../source/compare/baseline-schema.js';
import { baselineText, writeBaseline } from '../../source/compare/baseline-write.js';
import { createFolder, createProject } from '../suite/project.js';
import { check, evidence, judged, runId, saved, scenarioOf } from './baseline-support.js';

const ran = evidence([
  scenarioOf('refund-window', [
    check('tool_called-get_order', 3, 3),
    check('no-promise', 3, 3, { absolute: true, type: 'pattern_absent' }),
    judged('offers-credit', 3, 3, 4.5),
  ]),
  scenarioOf('007', [
    check('routes', 2, 3, {
      axis: 'routing',
      axes: { noop: { passed: 3, of: 3 }, fields: { passed: 2, of: 3 } },
    }),
  ]),
]);
const { baseline } = accumulate(undefined, ran, saved);

test('a baseline reads well: the condition, then a block a scenario and a line a check, sorted by id', async () => {
  await expect(
    await baselineText(baseline, undefined, '../../docs/schemas/baseline.json'),
  ).toMatchFileSnapshot('snapshots/baseline.yaml');
});

test('what is written is read back as the same baseline', async () => {
  expect(await parseBaseline(await baselineText(baseline), 'b.yaml')).toEqual(baseline);
});

test('a baseline is evidence that says what the run said', () => {
  const { kind, tags: _, ...back } = { ...baselineEvidence(baseline), tags: [] };
  expect(kind).toBe('baseline');
  expect(back).toEqual({
    ...ran,
    kind: undefined,
    at: Date.UTC(2026, 10, 30, 14, 25, 1),
    condition: { ...ran.condition, id: 'baseline' },
    scenarios: ran.scenarios,
  } satisfies object as unknown);
});

test('writing it twice changes nothing, whatever ids, reasons and notes hold', async () => {
  // What no file of evalrun may call anything.
  const text = fc
    .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
    .filter((word) => word !== '__proto__');
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
      text,
      async (ids, names, reason) => {
        const failing = evidence(
          ids.map((id) =>
            scenarioOf(
              id,
              names.map((name) => check(name, 0, 3)),
            ),
          ),
        );
        const known = new Map(ids.flatMap((id) => names.map((name) => [`${id}/${name}`, reason] as const)));
        const { baseline: made } = accumulate(undefined, failing, { ...saved, note: reason, known });
        const once = await baselineText(made);
        expect(await parseBaseline(once, 'b.yaml')).toEqual(made);
        expect(await baselineText(made, once)).toBe(once);
      },
    ),
    { numRuns: 60 },
  );
});

test('what a person wrote beside the values stays when counts grow', async () => {
  const text = (await baselineText(baseline))
    .replace(
      '  refund-window:',
      '  # Asked for by the shop, see the minutes of June.\n  refund-window: # keep',
    )
    .replace(/^( +no-promise: .*)$/m, '      # The lawyers insist.\n$1 # absolute')
    .replace(/^(runs:)/m, '# counted so far\n$1')
    .replace('suite: support', 'suite: "support"');
  const grown = accumulate(await parseBaseline(text, 'b.yaml'), { ...ran, runId: runId(2) }, saved).baseline;
  const next = await baselineText(grown, text);
  for (const kept of [
    '# Asked for by the shop',
    '# keep',
    '# The lawyers insist.',
    '# absolute',
    '# counted so far',
    'suite: "support"',
  ])
    expect(next).toContain(kept);
  expect(await parseBaseline(next, 'b.yaml')).toEqual(grown);
  expect(await baselineText(grown, next)).toBe(next);
});

test('a file that already says it is not written again', async () => {
  const file = path.join(await createFolder({}), 'baselines/support/m.yaml');
  expect(await writeBaseline(file, baseline)).toBe(true);
  expect(await writeBaseline(file, baseline)).toBe(false);
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'));
  expect(await readBaseline({ root: '/' }, file)).toEqual(baseline);
});

describe('mistakes in the file are named at their place', () => {
  async function mistakes(change: (text: string) => string): Promise<string[]> {
    try {
      await parseBaseline(change(await baselineText(baseline)), 'b.yaml');
      return [];
    } catch (error) {
      if (error instanceof InputError) return error.problems.map(formatProblem);
      throw error;
    }
  }

  test('a key that is not known', async () => {
    expect(await mistakes((text) => text.replace('repeat: 3', 'repaet: 3'))).toEqual([
      expect.stringMatching(/^b\.yaml:\d+:3: unknown key "repaet"; did you mean "repeat"\?$/),
    ]);
  });

  test('more passes than trials', async () => {
    expect(await mistakes((text) => text.replace('passed: 2, of: 3', 'passed: 4, of: 3'))).toEqual([
      expect.stringMatching(/^b\.yaml:\d+:\d+: 4 of 3 trials cannot have passed$/),
    ]);
  });

  test('a verdict that is not what the counts say', async () => {
    expect(
      await mistakes((text) => text.replace('verdict: warn, passed: 2', 'verdict: pass, passed: 2')),
    ).toEqual([expect.stringMatching(/^b\.yaml:\d+:\d+: 2 of 3 passed is warn, and this says pass$/)]);
  });

  test('scores that are not those of the trials, and a median that is not theirs', async () => {
    const score = 'score: 4.5, scores: {4.5: 3}';
    expect(await baselineText(baseline)).toContain(score);
    const found = (wanted: string) => mistakes((text) => text.replace(score, wanted));
    const at = (message: string) => [expect.stringMatching(new RegExp(`^b\\.yaml:\\d+:\\d+: ${message}$`))];
    expect(await found('score: 1, scores: {5: 3}')).toEqual(
      at('the median of the scores is 5, and this says 1'),
    );
    expect(await found('scores: {5: 3}')).toEqual(at('the median of the scores is 5, and this says none'));
    expect(await found('score: 5, scores: {5: 300}')).toEqual(at('300 scores of 3 trials'));
    expect(await found('score: 5, scores: {}')).toEqual(at('no scores, and a median of 5'));
    expect(await found('score: 5, scores: {5.5: 3}')).toEqual(at('.*expected a score of 1 to 5.*'));
  });

  test('an axis that was right more often than there were trials', async () => {
    const axis = 'noop: [3, 3]';
    expect(await baselineText(baseline)).toContain(axis);
    expect(await mistakes((text) => text.replace(axis, 'noop: [4, 3]'))).toEqual([
      expect.stringMatching(/^b\.yaml:\d+:\d+: 4 of 3 trials cannot have been right$/),
    ]);
  });

  test('more trials than anybody runs', async () => {
    const found = await mistakes((text) =>
      text.replace('passed: 2, of: 3', 'passed: 300000000, of: 300000000'),
    );
    expect(found).toHaveLength(2);
    for (const line of found) expect(line).toMatch(/^b\.yaml:\d+:\d+: expected at most 100000 trials/);
  });

  test('a model, or tools, that are not those of the file', async () => {
    const project = await createProject();
    const text = await baselineText(baseline);
    const found = async (model: string, live: boolean, change = (before: string) => before) => {
      const file = baselinePath(project, 'support', model, { live });
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, change(text));
      return readBaseline(project, file).then(
        () => [],
        (error: unknown) => (error instanceof InputError ? error.problems : [error]),
      );
    };
    expect(await found('simulated:support', false)).toEqual([]);
    const model = text.split('\n').findIndex((line) => line.includes('model: simulated:support')) + 1;
    expect(await found('simulated:other', false)).toMatchObject([
      {
        file: 'baselines/support/simulated%3Aother.yaml',
        line: model,
        message: 'a baseline of "simulated:support", in the file of "simulated:other"',
      },
    ]);
    expect(await found('simulated:support', true)).toMatchObject([
      { message: 'a baseline with recorded fixtures, in the file of live tools' },
    ]);
    const product = (before: string) =>
      before
        .replace('target: prompt', 'target: http')
        .replace(/answered: .*/, 'answered: {models: [gpt-4o], versions: []}');
    expect(await found('gpt-4o', false, product)).toEqual([]);
    expect(await found('gpt-4o-mini', false, product)).toMatchObject([
      { message: 'a baseline of "gpt-4o", in the file of "gpt-4o-mini"' },
    ]);
  });

  test('a merge that was not finished', async () => {
    const [first] = await mistakes((text) => text.replace('runs:', '<<<<<<< HEAD\nruns:'));
    expect(first).toMatch(/^b\.yaml:\d+:1: a merge conflict stands in the file/);
  });
});

describe('the file of a baseline', () => {
  test('is named by the model, percent-encoded, and marked where tools are live', async () => {
    const project = await createProject();
    const name = (model: string, live = false) =>
      path.relative(project.root, baselinePath(project, 'support', model, { live })).replaceAll('\\', '/');
    expect(name('simulated:support-agent')).toBe('baselines/support/simulated%3Asupport-agent.yaml');
    expect(name('openai:org/gpt 4*', true)).toBe('baselines/support/openai%3Aorg%2Fgpt%204%2A.live.yaml');
    expect(name('a.live')).toBe('baselines/support/a%2Elive.yaml');
    expect(name('../x')).toBe('baselines/support/%2E.%2Fx.yaml');
  });

  test('gives the model back, whatever it is called, and no two share one', async () => {
    const project = await createProject();
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.boolean(), (model, live) => {
        const file = path.basename(baselinePath(project, 'support', model, { live }));
        expect(file).toMatch(/^[\w%.-]+$/);
        expect(modelOfFile(file)).toEqual({ model, live });
      }),
    );
  });

  test('of a product it is the model that it reports, else what --model said', () => {
    const product = { target: 'http' as const, model: 'http product' };
    expect(modelOfBaseline(product, ['gpt-4o'])).toBe('gpt-4o');
    expect(modelOfBaseline({ ...product, model: 'gpt-4o' })).toBe('gpt-4o');
    expect(modelOfBaseline(product)).toBeUndefined();
    expect(() => modelOfBaseline(product, ['gpt-4o', 'gpt-4o-mini'])).toThrow(
      'the product answered with "gpt-4o" and "gpt-4o-mini": a baseline is of one model',
    );
  });

  test('is found by model and tools, and for a product that has not answered yet if it is the only one', async () => {
    const project = await createProject();
    const product = { target: 'http' as const, model: 'http product' };
    expect(await findBaseline(project, 'support', product)).toBeUndefined();
    const write = async (model: string, live = false) => {
      const file = baselinePath(project, 'support', model, { live });
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, await baselineText(baseline));
    };
    await write('m:1');
    await write('m:1', true);
    expect((await findBaseline(project, 'support', product))?.shown).toBe('baselines/support/m%3A1.yaml');
    await write('m:2');
    expect(await findBaseline(project, 'support', product)).toBeUndefined();
    expect(await findBaseline(project, 'support', product, ['m:2'])).toMatchObject({
      model: 'm:2',
      live: false,
    });
    const live = { target: 'prompt' as const, model: 'm:1', liveTools: true as const };
    expect(await findBaseline(project, 'support', live)).toMatchObject({ model: 'm:1', live: true });
    expect(await findBaseline(project, 'support', { target: 'prompt', model: 'm:3' })).toBeUndefined();
    expect(await listBaselines(project, 'support')).toHaveLength(3);
  });
});

test('a baseline without a judge, a prompt or settings is one of a product', async () => {
  const { judge: _judge, condition, ...rest } = ran;
  const {
    promptPath: _path,
    promptSha256: _sha,
    temperature: _t,
    maxTokens: _m,
    maxSteps: _s,
    ...bare
  } = condition;
  const product = { ...rest, condition: { ...bare, target: 'http' as const, promptName: 'no prompt' } };
  const made: Baseline = accumulate(undefined, product, { now: saved.now }).baseline;
  expect(await parseBaseline(await baselineText(made), 'b.yaml')).toEqual(made);
  expect(baselineEvidence(made).condition).toMatchObject({ promptName: 'no prompt', target: 'http' });
});
