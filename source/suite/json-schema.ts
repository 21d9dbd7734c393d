import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json.js';
import { configSchema } from '../project/config-schema.js';
import type { CheckCatalogue } from './catalogue.js';
import { liveToolSchema } from './live-tool-schema.js';
import { commonCheckShape, fixtureRuleSchema, scenarioSchema, suiteSchema, toolSchema } from './schema.js';
import { turnSchema } from './turns.js';

/** Draft that editors understand best. */
const target = 'draft-7';

function toSchema(schema: z.ZodType): JsonObject {
  // `input`: what a person writes, so that keys with a default may be left out.
  const made: Record<string, unknown> = { ...z.toJSONSchema(schema, { target, io: 'input' }) };
  delete made.$schema;
  return withoutAnyJson(JSON.parse(JSON.stringify(made)));
}

/**
 * zod spells "any JSON" out as a definition that refers to itself, at the top of what it makes. `{}` says the same,
 * and can be put inside of another schema.
 */
function withoutAnyJson(made: JsonObject): JsonObject {
  const { definitions, ...rest } = made;
  if (!isJsonObject(definitions)) return made;
  const names = Object.keys(definitions).filter((name) => isAnyJson(definitions[name]));
  const references = new Set(names.map((name) => `#/definitions/${name}`));
  const kept = Object.entries(definitions).filter(([name]) => !names.includes(name));
  const whole = kept.length === 0 ? rest : { ...rest, definitions: Object.fromEntries(kept) };
  const text = JSON.stringify(whole, (_key, value: unknown) => {
    if (!isJsonObject(value) || !references.has(String(value.$ref))) return value;
    const { $ref: _, ...others } = value;
    return others;
  });
  return JSON.parse(text);
}

function isAnyJson(definition: unknown): boolean {
  if (!isJsonObject(definition) || !Array.isArray(definition.anyOf)) return false;
  const types = definition.anyOf.map((form) => (isJsonObject(form) ? form.type : undefined));
  return ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) => types.includes(type));
}

function document(title: string, schema: JsonObject): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema };
}

function properties(schema: JsonObject): JsonObject {
  return schema.properties as JsonObject;
}

/** JSON Schema of `.evalrc.json`. */
export function configJsonSchema(): JsonObject {
  return document('evalrun: .evalrc.json', toSchema(configSchema));
}

/** JSON Schema of one check, for all types of the catalogue. */
function checkSchema(catalogue: CheckCatalogue): JsonObject {
  const common = toSchema(z.strictObject(commonCheckShape));
  const types = catalogue.types().flatMap((type) => {
    const entry = catalogue.find(type);
    if (entry === undefined) return [];
    const args = toSchema(entry.schema);
    const required = Array.isArray(args.required) ? args.required : [];
    return [
      {
        ...args,
        title: type,
        ...(entry.summary !== undefined && { description: entry.summary }),
        properties: { type: { const: type }, ...(args.properties as JsonObject), ...properties(common) },
        required: ['type', ...required],
      },
    ];
  });
  return { anyOf: types, required: ['type'], properties: { type: { enum: catalogue.types() } } };
}

/** The forms of a fixture: a list of rules, else whatever the tool answers. */
function fixturesSchema(): JsonObject {
  const rule = {
    ...toSchema(fixtureRuleSchema),
    oneOf: [{ required: ['returns'] }, { required: ['error'] }],
  };
  const rules = {
    type: 'array',
    minItems: 1,
    items: { type: 'object', anyOf: [{ required: ['returns'] }, { required: ['error'] }] },
  };
  return {
    type: 'object',
    description: 'What each tool answers: always the same, or by rules {when, returns} and {when, error}.',
    additionalProperties: { anyOf: [{ type: 'array', items: rule }, { not: rules }] },
  };
}

/** The forms of a turn: what the user says, or what a model that plays the user is to do. */
function turnForms(): JsonObject[] {
  const { user, ...simulated } = properties(toSchema(turnSchema));
  const form = (own: JsonObject, required: string): JsonObject => ({
    type: 'object',
    properties: own,
    required: [required],
    additionalProperties: false,
  });
  return [form({ user: user ?? {} }, 'user'), form(simulated, 'simulate')];
}

