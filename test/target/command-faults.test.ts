// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites name environment variables so
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type Session, TargetError } from '../../source/target/types.js';
import { commandTarget, isRunning } from './command/command-target.js';
import { createManualClock, until } from './manual-clock.js';
import { ignore, never, recordProgress, sessionRequest, targetErrorOf } from './session-request.js';

// Programs are started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const open = (...options: Parameters<typeof commandTarget>) =>
  commandTarget(...options).open(sessionRequest());
const sendError = (session: Session, message = 'hello') =>
  targetErrorOf(session.send(message, ignore, never));

describe('a command that fails', () => {
  it('at its start is named, with its exit code and the last it said', async () => {
    const error = await targetErrorOf(open('crashes-at-start'));
    expect(error.kind).toBe('other');
    expect(error.message).toContain('crashes-at-start.mjs exited with code 1 while open was awaited');
    expect(error.message).toMatch(
      /the last lines of its stderr: .*TypeError: settings\.port is not a number/,
    );
  });

  it('to be found or to be run is said to', async () => {
    const missing = await targetErrorOf(open('x', { command: ['no-such-program-here', '--serve'] }));
    expect(missing.message).toBe(
      'no-such-program-here --serve could not be started: there is no such program (ENOENT) while open was awaited',
    );
    const unable = await targetErrorOf(open('x', { command: ['./echo.mjs'] }));
    expect(unable.message).toContain('it may not be executed (EACCES)');
  });

  it('in the middle of a reply ends the trial; what came before was heard', async () => {
    const session = await open('crashes-mid-reply');
    const { told, onProgress } = recordProgress();
    const error = await targetErrorOf(session.send('hello', onProgress, never));
    expect(error.message).toContain(
      'exited with code 7 while send was awaited; the last lines of its stderr: out of memory',
    );
    expect(told).toEqual([{ type: 'text', text: 'I would' }]);
    // The second message meets the same error: there is nobody to answer it.
    expect((await sendError(session)).message).toBe(error.message);
    await session.close();
    expect(session.log?.()).toBe('out of memory, or so');
  });

  it('to speak JSON is quoted, its escapes made visible', async () => {
    const error = await sendError(await open('prints-garbage'));
    expect(error.message).toContain(
      'wrote a line that is not JSON: DEBUG ␛[31mconnecting… while send was awaited',
    );
  });

  it('to say anything is given up after the time-out, and ended', async () => {
    const clock = createManualClock();
    const session = await open('is-silent', { timeoutSeconds: 7 }, { clock });
    const sent = sendError(session, 'life');
    await until(() => session.log?.() === 'thinking about life');
    clock.pass(7000);
    expect((await sent).message).toMatch(
      /is-silent\.mjs said nothing for 7 seconds while send was awaited; the last lines of its stderr: thinking about life$/,
    );
  });

  it('to end its line is given up before it fills the memory', async () => {
    const error = await sendError(await open('writes-a-huge-line', {}, { largestLine: 2_000_000 }));
    expect(error.message).toContain('wrote a line of more than 2000000 bytes while send was awaited');
  });

  it('to be quiet on stderr is answered all the same; the last lines are kept', async () => {
    const session = await open('floods-stderr');
    expect((await session.send('hello', ignore, never)).text).toBe('here I am');
    await session.close();
    const lines = session.log?.().split('\n') ?? [];
    expect(lines[0]).toMatch(/^\(\d+ earlier lines dropped\)$/);
    expect(lines.at(-1)).toBe('last words');
    expect(lines.length).toBe(41);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(400);
  });

  it('to end on SIGTERM is killed, with what it has started', async () => {
    const session = await open('ignores-sigterm', {}, { graceMs: { exit: 50, kill: 50 } });
    const reply = await session.send('hello', ignore, never);
    const pids = reply.signals?.pids as number[];
    expect(pids.map(isRunning)).toEqual([true, true]);
    const aborting = new AbortController();
    const sent = session.send('again', ignore, aborting.signal);
    aborting.abort(new Error('the time limit of the trial'));
    await expect(sent).rejects.toThrow('the time limit of the trial');
    await session.close();
    await until(() => !pids.some(isRunning));
  });
});

