// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites name environment variables so
import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import type { AgentReply, SessionRequest, Target } from '../../source/target/types.js';
import { commandTarget, isRunning } from './command/command-target.js';
import { ignore, never, recordProgress, sessionRequest, targetErrorOf } from './session-request.js';

// Programs are started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** What the echo program says of itself in one session, which is closed again. */
async function askEcho(target: Target, request: Partial<SessionRequest> = {}, message = 'hello') {
  const session = await target.open(sessionRequest(request));
  const reply = await session.send(message, ignore, never);
  await session.close();
  return { ...signalsOf(reply), log: session.log?.() };
}

function signalsOf({ signals }: AgentReply) {
  return signals as Record<
    'session' | 'folder' | 'extra' | 'prompt' | 'promptFile' | 'promptInFile',
    unknown
  > & {
    pid: number;
    opened: { account: string };
  };
}

const prompt = (text: string) => ({ name: 'v15', path: 'prompts/a/v15.md', text });

describe('a session with a command', () => {
  it('gives everything that the program reports with a reply', async () => {
    const session = await commandTarget('echo').open(sessionRequest());
    const { told, onProgress } = recordProgress();
    const reply = await session.send('grüße \u2028 ☃', onProgress, never);
    expect(reply).toMatchObject({
      parts: [
        {
          kind: 'tool',
          call: { name: 'look', args: { at: 'grüße \u2028 ☃' }, result: [1], from: 'product' },
        },
        { kind: 'text', text: 'You said: grüße \u2028 ☃' },
      ],
      usage: { input: 5, output: 3, cacheRead: 0, cacheWrite: 0 },
      suggestions: ['More'],
      model: 'echo-1',
      version: '7',
      ended: false,
      fallback: false,
    });
    expect(reply).not.toHaveProperty('usageMissing');
    expect(told).toEqual([
      { type: 'text', text: 'You ' },
      { type: 'text', text: 'You said: ' },
      { type: 'text', text: 'You said: grüße \u2028 ☃' },
    ]);
  });

  it('opens with all that the trial knows', async () => {
    const request: Partial<SessionRequest> = {
      account: 't-9',
      scenario: 'refund',
      profile: { name: 'Rosa', facts: ['bought 45 days ago'] },
      history: { entries: [] },
      prompt: prompt('Be kind.'),
      tenant: 'acme',
      variables: { plan: 'standard' },
    };
    const { callTool: _, ...known } = sessionRequest(request);
    expect((await askEcho(commandTarget('echo'), request)).opened).toEqual(known);
  });

  it('gives the prompt as a file that only its owner reads and as a variable, and removes the file', async () => {
    const { promptFile, ...told } = await askEcho(commandTarget('echo'), { prompt: prompt('Be kind.') });
    expect(told).toMatchObject({ prompt: 'Be kind.', promptInFile: 'Be kind.', promptMode: '600' });
    expect(String(promptFile).startsWith(tmpdir())).toBe(true);
    expect(existsSync(String(promptFile))).toBe(false);
  });

  it('gives a prompt that is too large for a variable as a file alone', async () => {
    const text = 'Be kind. '.repeat(40_000);
    const told = await askEcho(commandTarget('echo'), { prompt: prompt(text) });
    expect(told.prompt).toBeNull();
    expect(told.promptInFile).toBe(text);
  });

  it('gives no prompt of an outer run to a product that has none', async () => {
    const env = { ...process.env, EVALRUN_PROMPT: 'outer', EVALRUN_PROMPT_FILE: '/outer.md' };
    expect(await askEcho(commandTarget('echo', {}, { env }))).toMatchObject({
      prompt: null,
      promptFile: null,
    });
  });

  it('runs in its folder with its variables, without a shell', async () => {
    const folder = realpathSync(tmpdir());
    const program = new URL('./command/programs/echo.mjs', import.meta.url).pathname;
    const told = await askEcho(
      commandTarget(
        'echo',
        { command: [process.execPath, program, '$HOME; exit 1'], cwd: folder, env: { EXTRA: 'for ${WHO}' } },
        { env: { ...process.env, WHO: 'Rosa' } },
      ),
    );
    expect(told).toMatchObject({ folder, extra: 'for Rosa' });
  });

  it('is a process of its own, which is gone after closing, and its stderr is kept', async () => {
    const target = commandTarget('echo');
    const first = await askEcho(target);
    const second = await askEcho(target, { account: 't-2' });
    expect(first.pid).not.toBe(second.pid);
    expect([first, second].map(({ pid }) => isRunning(pid))).toEqual([false, false]);
    expect([first.log, second.log]).toEqual(['session 1 of t-1', 'session 1 of t-2']);
  });

  it('gives its tuning values', async () => {
    expect(await commandTarget('echo').tuning?.()).toEqual({ maxTurns: 12 });
    expect(await commandTarget('is-silent').tuning?.()).toBeUndefined();
    await expect(commandTarget('crashes-at-start').tuning?.()).rejects.toMatchObject({ exitCode: 3 });
  });

  it('waits for a program that reads slowly, however much it is told', async () => {
    const session = await commandTarget('reads-slowly').open(sessionRequest());
    const reply = await session.send('x'.repeat(3_000_000), ignore, never);
    expect(Number(reply.text)).toBeGreaterThan(3_000_000);
  });

  it('needs the variables that the target names, and a folder that exists', () => {
    expect(() => commandTarget('echo', { env: { KEY: '${AGENT_KEY}' } })).toThrow(
      'env.KEY: AGENT_KEY is not set',
    );
    expect(() => commandTarget('echo', { cwd: '/no/such/folder' })).toThrow(
      '/no/such/folder, does not exist',
    );
  });
});

