import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { doctorCommand } from '../../source/commands/doctor.js';
import type { Finding } from '../../source/commands/shared/doctor/finding.js';
import { createFolder } from '../suite/project.js';
import { startServer } from '../target/http/local-server.js';
import { createIo } from './io.js';
import { copyOf, runsOf, type TinyProject, tinyProject } from './support.js';

const scenario = 'id: x\nmessage: hi\nchecks: [{type: pattern_absent, pattern: zzz}]\n';

/** A project with a suite for each target, written as YAML in one line. */
function projectOf(targets: Record<string, string>, config: object = {}, files: Record<string, string> = {}) {
  const source = mkdtempSync(path.join(tmpdir(), 'evalrun-doctor-'));
  onTestFinished(() => rmSync(source, { recursive: true, force: true }));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(source, file)), { recursive: true });
    writeFileSync(path.join(source, file), text);
  };
  write('.evalrc.json', JSON.stringify({ prompts: { p: { deployed: 'p.md' } }, ...config }));
  write('p.md', 'Be kind.\n');
  for (const [name, target] of Object.entries(targets)) {
    write(`suites/${name}/suite.yaml`, `target: ${target}\n`);
    write(`suites/${name}/scenarios/x.yaml`, scenario);
  }
  for (const [file, text] of Object.entries(files)) write(file, text);
  return copyOf(source);
}

async function doctor(project: TinyProject, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr, code } = await project.run(['doctor', '--json', ...args], {
    EVALRUN_SIMULATED_LATENCY: '0',
    ...env,
  });
  const { findings, exitCode } = JSON.parse(stdout) as { findings: Finding[]; exitCode: number };
  expect(exitCode).toBe(code);
  const about = (area: Finding['area'], text = '') =>
    findings.filter((finding) => finding.area === area && finding.what.includes(text));
  return { findings, about, code, stdout, stderr };
}

const chat = (port: string) => ({ api: 'openai-chat', baseURL: `${port}/v1` });

