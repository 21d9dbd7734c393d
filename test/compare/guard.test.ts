import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { accumulate } from '../../source/compare/baseline-accumulate.js';
import { baselineText } from '../../source/compare/baseline-write.js';
import { bless } from '../../source/compare/bless.js';
import { type GuardChanges, guardChanges, isRefused } from '../../source/compare/guard.js';
import { readGuardSnapshot } from '../../source/compare/guard-snapshot.js';
import type { Evidence } from '../../source/compare/types.js';
import { createFolder, type Files, writeFiles } from '../suite/project.js';
import { check, evidence, runId, saved, scenarioOf } from './baseline-support.js';
import { createRepository, editedPrompt, project, scenarioText } from './guard-repository.js';

const scenarioFile = 'suites/support/scenarios/refund.yaml';
const suiteFile = 'suites/support/suite.yaml';

const baselineFile = 'baselines/support/simulated%3Asupport.yaml';
const ran = (n: number, passed: number): Evidence =>
  evidence([scenarioOf('refund', [check('no-promise', passed, 3), check('is-short', 3, 3)])], {
    runId: runId(n),
    condition: { ...evidence([]).condition, promptPath: 'prompts/support/v1.md' },
  });
const first = accumulate(undefined, ran(1, 3), saved).baseline;
const blessed = bless(first, ran(2, 0), {
  scenario: 'refund',
  check: 'no-promise',
  reason: 'promising is allowed since June',
  now: saved.now,
}).baseline;

/** What the guard says of two versions of a project: `files` written over it, `gone` taken away. */
async function changesOf(before: Files, files: Files, gone: readonly string[] = []): Promise<GuardChanges> {
  const root = await createFolder(before);
  const from = await readGuardSnapshot(root);
  for (const name of gone) await rm(path.join(root, name));
  await writeFiles(root, files);
  const to = await readGuardSnapshot(root);
  expect([...from.problems, ...to.problems]).toEqual([]);
  return guardChanges(from.snapshot, to.snapshot);
}

/** The config with its gate written out. */
function withGate(gate: object): string {
  return JSON.stringify({ ...JSON.parse(String(project['.evalrc.json'])), gate });
}

const texts = (changes: readonly { text: string }[]) => changes.map(({ text }) => text);

describe('a commit that changes a prompt and what it is held against is refused', () => {
  const changes: [string, Files, string][] = [
    ['a check', { [scenarioFile]: scenarioText('money') }, 'refund/no-promise of suite support changed'],
    [
      'a check that is new',
      { [scenarioFile]: scenarioText('refund', '  - {type: keywords_absent, id: fresh, words: [no]}\n') },
      'refund/fresh of suite support is new',
    ],
    [
      'a check of the suite',
      {
        [suiteFile]: `${project[suiteFile]}checks: [{type: keywords_absent, id: shared, words: [no]}]\n`,
      },
      'refund/shared of suite support is new',
    ],
    [
      'the prompt of the judge',
      { 'judges/strict@1.md': 'Judge kindly.\n' },
      'the judge of suite support changed',
    ],
    [
      'the model of the judge',
      { '.evalrc.json': String(project['.evalrc.json']).replace('simulated:judge', 'simulated:kind') },
      'the judge of suite support changed',
    ],
    [
      'what the simulated judge says',
      { 'simulated/judge.yaml': 'rules: []\n' },
      'the judge of suite support changed',
    ],
    [
      'how many verdicts the judge is asked for',
      { [suiteFile]: String(project[suiteFile]).replace('strict@1', 'strict@1, verdicts: 1') },
      'the judge of suite support changed',
    ],
    [
      'what fails the gate',
      { '.evalrc.json': withGate({ failOn: ['tokens'] }) },
      'the gate changed: failOn from hard-criteria, score-drop, quarantine-expired to tokens',
    ],
    [
      'how much of the run the gate needs',
      { '.evalrc.json': withGate({ minCoverage: 0 }) },
      'the gate changed: minCoverage from 0.95 to 0',
    ],
    [
      'a threshold of the gate',
      { '.evalrc.json': withGate({ inputTokens: { fail: 9 } }) },
      'the gate changed: inputTokens from warn 1.1, fail 1.5 to warn 1.1, fail 9',
    ],
  ];
  test.each(changes)('%s', async (_what, files, text) => {
    const found = await changesOf(project, { ...editedPrompt, ...files });
    expect(texts(found.prompts)).toEqual(['prompts/support/v1.md changed']);
    expect(texts(found.criteria)).toEqual([text]);
    expect(isRefused(found)).toBe(true);
  });

  test('what a baseline expects', async () => {
    const found = await changesOf(
      { ...project, [baselineFile]: await baselineText(first) },
      { ...editedPrompt, [baselineFile]: await baselineText(blessed) },
    );
    expect(texts(found.criteria)).toEqual([
      `refund/no-promise was expected to pass and now to fail (${baselineFile})`,
    ]);
    expect(isRefused(found)).toBe(true);
  });

  test('a program that a check is made of', async () => {
    const custom = scenarioText('refund', '  - {type: custom, id: own, module: ../../checks/own.mjs}\n');
    const module =
      "export const kind = 'hard';\nexport function check() { return { verdict: 'pass', reason: '' }; }\n";
    const { commit, guard } = await createRepository({
      ...project,
      [scenarioFile]: custom,
      'checks/own.mjs': module,
    });
    await commit('both', { ...editedPrompt, 'checks/own.mjs': module.replace('pass', 'warn') });
    const found = await guard();
    expect(found.text).toContain('refund/own of suite support changed');
    expect(found.code).toBe(1);
  });

  test('the next version of a prompt is a change of it, whatever its file is called', async () => {
    const next = await changesOf(project, { 'prompts/support/v2.md': 'Be brief.\n' });
    expect(texts(next.prompts)).toEqual(['prompts/support/v2.md is a new version']);
    const elsewhere = await changesOf(project, {
      'elsewhere/brief.txt': 'Be very brief.\n',
      '.evalrc.json': String(project['.evalrc.json']).replace('prompts/support/v1.md', 'elsewhere/brief.txt'),
    });
    expect(texts(elsewhere.prompts)).toEqual(['elsewhere/brief.txt is a new version']);
  });
});

