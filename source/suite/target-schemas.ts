// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { Json } from '../base/json.js';
import { findHttpMistakes, literalKeyMistake } from './http-mistakes.js';
import type { CommandTargetSpec, HttpCall, HttpTargetSpec, ModuleTargetSpec } from './target-specs.js';

/** Node's own HTTP client gives up after 300 seconds without a byte, so more cannot be promised. */
const longestHttpSilence = 300;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const path = z.string().min(1);
const template =
  'filled in: {{account}}, {{history}}, {{profile}}, {{prompt}}, {{promptPath}}, {{scenario}}, {{tenant}}, {{variables.x}}';
const json: z.ZodType<Json> = z.json();

const callShape = {
  get: path.describe(`Path below baseURL, or a whole URL; ${template}, percent-encoded.`).exactOptional(),
  post: path.describe('As get.').exactOptional(),
  put: path.describe('As get.').exactOptional(),
  patch: path.describe('As get.').exactOptional(),
  delete: path.describe('As get.').exactOptional(),
  body: json
    .describe(
      `Sent as JSON; ${template}. A value that is nothing but '{{name}}' becomes the JSON value itself.`,
    )
    .exactOptional(),
  headers: z
    .record(z.string(), z.string())
    .describe('Headers of this call alone; {{name}} and ${NAME} are filled in.')
    .exactOptional(),
};

type RawCall = { [M in (typeof methods)[number]]?: string } & {
  body?: Json;
  headers?: Record<string, string>;
};

/** `{post: /path, …}` becomes `{method: 'POST', path: '/path', …}`. Exactly one method must be there. */
function toCall<Raw extends RawCall>(
  raw: Raw,
  context: z.RefinementCtx,
): Omit<Raw, (typeof methods)[number]> & Pick<HttpCall, 'method' | 'path'> {
  // Of a mistyped key everything is said already.
  if (context.issues.length > 0) return z.NEVER;
  const { get, post, put, patch, delete: remove, ...rest } = raw;
  const given = Object.entries({ GET: get, POST: post, PUT: put, PATCH: patch, DELETE: remove }).flatMap(
    ([method, path]) => (path === undefined ? [] : [{ method: method as HttpCall['method'], path }]),
  );
  const [first, second] = given;
  if (first === undefined || second !== undefined) {
    const found =
      second === undefined ? 'none of them' : given.map(({ method }) => method.toLowerCase()).join(' and ');
    context.addIssue({
      code: 'custom',
      message: `expected exactly one of ${methods.join(', ')}, found ${found}`,
    });
    return z.NEVER;
  }
  return { ...rest, ...first };
}

const call = z.strictObject(callShape).transform(toCall);

const jsonPath = z.string().min(1);
const pick = (what: string) => jsonPath.describe(`JSONPath (RFC 9535) of ${what}.`).exactOptional();

const openCall = z
  .strictObject({
    ...callShape,
    save: z
      .record(z.string(), jsonPath)
      .describe('JSONPaths of values in the answer that later calls use by name, as in {session: $.id}.')
      .exactOptional(),
  })
  .transform(toCall);

const sendCall = z
  .strictObject({
    ...callShape,
    stream: z
      .literal('sse')
      .describe('The answer is a stream of server-sent events with JSON data.')
      .exactOptional(),
    delta: pick('the next piece of the reply, in an event of the stream'),
    reply: pick('the whole reply; several matches are several messages. The last event that has it wins'),
    toolCalls: pick('the tool calls that the product made: a list, or each one'),
    usage: z
      .strictObject({
        input: pick('all input tokens, those from the cache included; several matches are added up'),
        output: pick('output tokens'),
        cacheRead: pick('input tokens that came from the cache'),
        cacheWrite: pick('input tokens that were written to the cache'),
      })
      .exactOptional(),
    signals: z
      .record(z.string(), jsonPath)
      .describe('Named values of this turn, each by its JSONPath.')
      .exactOptional(),
    suggestions: pick('the quick replies that were offered'),
    model: pick('what answered'),
    version: pick("the product's version"),
    ended: pick('whether the product has ended the session'),
    fallback: pick('whether the product fell back to defaults: true taints the run'),
  })
  .transform(toCall);

