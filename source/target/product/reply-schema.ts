import { z } from 'zod';
import type { Json } from '../../base/json.js';
import { suggest } from '../../base/nearest.js';
import { quote } from '../../base/quote.js';
import type { AgentReply } from '../types.js';
import { type ProductReply, toAgentReply, usageMistake } from './agent-reply.js';
import { readToolCalls } from './tool-calls.js';

const json: z.ZodType<Json> = z.json();
const tokens = z.int().min(0);

/** What a command answers to `send`, and what a module's `send` returns. `formats.md` shows it whole. */
const replySchema = z.strictObject({
  reply: z.string().exactOptional(),
  toolCalls: z
    .array(json)
    .transform((values, context) => {
      const calls = readToolCalls(values);
      if (Array.isArray(calls)) return calls;
      context.addIssue({ code: 'custom', message: calls.message, params: { key: calls.key } });
      return z.NEVER;
    })
    .exactOptional(),
  signals: z.record(z.string(), json).exactOptional(),
  suggestions: z.array(z.string()).exactOptional(),
  model: z.string().exactOptional(),
  version: z.string().exactOptional(),
  usage: z
    .strictObject({
      input: tokens,
      output: tokens,
      cacheRead: tokens.default(0),
      cacheWrite: tokens.default(0),
    })
    .superRefine((usage, context) => {
      const message = usageMistake(usage);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['input'], message });
    })
    .exactOptional(),
  ended: z.boolean().exactOptional(),
  fallback: z.boolean().exactOptional(),
});

/** What `open` answers. */
const openSchema = z.strictObject({ session: json, tuning: json.exactOptional() });

/** A value that was read, or what is wrong with it, naming the key and what would be right. */
export type Read<T> = { value: T } | { mistake: string };

/** Reads what a product answered to `open`. */
export function readOpened(value: unknown): Read<{ session: Json; tuning?: Json }> {
  return read(openSchema, openKeys, value);
}

/** Reads what a product answered to `send`. The reply may be missing only when the session has ended with it. */
export function readReply(value: unknown): Read<AgentReply> {
  const result = read(replySchema, replyKeys, value);
  if ('mistake' in result) return result;
  const { reply, ...rest } = result.value;
  if (reply === undefined && rest.ended !== true) return { mistake: 'reply: expected a text, found nothing' };
  const product: ProductReply = { texts: reply === undefined ? [] : [reply], ...rest };
  return { value: toAgentReply(product) };
}

const openKeys = Object.keys(openSchema.shape);
const replyKeys = Object.keys(replySchema.shape);
const usageKeys = ['input', 'output', 'cacheRead', 'cacheWrite'];

function read<T>(schema: z.ZodType<T>, keys: readonly string[], value: unknown): Read<T> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const issue = result.error.issues[0];
  return { mistake: issue === undefined ? 'not what was expected' : describe(issue, keys, value) };
}

function describe(issue: z.core.$ZodIssue, keys: readonly string[], whole: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const known = issue.path[0] === 'usage' ? usageKeys : keys;
    return `${pathText([...issue.path, key])}: unknown key; ${suggest(key, known, 'keys')}`;
  }
  const at = issue.path.reduce<unknown>((value, key) => Object(value)[key], whole);
  const inner = issue.code === 'custom' ? ((issue.params?.key as string | undefined) ?? '') : '';
  const expected =
    issue.code === 'custom' ? issue.message : `expected ${expectedName(issue)}, found ${typeName(at)}`;
  const place = pathText(issue.path) + inner;
  return place === '' ? expected : `${place}: ${expected}`;
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function expectedName(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return `a number of at least ${issue.minimum}`;
  if (issue.code !== 'invalid_type') return 'a JSON value';
  switch (issue.expected) {
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'number':
    case 'int':
      return 'a whole number';
    case 'array':
      return 'a list';
    default:
      return 'an object';
  }
}

function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  if (typeof value === 'object') return 'an object';
  return `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`;
}
