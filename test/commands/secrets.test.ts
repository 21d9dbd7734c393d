import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginStream, sendJson, startServer } from '../model/wire/server.js';
import { answer, errorBody, opening } from '../model/wire/streams.js';
import { deskProject } from './desk-project.js';
import type { Finished, TinyProject } from './support.js';

/** One that shows what it is, and one that could be any word, with characters that URLs and JSON escape. */
const keys = ['sk-marked-7f3a9c0b1d5e8f2a4c6b', 'gw7Marked+7f3a9c/0b1d"5e8f2a=='];

/** The secret, its forms, and the parts of it that would be enough to know which it is. */
function tracesOf(key: string): string[] {
  return [
    key,
    key.slice(0, 14),
    key.slice(-12),
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    Buffer.from(key).toString('base64'),
  ];
}

/** Everything that stands in a folder, file by file. */
function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => statSync(file).isFile())
    .map((file) => `${file}\n${readFileSync(file, 'utf8')}`)
    .join('\n');
}

function expectNoTrace(project: TinyProject, outputs: readonly Finished[], secret: string): void {
  const written = [contentsOf(project.logs), ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr])];
  for (const text of written) for (const trace of tracesOf(secret)) expect(text).not.toContain(trace);
}

type Fail = (response: ServerResponse, key: string) => unknown;

/** Ways in which a provider fails, each of which gives back what it was sent. */
const failures: [what: string, fail: Fail][] = [
  [
    '401',
    (to, key) => sendJson(to, 401, errorBody('openai-chat', 'auth', `Incorrect API key provided: ${key}`)),
  ],
  ['403', (to, key) => sendJson(to, 403, { detail: { headers: { authorization: `Bearer ${key}` } } })],
  [
    '404',
    (to, key) => sendJson(to, 404, { error: `nothing at https://a.example/?key=${encodeURIComponent(key)}` }),
  ],
  [
    '400',
    (to, key) => sendJson(to, 400, errorBody('openai-chat', 'invalid_request_error', `x-api-key: ${key}`)),
  ],
  ['429', (to, key) => sendJson(to, 429, { error: { message: key } }, { 'retry-after': '3600' })],
  ['529', (to, key) => sendJson(to, 529, { error: { message: `busy ${key}` } }, { 'retry-after': '3600' })],
  [
    "a proxy's page",
    (to, key) => to.writeHead(200, { 'content-type': 'text/html' }).end(`<title>no ${key}</title>${key}`),
  ],
  ['garbage in a stream', (to, key) => beginStream(to).end(`${opening['openai-chat']}data: {${key}\n\n`)],
  [
    'an error in a stream',
    (to, key) =>
      beginStream(to).end(
        `data: ${JSON.stringify({ error: { type: 'invalid_request_error', message: `refused ${key}` } })}\n\n`,
      ),
  ],
  [
    'a redirect',
    (to, key) => to.writeHead(302, { location: `https://b.example/${encodeURIComponent(key)}` }).end(),
  ],
];