describe('evalrun doctor', () => {
  it('needs no key and no network for simulated models', async () => {
    const project = tinyProject();
    const { about, code, findings } = await doctor(project);
    expect(code).toBe(0);
    expect(about('key')).toEqual([{ level: 'ok', area: 'key', what: 'no suite needs one' }]);
    expect(about('model', 'simulated:tiny')).toEqual([
      {
        level: 'ok',
        area: 'model',
        what: expect.stringContaining('answers from its file, without a network'),
      },
    ]);
    expect(about('clock')).toEqual([]);
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([]);
  });

  it('prints a line a finding: level, what it is about, and what to do', async () => {
    const project = tinyProject();
    const { stdout, code } = await project.run(['doctor', '--offline']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}node {6}Node \d+\.\d+/m);
    expect(stdout).toMatch(/^warn {2}git {7}.+ → git init$/m);
    expect(stdout).toMatch(/\n\n\d+ ok, 1 to look at, 0 to mend\n$/);
    expect(stdout).not.toContain('simulated:');
  });

  it('works outside of a project, and says how to begin one', async () => {
    const project = tinyProject();
    rmSync(path.join(project.folder, '.evalrc.json'));
    rmSync(path.join(project.folder, 'suites'), { recursive: true });
    const { about, code } = await doctor(project);
    expect(code).toBe(0);
    expect(about('project').map(({ level, todo }) => [level, todo])).toEqual([
      ['warn', 'evalrun init writes one'],
      ['warn', 'evalrun init writes a first one'],
    ]);
  });

  it('says what to type as evalrun is started here', async () => {
    const { io, printed } = createIo(await createFolder({}), { HOME: tmpdir() });
    expect(await doctorCommand({ suites: [], offline: true }, { ...io, program: 'npx evalrun' })).toBe(0);
    expect(printed()).toMatch(/^warn {2}project .+ → npx evalrun init writes one$/m);
  });

  it('says that config and suites have mistakes, and asks the suites that have none', async () => {
    const project = projectOf(
      { broken: '{prmpt: p}', whole: '{prompt: p, model: "simulated:a"}' },
      { gates: {} },
      { 'simulated/a.yaml': 'name: a\notherwise: {steps: [{say: Hello.}]}\n' },
    );
    const { about, code } = await doctor(project);
    expect(code).toBe(2);
    expect(about('project', '.evalrc.json')).toMatchObject([{ level: 'fail', todo: 'evalrun check' }]);
    expect(about('project', 'suite broken')).toMatchObject([{ level: 'fail', todo: 'evalrun check broken' }]);
    expect(about('model', 'simulated:a')).toMatchObject([{ level: 'ok' }]);
  });

  it('looks at keys by name, and shows nothing of them', async () => {
    const key = 'sk-abcdefgh12345678IJKLMNOP';
    const server = await startServer((_, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `no such key: ${key}`, code: 'invalid_api_key' } })),
    );
    const project = projectOf(
      { a: '{prompt: p, model: "set:m"}', b: '{prompt: p, model: "missing:m"}' },
      {
        providers: {
          set: { ...chat(server.url), keyEnv: 'SET_KEY' },
          missing: { ...chat(server.url), keyEnv: 'MISSING_KEY' },
        },
      },
    );
    const { about, code, stdout } = await doctor(project, [], { SET_KEY: key });
    expect(code).toBe(2);
    expect(about('key')).toEqual([
      { level: 'ok', area: 'key', what: 'SET_KEY is set, for a' },
      {
        level: 'fail',
        area: 'key',
        what: 'MISSING_KEY is not set; b needs it',
        todo: 'export MISSING_KEY=…',
      },
    ]);
    expect(about('model', 'set:m')).toMatchObject([
      { level: 'fail', todo: 'look at the key and its account at the provider' },
    ]);
    expect(stdout).not.toContain('abcdefgh');
    expect(server.received).toHaveLength(1);
  });

  it('asks a model once however many suites use it, and says what each failure wants', async () => {
    const server = await startServer(({ url }, response) =>
      url.startsWith('/busy')
        ? response.writeHead(429, { 'retry-after': '1' }).end('{}')
        : response
            .writeHead(404, { 'content-type': 'application/json' })
            .end('{"error":{"message":"no model"}}'),
    );
    const project = projectOf(
      {
        one: '{prompt: p, model: "busy:m"}',
        two: '{prompt: p, model: "busy:m"}',
        three: '{prompt: p, model: "lost:m"}',
        four: '{prompt: p, model: "off:m"}',
      },
      {
        providers: {
          busy: chat(`${server.url}/busy`),
          lost: chat(`${server.url}/lost`),
          off: chat('http://127.0.0.1:9'),
        },
      },
    );
    const { about } = await doctor(project);
    expect(about('model', 'busy:m')).toMatchObject([
      { level: 'warn', what: expect.stringContaining('for one and two') },
    ]);
    expect(about('model', 'lost:m')).toMatchObject([
      { level: 'fail', todo: expect.stringContaining('"models"') },
    ]);
    expect(about('model', 'off:m')).toMatchObject([
      { level: 'fail', todo: expect.stringContaining('server is up') },
    ]);
    expect(server.received.filter(({ url }) => url.startsWith('/busy'))).toHaveLength(1);
  });

  it('gives up whoever does not answer, ends the program that it started, and goes on', async () => {
    const server = await startServer(() => {});
    const project = projectOf(
      {
        silent: '{prompt: p, model: "silent:m"}',
        program: '{command: [node, sleeps.mjs]}',
        other: `{command: [node, answers.mjs]}`,
      },
      { providers: { silent: chat(server.url) } },
      {
        'suites/program/sleeps.mjs':
          'import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);\n',
        'suites/other/answers.mjs':
          'import { createInterface } from "node:readline"; for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ id: JSON.parse(line).id, result: { session: 1 } }));\n',
      },
    );
    const { about, code } = await doctor(project, ['--timeout', '3']);
    expect(code).toBe(2);
    for (const [area, name] of [
      ['model', 'silent:m'],
      ['target', 'sleeps.mjs'],
    ] as const)
      expect(about(area, name)).toMatchObject([
        { level: 'fail', what: expect.stringContaining('no answer in 3 s') },
      ]);
    expect(about('target', 'answers.mjs')).toMatchObject([
      { level: 'ok', what: 'node answers.mjs starts and answers open, for other' },
    ]);
    const pid = Number(readFileSync(path.join(project.folder, 'suites/program/pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('opens a session of a backend, sends it no message, and reads its clock', async () => {
    const server = await startServer(({ url }, response) => {
      response.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString());
      response.writeHead(url === '/nothing' ? 500 : 200).end('{"ok":true}');
    });
    const send = 'send: {post: /chat, body: {m: "{{message}}"}, reply: $.reply}';
    const project = projectOf({
      open: `{http: {baseURL: "${server.url}", reset: {post: /reset, body: {who: "{{account}}"}}, ${send}}}`,
      bare: `{http: {baseURL: "${server.url}/bare", ${send}}}`,
      off: `{http: {baseURL: "http://127.0.0.1:9", ${send}}}`,
    });
    const { about, code } = await doctor(project);
    expect(code).toBe(2);
    expect(about('target').map(({ level, what }) => [level, what])).toEqual([
      ['ok', `${server.url}/bare answers (200 to GET; no message was sent), for bare`],
      ['fail', expect.stringContaining('for off: no answer')],
      ['ok', `${server.url} answers reset, for open`],
    ]);
    expect(server.received.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'GET /bare',
      'POST /reset',
    ]);
    expect(server.received.find(({ url }) => url === '/reset')?.body).toBe('{"who":"evalrun-doctor"}');
    expect(about('clock')).toMatchObject([{ level: 'fail', what: expect.stringMatching(/^60 min behind /) }]);
  });

  it('asks the reviewer too, which no run needs', async () => {
    const project = projectOf(
      { a: '{prompt: p, model: "simulated:a"}' },
      { models: { reviewer: 'anthropic:some-model' } },
      { 'simulated/a.yaml': 'name: a\notherwise: {steps: [{say: Hello.}]}\n' },
    );
    const { about, code } = await doctor(project);
    expect(code).toBe(0);
    expect(about('model', 'anthropic:some-model')).toMatchObject([
      { level: 'warn', what: expect.stringContaining('set ANTHROPIC_API_KEY') },
    ]);
  });

  it('says that a file stands where simulated models are looked for', async () => {
    const project = projectOf({ a: '{prompt: p, model: "simulated:a"}' }, {}, { simulated: 'in the way' });
    const { about, code } = await doctor(project);
    expect(code).toBe(2);
    expect(about('model', 'simulated:a')).toMatchObject([
      { level: 'fail', what: expect.stringContaining('cannot be read (ENOTDIR); is it a folder?') },
    ]);
  });

  it('loads modules, and says why one does not', async () => {
    const project = projectOf(
      { good: '{module: agent.mjs}', bad: '{module: agent.mjs}' },
      {},
      {
        'suites/good/agent.mjs':
          'export function open() {}\nexport function send() { return "x"; }\nexport function close() {}\n',
        'suites/bad/agent.mjs': 'throw new Error("out of order");\n',
      },
    );
    const { about } = await doctor(project);
    expect(about('target', 'for good')).toMatchObject([{ level: 'ok', what: 'agent.mjs loads, for good' }]);
    expect(about('target', 'for bad')).toMatchObject([
      { level: 'fail', what: expect.stringContaining('out of order') },
    ]);
  });
});

