// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadSuite } from '../../source/suite/load.js';
import { promptOf } from '../../source/suite/target.js';
import { createProject, type Files, load, mistakesOf, testCatalogue } from './project.js';

const suite = 'suites/support/suite.yaml';
const scenario = { 'suites/support/scenarios/a.yaml': 'id: hello\nmessage: hi\n' };
const http = 'target: {http: {baseURL: http://127.0.0.1:9, send: {post: /chat, reply: $.reply}}}\n';

describe('a target', () => {
  test('may be a prompt with a model', async () => {
    const { target } = await load({ ...scenario });
    expect(target).toEqual({
      kind: 'prompt',
      prompt: 'support',
      model: 'agent',
      tools: [],
      settings: { maxTokens: 1024, maxSteps: 8 },
      template: false,
    });
  });

  test('may be a backend, without a key or a connection when it is loaded', async () => {
    const { target } = await load({
      [suite]: `target:
  http:
    baseURL: \${BACKEND_URL}
    headers: {authorization: 'Bearer \${BACKEND_TOKEN}'}
    open: {post: /sessions, body: {account: '{{account}}'}, save: {session: $.id}}
    send: {post: '/sessions/{{session}}', body: {text: '{{message}}'}, stream: sse, delta: $.delta}
`,
      ...scenario,
    });
    expect(target).toMatchObject({
      kind: 'http',
      baseURL: '${BACKEND_URL}',
      open: { method: 'POST', path: '/sessions', save: { session: '$.id' } },
      send: { method: 'POST', stream: 'sse' },
      timeoutSeconds: 60,
    });
  });

  test('may be a command or a module, found from the folder of the suite', async () => {
    const files: Files = { ...scenario, 'suites/support/agent.ts': '', 'suites/support/agents/a.py': '' };
    const command = await createProject({
      ...files,
      [suite]: 'target: {command: [python3, a.py], cwd: agents, pool: 2}\n',
    });
    expect((await loadSuite(command, 'support', testCatalogue)).target).toEqual({
      kind: 'command',
      command: ['python3', 'a.py'],
      cwd: join(command.root, 'suites/support/agents'),
      env: {},
      pool: 2,
      timeoutSeconds: 60,
    });
    const module = await createProject({ ...files, [suite]: 'target: {module: agent.ts}\n' });
    expect((await loadSuite(module, 'support', testCatalogue)).target).toEqual({
      kind: 'module',
      file: join(module.root, 'suites/support/agent.ts'),
      timeoutSeconds: 60,
    });
  });

  test('that is no prompt may name the prompt whose text reaches the product', async () => {
    const product = await load({ ...scenario, [suite]: `${http}prompt: support\n` });
    expect(promptOf(product)).toBe('support');
    expect(promptOf(await load({ ...scenario, [suite]: http }))).toBeUndefined();
    expect(promptOf(await load(scenario))).toBe('support');
  });

  test('whose prompt is empty is a mistake of the prompt, for a product too', async () => {
    expect(
      await mistakesOf({ ...scenario, [suite]: `${http}prompt: support\n`, 'prompts/v1.md': '\n' }),
    ).toEqual(['prompts/v1.md: the prompt is empty']);
  });

  test('with a key in it is refused, and the key is not repeated', async () => {
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    const mistakes = await mistakesOf({
      ...scenario,
      [suite]: `target:\n  http:\n    baseURL: http://x\n    headers: {x-api-key: ${key}}\n    send: {post: /, reply: $.r}\n`,
    });
    expect(mistakes).toEqual([
      expect.stringMatching(/^suites\/support\/suite\.yaml:4:26: this looks like a key/),
    ]);
    expect(mistakes.join()).not.toContain('a1B2');
  });
});

describe('names in an http target', () => {
  const withNames = (body: string) =>
    `target:\n  http:\n    baseURL: http://x\n    send:\n      post: /chat\n      body: ${body}\n      reply: $.r\n`;

  test('that a scenario has no value for are mistakes at their place', async () => {
    const mistakes = await mistakesOf({
      [suite]: withNames(
        "{plan: '{{variables.plan}}', seat: '{{variables.seats}}', mood: '{{profile.mood}}', who: '{{profile.name}}'}",
      ),
      'suites/support/scenarios/a.yaml':
        '- {id: a, message: x, variables: {plan: x}, profile: {mood: calm}}\n- {id: b, message: x, profile: {facts: [y]}}\n',
    });
    expect(mistakes).toEqual([
      `${suite}:6:20: {{variables.plan}} has no value in scenario "b"`,
      `${suite}:6:48: {{variables.seats}} is no name that a scenario gives a value; did you mean {{variables.plan}}?`,
      `${suite}:6:77: {{profile.mood}} has no value in scenario "b"`,
    ]);
  });

  test('of what a session has may be empty', async () => {
    const body = "{t: '{{tenant}}', h: '{{history}}', n: '{{profile.name}}', f: '{{profile.facts}}'}";
    expect(await mistakesOf({ ...scenario, [suite]: withNames(body) })).toEqual([]);
  });
});

describe('tuning values', () => {
  const check = '{type: tool_called, tool: x, args: {price: {tuning: $.price}}}';
  const files = { 'suites/support/scenarios/a.yaml': `id: a\nmessage: x\nchecks: [${check}]\n` };

  test('may be asked of a product that gives them', async () => {
    const tuned = http.replace('send:', 'tuning: {get: /tuning}, send:');
    expect(await mistakesOf({ ...files, [suite]: tuned })).toEqual([]);
    expect(await mistakesOf({ ...files, [suite]: 'target: {command: [node, x.mjs]}\n' })).toEqual([]);
  });

  test('are a mistake where nobody gives them', async () => {
    expect(await mistakesOf({ ...files, [suite]: http })).toEqual([
      'suites/support/scenarios/a.yaml:3:53: the target names no call that gives tuning values; add tuning: {get: …} to it, or write the value itself',
    ]);
  });
});

test('the number of verdicts and who plays the user are part of a suite', async () => {
  const loaded = await load({
    ...scenario,
    [suite]:
      'target: {prompt: support, model: agent}\njudge: {model: agent, verdicts: 3}\nuser: {model: openai:gpt-4o-mini}\n',
  });
  expect(loaded.judge).toEqual({ model: 'agent', prompt: 'default@1', verdicts: 3 });
  expect(loaded.user).toEqual({ model: 'openai:gpt-4o-mini' });
});

test.each(['http-backend', 'python-command', 'javascript-command'])(
  'the suite of examples/%s has no mistake',
  async (folder) => {
    const file = join(import.meta.dirname, '../../examples', folder, 'suite.yaml');
    const text = (await readFile(file, 'utf8')).replace(/^name: .*$/m, 'name: support');
    const config: unknown = JSON.parse(
      await readFile(join(import.meta.dirname, '../../examples/.evalrc.json'), 'utf8'),
    );
    const { prompts } = z.object({ prompts: z.record(z.string(), z.unknown()) }).parse(config);
    const names = Object.keys(prompts).map((name) => [name, { deployed: 'prompts/v1.md' }]);
    const own = { '.evalrc.json': JSON.stringify({ prompts: Object.fromEntries(names) }) };
    expect(await mistakesOf({ ...scenario, ...own, [suite]: text })).toEqual([]);
  },
);
