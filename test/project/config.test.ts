import { mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatProblem, InputError } from '../../source/base/errors.js';
import { loadProject, readProject } from '../../source/project/config.js';
import { createFolder } from '../suite/project.js';

async function mistakes(config: string): Promise<string[]> {
  const root = await createFolder({ '.evalrc.json': config });
  const { problems } = await readProject({ cwd: root, env: {} });
  return problems.map(formatProblem);
}

/** The example of the documentation, whole. */
const everything = {
  project: 'support',
  suites: 'evals',
  baselines: 'baselines',
  logs: null,
  models: {
    agent: 'simulated:support-agent',
    user: 'anthropic:claude-haiku-4-5',
    judge: 'openai:gpt-4o-mini',
  },
  providers: {
    local: {
      api: 'openai-chat',
      baseURL: 'http://127.0.0.1:8080/v1',
      keyEnv: 'LOCAL_API_KEY',
      concurrency: 4,
    },
  },
  prompts: { 'support-agent': { deployed: 'prompts/v14.md', candidate: 'prompts/v15.md' } },
  run: { repeat: 3, bisectRepeat: 6, concurrency: 8, trialTimeoutSeconds: 180, attempts: 4 },
  gate: {
    failOn: ['hard-criteria', 'score-drop', 'quarantine-expired'],
    confirm: true,
    meanDrop: 0.2,
    caseDrop: 1,
    axisDrop: 0,
    inputTokens: { warn: 1.1, fail: 1.5 },
    cacheHitRate: { warn: 0.05, fail: 0.15 },
    minCoverage: 0.95,
  },
  quarantine: { flips: 2, withinDays: 30, maxDays: 30, maxShare: 0.1 },
  guard: { prompts: ['prompts/**'], secondReviewer: false },
};

describe('a project', () => {
  test('is found from any folder below its config, which is read whole', async () => {
    const root = await createFolder({ '.evalrc.json': JSON.stringify(everything), 'a/b/c.txt': '' });
    const project = await loadProject({ cwd: join(root, 'a/b'), env: {} });
    expect(project).toMatchObject({ root, configFile: '.evalrc.json', cwd: join(root, 'a/b') });
    expect(project.config).toMatchObject(everything);
    expect(project.config.simulated).toBe('simulated');
  });

  test('without a config is the nearest folder with a .git, else the folder itself', async () => {
    const root = await createFolder({ 'a/b/c.txt': '' });
    const alone = await loadProject({ cwd: join(root, 'a/b'), env: {} });
    expect(alone).toMatchObject({ root: join(root, 'a/b'), configFile: undefined });
    expect(alone.config).toMatchObject({ project: 'b', suites: 'suites', models: {}, run: {} });
    await mkdir(join(root, 'a/.git'));
    expect((await loadProject({ cwd: join(root, 'a/b'), env: {} })).root).toBe(join(root, 'a'));
  });

  test('has one root however it is reached, and the name of its folder', async () => {
    const root = await createFolder({ 'real/.evalrc.json': '{}' });
    await symlink(join(root, 'real'), join(root, 'link'));
    const project = await loadProject({ cwd: join(root, 'link'), env: {} });
    expect(project.root).toBe(join(root, 'real'));
    expect(project.config.project).toBe(basename(project.root));
  });
});

