import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { UserError } from '../../source/base/errors.js';
import { createModuleTarget } from '../../source/target/module.js';
import type { Session } from '../../source/target/types.js';
import { ignore, never, recordProgress, sessionRequest, targetErrorOf } from './session-request.js';

const pathOf = (name: string) => fileURLToPath(new URL(`./module/products/${name}`, import.meta.url));

async function moduleTarget(name: string, timeoutSeconds = 20, env: Record<string, string> = {}) {
  const target = await createModuleTarget(
    { kind: 'module', file: pathOf(name), timeoutSeconds },
    { clock: systemClock, env },
  );
  onTestFinished(() => target.close?.());
  return target;
}

const open = async (...options: Parameters<typeof moduleTarget>) =>
  (await moduleTarget(...options)).open(sessionRequest());

describe('a session with a module', () => {
  it('runs TypeScript without a build, and takes all that it reports', async () => {
    const session = await open('agent.ts');
    const { told, onProgress } = recordProgress();
    const reply = await session.send('Rosa Luxemburg', onProgress, never);
    expect(reply).toMatchObject({
      text: 'Hello, Rosa Luxemburg!',
      parts: [
        { kind: 'tool', call: { name: 'look', args: {}, result: 1, from: 'product' } },
        { kind: 'text', text: 'Hello, Rosa Luxemburg!' },
      ],
      signals: { mood: 'calm' },
      ended: false,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
    expect(reply).not.toHaveProperty('version');
    expect(told.at(-1)).toEqual({ type: 'text', text: 'Hello, Rosa Luxemburg!' });
    expect(told).toHaveLength(3);
  });

  it('opens with all that the trial knows, in a copy of its own', async () => {
    const target = await moduleTarget('agent.ts');
    const history = { entries: [1] };
    const request = sessionRequest({
      history,
      prompt: { name: 'v15', path: 'prompts/a/v15.md', text: 'Be kind.' },
      profile: { facts: ['lives in Bonn'] },
    });
    const { callTool: _, ...known } = request;
    for (let trial = 0; trial < 2; trial++) {
      const session = await target.open(request);
      const { signals } = await session.send('you', ignore, never);
      // The product marks the history that it was given; the next trial must not see that.
      expect(signals?.params).toEqual({ ...known, history: { entries: [1], seen: true }, wasSeen: false });
    }
    expect(history).toEqual({ entries: [1] });
  });

  it('runs JavaScript as it is, also behind a default export', async () => {
    const session = await open('plain.mjs');
    expect((await session.send('hi', ignore, never)).text).toBe('only: hi');
    await session.close();
    expect(session.log?.()).toBe('');
  });

  it('gives its tuning values', async () => {
    expect(await (await moduleTarget('agent.ts')).tuning?.()).toEqual({ maxTurns: 3 });
    expect(await (await moduleTarget('plain.mjs')).tuning?.()).toBeUndefined();
  });

  it('notes a close that throws, with where, and does not throw', async () => {
    const session = await open('agent.ts');
    await session.close();
    const lines = session.log?.().split('\n') ?? [];
    expect(lines[0]).toBe('Error: nothing was said');
    expect(lines.some((line) => line.includes('agent.ts'))).toBe(true);
    expect(lines.at(-1)).toBe('agent.ts: close threw Error: nothing was said');
  });
});

describe('a module that misbehaves', () => {
  const errorOf = async (message: string, timeoutSeconds?: number) =>
    targetErrorOf((await open('misbehaves.mjs', timeoutSeconds)).send(message, ignore, never));

  it.each([
    ['throws', 'other', 'send threw RangeError: no such order: 7'],
    ['throws a text', 'other', 'send threw just a text'],
    ['is refused', 'rate-limit', 'send: slow down'],
    ['answers nothing', 'other', 'the result of send: expected an object, found nothing'],
    ['answers with a wrong key', 'other', 'the result of send: quickReplies: unknown key; known keys: '],
    ['streams a number', 'other', 'the result of send: onDelta: expected a text, found number'],
  ])('when it %s, that is an error of the trial', async (message, kind, expected) => {
    const error = await errorOf(message);
    expect(error.kind).toBe(kind);
    expect(error.message.startsWith(`misbehaves.mjs: ${expected}`), error.message).toBe(true);
    expect(error.retryAfterMs).toBe(kind === 'rate-limit' ? 2000 : undefined);
  });

  it('with a result that JSON cannot hold is told so', async () => {
    expect((await errorOf('answers in a circle')).message).toContain(
      'it cannot be written as JSON: Converting circular',
    );
  });

  it('by opening with a wrong key is told the key', async () => {
    const target = await moduleTarget('misbehaves.mjs');
    const error = await targetErrorOf(target.open(sessionRequest({ variables: { opens: 'badly' } })));
    expect(error.message).toContain('misbehaves.mjs: the result of open: ');
    expect(error.message).toContain('session');
  });

  it('by never answering is given up after the time-out, and its signal is aborted', async () => {
    const session = await open('misbehaves.mjs', 1);
    const error = await targetErrorOf(session.send('never answers', ignore, never));
    expect(error.message).toBe('misbehaves.mjs: send gave no sign of life for 1 seconds');
    expect((await session.send('says what was aborted', ignore, never)).text).toBe(error.message);
  });

  it('is left at once when the trial is aborted', async () => {
    const session = await open('misbehaves.mjs');
    const aborting = new AbortController();
    const reason = new Error('the time limit of the trial');
    const sent = session.send('never answers', ignore, aborting.signal);
    aborting.abort(reason);
    await expect(sent).rejects.toBe(reason);
    await expect(session.send('throws', ignore, aborting.signal)).rejects.toBe(reason);
  });

  it('is not heard after its reply', async () => {
    const session = await open('misbehaves.mjs');
    const { told, onProgress } = recordProgress();
    await session.send('streams too late', onProgress, never);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(told).toEqual([]);
  });

  it('does not get a key of the environment into a message', async () => {
    const env = { SOME_API_KEY: 'marked-key-1' };
    process.env.SOME_API_KEY = 'marked-key-1';
    try {
      const session = await open('misbehaves.mjs', 20, env);
      const error = await targetErrorOf(session.send('throws', ignore, never));
      expect(error.message).toBe(`misbehaves.mjs: send threw RangeError: no such order: \${SOME_API_KEY}`);
      expect(session.log?.()).not.toContain('marked-key-1');
    } finally {
      delete process.env.SOME_API_KEY;
    }
  });
});

describe('a module that does what the process must outlive', () => {
  const send = (session: Session, message: string) => session.send(message, ignore, never);

  it.each([
    ['ends the process', 'send threw Error: it called process.exit(0)'],
    ['ends the process later', 'threw outside of open, send and close: Error: it called process.exit(0)'],
    ['throws later', 'threw outside of open, send and close: Error: nobody waits for this'],
    ['rejects later', 'threw outside of open, send and close: Error: nobody handles this'],
  ])('%s: an error of that trial, and of no other', async (message, expected) => {
    const target = await moduleTarget('misbehaves.mjs');
    const [one, other] = [await target.open(sessionRequest()), await target.open(sessionRequest())];
    const [error, reply] = await Promise.all([targetErrorOf(send(one, message)), send(other, 'waits')]);
    expect(error.kind).toBe('other');
    expect(error.message.replace(/^misbehaves\.mjs:? /, '')).toBe(expected);
    expect(reply.text).toBe('waited');
    await one.close();
    expect(one.log?.()).toContain('misbehaves.mjs:');
    expect(other.log?.()).toBe('');
  });

  it('throws after its reply: the next message of that conversation fails', async () => {
    const session = await open('misbehaves.mjs');
    expect((await send(session, 'throws after its reply')).text).toBe('fine so far');
    await expect.poll(() => session.log?.()).toContain('nobody waits for this');
    const error = await targetErrorOf(send(session, 'waits'));
    expect(error.message).toBe(
      'misbehaves.mjs threw outside of open, send and close: Error: nobody waits for this',
    );
  });

  it('throws after its conversation is over: the next one is told', async () => {
    const target = await moduleTarget('misbehaves.mjs');
    const session = await target.open(sessionRequest());
    await send(session, 'throws after all is over');
    await session.close();
    await expect
      .poll(async () => (await target.open(sessionRequest())).log?.())
      .toMatch(/^after an earlier conversation: Error: nobody waits for this/);
  });

  it('computes in a circle: its thread is stopped, and the next trial has another', async () => {
    const target = await moduleTarget('misbehaves.mjs', 1);
    const [stuck, beside] = [await target.open(sessionRequest()), await target.open(sessionRequest())];
    const [error, other] = await Promise.all([
      targetErrorOf(send(stuck, 'computes in a circle')),
      targetErrorOf(send(beside, 'waits')),
    ]);
    expect(error.message).toBe('misbehaves.mjs: send gave no sign of life for 1 seconds');
    expect(other.message).toContain('misbehaves.mjs: send gave no sign of life');
    const stopped =
      'misbehaves.mjs: send: the thread of the module was stopped: it held up all conversations';
    await expect.poll(async () => (await targetErrorOf(send(beside, 'waits'))).message).toBe(stopped);
    await stuck.close();
    const next = await target.open(sessionRequest());
    expect((await send(next, 'waits')).text).toBe('waited');
  });

  it('prints: that stands with the trial, without keys, and on no output of ours', async () => {
    const env = { SOME_API_KEY: 'marked-key-1' };
    process.env.SOME_API_KEY = 'marked-key-1';
    const written = vi.spyOn(process.stdout, 'write');
    try {
      const session = await open('misbehaves.mjs', 20, env);
      expect((await send(session, 'prints')).text).toBe('printed');
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is shown so
      expect(session.log?.()).toBe('::error::raw\nmy key: ${SOME_API_KEY}\nin \npieces');
      expect(written.mock.calls.filter(([text]) => String(text).includes('raw'))).toEqual([]);
    } finally {
      written.mockRestore();
      delete process.env.SOME_API_KEY;
    }
  });
});

describe('a module that cannot be used', () => {
  it.each([
    ['not-there.ts', 'does not exist'],
    ['lacks-send.mjs', 'lacks-send.mjs exports no function send; did you mean "sends"?'],
  ])('%s says so before anything runs', async (name, message) => {
    const error = await moduleTarget(name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
  });

  it('for a mistake in its text shows the first line of what the parser says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evalrun-test-'));
    const file = join(folder, 'broken.ts');
    writeFileSync(file, 'export const open = (: string) => 1;\n');
    const loading = createModuleTarget({ kind: 'module', file, timeoutSeconds: 1 }, { clock: systemClock });
    const error = await loading.catch((thrown: unknown) => thrown);
    rmSync(folder, { recursive: true });
    expect(error).toMatchObject({
      message: expect.stringMatching(/broken\.ts cannot be loaded: .*Unexpected token/),
    });
  });
});