describe('a commit passes that changes a prompt and', () => {
  const harmless: [string, Files, string[]][] = [
    [
      'a gate that is written out as it was',
      { '.evalrc.json': withGate({ confirm: true, axisDrop: 0 }) },
      [],
    ],
    ['nothing else', {}, []],
    ['other files', { 'readme.md': 'More.\n' }, []],
    [
      'how a scenario is written',
      {
        [scenarioFile]:
          '# why\ntags:   [other]\nid: refund\ninput: \'I want my money back.\'\nchecks:\n- pattern: "refund" # no\n  id: no-promise\n  absolute: true\n  type: pattern_absent\n',
      },
      [],
    ],
    [
      'which file a scenario stands in',
      { 'suites/support/scenarios/all/money.yaml': scenarioText() },
      [scenarioFile],
    ],
    [
      'what a scenario is called',
      { [scenarioFile]: scenarioText().replace('id: refund', 'id: money-back') },
      [],
    ],
    [
      'what a check is called',
      { [scenarioFile]: scenarioText().replace('id: no-promise', 'id: no-refund') },
      [],
    ],
    ['what is asked of the agent', { [scenarioFile]: scenarioText().replace('I want', 'Give me') }, []],
    [
      'what the judge prompt is called',
      {
        'judges/strict@2.md': 'Judge strictly.\n',
        [suiteFile]: String(project[suiteFile]).replace('strict@1', 'strict@2'),
      },
      ['judges/strict@1.md'],
    ],
    [
      'a quarantine and saved scores',
      { 'suites/support/quarantine.yaml': '[]\n', 'suites/support/results/x.yaml': 'a: 1\n' },
      [],
    ],
  ];
  test.each(harmless)('%s', async (_what, files, gone) => {
    const all = (text: unknown) => String(text).replace('scenarios/*.yaml', 'scenarios/**/*.yaml');
    const suite = { [suiteFile]: all(files[suiteFile] ?? project[suiteFile]) };
    const before = { ...project, [suiteFile]: all(project[suiteFile]) };
    const found = await changesOf(before, { ...editedPrompt, ...files, ...suite }, gone);
    expect(texts(found.prompts)).toEqual(['prompts/support/v1.md changed']);
    expect(found.criteria).toEqual([]);
  });

  test('how often the baseline was seen to hold, and for which prompt', async () => {
    const before = { ...project, [baselineFile]: await baselineText(first) };
    const more = accumulate(first, ran(2, 3), saved).baseline;
    const grown = await changesOf(before, { [baselineFile]: await baselineText(more) });
    expect(grown.criteria).toEqual([]);
    const other = accumulate(
      more,
      { ...ran(3, 3), condition: evidence([], { prompt: 'v15' }).condition },
      saved,
    );
    expect(other.differences).toHaveLength(1);
    expect(
      (await changesOf(before, { [baselineFile]: await baselineText(other.baseline) })).criteria,
    ).toEqual([]);
  });
});