describe('the folder of runs', () => {
  it('is looked at for who may read it, and for runs that were killed', async () => {
    const project = tinyProject();
    mkdirSync(project.logs, { mode: 0o700 });
    const before = await doctor(project, ['--offline']);
    expect(before.about('logs', 'you alone')).toMatchObject([{ level: 'ok' }]);
    expect(before.about('lock')).toMatchObject([{ level: 'ok' }]);

    chmodSync(project.logs, 0o755);
    const { runId } = await writeKilledRun(project);
    const { about, code } = await doctor(project, ['--offline']);
    expect(code).toBe(0);
    expect(about('logs', 'others can look')).toMatchObject([
      { level: 'warn', todo: `chmod 700 ${project.logs}` },
    ]);
    expect(about('lock')).toEqual([
      {
        level: 'warn',
        area: 'lock',
        what: `run ${runId} of slow was killed in the middle`,
        todo: `evalrun run --resume ${runId} finishes it`,
      },
    ]);
  });

  it('that cannot be made is to be mended', async () => {
    const project = tinyProject();
    writeFileSync(path.join(project.folder, 'file'), '');
    const { about, code } = await doctor(project, ['--offline'], {
      EVALRUN_LOGS: path.join(project.folder, 'file', 'logs'),
    });
    expect(code).toBe(2);
    expect(about('logs')).toMatchObject([
      {
        level: 'fail',
        what: expect.stringContaining('is no folder'),
        todo: expect.stringContaining('EVALRUN_LOGS'),
      },
    ]);
  });
});

it('tells of settings that cannot be read, and of variables that set nothing', async () => {
  const project = tinyProject();
  const config = path.join(project.folder, '..', 'config');
  mkdirSync(path.join(config, 'evalrun'), { recursive: true });
  writeFileSync(path.join(config, 'evalrun/settings.json'), '{');
  const { about, code } = await doctor(project, ['--offline'], {
    XDG_CONFIG_HOME: config,
    EVALRUN_REPAET: '4',
  });
  expect(code).toBe(0);
  expect(about('settings').map(({ level }) => level)).toEqual(['warn', 'warn']);
  expect(about('settings', 'EVALRUN_REPAET')).toHaveLength(1);
});

/** A run that its process left in the middle: it is killed while a trial is going on. */
async function writeKilledRun(project: TinyProject): Promise<{ runId: string }> {
  const { child, seen, finished } = project.start(['run', 'slow', '--plain'], {
    EVALRUN_SIMULATED_LATENCY: '40',
  });
  await seen('slow');
  child.kill('SIGKILL');
  await finished;
  const [folder] = runsOf(project, 'slow');
  const runId = folder && path.basename(folder);
  if (runId === undefined) throw new Error('no run was begun');
  return { runId };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
