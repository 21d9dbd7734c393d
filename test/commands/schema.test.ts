import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { glob } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../source/base/document.js';
import { toPlain } from '../../source/base/nodes.js';
import {
  makeSchema,
  type SchemaName,
  schemaCommand,
  schemaNames,
  schemaText,
} from '../../source/commands/schema.js';
import { checkCatalogue } from '../../source/grade/registry.js';
import { createFolder } from '../suite/project.js';
import { createIo } from './io.js';

async function validator(name: SchemaName): Promise<ValidateFunction> {
  return new Ajv({ strict: false, allErrors: true }).compile(await makeSchema(name));
}

test.each(schemaNames)('the published schema of %s is the one that the loader uses', async (name) => {
  // After a change: npx vitest run test/commands/schema.test.ts --update
  await expect(schemaText(await makeSchema(name))).toMatchFileSnapshot(`../../docs/schemas/${name}.json`);
});

test('every type of check has its arguments in the schema, and no others', async () => {
  const schema = await makeSchema('scenario');
  const { check } = schema.definitions as { check: { anyOf: Record<string, unknown>[] } };
  expect(check.anyOf.map(({ title }) => title)).toEqual(checkCatalogue.types());
  for (const type of check.anyOf) {
    expect(type).toMatchObject({
      type: 'object',
      additionalProperties: false,
      description: expect.any(String),
    });
    expect(type.properties).toHaveProperty('on');
  }
});

describe('the schema of a scenario', () => {
  const scenarios: [string, object][] = [
    [
      'the form of the documentation',
      { id: 'a', turns: [{ user: 'x' }], checks: [{ type: 'tool_called', tool: 't', on: '2..5' }] },
    ],
    ['input, criteria and tool_fixtures', { id: 'a', input: 'x', criteria: [], tool_fixtures: { t: {} } }],
    ['message and expected', { id: 7, message: '', expected: { action_type: 'a', noop: false, fields: {} } }],
    [
      'profile and messages',
      {
        id: 'a',
        profile: { name: 'R', facts: ['x'], age: 3 },
        messages: ['x', { role: 'user', content: 'y' }],
      },
    ],
    [
      'turns that a model plays',
      {
        id: 'a',
        profile: { facts: 'x', unknown: ['y'] },
        turns: [{ user: 'x' }, { simulate: 'x' }, { simulate: 'x', goal: 'y', maxTurns: 3 }],
      },
    ],
    ['such turns among messages', { id: 'a', messages: ['x', { simulate: 'x', maxTurns: 3 }] }],
    [
      'every form of fixture',
      {
        id: 'a',
        message: 'x',
        fixtures: {
          a: 1,
          b: [],
          c: ['x', 'y'],
          d: [{ id: 1 }],
          e: [{ returns: null }, { when: { a: 1 }, error: 'x' }],
        },
      },
    ],
  ];
  test.each(scenarios)('takes %s, alone and in a list', async (_form, scenario) => {
    const validate = await validator('scenario');
    for (const value of [scenario, [scenario, scenario]]) {
      validate(value);
      expect(validate.errors).toBeNull();
    }
  });

  test.each([
    ['no turns', { id: 'a' }],
    ['a turn of two kinds', { id: 'a', turns: [{ user: 'x', simulate: 'y' }] }],
    ['a fixed turn with a limit', { id: 'a', turns: [{ user: 'x', maxTurns: 2 }] }],
    ['an empty instruction', { id: 'a', turns: [{ simulate: ' ' }] }],
    ['no id', { message: 'x' }],
    ['two forms of turns', { id: 'a', message: 'x', turns: [{ user: 'x' }] }],
    ['two forms of checks', { id: 'a', message: 'x', checks: [], criteria: [] }],
    ['an unknown key', { id: 'a', message: 'x', chekcs: [] }],
    ['an unknown type of check', { id: 'a', message: 'x', checks: [{ type: 'tool_caled', tool: 't' }] }],
    ['an unknown argument', { id: 'a', message: 'x', checks: [{ type: 'tool_called', tool: 't', tol: 1 }] }],
    ['a missing argument', { id: 'a', message: 'x', checks: [{ type: 'tool_called' }] }],
    ['a rule with two outcomes', { id: 'a', message: 'x', fixtures: { t: [{ returns: 1, error: 'x' }] } }],
    ['an empty list', []],
  ])('refuses %s', async (_what, value) => {
    expect((await validator('scenario'))(value)).toBe(false);
  });
});

test('the schema of a suite takes what has a default as left out', async () => {
  const validate = await validator('suite');
  validate({ target: { prompt: 'p', model: 'm' } });
  expect(validate.errors).toBeNull();
  expect(validate({ target: { prompt: 'p' } })).toBe(false);
});

const send = { post: '/chat', reply: '$.reply' };

