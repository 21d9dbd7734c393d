// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites name environment variables so
import { describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { z } from 'zod';
import {
  commandTargetSchema,
  httpTargetSchema,
  moduleTargetSchema,
  placeTarget,
} from '../../source/suite/target-schemas.js';

/** The http target of the format's description, whole. */
const wholeHttp = `
http:
  baseURL: \${BACKEND_URL}
  headers: {authorization: 'Bearer \${BACKEND_TOKEN}'}
  tuning: {get: /bench/tuning}
  reset: {post: '/bench/accounts/{{account}}/reset', body: {history: '{{history}}'}}
  open: {post: /sessions, body: {account: '{{account}}', profile: '{{profile}}', prompt: '{{prompt}}'}, save: {session: $.id}}
  send:
    post: '/sessions/{{session}}/messages'
    body: {text: '{{message}}'}
    stream: sse
    delta: $.delta
    reply: $.reply
    toolCalls: $.tools
    usage: {input: $.usage.input, output: $.usage.output, cacheRead: $.usage.cached, cacheWrite: $.usage.written}
    signals: {distress: $.distress, category: $.category}
    suggestions: $.quickReplies
    model: $.model
    version: $.version
    ended: $.ended
    fallback: $.usedDefaults
  close: {delete: '/sessions/{{session}}'}
`;

/** `path: message` of every mistake in an http target that is right but for these keys; undefined takes one out. */
function mistakesWith(changes: Record<string, unknown>): string[] {
  const document = parseDocument(wholeHttp);
  for (const [path, value] of Object.entries(changes)) {
    if (value === undefined) document.deleteIn(['http', ...path.split('/')]);
    else document.setIn(['http', ...path.split('/')], value);
  }
  const result = httpTargetSchema.safeParse(document.toJS());
  return result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('the schema of an http target', () => {
  it('takes every key of the format and turns the method key into method and path', () => {
    const spec = httpTargetSchema.parse(parse(wholeHttp));
    expect(spec.kind).toBe('http');
    expect(spec.send).toMatchObject({
      method: 'POST',
      path: '/sessions/{{session}}/messages',
      body: { text: '{{message}}' },
      stream: 'sse',
      usage: { cacheWrite: '$.usage.written' },
    });
    expect(spec.send).not.toHaveProperty('post');
    expect(spec.close).toEqual({ method: 'DELETE', path: '/sessions/{{session}}' });
    expect(spec.open?.save).toEqual({ session: '$.id' });
    expect(spec.timeoutSeconds).toBe(60);
  });

  it('refuses an unknown key wherever it stands', () => {
    expect(mistakesWith({ 'send/quickReplies': '$.x' })).toEqual([
      'http.send: Unrecognized key: "quickReplies"',
    ]);
    expect(mistakesWith({ 'close/query': {} })).toEqual(['http.close: Unrecognized key: "query"']);
  });

  it('wants exactly one method in a call', () => {
    expect(mistakesWith({ 'send/put': '/x' })).toEqual([
      'http.send: expected exactly one of get, post, put, patch, delete, found post and put',
    ]);
    expect(mistakesWith({ reset: { body: {} } })[0]).toContain('found none of them');
  });

  it('names a JSONPath that cannot be read, and where it stops making sense', () => {
    expect(mistakesWith({ 'send/signals/category': 'category' })).toEqual([
      'http.send.signals.category: "category" is not a JSONPath: one starts with "$", as in "$.reply"',
    ]);
    expect(mistakesWith({ 'open/save/session': '$.a[' })[0]).toContain('(character 5)');
  });

  it('names a template value that does not exist, with the one that was meant', () => {
    expect(mistakesWith({ 'reset/post': '/accounts/{{acount}}' })).toEqual([
      'http.reset.post: reset has no value named "acount"; did you mean "account"?',
    ]);
    expect(mistakesWith({ 'open/body/text': 'Hi {{message}}' })[0]).toContain('"message"');
    expect(mistakesWith({ 'tuning/get': '/tuning/{{tenant}}' })[0]).toContain('before any session');
  });

  it('knows saved values and variables, in calls that come after open', () => {
    expect(
      mistakesWith({ 'close/headers': { 'x-plan': '{{variables.plan}}', 'x-session': '{{session}}' } }),
    ).toEqual([]);
    expect(mistakesWith({ 'reset/post': '/{{session}}' })[0]).toContain('no value named "session"');
  });

  it('refuses a saved name that hides another value', () => {
    expect(mistakesWith({ 'open/save/account': '$.id' })[0]).toContain('"account" is taken already');
  });

  it('wants a reply where nothing streams, and delta only where something does', () => {
    expect(mistakesWith({ 'send/stream': undefined, 'send/reply': undefined })).toEqual([
      'http.send.delta: delta belongs to a stream; add "stream: sse", or leave it out',
      'http.send: reply is missing: the JSONPath of the answer\'s text, as in "$.reply"',
    ]);
  });

  it('refuses a key that is written out, but not the name of one or an ordinary value', () => {
    expect(mistakesWith({ 'headers/authorization': 'sk-live-51Habcdefgh0123456789' })[0]).toContain(
      'looks like a key',
    );
    expect(mistakesWith({ 'headers/authorization': 'Bearer a8f3k2l9q7w1e5r4t6y8u2i0' })[0]).toContain(
      'looks like a key',
    );
    expect(
      mistakesWith({ headers: { accept: 'application/vnd.example.product-2024+json', 'x-run': 'local' } }),
    ).toEqual([]);
  });

  it('refuses a body with get, and a base that is no web address', () => {
    expect(mistakesWith({ 'tuning/body': {}, baseURL: 'localhost:4310' })).toEqual([
      'http.baseURL: "localhost:4310" is not an http or https URL',
      'http.tuning.body: a get has no body; use post, or put the values into the path',
    ]);
  });

  it('refuses a silence that is longer than the HTTP client can wait', () => {
    expect(mistakesWith({ timeoutSeconds: 301 })[0]).toContain('http.timeoutSeconds');
    expect(mistakesWith({ timeoutSeconds: 300 })).toEqual([]);
  });
});

describe('the schemas of command and module targets', () => {
  it('take program and arguments as a list, and fill in what is usual', () => {
    expect(commandTargetSchema.parse({ command: ['python3', 'agent.py'], pool: 4 })).toEqual({
      kind: 'command',
      command: ['python3', 'agent.py'],
      cwd: '.',
      env: {},
      pool: 4,
      timeoutSeconds: 60,
    });
    expect(moduleTargetSchema.parse({ module: 'agent.ts', timeoutSeconds: 5 })).toEqual({
      kind: 'module',
      file: 'agent.ts',
      timeoutSeconds: 5,
    });
  });

  it('say that there is no shell when the command is one text', () => {
    const { error } = commandTargetSchema.safeParse({ command: 'python3 agent.py' });
    expect(error?.issues[0]?.message).toContain('there is no shell');
  });

  it('refuse a pool without workers, and a key in the environment that is written out', () => {
    const { error } = commandTargetSchema.safeParse({ command: ['x'], pool: 0 });
    expect(error?.issues[0]?.path).toEqual(['pool']);
    const written = commandTargetSchema.safeParse({
      command: ['x'],
      env: { API_KEY: 'sk-abcdefgh1234567890' },
    });
    expect(written.error?.issues[0]).toMatchObject({ path: ['env', 'API_KEY'] });
  });

  it('are placed below the folder of their suite', () => {
    const command = commandTargetSchema.parse({ command: ['x'], cwd: '../product' });
    expect(placeTarget(command, '/project/suites/a').cwd).toBe('/project/suites/product');
    const module = moduleTargetSchema.parse({ module: '/else/agent.ts' });
    expect(placeTarget(module, '/project/suites/a').file).toBe('/else/agent.ts');
  });
});

it('every schema can be published as JSON Schema, with a description of each key', () => {
  for (const schema of [httpTargetSchema, commandTargetSchema, moduleTargetSchema]) {
    const published = z.toJSONSchema(schema, { io: 'input' });
    expect(published.additionalProperties).toBe(false);
    expect(JSON.stringify(published)).toContain('"description"');
  }
});
