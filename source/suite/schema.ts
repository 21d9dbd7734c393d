import { z } from 'zod';
import { liveToolSchema } from './live-tool-schema.js';
import { commandTargetSchema, httpTargetSchema, moduleTargetSchema } from './target-schemas.js';
import { turnSchema } from './turns.js';
import { scenarioSources } from './types.js';

/** Characters that no name may have: they would break lines and tables, or read as another name. */
const named = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/;

/** More than white space and characters that no font draws. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const name = (what: string) =>
  z
    .string()
    .min(1, { abort: true })
    .max(200)
    .regex(named, { error: `expected ${what} without control characters`, abort: true })
    .refine((value) => visible.test(value), { error: `expected ${what} that can be read` })
    // No file could have it for a key.
    .refine((value) => value !== '__proto__', { error: 'JavaScript keeps this name for itself' });

/** A number is fine too: it is read as it is written. */
const idSchema = z.union([name('an id'), z.int()]);

const text = z.string();
/** Whatever the file holds, which is JSON in every format. */
const json = z.unknown();

const turnsOfOn = 'expected "replies", "last", "first", the number of a turn, or a range like 2..5';

export const onSchema = z
  .union(
    [
      z.enum(['replies', 'last', 'first']),
      z.int().min(1),
      z.string().regex(/^\s*[1-9]\d*\s*(?:\.\.\s*[1-9]\d*\s*)?$/, { error: turnsOfOn }),
    ],
    { error: turnsOfOn },
  )
  .describe('Which replies are read: replies (all), last, first, a turn, or a range like 2..5');

/** What every check may have beside the arguments of its type. */
export const commonCheckShape = {
  id: idSchema.optional().describe('Made from type and main argument where it is not given.'),
  on: onSchema.optional(),
  absolute: z.boolean().optional().describe('One violation is a defect, however many trials pass.'),
  axis: name('the name of an axis').optional().describe('Adds the check to the scores of this axis.'),
};

export const commonCheckSchema = z.strictObject(commonCheckShape);

const profileSchema = z.union([
  text,
  z.array(text),
  z
    .object({
      name: text.optional(),
      facts: z
        .union([z.array(text), text])
        .optional()
        .describe('What the person knows.'),
      unknown: z
        .union([z.array(text), text])
        .optional()
        .describe('What the person does not know, for the simulated user alone.'),
    })
    .catchall(json)
    .describe('The persona: a name, facts, and whatever else the prompt or the reader should know.'),
]);

/** A scenario after `dialects.ts`. Checks and fixtures are read on their own, each mistake at its place. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  id: idSchema.describe('Unique in the suite; results are kept under it.'),
  tags: z.array(name('a tag')).default([]),
  source: z.enum(scenarioSources).optional().describe('Where the scenario comes from.'),
  origin: text.optional().describe('What it was made from, kept for attribution.'),
  tenant: text.optional(),
  variables: z.record(z.string(), z.union([text, z.number(), z.boolean()])).default({}),
  profile: profileSchema.optional(),
  history: json.optional().describe('Loaded into the account before the trial.'),
  turns: z
    .array(turnSchema, {
      error: ({ input }) =>
        input === undefined ? 'what the user says, [{user: …}], or "message" for a single one' : undefined,
    })
    .min(1),
  fixtures: z.record(z.string(), json).default({}).describe('What each tool answers.'),
  checks: z.array(json).default([]),
});

/** One item of a fixture that is a list of rules. */
export const fixtureRuleSchema = z.strictObject({
  when: z.record(z.string(), json).optional().describe('Arguments that the call must have.'),
  returns: json.optional(),
  error: text.min(1).optional(),
});

const settingsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).default(1024).describe('Output tokens of one model request.'),
  maxSteps: z.int().min(1).default(8).describe('Model requests in one turn.'),
});

const modelName = z.string().min(1).describe('A name from "models" of .evalrc.json, or provider:model.');

const promptTargetShape = {
  prompt: z.string().min(1).describe('A name from "prompts" of .evalrc.json, or a path.'),
  model: modelName,
  tools: z.string().min(1).optional().describe('File of the tools, beside suite.yaml.'),
  settings: settingsSchema.prefault({}),
  template: z
    .boolean()
    .default(false)
    .describe('Fills in {{tenant}}, {{variables.x}} and {{profile.x}} in the prompt.'),
};

/** Keys that stand in a prompt target, for those who look for them one level higher. */
export const promptTargetKeys: readonly string[] = Object.keys(promptTargetShape);

/** `{prompt: …, model: …}`, the target that is a prompt and a model. */
const promptTargetSchema = z
  .strictObject(promptTargetShape)
  .transform((raw) => ({ kind: 'prompt' as const, ...raw }));

/** By the key that makes a target one of its kind. */
export const targetSchemas = {
  prompt: promptTargetSchema,
  http: httpTargetSchema,
  command: commandTargetSchema,
  module: moduleTargetSchema,
} as const;

export type TargetKind = keyof typeof targetSchemas;
export const targetKinds = Object.keys(targetSchemas) as TargetKind[];

const share = z.number().min(0).max(1);

export const suiteSchema = z.strictObject({
  $schema: z.string().optional(),
  name: name('a name').optional().describe('The name of the folder.'),
  target: z
    .union([promptTargetSchema, httpTargetSchema, commandTargetSchema, moduleTargetSchema])
    .describe('What is tested: exactly one of prompt, http, command and module.'),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe(
      'For a target of another kind than prompt: the prompt whose text reaches the product, so that candidates and bisects work for it too. A name from "prompts" of .evalrc.json, or a path.',
    ),
  judge: z
    .strictObject({
      model: modelName,
      prompt: z
        .string()
        .regex(/^[\w.-]+@\d+$/, { error: 'expected a judge prompt with its version, as in "default@1"' })
        .default('default@1'),
      verdicts: z.int().min(1).max(9).optional().describe('Verdicts on one trial; the median counts.'),
      strict: z
        .boolean()
        .optional()
        .describe('true: a run does not begin unless the judge is of another vendor than the agent.'),
    })
    .optional(),
  user: z
    .strictObject({ model: modelName })
    .optional()
    .describe('Who plays the user in turns with "simulate".'),
  repeat: z.int().min(1).max(1000).optional().describe('Trials of every scenario.'),
  limits: z
    .strictObject({ maxTurns: z.int().min(1).max(10_000).default(40) })
    .prefault({})
    .describe('maxTurns: user messages of one trial; what is over is not sent.'),
  checks: z.array(json).default([]).describe('For every scenario.'),
  scenarios: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .default('scenarios/**/*.{yaml,yml,json,jsonl}')
    .describe('Files of scenarios: patterns from the folder of the suite.'),
  mix: z
    .partialRecord(z.enum(scenarioSources), share)
    .refine((mix) => Math.abs(Object.values(mix).reduce((sum, part) => sum + part, 0) - 1) < 0.005, {
      error: 'the shares of the mix must add up to 1',
    })
    .optional()
    .describe('The share of scenarios that each source should have.'),
});

/** suite.yaml as its schema gives it. */
export type SuiteValue = z.output<typeof suiteSchema>;

/** A tool after `tools.ts` has unwrapped it. */
export const toolSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,128}$/, { error: 'expected a name of letters, digits, "_", "." and "-"' }),
  description: text.default(''),
  parameters: z
    .looseObject({ type: z.literal('object').optional() })
    .default({ type: 'object', properties: {} })
    .describe('JSON Schema of the arguments: an object.'),
  live: liveToolSchema.optional(),
});