describe('ending a command', () => {
  it('waits for the last it has to say', async () => {
    const session = await open('says-goodbye');
    await session.close();
    expect(session.log?.().split('\n').at(-1)).toBe('last words');
  });

  it('asks it to end before it is killed', async () => {
    const session = await open('cleans-up-on-sigterm', {}, { graceMs: { exit: 10, kill: 30_000 } });
    await session.close();
    expect(session.log?.()).toBe('tidied up');
  });
});

it('a command that streams slowly is not silent: every piece starts the time anew', async () => {
  const clock = createManualClock();
  const session = await open('streams-on-signal', { timeoutSeconds: 10 }, { clock });
  const { told, onProgress } = recordProgress();
  const sent = session.send('hello', onProgress, never);
  await until(() => told.length === 1);
  const pid = Number(told[0]?.type === 'text' && told[0].text);
  for (let piece = 2; piece <= 6; piece++) {
    clock.pass(9000);
    process.kill(pid, 'SIGUSR2');
    if (piece < 6) await until(() => told.length === piece);
  }
  expect((await sent).text).toBe('slow but whole');
});

describe('an error that a command reports', () => {
  it.each([
    [{ kind: 'auth', message: 'bad key' }, 'auth', 'bad key', undefined],
    [{ kind: 'rate-limit', message: 'slow down', retryAfterSeconds: 1.5 }, 'rate-limit', 'slow down', 1500],
    [{ kind: 'fallback', message: 'defaults' }, 'fallback', 'defaults', undefined],
    [{ kind: 'weather', message: 'rain' }, 'other', 'weather: rain', undefined],
    [{ message: 'just so' }, 'other', 'just so', undefined],
    ['boom', 'other', 'it reports an error that is not {kind, message, retryAfterSeconds}', undefined],
  ])('%j keeps its kind and leaves the command able to go on', async (error, kind, message, retryAfterMs) => {
    const session = await open('reports-errors');
    const thrown = await sendError(session, JSON.stringify({ error }));
    expect(thrown).toMatchObject({ kind, retryAfterMs });
    expect(thrown.message).toMatch(/reports-errors\.mjs: send: /);
    expect(thrown.message.endsWith(`: ${message}`)).toBe(true);
    const reply = await session.send(JSON.stringify({ result: { reply: 'fine' } }), ignore, never);
    expect(reply).toMatchObject({ text: 'fine', usageMissing: true });
  });

  it('to open ends that session and keeps the worker of a pool', async () => {
    const target = commandTarget('reports-errors', { pool: 1 });
    const refused = target.open(sessionRequest({ variables: { refuse: true } }));
    expect(await targetErrorOf(refused)).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('no such account'),
    });
    expect(await target.open(sessionRequest())).toBeDefined();
  });
});

