import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseDocuments } from '../../source/base/document.js';
import type { Json, JsonObject } from '../../source/base/json.js';
import { validateNode } from '../../source/base/validate.js';
import { gradeTrial } from '../../source/grade/grade.js';
import { checkCatalogue, checkDefinitions } from '../../source/grade/registry.js';
import type { CheckSpec } from '../../source/suite/types.js';
import { conversation, reporting } from './transcripts.js';

const tuning: Json = {
  wrapUp: { hardCap: 2, words: ['therapy', 'diagnosis'] },
  limits: { distress: 6, pattern: '(?i)calm down', broken: '(', negative: -1 },
  none: null,
};

/** A check as loading a suite reads it from these arguments. */
function load(type: string, args: JsonObject): CheckSpec {
  const entry = checkCatalogue.find(type);
  const parsed = entry?.schema.parse(args) as JsonObject;
  expect(entry?.validate?.(parsed) ?? []).toEqual([]);
  return {
    id: entry?.mainArgument(parsed) ?? '',
    type,
    args: parsed,
    place: { file: 'a.yaml', line: 1, column: 1 },
  };
}

async function graded(type: string, args: JsonObject, values: Json | undefined = tuning) {
  const transcript = reporting({ distress: 8 }, { distress: 5 });
  const context = {
    transcript,
    suiteFolder: '/nowhere',
    seed: 's',
    ...(values !== undefined && { tuning: values }),
  };
  const [result] = await gradeTrial([load(type, args)], context, () => {});
  return result;
}

describe('a tuning value', () => {
  it('stands for a number, a text, or anything below them', async () => {
    expect(await graded('signal', { name: 'distress', max: { tuning: '$.limits.distress' } })).toMatchObject({
      verdict: 'fail',
      reason: 'expected distress to be at most 6 in every turn, saw 8 (turn 1)',
    });
    expect(await graded('session_ended', { by_turn: { tuning: '$.wrapUp.hardCap' } })).toMatchObject({
      verdict: 'fail',
      reason: 'expected the product to end the session by turn 2, which it did not do',
    });
    expect(await graded('pattern_absent', { pattern: { tuning: '$.limits.pattern' } })).toMatchObject({
      verdict: 'pass',
      reason: 'no match of (?i)calm down',
    });
    expect(
      await graded('keywords_absent', { words: ['sorry', { tuning: '$.wrapUp.words[1]' }] }),
    ).toMatchObject({ verdict: 'pass', reason: 'none of "sorry", "diagnosis"' });
    expect(
      await graded('signal', { name: 'distress', in: [1, { tuning: '$.limits.distress' }], when: 'none' }),
    ).toMatchObject({
      verdict: 'pass',
    });
    expect(await graded('budget', { steps: { fail: { tuning: '$.limits.distress' } } })).toMatchObject({
      verdict: 'pass',
      reason: 'steps 2 model requests, within the limit of 6 model requests',
    });
  });

  it.each<[string, JsonObject, Json | undefined, string]>([
    [
      'signal',
      { name: 'distress', max: { tuning: '$.limits.missing' } },
      tuning,
      'cannot be decided: it needs the tuning value $.limits.missing, which is not there',
    ],
    [
      'signal',
      { name: 'distress', max: { tuning: '$.limits.*' } },
      tuning,
      'cannot be decided: it needs the tuning value $.limits.*, which finds several',
    ],
    [
      'signal',
      { name: 'distress', max: { tuning: '$.limits.pattern' } },
      tuning,
      'cannot be decided: with the tuning value $.limits.pattern the check is not valid: max = "(?i)calm down": Invalid input: expected number, received string',
    ],
    [
      'session_ended',
      { by_turn: { tuning: '$.limits.negative' } },
      tuning,
      'cannot be decided: with the tuning value $.limits.negative the check is not valid: by_turn = -1: Too small: expected number to be >=1',
    ],
    [
      'session_ended',
      { by_turn: { tuning: '$.none' } },
      tuning,
      'cannot be decided: with the tuning value $.none the check is not valid: by_turn = null: Invalid input: expected number, received null',
    ],
  ])('of %s that is missing or does not fit leaves it unknown: %j', async (type, args, values, reason) => {
    expect(await graded(type, args, values)).toMatchObject({ verdict: 'unknown', reason });
  });

  it('that makes a pattern which does not compile leaves the check unknown', async () => {
    const result = await graded('pattern_absent', { pattern: { tuning: '$.limits.broken' } });
    expect(result?.verdict).toBe('unknown');
    expect(result?.reason).toMatch(/with the tuning value \$\.limits\.broken .* pattern = "\(": RE2 refuses/);
  });

  it('is unknown where the product gave none, and a check that needs none is graded', async () => {
    const context = { transcript: conversation('Hello.'), suiteFolder: '/nowhere', seed: 's' };
    const checks = [
      load('pattern_absent', { pattern: { tuning: '$.limits.pattern' } }),
      load('pattern_absent', { pattern: 'refund' }),
    ];
    expect(await gradeTrial(checks, context, () => {})).toMatchObject([
      {
        verdict: 'unknown',
        reason:
          'cannot be decided: it needs the tuning value $.limits.pattern, and the product gave no tuning values',
      },
      { verdict: 'pass' },
    ]);
  });

  it('tells checks apart by its path', () => {
    expect(load('pattern_absent', { pattern: { tuning: '$.a' } }).id).toBe('$.a');
    expect(load('keywords_present', { words: [{ tuning: '$.b' }, 'c'] }).id).toBe('$.b c');
  });

  it('is no reference where it stands for itself: a tool may have an argument of that name', async () => {
    const spec = load('tool_called', {
      tool: 'tune',
      args: { piano: { tuning: 'just' }, pitch: { tuning: '$.a', at: 1 } },
    });
    expect(spec.args).toMatchObject({ args: { piano: { tuning: 'just' }, pitch: { tuning: '$.a', at: 1 } } });
    const context = { transcript: conversation('Hi.'), suiteFolder: '/', seed: 's' };
    expect((await gradeTrial([spec], context, () => {}))[0]?.reason).toMatch(/^tune was never called/);
  });

  it.each<[string, JsonObject]>([
    ['custom', { module: { tuning: '$.module' } }],
    ['custom', { command: ['sh', { tuning: '$.program' }] }],
    ['keywords_absent', { file: { tuning: '$.file' } }],
    ['json_schema', { file: { tuning: '$.file' } }],
    ['signal', { name: 'x', max: 1, when: { tuning: '$.when' } }],
    ['keywords_present', { words: ['a'], any: { tuning: '$.any' } }],
    ['keywords_present', { words: { tuning: '$.words' } }],
    ['signal', { name: 'x', max: { tuning: 'limits.distress' } }],
    ['signal', { name: 'x', max: { tuning: '$.a', other: 1 } }],
  ])('cannot name a file or a program, nor be a choice, a flag or a list: %s %j', (type, args) => {
    expect(checkCatalogue.find(type)?.schema.safeParse(args).success).toBe(false);
  });

  it('whose path is none is a mistake at its place', () => {
    const entry = checkCatalogue.find('budget');
    const args = entry?.schema.parse({ steps: { fail: { tuning: '$..[' } } }) as JsonObject;
    expect(entry?.validate?.(args)).toMatchObject([
      { path: ['steps', 'fail', 'tuning'], message: expect.stringMatching(/^this is no JSONPath/) },
    ]);
  });
});