describe('no change of a prompt is', () => {
  const config = String(project['.evalrc.json']);
  const cases: [string, Files, string[]][] = [
    [
      'another name of its file',
      { 'prompts/support/v2.md': 'You help customers.\n', '.evalrc.json': config.replace('v1', 'v2') },
      ['prompts/support/v1.md'],
    ],
    ['deploying one that is there already', { '.evalrc.json': config.replace('v1', 'v0') }, []],
    ['taking one away', {}, ['prompts/support/v0.md']],
    [
      'the first of another kind',
      {
        'prompts/sales/v1.md': 'Sell.\n',
        '.evalrc.json': config.replace(
          '"prompts":{',
          '"prompts":{"sales":{"deployed":"prompts/sales/v1.md"},',
        ),
      },
      [],
    ],
  ];
  test.each(cases)('%s', async (_what, files, gone) => {
    const found = await changesOf({ ...project, 'prompts/support/v0.md': 'Be brief.\n' }, files, gone);
    expect(found.prompts).toEqual([]);
  });
});

test('the first commit changes nothing', async () => {
  const { guard } = await createRepository(project);
  expect((await guard()).code).toBe(0);
});

describe('what is staged', () => {
  test('is refused before it is a commit, and passes when it is split', async () => {
    const { git, write, guard } = await createRepository(project);
    await write({ ...editedPrompt, [scenarioFile]: scenarioText('money') });
    expect((await guard({ staged: true })).code).toBe(0);
    git('add', '--all');
    const found = await guard({ staged: true });
    expect(found.code).toBe(1);
    expect(found.text).toContain('REFUSED: what is staged changes a prompt');
    git('commit', '--quiet', '-m', 'Prompt', '--', 'prompts/support/v1.md');
    expect((await guard({ staged: true })).code).toBe(0);
    git('commit', '--quiet', '-m', 'Criteria');
    expect((await guard({ range: 'HEAD~2..HEAD' })).code).toBe(0);
  });

  test('is found also where the project is a folder of the repository', async () => {
    const inside = Object.fromEntries(Object.entries(project).map(([name, text]) => [`bench/${name}`, text]));
    const { root, git, write, guard } = await createRepository(inside);
    await write({
      'bench/prompts/support/v1.md': 'Be quick.\n',
      [`bench/${scenarioFile}`]: scenarioText('money'),
    });
    git('add', '--all');
    expect((await guard({ staged: true }, `${root}/bench`)).code).toBe(1);
  });

  test('before the first commit is no change', async () => {
    const { git, write, guard } = await createRepository({});
    await write(project);
    git('add', '--all');
    expect((await guard({ staged: true })).code).toBe(0);
  });
});