describe('a result that is wrong', () => {
  it.each([
    [{ text: 'hi' }, 'text: unknown key; known keys: '],
    [{ reply: 'hi', toolCals: [] }, 'toolCals: unknown key; did you mean "toolCalls"?'],
    [{}, 'reply: expected a text, found nothing'],
    [{ reply: 7 }, 'reply: expected a text, found the number 7'],
    [{ reply: 'hi', ended: 'yes' }, 'ended: expected true or false, found the text "yes"'],
    [{ reply: 'hi', suggestions: 'More' }, 'suggestions: expected a list, found the text "More"'],
    [{ reply: 'hi', suggestions: ['a', null] }, 'suggestions[1]: expected a text, found null'],
    [
      { reply: 'hi', toolCalls: [{ name: 'f' }, { args: {} }] },
      'toolCalls[1].name: expected the name of the tool',
    ],
    [{ reply: 'hi', usage: { input: 1 } }, 'usage.output: expected a whole number, found nothing'],
    [{ reply: 'hi', usage: { input: 1, output: 1, cached: 1 } }, 'usage.cached: unknown key; known keys: '],
    [{ reply: 'hi', usage: { input: 1, output: 1, cacheRead: 5 } }, 'usage.input: expected all input tokens'],
    [
      { reply: 'hi', usage: { input: -1, output: 1 } },
      'usage.input: expected a number of at least 0, found the number -1',
    ],
    [[], 'expected an object, found a list'],
  ])('%j names the key and what is right', async (result, message) => {
    const session = await open('reports-errors');
    const error = await sendError(session, JSON.stringify({ result }));
    expect(error.kind).toBe('other');
    expect(error.message).toContain(`: the result of send: ${message}`);
  });

  it('of open is named too', async () => {
    const target = commandTarget('reports-errors');
    const error = await targetErrorOf(
      target.open(sessionRequest({ variables: { result: '{"sesion": 1}' } })),
    );
    expect(error.message).toContain('the result of open: ');
    expect(error.message).toContain('session');
  });

  it.each([
    ['{"id": 77, "result": {}}', 'answered request 77, but 2 was asked'],
    ['{"result": {}}', 'wrote a line without the id of its request: {"result": {}}'],
    ['{"id": ID}', 'wrote a line without delta, result or error'],
    ['{"id": ID, "delta": 5}', 'wrote a line whose delta is not a text'],
    ['[1]', 'wrote a line that is not a JSON object: [1]'],
    ['{"id": ID, "result": {"reply": "a"}}\n{"id": ID, "result": {"reply": "b"}}', undefined],
  ])('line %s ends the command', async (raw, message) => {
    const session = await open('reports-errors');
    if (message !== undefined) {
      expect((await sendError(session, JSON.stringify({ raw }))).message).toContain(message);
      return;
    }
    // An answer too many is found when it comes; the reply before it stands.
    expect((await session.send(JSON.stringify({ raw }), ignore, never)).text).toBe('a');
    expect((await sendError(session, '{}')).message).toMatch(
      /a line that nobody asked for|answered request 2, but 3/,
    );
  });
});

it('secrets of the environment are in no message and no log', async () => {
  const clock = createManualClock();
  const env = { ...process.env, AGENT_KEY: 'marked-key-1', SOME_API_TOKEN: 'marked-token-2' };
  const session = await open('is-silent', { env: { KEY: '${AGENT_KEY}' } }, { env, clock });
  const sent = sendError(session, 'marked-key-1 and marked-token-2');
  const shown = 'thinking about ${AGENT_KEY} and ${SOME_API_TOKEN}';
  await until(() => session.log?.() === shown);
  clock.pass(20_000);
  expect((await sent).message.endsWith(`; the last lines of its stderr: ${shown}`)).toBe(true);
});

it('an abort ends the program at once and throws the reason of the signal; no file is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evalrun-test-'));
  vi.stubEnv('TMPDIR', folder);
  const target = commandTarget('is-silent');
  const prompt = { name: 'v1', path: 'v1.md', text: 'Be kind.' };
  const session = await target.open(sessionRequest({ prompt }));
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^evalrun-prompt-/)]);
  const aborting = new AbortController();
  const sent = session.send('hello', ignore, aborting.signal);
  const reason = new Error('the person pressed Ctrl+C');
  aborting.abort(reason);
  await expect(sent).rejects.toBe(reason);
  expect(await targetErrorOf(session.send('more', ignore, never))).toBeInstanceOf(TargetError);
  await session.close();
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('a session that is closed twice is closed once, and a close that fails is only noted', async () => {
  const session = await open('reports-errors');
  await Promise.all([session.close(), session.close()]);
  expect(session.log?.()).toBe('');
  const clock = createManualClock();
  const silent = await open('ignores-sigterm', {}, { clock });
  const closed = silent.close();
  await until(() => clock.waits() === 1);
  // Closing gets ten seconds however long an answer may take; then come the grace after SIGTERM and SIGKILL.
  clock.pass(10_000);
  await until(() => clock.waits() === 1);
  clock.pass(2000);
  await closed;
  expect(silent.log?.()).toContain('said nothing for 10 seconds while close was awaited');
});

it('a process that exits without closing its target leaves neither programs nor files', async () => {
  const script = fileURLToPath(new URL('./command/exits-without-closing.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]);
  const { pids, promptFolder } = JSON.parse(stdout) as { pids: number[]; promptFolder: string };
  expect(pids).toHaveLength(2);
  await until(() => !pids.some(isRunning));
  expect(existsSync(promptFolder)).toBe(false);
  rmSync(dirname(promptFolder), { recursive: true });
});