describe('a pool', () => {
  it('keeps its workers between sessions, never more than its size, one session each at a time', async () => {
    const target = commandTarget('echo', { pool: 2 });
    const told = await Promise.all(
      Array.from({ length: 9 }, (_, i) => askEcho(target, { account: `t-${i}` })),
    );
    const pids = new Set(told.map(({ pid }) => pid));
    expect(pids.size).toBe(2);
    expect(told.map(({ opened }) => opened.account)).toEqual(Array.from({ length: 9 }, (_, i) => `t-${i}`));
    // A session hears only its own part of stderr.
    expect(told.every(({ log }, i) => log?.endsWith(` of t-${i}`) && !log.includes('\n'))).toBe(true);
    await target.close?.();
    expect([...pids].map(isRunning)).toEqual([false, false]);
  });

  it('gives a session no worker that was started with another prompt', async () => {
    const target = commandTarget('echo', { pool: 2 });
    const texts = ['A', 'B', 'C', 'A', 'C', 'B', 'A', 'A'];
    const told = await Promise.all(texts.map((text) => askEcho(target, { prompt: prompt(text) })));
    expect(told.map((one) => [one.prompt, one.promptInFile])).toEqual(texts.map((text) => [text, text]));
  });

  it('replaces a worker that failed, and goes on', async () => {
    const target = commandTarget('crashes-mid-reply', { pool: 1 });
    for (let i = 0; i < 3; i++) {
      const session = await target.open(sessionRequest());
      expect((await targetErrorOf(session.send('hello', ignore, never))).message).toContain(
        'exited with code 7',
      );
      await session.close();
    }
  });

  it('replaces a worker that could not close a session, which is noted', async () => {
    const target = commandTarget('cannot-close', { pool: 1 });
    const first = await target.open(sessionRequest());
    const { pid } = signalsOf(await first.send('hello', ignore, never));
    await first.close();
    expect(first.log?.()).toContain('close: the account is locked');
    const second = await target.open(sessionRequest());
    expect(signalsOf(await second.send('hello', ignore, never)).pid).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
    await target.close?.();
  });

  it('goes on after a worker could not be started, for everyone who waits', async () => {
    const target = commandTarget('crashes-at-start', { pool: 1 });
    const errors = await Promise.all([1, 2, 3].map(() => targetErrorOf(target.open(sessionRequest()))));
    expect(errors.map(({ message }) => message.includes('settings.port is not a number'))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('that is closed ends the sessions that wait for a worker', async () => {
    const target = commandTarget('echo', { pool: 1 });
    await target.open(sessionRequest());
    const waiting = targetErrorOf(target.open(sessionRequest()));
    await target.close?.();
    expect((await waiting).message).toBe('the target was closed');
    expect((await targetErrorOf(target.open(sessionRequest()))).message).toBe('the target was closed');
  });
});
