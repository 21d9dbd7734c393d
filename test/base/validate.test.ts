import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseDocuments } from '../../source/base/document.js';
import { formatProblem } from '../../source/base/errors.js';
import { type ValidateOptions, validateNode } from '../../source/base/validate.js';

const schema = z.strictObject({
  id: z.string().min(1),
  source: z.enum(['real', 'incident']).optional(),
  repeat: z.int().min(1).max(9).optional(),
  turns: z.array(z.strictObject({ user: z.string() })).min(1),
  act: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('say'), text: z.string() }),
      z.strictObject({ kind: z.literal('stop') }),
    ])
    .optional(),
  both: z.strictObject({ of: z.union([z.string(), z.int()]) }).optional(),
  words: z.union([z.string(), z.array(z.string())]).optional(),
  model: z.string().regex(/:/, { error: 'expected provider:model' }).optional(),
  names: z.record(z.string().regex(/^[a-z]+$/, { error: 'expected small letters' }), z.int()).optional(),
});

async function mistakes(text: string, options: Partial<ValidateOptions> = {}, of: z.ZodType = schema) {
  const { documents, problems } = await parseDocuments(text, 'f.yaml', 'yaml');
  expect(problems).toEqual([]);
  const [node] = documents;
  if (node === undefined) throw new Error('nothing to validate');
  return validateNode(of, node, { file: 'f.yaml', ...options }).problems.map(formatProblem);
}

const rest = 'turns: [{user: hi}]\n';

describe('a mistake stands at its place and says what would be right', () => {
  test.each([
    [`id: 5\n${rest}`, ['f.yaml:1:5: expected a text, found the number 5; put it in quotes']],
    [
      `id: yes\n${rest}repeat: "3"\n`,
      ['f.yaml:3:9: expected a whole number from 1 to 9, found the text "3"; take off the quotes'],
    ],
    [`id: true\n${rest}`, ['f.yaml:1:5: expected a text, found true; put it in quotes']],
    [`id: ~\n${rest}`, ['f.yaml:1:5: expected a text, found null; put it in quotes']],
    [`id:\n${rest}`, ['f.yaml:1:1: expected a text, found nothing']],
    [`id: ""\n${rest}`, ['f.yaml:1:5: expected a text that is not empty, found the text ""']],
    [rest, ['f.yaml:1:1: missing key "id": expected a text']],
    ['id: x\n', ['f.yaml:1:1: missing key "turns": expected a list']],
    ['id: x\nturns: []\n', ['f.yaml:2:8: expected a list of at least 1 item, found an empty list']],
    ['id: x\nturns: hi\n', ['f.yaml:2:8: expected a list, found the text "hi"']],
    ['id: x\nturns:\n  - {}\n', ['f.yaml:3:5: missing key "user": expected a text']],
    ['id: x\nturns:\n  - hi\n', ['f.yaml:3:5: expected a map of keys, found the text "hi"']],
    [`id: x\n${rest}repeat: 0\n`, ['f.yaml:3:9: expected a whole number from 1 to 9, found the number 0']],
    [`id: x\n${rest}repeat: 10\n`, ['f.yaml:3:9: expected a whole number from 1 to 9, found the number 10']],
    [
      `id: x\n${rest}repeat: 1.5\n`,
      ['f.yaml:3:9: expected a whole number from 1 to 9, found the number 1.5'],
    ],
    [
      `id: x\n${rest}source: incdent\n`,
      [
        'f.yaml:3:9: expected one of "real" or "incident", found the text "incdent"; did you mean "incident"?',
      ],
    ],
    [`id: x\n${rest}act: {}\n`, ['f.yaml:3:6: missing key "kind": expected one of "say" or "stop"']],
    [
      `id: x\n${rest}act: {kind: stpo}\n`,
      ['f.yaml:3:13: expected one of "say" or "stop", found the text "stpo"; did you mean "stop"?'],
    ],
    [`id: x\n${rest}act: {kind: say}\n`, ['f.yaml:3:6: missing key "text": expected a text']],
    [`id: x\n${rest}words: {}\n`, ['f.yaml:3:8: expected a text or a list, found an empty map']],
    [`id: x\n${rest}both: {}\n`, ['f.yaml:3:7: missing key "of": expected a text or a number']],
    [`id: x\n${rest}words: [a, 5]\n`, ['f.yaml:3:12: expected a text, found the number 5; put it in quotes']],
    [`id: x\n${rest}model: gpt\n`, ['f.yaml:3:8: expected provider:model']],
    [`id: x\n${rest}names: {a: 1, B: 2}\n`, ['f.yaml:3:15: key "B": expected small letters']],
  ])('%j', async (text, expected) => {
    expect(await mistakes(text)).toEqual(expected);
  });
});