describe('the catalogue', () => {
  it.each(checkDefinitions)(
    'reads arguments of $type without tuning values as the definition does',
    (definition) => {
      const entry = checkCatalogue.find(definition.type);
      expect(entry?.schema.parse(definition.example)).toEqual(definition.schema.parse(definition.example));
      for (const wrong of [{}, { nonsense: 1 }, { ...definition.example, name: 7, tool: 7, path: [] }])
        expect(entry?.schema.safeParse(wrong).error?.issues).toEqual(
          definition.schema.safeParse(wrong).error?.issues,
        );
    },
  );

  it.each(checkDefinitions)(
    'gives editors a schema of $type with the same arguments, described as well',
    (definition) => {
      const plain = z.toJSONSchema(definition.schema, { io: 'input' });
      const tuned = z.toJSONSchema(checkCatalogue.find(definition.type)?.schema as z.ZodType, {
        io: 'input',
      });
      expect(Object.keys(tuned.properties ?? {})).toEqual(Object.keys(plain.properties ?? {}));
      expect(tuned.required).toEqual(plain.required);
      expect(tuned.additionalProperties).toBe(false);
      for (const [name, property] of Object.entries(plain.properties ?? {})) {
        const other = tuned.properties?.[name];
        if (typeof property === 'object' && typeof other === 'object')
          expect(other.description, name).toBe(property.description);
      }
    },
  );

  it('says of a mistake what it is and where, with a tuning value beside it or not', async () => {
    const problems = async (text: string) => {
      const schema = checkCatalogue.find('signal')?.schema;
      const [node] = (await parseDocuments(text, 'a.yaml', 'yaml')).documents;
      if (!schema || !node) throw new Error('there is nothing to validate');
      return validateNode(schema, node, { file: 'a.yaml' }).problems.map(
        ({ line, column, message }) => `${line}:${column} ${message}`,
      );
    };
    expect(await problems('{name: x, max: high}')).toEqual(['1:16 expected a number, found the text "high"']);
    expect(await problems('{nam: x, max: 1}')).toEqual(['1:2 unknown key "nam"; did you mean "name"?']);
    expect(await problems('{nam: x, max: {tuning: $.a}}')).toEqual([
      '1:2 unknown key "nam"; did you mean "name"?',
    ]);
    expect(await problems('{name: x, max: {tuning: $.a}, min: high}')).toEqual([
      '1:36 expected a number or a map of keys, found the text "high"',
    ]);
  });
});