describe('the schema of a suite', () => {
  test.each([
    ['a backend', { target: { http: { baseURL: 'http://x', send } }, prompt: 'p' }],
    ['a command', { target: { command: ['node', 'x.mjs'], pool: 2 } }],
    ['a module', { target: { module: 'agent.ts' } }],
    [
      'verdicts and a user',
      { target: { module: 'a.ts' }, judge: { model: 'm', verdicts: 3 }, user: { model: 'm' } },
    ],
  ])('takes %s', async (_what, suite) => {
    const validate = await validator('suite');
    validate(suite);
    expect(validate.errors).toBeNull();
  });

  test.each([
    ['two targets', { target: { module: 'a.ts', command: ['x'] } }],
    ['no target', { target: {} }],
    ['a backend that is sent nothing', { target: { http: { baseURL: 'http://x' } } }],
    ['ten verdicts', { target: { module: 'a.ts' }, judge: { model: 'm', verdicts: 10 } }],
  ])('refuses %s', async (_what, suite) => {
    expect((await validator('suite'))(suite)).toBe(false);
  });
});

test('the schema of tools takes both forms of a live tool, and no mixture', async () => {
  const validate = await validator('tools');
  const withLive = (live: object) => ({ tools: [{ name: 'a', live }] });
  for (const live of [
    { command: ['x'], cwd: '.', env: {} },
    { url: 'http://x', method: 'GET', timeoutSeconds: 3 },
  ]) {
    validate(withLive(live));
    expect(validate.errors).toBeNull();
    expect(validate([{ type: 'function', function: { name: 'a' }, live }])).toBe(true);
  }
  for (const live of [{}, { command: ['x'], url: 'http://x' }, { url: 'http://x', cwd: '.' }])
    expect(validate(withLive(live))).toBe(false);
});

const shipped: [SchemaName, string[]][] = [
  ['config', ['.evalrc.json']],
  ['suite', ['suites/*/suite.yaml', 'examples/*/suite.yaml']],
  ['scenario', ['{suites,examples}/*/scenarios/**/*.{yaml,jsonl}']],
  ['tools', ['suites/*/tools.yaml']],
  ['simulated', ['simulated/*.yaml']],
  ['baseline', ['baselines/*/*.yaml']],
];

test.each(shipped)('the shipped files of %s fit the published schema', async (name, patterns) => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = await glob(patterns, { cwd: root, dot: true });
  expect(files.length).toBeGreaterThan(0);
  const validate = await validator(name);
  for (const file of files) {
    const { documents, problems } = await readDocuments(join(root, file), file);
    expect(problems).toEqual([]);
    for (const document of documents) {
      validate(toPlain(document));
      expect({ file, errors: validate.errors }).toEqual({ file, errors: null });
    }
  }
});

describe('evalrun schema', () => {
  test('prints one schema as JSON and nothing else', async () => {
    const { io, printed } = createIo('/');
    expect(await schemaCommand({ name: 'config' }, io)).toBe(0);
    expect(JSON.parse(printed())).toMatchObject({ title: 'evalrun: .evalrc.json' });
  });

  test('without a name tells which there are', async () => {
    const { io, printed } = createIo('/');
    expect(await schemaCommand({}, io)).toBe(0);
    for (const name of schemaNames) expect(printed()).toMatch(new RegExp(`^${name} `, 'm'));
  });

  test('writes all of them into a folder that it makes', async () => {
    const folder = await createFolder({});
    const { io, printed } = createIo(folder);
    expect(await schemaCommand({ out: 'a/b' }, io)).toBe(0);
    expect((await readdir(join(folder, 'a/b'))).sort()).toEqual(
      schemaNames.map((name) => `${name}.json`).sort(),
    );
    expect(await readFile(join(folder, 'a/b/suite.json'), 'utf8')).toBe(
      schemaText(await makeSchema('suite')),
    );
    expect(printed()).toContain('suite.json');
  });

  test('takes the place of an earlier one, and of nothing else', async () => {
    const suite = '{"name": "mine", "target": {"prompt": "v1.md", "model": "simulated:mine"}}\n';
    const folder = await createFolder({ 'mine/suite.json': suite });
    const { io } = createIo(folder);
    await expect(schemaCommand({ out: 'mine' }, io)).rejects.toThrow(
      'suite.json" is there and is no schema, and nothing takes its place; name another folder',
    );
    expect(await readFile(join(folder, 'mine/suite.json'), 'utf8')).toBe(suite);
    expect(await readdir(join(folder, 'mine'))).toEqual(['suite.json']);
    expect(await schemaCommand({ out: 'schemas' }, io)).toBe(0);
    expect(await schemaCommand({ out: 'schemas' }, io)).toBe(0);
  });

  test('answers a name that is none with the nearest', async () => {
    const { io } = createIo('/');
    await expect(schemaCommand({ name: 'suit' }, io)).rejects.toThrow(
      'there is no schema "suit"; did you mean "suite"?',
    );
  });
});
