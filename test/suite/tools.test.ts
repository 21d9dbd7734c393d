import { join } from 'node:path';
import { expect, test } from 'vitest';
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