describe('mistakes of the config', () => {
  test.each([
    ['', '.evalrc.json: the file is empty; write something in it, or delete it'],
    ['[]', '.evalrc.json:1:1: expected a map of keys, found an empty list'],
    [
      '{"models": {"agent": "gpt-4o"}}',
      '.evalrc.json:1:22: expected provider:model, as in "openai:gpt-4o-mini"',
    ],
    ['{"models": {"a:b": "openai:x"}}', /:1:13: key "a:b": a name of a model has no colon and no space/],
    ['{"model": {}}', '.evalrc.json:1:2: unknown key "model"; did you mean "models"?'],
    ['{"run": {"repaet": 3}}', '.evalrc.json:1:10: unknown key "repaet"; did you mean "repeat"?'],
    [
      '{"run": {"repeat": 0}}',
      '.evalrc.json:1:20: expected a whole number from 1 to 1000, found the number 0',
    ],
    [
      '{"gate": {"minCoverage": 95}}',
      '.evalrc.json:1:26: expected a number from 0 to 1, found the number 95',
    ],
    ['{"prompts": {"a": "v1.md"}}', '.evalrc.json:1:19: expected a map of keys, found the text "v1.md"'],
    [
      '{"prompts": {"a": {"candidate": "v1.md"}}}',
      '.evalrc.json:1:19: missing key "deployed": expected a text',
    ],
    [
      '{"providers": {"p": {"api": "openai"}}}',
      /:1:29: expected one of "anthropic", "openai-chat" or "openai-responses"/,
    ],
    ['{"providers": {"p": {"keyEnv": "my key"}}}', /:1:32: expected the name of an environment variable/],
    ['{"run": {}, "run": {}}', /:1:13: key "run" is given twice, first at 1:2/],
  ])('in %j', async (text, expected) => {
    const found = await mistakes(text);
    expect(found[0]).toMatch(expected);
  });

  test('come all at once, with exit code 2', async () => {
    const root = await createFolder({ '.evalrc.json': '{"suite": 1, "run": {"repeat": "x"}}' });
    const failure = loadProject({ cwd: root, env: {} });
    await expect(failure).rejects.toThrow(InputError);
    await expect(failure).rejects.toMatchObject({ exitCode: 2, problems: [{}, {}] });
  });

  test('leave the parts that are right, and say which ones are not', async () => {
    const root = await createFolder({
      '.evalrc.json': '{"suites": "evals", "models": {"a": 1}, "run": {"repeat": 9}}',
    });
    const { project, unsure } = await readProject({ cwd: root, env: {} });
    expect(project.config).toMatchObject({ suites: 'evals', models: {}, run: { repeat: 9 } });
    expect([...unsure]).toEqual(['models']);
  });
});

describe('a key in the config', () => {
  const random = 'a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4';
  test.each([
    { models: { agent: 'sk-proj-abcdefghijklmnop1234' } },
    { providers: { p: { apiKey: 'hunter2hunter2' } } },
    { providers: { p: { keyEnv: `sk-ant-${random}` } } },
    { providers: { p: { keyEnv: random } } },
    { providers: { p: { api: `ghp_${random}` } } },
    { providers: { p: { baseURL: 'https://user:hunter2hunter2@example.com' } } },
    { [`sk-ant-${random}`]: 1 },
    { logs: `Bearer ${random}` },
    { project: `AKIA${'ABCD'.repeat(4)}` },
  ])('is refused and never repeated: %j', async (config) => {
    const found = await mistakes(JSON.stringify(config));
    expect(found.some((mistake) => mistake.includes('looks like a key'))).toBe(true);
    expect(found.join('\n')).not.toMatch(/hunter2|abcdefgh|a1B2|ABCDABCD/);
  });

  test('that makes the file unreadable is not repeated either', async () => {
    const found = await mistakes(`{"models": {"agent": sk-ant-${random}}}`);
    expect(found).toHaveLength(1);
    expect(found[0]).not.toContain('a1B2');
  });

  test.each([
    { $schema: `https://example.com/${'0a1b'.repeat(10)}/config.json` },
    { models: { agent: `replicate:owner/model:${'0a1b'.repeat(16)}` } },
    { models: { agent: 'simulated:sk-learn-helper-agent-v1' } },
    { prompts: { p: { deployed: 'prompts/hf_support/sk-2024-review/v1.md' } } },
    { logs: '/data/0123456789abcdef0123456789abcdef/runs' },
    { providers: { p: { keyEnv: 'LOCAL_API_KEY', baseURL: 'http://127.0.0.1:8080/v1' } } },
  ])('is not seen in names, paths and hashes: %j', async (config) => {
    expect(await mistakes(JSON.stringify(config))).toEqual([]);
  });

  test('is pointed to keyEnv', async () => {
    expect((await mistakes('{"providers": {"p": {"apiKey": "x"}}}'))[0]).toContain('name that with "keyEnv"');
  });
});
