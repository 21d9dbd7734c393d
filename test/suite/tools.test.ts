// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../source/base/errors.js';
import { readTools } from '../../source/suite/tools.js';
import { createFolder } from './project.js';

async function read(name: string, text: string) {
  const root = await createFolder({ [name]: text });
  const { tools, problems } = await readTools(join(root, name), name, root);
  return { tools, problems: problems.map(formatProblem) };
}

const parameters = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const tool = { name: 'get_order', description: 'Finds an order.', parameters };

test('tools in our own form and as OpenAI function tools are the same tools', async () => {
  const { tools: own } = await read('tools.yaml', `tools: ${JSON.stringify([tool])}\n`);
  expect(own).toEqual([tool]);
  const recorded = [
    JSON.stringify([{ type: 'function', function: { ...tool, strict: true } }]),
    JSON.stringify({ tools: [{ type: 'function', function: tool }] }),
    JSON.stringify([{ type: 'function', ...tool, strict: true }]),
    JSON.stringify([tool]),
  ];
  for (const text of recorded) {
    expect(await read('tools.json', text)).toEqual({ tools: own, problems: [] });
  }
  expect(await read('tools.jsonl', `${JSON.stringify(tool)}\n`)).toEqual({ tools: own, problems: [] });
});

test('a parameter that is called __proto__ stays one', async () => {
  const { tools } = await read(
    'tools.json',
    '[{"name":"t","parameters":{"type":"object","properties":{"__proto__":{"type":"string"}}}}]',
  );
  expect(JSON.stringify(tools[0]?.parameters)).toContain('"__proto__":{"type":"string"}');
});

test.each([
  ['tools: {a: 1}\n', 't.yaml:1:8: expected tools: [{name, description, parameters}], found a map'],
  ['tools:\n  - {nam: a}\n', 't.yaml:2:6: unknown key "nam"; did you mean "name"?'],
  ['tools:\n  - {name: a b}\n', 't.yaml:2:12: expected a name of letters, digits, "_", "." and "-"'],
  [
    'tools:\n  - {name: a, parameters: {type: array}}\n',
    't.yaml:2:34: expected "object", found the text "array"',
  ],
  [
    'tools:\n  - {name: a}\n  - {name: b}\n  - {name: a}\n',
    't.yaml:4:12: tool "a" is given twice, first at t.yaml:2:12; keep one',
  ],
  ['tools: []\nlive: x\n', 't.yaml:2:1: unknown key "live"; known keys: "tools"'],
  [
    '- {type: function, function: {name: a, descripton: x}}\n',
    't.yaml:1:40: unknown key "descripton"; did you mean "description"?',
  ],
  ['hello\n', 't.yaml:1:1: expected tools: [{name, description, parameters}], found the text "hello"'],
])('the mistake in %j stands at its place', async (text, expected) => {
  expect((await read('t.yaml', text)).problems).toEqual([expected]);
});

describe('how a tool is called for real', () => {
  async function readLive(text: string) {
    const root = await createFolder({ 'tools.yaml': text });
    const { live, tools, problems } = await readTools(join(root, 'tools.yaml'), 'tools.yaml', root);
    return { root, live, tools, problems: problems.map(formatProblem) };
  }

  test('is a command or a URL, and no part of what the model is told', async () => {
    const { root, live, tools, problems } = await readLive(`
tools:
  - name: get_order
    live: {command: [node, get-order.mjs], cwd: tools, env: {SHOP_KEY: '\${SHOP_KEY}'}, timeoutSeconds: 5}
  - name: list_orders
    live: {url: '\${SHOP_URL}/{{tenant}}/orders', method: GET, headers: {authorization: 'Bearer \${SHOP_KEY}'}}
  - {type: function, function: {name: refund}, live: {url: 'https://shop.example/refund/{{args.id}}'}}
  - name: say_goodbye
`);
    expect(problems).toEqual([]);
    expect(live).toEqual({
      get_order: {
        kind: 'command',
        command: ['node', 'get-order.mjs'],
        cwd: join(root, 'tools'),
        env: { SHOP_KEY: '${SHOP_KEY}' },
        timeoutSeconds: 5,
      },
      list_orders: {
        kind: 'http',
        method: 'GET',
        url: '${SHOP_URL}/{{tenant}}/orders',
        headers: { authorization: 'Bearer ${SHOP_KEY}' },
        timeoutSeconds: 30,
      },
      refund: {
        kind: 'http',
        method: 'POST',
        url: 'https://shop.example/refund/{{args.id}}',
        headers: {},
        timeoutSeconds: 30,
      },
    });
    expect(tools.map((each) => Object.keys(each))).toEqual(
      Array.from({ length: 4 }, () => ['name', 'description', 'parameters']),
    );
  });

  test.each([
    ['{}', 'expected {command: […]} or {url: …}'],
    ['{comand: [node]}', 'unknown key "comand"; did you mean "command"?'],
    ['{command: node x.mjs}', 'expected a list, the program and its arguments: there is no shell'],
    ['{command: [node], url: "http://x"}', 'a tool is called by "command" or by "url", not by both'],
    ['{command: [node], method: GET}', '"method" belongs to "url"'],
    ['{url: "http://x", cwd: .}', '"cwd" belongs to "command"'],
    ['{url: /orders}', '"/orders" is not an http or https URL'],
    ['{url: "http://x/{{arg.id}}"}', 'there is no value named "arg.id"; known names:'],
    ['{url: "http://x", headers: {"a b": x}}', '"a b" cannot be the name of a header'],
    ['{url: "http://x", method: post}', 'expected one of "GET", "POST", "PUT", "PATCH" or "DELETE"'],
    ['{url: "http://x", timeoutSeconds: 0}', 'expected a number of more than 0'],
  ])('%s is a mistake', async (live, expected) => {
    const { problems } = await readLive(`tools:\n  - {name: a, live: ${live}}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  test('never holds a key, and a key that is there is not repeated', async () => {
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    const { problems } = await readLive(
      `tools:\n  - {name: a, live: {url: "http://x", headers: {x-api-key: ${key}}}}\n  - {name: b, live: {command: [node], env: {KEY: ${key}}}}\n`,
    );
    expect(problems).toEqual([
      expect.stringMatching(/^tools\.yaml:2:60: this looks like a key/),
      expect.stringMatching(/^tools\.yaml:3:50: this looks like a key/),
    ]);
    expect(problems.join()).not.toContain('a1B2');
  });
});