describe('a value that nearly is what was expected comes with what to write', () => {
  const wanted = z.strictObject({
    tags: z.array(z.string()).default([]),
    turns: z.array(z.strictObject({ user: z.string() })).optional(),
    target: z.strictObject({ model: z.string() }).optional(),
    score: z.int().min(1).max(5).optional(),
    share: z.number().min(0).max(1).optional(),
    above: z.number().gt(0).max(2).optional(),
    most: z.int().min(1).optional(),
    template: z.boolean().default(false),
    either: z.union([z.int().min(1).max(3), z.strictObject({ min: z.int() })]).optional(),
  });
  test.each([
    ['tags: refund', 'expected a list, found the text "refund"; write [refund]'],
    [
      'tags: refund, late reply',
      'expected a list, found the text "refund, late reply"; write [refund, late reply]',
    ],
    ['tags: 2024', 'expected a list, found the number 2024; write ["2024"]'],
    ["tags: 'true'", 'expected a list, found the text "true"; write ["true"]'],
    ['turns: {user: hi}', 'expected a list, found a map; a list of one is written [{…}]'],
    [
      'turns: [user:hi]',
      'expected a map of keys, found the text "user:hi"; a space is missing after the colon',
    ],
    ['target: [{model: a}]', 'expected a map of keys, found a list; take it out of the list'],
    ['score: nine', 'expected a whole number from 1 to 5, found the text "nine"'],
    ['score: "3"', 'expected a whole number from 1 to 5, found the text "3"; take off the quotes'],
    ['share: 95%', 'expected a number from 0 to 1, found the text "95%"; write 0.95'],
    ['above: much', 'expected a number of more than 0 and at most 2, found the text "much"'],
    ['most: 20_000', 'expected a number, found the text "20_000"; write 20000'],
    ['template: yes', 'expected true or false, found the text "yes"; write true'],
    ['template: "false"', 'expected true or false, found the text "false"; take off the quotes'],
    [
      'either: "2"',
      'expected a whole number from 1 to 3 or a map of keys, found the text "2"; take off the quotes',
    ],
  ])('%s', async (text, expected) => {
    expect(await mistakes(`${text}\n`, {}, wanted)).toEqual([expect.stringMatching(/^f\.yaml:1:\d+: /)]);
    const [message = ''] = await mistakes(`${text}\n`, {}, wanted);
    expect(message.replace(/^f\.yaml:1:\d+: /, '')).toBe(expected);
  });

  test('as the format of the file writes it', async () => {
    const { documents } = await parseDocuments('{"tags": "refund"}', 'f.json', 'json');
    const [node] = documents;
    if (node === undefined) throw new Error('nothing to validate');
    expect(validateNode(wanted, node, { file: 'f.json' }).problems.map(formatProblem)).toEqual([
      'f.json:1:10: expected a list, found the text "refund"; write ["refund"]',
    ]);
  });
});

describe('an unknown key', () => {
  test('names the nearest known one, at the key', async () => {
    expect(await mistakes(`id: x\n${rest}souce: real\n`)).toEqual([
      'f.yaml:3:1: unknown key "souce"; did you mean "source"?',
    ]);
  });

  test('that was meant for a missing one is one mistake, not two', async () => {
    expect(await mistakes('id: x\nturns:\n  - usr: hi\n')).toEqual([
      'f.yaml:3:5: unknown key "usr"; did you mean "user"?',
    ]);
  });

  test('far from all names what is known', async () => {
    expect(await mistakes('id: x\nturns:\n  - user: hi\n    volume: 3\n')).toEqual([
      'f.yaml:4:5: unknown key "volume"; known keys: "user"',
    ]);
  });

  test('inside of one form of a union names the keys of that form', async () => {
    expect(await mistakes(`id: x\n${rest}act: {kind: say, text: a, txet: b}\n`)).toEqual([
      'f.yaml:3:27: unknown key "txet"; did you mean "text"?',
    ]);
  });

  test('may be explained by the caller, and keys read elsewhere are suggested', async () => {
    const options: Partial<ValidateOptions> = {
      alsoKnown: ['message'],
      explainKey: (key) => (key === 'assert' ? 'here it is called "checks"' : undefined),
    };
    expect(await mistakes(`id: x\n${rest}assert: []\nmesage: b\n`, options)).toEqual([
      'f.yaml:3:1: unknown key "assert"; here it is called "checks"',
      'f.yaml:4:1: unknown key "mesage"; did you mean "message"?',
    ]);
  });
});

test('all mistakes are reported together', async () => {
  expect(await mistakes('id: 5\nturns: [{user: 1}, {usr: x}]\nsouce: real\n')).toHaveLength(4);
});

test('a mistake below an alias stands where the part is written', async () => {
  expect(await mistakes('id: x\nturns:\n  - &t {user: 5}\n  - *t\n')).toEqual([
    'f.yaml:3:15: expected a text, found the number 5; put it in quotes',
    'f.yaml:3:15: expected a text, found the number 5; put it in quotes',
  ]);
});

test('what is right gives the value that the schema makes of it', async () => {
  const { documents } = await parseDocuments('a: 1\n', 'f.yaml', 'yaml');
  const [node] = documents;
  const withDefault = z.strictObject({ a: z.int(), b: z.int().default(2) });
  expect(node && validateNode(withDefault, node, { file: 'f.yaml' })).toEqual({
    value: { a: 1, b: 2 },
    problems: [],
  });
});