const timeout = z
  .number()
  .positive()
  .describe('Seconds of silence after which a request counts as dead.')
  .default(60);

/** `{http: {…}}`, the target that is a backend with HTTP endpoints. */
export const httpTargetSchema = z
  .strictObject({
    http: z.strictObject({
      baseURL: z.string().min(1).describe('Where the backend is; ${NAME} is taken from the environment.'),
      headers: z
        .record(z.string(), z.string())
        .describe('Sent with every call; ${NAME} is taken from the environment.')
        .default({}),
      tuning: call
        .describe('Gives the values that the product is tuned with; not answered: the run aborts.')
        .exactOptional(),
      reset: call.describe('Empties the account and loads the history, before open.').exactOptional(),
      open: openCall.describe('Opens a session.').exactOptional(),
      send: sendCall.describe('Sends a message.'),
      close: call.describe('Closes the session, whatever happened.').exactOptional(),
      timeoutSeconds: timeout.pipe(z.number().max(longestHttpSilence)),
    }),
  })
  .transform(({ http }): HttpTargetSpec => ({ kind: 'http', ...http }))
  .superRefine((spec, context) => {
    // What is wrong with a key already may have left something out.
    if (context.issues.length > 0) return;
    for (const { path, message } of findHttpMistakes(spec)) {
      context.addIssue({ code: 'custom', path: ['http', ...path], message });
    }
  });

/** `{command: [program, …], …}`, the target that is a program speaking JSON lines. */
export const commandTargetSchema = z
  .strictObject({
    command: z
      .array(z.string(), { error: 'expected a list, the program and its arguments: there is no shell' })
      .min(1)
      .describe('Program and arguments; no shell.'),
    cwd: z.string().min(1).describe('Folder that it runs in, from the folder of the suite.').default('.'),
    env: z
      .record(z.string(), z.string())
      .describe('Variables added to its environment; ${NAME} is taken from yours.')
      .default({}),
    pool: z
      .int()
      .min(1)
      .max(256)
      .describe('Processes kept between trials; without it every trial starts one.')
      .exactOptional(),
    timeoutSeconds: timeout,
  })
  .transform((raw): CommandTargetSpec => ({ kind: 'command', ...raw }))
  .superRefine(({ command, env }, context) => {
    if (command[0] === '')
      context.addIssue({ code: 'custom', path: ['command', 0], message: 'the program has no name' });
    for (const [name, value] of Object.entries(env)) {
      const message = literalKeyMistake(value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['env', name], message });
    }
  });

/** `{module: agent.ts}`, the target that is a TypeScript or JavaScript module. */
export const moduleTargetSchema = z
  .strictObject({
    module: z
      .string()
      .min(1)
      .describe(
        'A TypeScript or JavaScript module that exports open, send and close; from the folder of the suite.',
      ),
    timeoutSeconds: timeout,
  })
  .transform(
    ({ module, timeoutSeconds }): ModuleTargetSpec => ({ kind: 'module', file: module, timeoutSeconds }),
  );

/** The same target with its folder or file made absolute: paths in a suite start at the suite's folder. */
export function placeTarget<Spec extends HttpTargetSpec | CommandTargetSpec | ModuleTargetSpec>(
  spec: Spec,
  suiteFolder: string,
): Spec {
  const place = (path: string) => (isAbsolute(path) ? path : resolve(suiteFolder, path));
  if (spec.kind === 'command') return { ...spec, cwd: place(spec.cwd) };
  if (spec.kind === 'module') return { ...spec, file: place(spec.file) };
  return spec;
}
