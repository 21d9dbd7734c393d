import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Document } from 'yaml';
import { parseDocuments } from '../../source/base/document.js';
import type { Json, JsonObject } from '../../source/base/json.js';
import { readScenario } from '../../source/suite/scenario.js';
import { testCatalogue } from './project.js';

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const line = fc.oneof(
  word,
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '{{x}} {# y #}',
    'one\ntwo',
    ' - a: b',
    '#no comment',
    "it's",
    '"',
    '\\',
    'yes',
    '007',
    '',
    '\t',
    '退款\u00e9',
  ),
);
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    line,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value;

const check = fc.oneof(
  fc.record({ type: fc.constant('tool_called'), tool: word }),
  fc.record({ type: fc.constant('pattern_absent'), pattern: word }),
  fc.record({ type: fc.constant('judge'), rubric: word, min_score: fc.integer({ min: 1, max: 5 }) }),
);

/** Scenarios without mistakes, in the form of the schema. */
const scenario: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      id: word,
      tags: fc.uniqueArray(word, { maxLength: 3 }),
      source: fc.constantFrom('real', 'incident', 'adversarial', 'rare'),
      tenant: line,
      variables: fc.dictionary(word, fc.oneof(line, fc.integer(), fc.boolean()), { maxKeys: 3 }),
      history: json,
      turns: fc.array(fc.record({ user: line }), { minLength: 1, maxLength: 4 }),
      fixtures: fc.dictionary(word, json, { maxKeys: 3 }),
      checks: fc.uniqueArray(check, { maxLength: 4, selector: (value) => JSON.stringify(value) }),
    },
    { requiredKeys: ['id', 'turns', 'fixtures', 'checks'] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

type Style = 'block' | 'flow' | 'json' | 'json-lines';
const style = fc.constantFrom<Style>('block', 'flow', 'json', 'json-lines');

function write(value: Json, as: Style): { text: string; format: 'yaml' | 'json' | 'jsonl' } {
  if (as === 'json') return { text: JSON.stringify(value, null, 2), format: 'json' };
  if (as === 'json-lines') return { text: JSON.stringify(value), format: 'jsonl' };
  const document = new Document(value);
  const options = { aliasDuplicateObjects: false, collectionStyle: as } as const;
  return { text: document.toString(options), format: 'yaml' };
}

async function read(text: string, format: 'yaml' | 'json' | 'jsonl') {
  const { documents, problems } = await parseDocuments(text, 'f', format);
  expect(problems).toEqual([]);
  const [node] = documents;
  if (node === undefined) throw new Error('nothing was read');
  return readScenario(node, 'f', { catalogue: testCatalogue, suiteFolder: '/nowhere' });
}

/** A copy with one member of one object replaced or added. */
function plant(value: Json, path: readonly (string | number)[], key: string, planted: Json): Json {
  const copy = structuredClone(value);
  let at: Json = copy;
  for (const step of path) at = (at as Record<string | number, Json>)[step] as Json;
  (at as JsonObject)[key] = planted;
  return copy;
}

/** Maps of a scenario whose keys are known, with a mistake that can be made in each. */
function plantingPlaces(value: JsonObject): { path: (string | number)[]; key: string; planted: Json }[] {
  const turns = (value.turns as Json[]).map((_, index) => ({
    path: ['turns', index],
    key: 'zzplanted',
    planted: 'here',
  }));
  const texts = (value.turns as Json[]).map((_, index) => ({
    path: ['turns', index],
    key: 'user',
    planted: 424_242,
  }));
  const checks = (value.checks as Json[]).map((_, index) => ({
    path: ['checks', index],
    key: 'zzplanted',
    planted: 'here',
  }));
  return [
    { path: [], key: 'zzplanted', planted: 'here' },
    { path: [], key: 'source', planted: 'zzplanted' },
    ...turns,
    ...texts,
    ...checks,
  ];
}

test('a planted mistake is reported at its place, wherever it is planted and however the file is written', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, style, fc.nat(), async (value, as, pick) => {
      const places = plantingPlaces(value);
      const { path, key, planted } = places[pick % places.length] ?? { path: [], key: 'zz', planted: 1 };
      const { text, format } = write(plant(value, path, key, planted), as);
      const { problems } = await read(text, format);
      expect(problems).toHaveLength(1);
      const [{ line: lineNumber, column } = { line: 0, column: 0 }] = problems;
      const seen = (text.split('\n')[lineNumber - 1] ?? '').slice(column - 1);
      // The marker is unique in the file: what the place points at begins with it, in quotes or not.
      expect(seen.replace(/^["']/, '')).toMatch(/^(zzplanted|424242)/);
    }),
    { numRuns: 300 },
  );
});

test('a scenario means the same in every format, and has the same hash', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, style, async (value, as) => {
      const reference = await read(JSON.stringify(value), 'json');
      const { text, format } = write(value, as);
      const other = await read(text, format);
      expect(other.problems).toEqual([]);
      const meaning = ({ read: { content, checks } }: typeof other) => ({
        content: content && { ...content, place: undefined },
        checks: checks.map((one) => one.content),
      });
      expect(meaning(other)).toEqual(meaning(reference));
    }),
    { numRuns: 200 },
  );
});

test('a scenario means the same with Windows line ends and a byte order mark', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, style, async (value, as) => {
      const { text, format } = write(value, as);
      const plain = await read(text, format);
      const other = await read(`\ufeff${text.replaceAll('\n', '\r\n')}`, format);
      expect(other).toEqual(plain);
    }),
    { numRuns: 200 },
  );
});