/** JSON Schema of a file of scenarios: one, or a list, in every form that is accepted. */
export function scenarioJsonSchema(catalogue: CheckCatalogue): JsonObject {
  const made = toSchema(scenarioSchema);
  const own = properties(made);
  const checks = { type: 'array', items: { $ref: '#/definitions/check' } };
  const fixtures = fixturesSchema();
  const message = { type: 'string', description: 'The one user message, sent byte for byte.' };
  const scenario: JsonObject = {
    ...made,
    properties: {
      ...own,
      turns: { ...(own.turns as JsonObject), items: { anyOf: turnForms() } },
      checks,
      criteria: { ...checks, description: 'As checks.' },
      fixtures,
      tool_fixtures: { ...fixtures, description: 'As fixtures.' },
      message,
      input: message,
      messages: {
        type: 'array',
        minItems: 1,
        description: 'The user messages, in order.',
        items: {
          anyOf: [
            { type: 'string' },
            {
              type: 'object',
              properties: { role: { const: 'user' }, content: { type: 'string' } },
              required: ['role', 'content'],
              additionalProperties: false,
            },
            ...turnForms(),
          ],
        },
      },
      expected: {
        type: 'object',
        description: 'The action that the agent should take: arguments of a check of type action.',
      },
    },
    required: ['id'],
    oneOf: ['turns', 'message', 'input', 'messages'].map((key) => ({ required: [key] })),
    allOf: [
      { not: { required: ['checks', 'criteria'] } },
      { not: { required: ['fixtures', 'tool_fixtures'] } },
    ],
  };
  return document('evalrun: scenarios', {
    anyOf: [
      { $ref: '#/definitions/scenario' },
      { type: 'array', minItems: 1, items: { $ref: '#/definitions/scenario' } },
    ],
    definitions: { scenario, check: checkSchema(catalogue) },
  });
}

/** JSON Schema of suite.yaml. */
export function suiteJsonSchema(catalogue: CheckCatalogue): JsonObject {
  const made = toSchema(suiteSchema);
  const checks = {
    type: 'array',
    description: 'For every scenario.',
    items: { $ref: '#/definitions/check' },
  };
  return document('evalrun: suite.yaml', {
    ...made,
    properties: { ...properties(made), checks },
    definitions: { check: checkSchema(catalogue) },
  });
}

/** The forms of how a tool is called for real: a command or a URL. */
function liveSchema(): JsonObject {
  const made = toSchema(liveToolSchema);
  const { command, cwd, env, url, method, headers, timeoutSeconds } = properties(made);
  const form = (own: JsonObject, required: string): JsonObject => ({
    type: 'object',
    properties: { ...own, timeoutSeconds: timeoutSeconds ?? {} },
    required: [required],
    additionalProperties: false,
  });
  return {
    description: made.description ?? '',
    anyOf: [
      form({ command: command ?? {}, cwd: cwd ?? {}, env: env ?? {} }, 'command'),
      form({ url: url ?? {}, method: method ?? {}, headers: headers ?? {} }, 'url'),
    ],
  };
}

/** JSON Schema of a file of tools. */
export function toolsJsonSchema(): JsonObject {
  const made = toSchema(toolSchema);
  const live = liveSchema();
  const tool: JsonObject = { ...made, properties: { ...properties(made), live } };
  const recorded = {
    type: 'object',
    description: 'As recorded from an OpenAI request.',
    properties: { type: { const: 'function' }, function: { type: 'object' }, live },
    required: ['type', 'function'],
  };
  const list = {
    type: 'array',
    items: { anyOf: [{ $ref: '#/definitions/tool' }, recorded] },
  };
  return document('evalrun: tools', {
    anyOf: [
      {
        type: 'object',
        properties: { $schema: { type: 'string' }, tools: list },
        required: ['tools'],
        additionalProperties: false,
      },
      list,
    ],
    definitions: { tool },
  });
}

/** JSON Schema of a file whose zod schema is defined elsewhere. */
export function plainJsonSchema(title: string, schema: z.ZodType): JsonObject {
  return document(title, toSchema(schema));
}