describe('a range', () => {
  test('is looked at commit by commit, and the one that is refused is named', async () => {
    const { commit, guard, git } = await createRepository(project);
    await commit('the prompt', editedPrompt);
    await commit('the check', { [scenarioFile]: scenarioText('money') });
    expect((await guard({ range: 'HEAD~2..HEAD' })).code).toBe(0);
    const bad = await commit('too much', {
      'prompts/support/v1.md': 'Be brief.\n',
      [scenarioFile]: scenarioText('cash'),
    });
    await commit('later', { 'readme.md': 'x\n' });
    const found = await guard({ range: 'HEAD~4..HEAD' });
    expect(found.code).toBe(1);
    expect(found.text).toContain(`REFUSED: ${bad.slice(0, 9)} (too much) changes`);
    expect(found.text).toContain(`git rebase -i ${bad.slice(0, 9)}^`);
    expect((await guard({ range: git('rev-parse', 'HEAD~2').trim() })).code).toBe(0);
    const { commits } = JSON.parse((await guard({ range: 'HEAD~4..HEAD', json: true })).text);
    expect(commits.map(({ isRefused }: { isRefused: boolean }) => isRefused)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('a merge of a prompt with a criterion from two branches changes neither of them itself', async () => {
    const { commit, guard, git } = await createRepository(project);
    git('checkout', '--quiet', '-b', 'criteria');
    await commit('the check', { [scenarioFile]: scenarioText('money') });
    git('checkout', '--quiet', 'main');
    await commit('the prompt', editedPrompt);
    git('merge', '--quiet', '--no-ff', '-m', 'merge', 'criteria');
    expect((await guard()).code).toBe(0);
  });

  test('a merge that changes both on the way is refused', async () => {
    const { commit, guard, git, write } = await createRepository(project);
    git('checkout', '--quiet', '-b', 'other');
    await commit('the check', { [scenarioFile]: scenarioText('money') });
    git('checkout', '--quiet', 'main');
    await commit('the prompt', editedPrompt);
    git('merge', '--quiet', '--no-ff', '--no-commit', 'other');
    await write({ 'prompts/support/v1.md': 'Neither.\n', [scenarioFile]: scenarioText('cash') });
    git('add', '--all');
    expect((await guard({ staged: true })).code).toBe(1);
    git('commit', '--quiet', '-m', 'merge');
    expect((await guard()).code).toBe(1);
  });
});

describe('a bless', () => {
  const withBaseline = async () =>
    createRepository({ ...project, [baselineFile]: await baselineText(first) });
  const bless = async () => ({ [baselineFile]: await baselineText(blessed) });

  test('whose reason is not in the message of its commit is named', async () => {
    const { commit, guard } = await withBaseline();
    await commit('Update', await bless(), 'Ada <ada@example.org>');
    const found = await guard();
    expect(found.code).toBe(0);
    expect(found.text).toContain(
      'blesses refund/no-promise and its message does not say why: promising is allowed since June',
    );
  });

  test('with its reason in the message passes without a word', async () => {
    const { commit, guard } = await withBaseline();
    await commit('Bless it\n\nPromising is allowed\nsince June.', await bless(), 'Ada <ada@example.org>');
    expect((await guard()).text).toBe(
      'guard: 1 commit, no prompt changed together with what it is held against\n',
    );
  });

  test('by the author of the last edit of the prompt is pointed out, and refused where two are wanted', async () => {
    const { commit, guard } = await withBaseline();
    await commit('prompt', editedPrompt);
    await commit('promising is allowed since June', await bless());
    const found = await guard();
    expect(found.code).toBe(0);
    expect(found.text).toContain(
      'blesses refund/no-promise, by the author of the last edit of prompts/support/v1.md',
    );
    const config = JSON.parse(String(project['.evalrc.json']));
    await commit('two', { '.evalrc.json': JSON.stringify({ ...config, guard: { secondReviewer: true } }) });
    expect(await guard({ range: 'HEAD~1' })).toMatchObject({
      code: 1,
      text: expect.stringContaining('this project wants a second reviewer'),
    });
  });
});

describe('wrong input is said with exit code 2', () => {
  test('outside of git', async () => {
    const root = await createFolder(project);
    const { guard } = await createRepository({});
    await expect(guard({}, root)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('is not in a repository of git'),
    });
  });

  test('a range that git does not know', async () => {
    const { guard } = await createRepository(project);
    await expect(guard({ range: 'origin/main..HEAD' })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('git does not know "origin/main..HEAD"'),
    });
    await expect(guard({ range: 'HEAD', staged: true })).rejects.toMatchObject({ exitCode: 2 });
  });

  test('a clone that ends before the commit does', async () => {
    const { commit, root } = await createRepository(project);
    await commit('prompt', editedPrompt);
    const clone = await createRepository({});
    clone.git('fetch', '--quiet', '--depth=1', `file://${root}`, 'main');
    clone.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
    await expect(clone.guard()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('this is a shallow clone'),
    });
  });

  test('files that cannot be read, where a prompt changed with them', async () => {
    const { commit, guard } = await createRepository(project);
    await commit('both', {
      ...editedPrompt,
      [scenarioFile]: 'id: refund\ninput: x\nchecks: [{type: nothing}]\n',
    });
    await expect(guard()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(scenarioFile),
    });
  });
});
