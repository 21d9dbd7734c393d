import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { canonicalJson } from '../base/hash.js';
import { isJsonObject, type Json, type JsonObject } from '../base/json.js';
import { parseJsonText } from '../base/json-text.js';
import { compilePattern, findMistake } from './compiled-pattern.js';
import { defineCheck } from './define.js';
import { noJson } from './json-fields.js';
import { findPathMistake, readJsonReply, selectValues } from './json-reply.js';
import { quote, quoteJson } from './quote.js';
import { messageOf, readSuiteFile } from './suite-file.js';
import { hasNoText, nothingToRead, selectTurns, stopNote, undecided } from './turns.js';
import type { ArgumentMistake, Evidence } from './types.js';

const argsSchema = z.strictObject({
  schema: z
    .record(z.string(), z.json())
    .optional()
    .describe(
      'JSON Schema, draft 2020-12; `$schema` is not looked at, formats are checked, and patterns are in RE2 syntax: ' +
        'no look-around, no back-references.',
    ),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('Instead of schema: a JSON file below the folder of the suite that holds it.'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe(
      'JSONPath: what it selects has to be valid, and it has to select something. Not given: the whole reply.',
    ),
});
type Args = z.infer<typeof argsSchema>;

export const jsonSchema = defineCheck<Args>({
  type: 'json_schema',
  kind: 'hard',
  summary: 'Every reply is JSON, and valid against a JSON Schema.',
  schema: argsSchema,
  example: { file: 'schemas/order.json', path: '$.order' },
  defaultOn: 'replies',
  absoluteByDefault: true,
  untunable: ['file'],
  mainArgument: (args) => [args.file, args.path].filter((part) => part !== undefined).join(' '),
  validate: mistakes,
  grade(args, context, spec) {
    const validate = compileSchema(schemaOf(args, context.suiteFolder));
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const evidence: Evidence[] = [];
    // A turn that a missing fixture broke off has no reply yet.
    const finished = selection.turns.filter((turn) => turn.reply.stop !== 'no-fixture');
    for (const turn of finished) {
      if (hasNoText(turn)) continue;
      const reply = readJsonReply(turn);
      if (!reply) return noJson([turn]);
      const values = args.path === undefined ? [reply.value] : selectValues(reply.value, args.path);
      const problem =
        values.length === 0
          ? `nothing stands at ${args.path}`
          : values.map((value) => problemWith(validate, value)).find((one) => one !== undefined);
      if (problem !== undefined)
        return {
          verdict: 'fail',
          reason: `expected valid JSON in turn ${turn.index}, but ${problem}; saw ${quote(turn.reply.text)}${stopNote([turn])}`,
          evidence: [reply.evidence],
        };
      evidence.push(reply.evidence);
    }
    if (selection.open) return undecided(selection.open);
    const empty = finished.find(hasNoText);
    if (empty) return nothingToRead(empty);
    return { verdict: 'pass', reason: 'valid against the schema', evidence };
  },
});

function problemWith(validate: ValidateFunction, value: Json): string | undefined {
  if (validate(value)) return undefined;
  const error = validate.errors?.[0];
  if (!error) return 'it is not valid';
  const where = error.instancePath === '' ? 'the value' : error.instancePath;
  const extra: unknown = error.params.additionalProperty ?? error.params.unevaluatedProperty;
  const allowed: unknown = error.params.allowedValues ?? error.params.allowedValue;
  const detail =
    extra !== undefined
      ? ` (${quoteJson(String(extra), 40)})`
      : allowed !== undefined
        ? ` (${quoteJson(allowed as Json, 80)})`
        : '';
  return `${where} ${error.message ?? 'is not valid'}${detail}`;
}

function schemaOf(args: Args, suiteFolder: string): JsonObject {
  if (args.file === undefined) return args.schema ?? {};
  const text = readSuiteFile(suiteFolder, args.file);
  let value: Json;
  try {
    value = parseJsonText(text);
  } catch (error) {
    throw new Error(`"${args.file}" is not JSON: ${messageOf(error)}`);
  }
  if (!isJsonObject(value)) throw new Error(`"${args.file}" does not hold a JSON object`);
  return value;
}

const compiled = new Map<string, ValidateFunction>();
let loadedAjv: Ajv2020 | undefined;

/** Why a schema cannot be used, and where in it that stands. */
class SchemaError extends Error {
  readonly path: string[];
  constructor(message: string, path: string[] = []) {
    super(message);
    this.path = path;
  }
}

/** Compiles a schema once a process. Throws SchemaError. */
function compileSchema(schema: JsonObject): ValidateFunction {
  const key = canonicalJson(schema);
  const known = compiled.get(key);
  if (known) return known;
  if (schema.$async === true) throw new SchemaError('an asynchronous schema cannot be used', ['$async']);
  const { $schema: _dialect, ...usable } = schema;
  const refused = findRefusedPattern(usable, []);
  if (refused) throw new SchemaError(refused.message, refused.path);
  const engine = ajv();
  if (engine.validateSchema(usable) !== true) {
    const [error] = engine.errors ?? [];
    throw new SchemaError(
      `this is no JSON Schema: ${error?.message ?? 'it is not valid'}`,
      pointerPath(error?.instancePath),
    );
  }
  try {
    const validate = engine.compile(usable);
    // A schema that refers to itself and to nothing else never comes to an end.
    validate(null);
    compiled.set(key, validate);
    return validate;
  } catch (error) {
    const why = error instanceof RangeError ? 'it refers to itself without end' : messageOf(error);
    throw new SchemaError(`this is no JSON Schema: ${why}`);
  } finally {
    // An id can be registered once only, and another check may use a changed schema of the same id.
    if (typeof usable.$id === 'string') engine.removeSchema(usable.$id);
  }
}

function pointerPath(pointer = ''): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** In UTF-16 units; what is longer is refused by every server. */
const longestUrl = 20_000;

/** Loaded at first use, and synchronously, because mistakes in a schema are looked for while a suite loads. */
function ajv(): Ajv2020 {
  if (loadedAjv) return loadedAjv;
  const require = createRequire(import.meta.url);
  const { Ajv2020: Constructor } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as typeof import('ajv-formats').default;
  // Providers' schemas use keywords of their own. `pattern` meets what a model wrote, so it runs in linear time.
  loadedAjv = new Constructor({
    strict: false,
    logger: false,
    code: { regExp: Object.assign(linearRegExp, { code: 'new RegExp' }) },
  });
  addFormats(loadedAjv);
  // Its pattern takes the square of a text's length, and a reply may have millions of characters.
  const { url } = loadedAjv.formats;
  if (url instanceof RegExp)
    loadedAjv.addFormat('url', (text) => text.length <= longestUrl && url.test(text));
  return loadedAjv;
}

/** Ajv tells patterns apart by their text form: without it each would be taken for the first one. */
interface LinearRegExp {
  test(text: string): boolean;
  toString(): string;
}

function linearRegExp(pattern: string): LinearRegExp {
  const linear = compilePattern(pattern);
  return { test: (text) => linear.matcher(text).find(), toString: () => `RE2:${pattern}` };
}

/** Members of a schema that hold values rather than schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples']);

/**
 * The first pattern that RE2 refuses. Those would have to be run by an engine that a few dozen characters of a reply
 * can keep busy for ever.
 */
function findRefusedPattern(schema: Json, path: string[]): { path: string[]; message: string } | undefined {
  const below = (one: Json, step: string | number) => findRefusedPattern(one, [...path, String(step)]);
  if (Array.isArray(schema)) return firstOf(schema.map((item, index) => () => below(item, index)));
  if (!isJsonObject(schema)) return undefined;
  return firstOf(
    Object.entries(schema).map(([key, value]) => () => {
      if (dataKeywords.has(key)) return undefined;
      const patterns =
        key === 'pattern' && typeof value === 'string'
          ? [value]
          : key === 'patternProperties' && isJsonObject(value)
            ? Object.keys(value)
            : [];
      const message = patterns.map(findMistake).find((mistake) => mistake !== undefined);
      return message === undefined ? below(value, key) : { path: [...path, key], message };
    }),
  );
}

function firstOf<T>(finds: readonly (() => T | undefined)[]): T | undefined {
  for (const find of finds) {
    const found = find();
    if (found !== undefined) return found;
  }
  return undefined;
}

function mistakes(args: Args, suiteFolder?: string): ArgumentMistake[] {
  const found: ArgumentMistake[] = [];
  const pathMistake = args.path === undefined ? undefined : findPathMistake(args.path);
  if (pathMistake) found.push({ path: ['path'], message: pathMistake });
  if ((args.schema === undefined) === (args.file === undefined))
    return [...found, { path: [], message: 'needs either schema or file' }];
  if (args.file !== undefined && suiteFolder === undefined) return found;
  try {
    compileSchema(schemaOf(args, suiteFolder ?? ''));
  } catch (error) {
    found.push(mistakeOf(error, args.file));
  }
  return found;
}

function mistakeOf(error: unknown, file: string | undefined): ArgumentMistake {
  const message = messageOf(error);
  if (!(error instanceof SchemaError)) return { path: [file === undefined ? 'schema' : 'file'], message };
  if (file === undefined) return { path: ['schema', ...error.path], message };
  const where = error.path.length > 0 ? ` (at /${error.path.join('/')})` : '';
  return { path: ['file'], message: `"${file}": ${message}${where}` };
}