describe('a key of a provider', () => {
  it.each(failures)('is in nothing that is printed or kept: %s', async (_what, fail) => {
    for (const key of keys) {
      const isLast = key === keys.at(-1);
      const server = await startServer((response) => fail(response, key));
      const project = deskProject('openai-chat', server.url);
      const env = { LOCAL_KEY: key };
      const outputs = [
        await project.run(['run', 'desk', '--repeat', '1', '--plain'], env),
        await project.run(['run', 'desk', '--repeat', '1', '--json', '--note', `with ${keys[0]}`], env),
        await project.run(['show', 'last', '--trial', 'asks-for-the-order'], env),
        // The same whatever the failure was: once is enough.
        ...(isLast
          ? [
              await project.run(['show', 'last', '--json'], env),
              await project.run(['runs', '--json'], env),
              await project.run(['check', '--show-config'], env),
            ]
          : []),
      ];
      expect(server.seen.length).toBeGreaterThanOrEqual(2);
      expect(outputs[0]?.code).toBe(3);
      expectNoTrace(project, outputs, key);
    }
  });

  it('was really sent', async () => {
    const server = await startServer((response) => beginStream(response).end(answer('openai-chat', 'Hi')));
    const project = deskProject('openai-chat', server.url);
    await project.run(['run', 'desk', '--repeat', '1', '--plain'], { LOCAL_KEY: keys[1] });
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${keys[1]}`);
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: that is how suites name variables
/** A command that says its token wherever it can, and breaks off. */
const talkative = [
  "import { createInterface } from 'node:readline';",
  'const token = process.env.AGENT_TOKEN;',
  'process.stderr.write(`started with ${token}\\n`);',
  'for await (const line of createInterface({ input: process.stdin })) {',
  '  const { id, method } = JSON.parse(line);',
  "  if (method === 'send') console.log(`${token} is no JSON`);",
  "  else console.log(JSON.stringify({ id, result: { session: 's' } }));",
  '}',
].join('\n');
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: that is how suites name variables

/** Makes the target of the suite another one. */
function retarget(project: TinyProject, target: string): void {
  writeFileSync(
    path.join(project.folder, 'suites/desk/suite.yaml'),
    `name: desk\ntarget: ${target}\nscenarios: scenarios.yaml\n`,
  );
  writeFileSync(
    path.join(project.folder, 'suites/desk/scenarios.yaml'),
    '- {id: asks, input: hello, checks: [{type: pattern_present, pattern: hi}]}\n',
  );
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: that is how suites name variables
describe('a token of a product', () => {
  it.each(keys)('is in nothing that a backend makes evalrun print: %s', async (token) => {
    for (const [, fail] of failures) {
      const server = await startServer((response) => fail(response, token));
      const project = deskProject('openai-chat', server.url);
      retarget(
        project,
        '{http: {baseURL: "${BACKEND_URL}", headers: {authorization: "Bearer ${BACKEND_TOKEN}"}, send: {post: /say, body: {text: "{{message}}"}, reply: $.reply}}}',
      );
      const env = { BACKEND_URL: server.url, BACKEND_TOKEN: token, EVALRUN_ATTEMPTS: '1' };
      const outputs = [
        await project.run(['run', 'desk', '--repeat', '1', '--plain'], env),
        await project.run(['show', 'last', '--trial', 'asks'], env),
        await project.run(['show', 'last', '--json'], env),
      ];
      expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
      expectNoTrace(project, outputs, token);
    }
  });

  it.each(keys)('is in nothing that a command leaves behind: %s', async (token) => {
    const project = deskProject('openai-chat', 'http://127.0.0.1:1');
    writeFileSync(path.join(project.folder, 'suites/desk/agent.mjs'), talkative);
    retarget(project, '{command: [node, agent.mjs], env: {AGENT_TOKEN: "${SECRET_OF_MINE}"}}');
    const env = { SECRET_OF_MINE: token, EVALRUN_ATTEMPTS: '1' };
    const outputs = [
      await project.run(['run', 'desk', '--repeat', '1', '--plain'], env),
      await project.run(['show', 'last', '--trial', 'asks'], env),
    ];
    expect(outputs[0]?.stdout).toContain('is no JSON');
    expect(outputs[1]?.stdout).toContain('started with ${SECRET_OF_MINE}');
    expectNoTrace(project, outputs, token);
  });

  it.each(keys)('is not in the words of an error that a module throws late: %s', async (token) => {
    const project = deskProject('openai-chat', 'http://127.0.0.1:1');
    writeFileSync(
      path.join(project.folder, 'suites/desk/agent.mjs'),
      'export const open = () => ({session: 1});\nexport const close = () => {};\nexport const send = () => new Promise(() => setTimeout(() => { throw new Error(`cannot sign in with ${process.env.AGENT_TOKEN}`); }, 1));\n',
    );
    retarget(project, '{module: agent.mjs}');
    const crashed = await project.start(['run', 'desk', '--plain'], { AGENT_TOKEN: token }).finished;
    expect(crashed.code).toBe(3);
    expect(crashed.stdout).toContain('cannot sign in with');
    expectNoTrace(project, [crashed], token);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: that is how suites name variables
