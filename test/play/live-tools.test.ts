// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { UserError } from '../../source/base/errors.js';
import type { JsonObject } from '../../source/base/json.js';
import { createLiveTools, type LiveToolsOptions } from '../../source/play/live-tools.js';
import { playTrial } from '../../source/play/trial.js';
import type { LiveTool } from '../../source/suite/types.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import type { SessionRequest } from '../../source/target/types.js';
import { answerJson, type Received, startServer } from '../target/http/local-server.js';
import { createManualClock, until } from '../target/manual-clock.js';
import { createScriptedModel } from '../target/scripted-model.js';
import { never, sessionRequest, targetErrorOf } from '../target/session-request.js';
import { makeScenario } from './scenario.js';

const marked = 'tok-4711-marked-key';
const env = { ...process.env, SHOP_TOKEN: marked };

type HttpTool = Extract<LiveTool, { kind: 'http' }>;
type CommandTool = Extract<LiveTool, { kind: 'command' }>;

const httpTool = (url: string, more: Partial<HttpTool> = {}): HttpTool => ({
  kind: 'http',
  method: 'POST',
  url,
  headers: {},
  timeoutSeconds: 30,
  ...more,
});

const commandTool = (args: string[], more: Partial<CommandTool> = {}): CommandTool => ({
  kind: 'command',
  command: [process.execPath, 'prints.mjs', ...args],
  cwd: `${import.meta.dirname}/tools`,
  env: {},
  timeoutSeconds: 30,
  ...more,
});

/** Calls `get_order`, which is the tool. */
function call(
  tool: LiveTool,
  args: JsonObject = { id: 7 },
  more: Partial<LiveToolsOptions> & { request?: Partial<SessionRequest>; signal?: AbortSignal } = {},
) {
  const { request, signal = never, ...options } = more;
  const tools = createLiveTools({ tools: { get_order: tool }, env, clock: systemClock, ...options });
  return Promise.resolve(tools(sessionRequest(request))('get_order', args, signal));
}

describe('a tool behind a URL', () => {
  it('is sent the arguments as JSON and answers with what it says', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, { status: 'late' }));
    const tool = httpTool(`${url}/orders`, { headers: { authorization: 'Bearer ${SHOP_TOKEN}' } });
    expect(await call(tool)).toEqual({ result: { status: 'late' }, from: 'live' });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/orders',
        body: '{"id":7}',
        headers: { authorization: `Bearer ${marked}`, 'content-type': 'application/json' },
      },
    ]);
  });

  it('takes arguments and facts of the trial in its URL; with GET the other arguments stand in the query', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, []));
    const tool = httpTool(`${url}/{{tenant}}/{{variables.plan}}/orders/{{args.id}}`, { method: 'GET' });
    const request = { tenant: 'acme & co', variables: { plan: 'pro' } };
    await call(tool, { id: 'a/b', limit: 3, words: ['x'], q: 'y z' }, { request });
    expect(received[0]?.url).toBe('/acme%20%26%20co/pro/orders/a%2Fb?limit=3&words=%5B%22x%22%5D&q=y+z');
    expect(received[0]?.body).toBe('');
  });

  it('whose URL cannot be made of the arguments says so to the agent, and is not asked', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, []));
    const tool = httpTool(`${url}/orders/{{args.id}}`, { method: 'GET' });
    expect(await call(tool, {})).toEqual({ error: 'the argument "id" is missing', from: 'live' });
    expect(await call(tool, { id: '..' })).toEqual({
      error: 'the argument "id" cannot be ".."',
      from: 'live',
    });
    const odd = httpTool(`${url}/{{args.constructor}}`);
    expect(await call(odd, {})).toEqual({ error: 'the argument "constructor" is missing', from: 'live' });
    expect(received).toEqual([]);
  });

  it.each([
    ['text', 'delivered', { result: 'delivered' }],
    ['nothing', '', { result: null }],
    ['an error of its own', '{"error": "no such order"}', { error: 'no such order' }],
    ['data that has an error in it', '{"error": "x", "id": 1}', { result: { error: 'x', id: 1 } }],
  ])('may answer with %s', async (_what, body, answer) => {
    const { url } = await startServer((_, response) => response.end(body));
    expect(await call(httpTool(url))).toEqual({ ...answer, from: 'live' });
  });

  it('says no to the agent with a status like 404 or 409', async () => {
    for (const status of [400, 404, 409, 422]) {
      const { url } = await startServer((_, response) => answerJson(response, { why: 'gone' }, status));
      expect(await call(httpTool(url))).toEqual({
        error: `answered ${status}: {"why":"gone"}`,
        from: 'live',
      });
    }
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [429, 'rate-limit'],
    [500, 'other'],
    [503, 'network'],
  ] as const)('that answers %i ends the trial, kind %s, and names no secret', async (status, kind) => {
    const { url } = await startServer((request, response) => {
      response.setHeader('retry-after', '2');
      answerJson(response, { saw: request.headers.authorization }, status);
    });
    const tool = httpTool(`${url}/orders?k=1`, { headers: { authorization: 'Bearer ${SHOP_TOKEN}' } });
    const error = await targetErrorOf(call(tool));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(`live.get_order POST ${url}/orders: answered ${status}`);
    expect(error.message).not.toContain(marked);
    if (status === 401) expect(error.message).toContain('SHOP_TOKEN');
    if (status === 429) expect(error.retryAfterMs).toBe(2000);
  });

  it('does not follow a redirect, which would be sent its headers', async () => {
    const { url, received } = await startServer((_, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    expect((await targetErrorOf(call(httpTool(url)))).message).toContain('answered 302, a redirect');
    expect(received).toHaveLength(1);
  });

  it('that is a web page, too much, or not there ends the trial', async () => {
    const page = await startServer((_, response) => response.end('<!doctype html><p>Sign in'));
    expect((await targetErrorOf(call(httpTool(page.url)))).message).toContain(
      'a web page in the place of a result',
    );
    const much = await startServer((_, response) => response.end('x'.repeat(5_000_000)));
    expect((await targetErrorOf(call(httpTool(much.url)))).message).toContain('more than 4194304 bytes');
    const nobody = await targetErrorOf(call(httpTool('http://127.0.0.1:9/')));
    expect(nobody.kind).toBe('network');
  });

  it('is given up after its time, also when its answer only trickles', async () => {
    const clock = createManualClock();
    const { url, received } = await startServer((_, response) => {
      response.writeHead(200).write('{"a": ');
    });
    const answer = targetErrorOf(call(httpTool(url, { timeoutSeconds: 5 }), {}, { clock }));
    await until(() => received.length === 1);
    clock.pass(5000);
    expect((await answer).message).toContain('no whole answer within 5 seconds');
  });

  it('is let go when the trial is aborted', async () => {
    const { url, received } = await startServer(() => {});
    const controller = new AbortController();
    const answer = call(httpTool(url), {}, { signal: controller.signal });
    await until(() => received.length === 1);
    controller.abort(new Error('the run was aborted'));
    await expect(answer).rejects.toThrow('the run was aborted');
  });

  it('that echoes a secret has it taken out before the agent or the journal sees it', async () => {
    const { url } = await startServer((request, response) => answerJson(response, request.headers));
    const tool = httpTool(url, { headers: { 'x-key': '${SHOP_TOKEN}' } });
    const answer = await call(tool);
    expect(JSON.stringify(answer)).not.toContain(marked);
    expect(answer).toMatchObject({ result: { 'x-key': '${SHOP_TOKEN}' } });
  });

  it('whose environment is not set is told of before anything runs', () => {
    const tool = httpTool('${SHOP_URL}/orders');
    const tools = { get_order: tool };
    expect(() => createLiveTools({ tools, env: {}, clock: systemClock })).toThrow(UserError);
    expect(() => createLiveTools({ tools, env: {}, clock: systemClock })).toThrow(
      /live\.get_order.*SHOP_URL is not set/,
    );
  });
});

describe('a tool that is a program', () => {
  it('reads the arguments on its standard input and prints the result', async () => {
    const given = { id: 7, note: 'naïve 👩‍👩‍👧\n"x"' };
    expect(await call(commandTool(['arguments']), given)).toEqual({ result: { given }, from: 'live' });
    expect(await call(commandTool(['says', 'delivered']))).toEqual({ result: 'delivered', from: 'live' });
    expect(await call(commandTool(['says', '{"error": "no such order"}']))).toEqual({
      error: 'no such order',
      from: 'live',
    });
  });

  it('is told of the trial, and of no variable of an outer run', async () => {
    const tool = commandTool(['told'], { env: { SHOP: 'of ${SHOP_TOKEN}' } });
    const request = { account: 't-9', scenario: 'refund' };
    const outer = { ...env, EVALRUN_TENANT: 'of somebody else' };
    expect(await call(tool, {}, { request, env: outer })).toEqual({
      result: {
        EVALRUN_TOOL: 'get_order',
        EVALRUN_ACCOUNT: 't-9',
        EVALRUN_SCENARIO: 'refund',
        EVALRUN_TENANT: '',
        SHOP: 'of ${SHOP_TOKEN}',
      },
      from: 'live',
    });
  });

  it('that breaks ends the trial with its code and the last lines of its stderr', async () => {
    const error = await targetErrorOf(call(commandTool(['fails'])));
    expect(error.kind).toBe('other');
    expect(error.message).toMatch(
      /live\.get_order \(.*prints\.mjs fails\) exited with code 3; the last lines of its stderr: reading the order \/ the database is gone/,
    );
  });

  it('shows no secret, neither in a result nor in an error', async () => {
    expect(await call(commandTool(['secret', '0']))).toMatchObject({ result: { header: '${SHOP_TOKEN}' } });
    expect((await targetErrorOf(call(commandTool(['secret', '1'])))).message).not.toContain(marked);
  });

  it('that prints without end, is not there, or is no program ends the trial', async () => {
    expect((await targetErrorOf(call(commandTool(['endless'])))).message).toContain(
      'printed more than 4194304 bytes',
    );
    const missing = commandTool([], { command: ['no-such-program-4711'] });
    expect((await targetErrorOf(call(missing))).message).toContain('could not be started (ENOENT)');
  });

  it('is ended after its time, and when the trial is aborted', async () => {
    const clock = createManualClock();
    const late = targetErrorOf(call(commandTool(['hangs'], { timeoutSeconds: 20 }), {}, { clock }));
    await until(() => clock.waits() === 1);
    clock.pass(20_000);
    expect(await late).toMatchObject({ kind: 'network' });
    expect((await late).message).toContain('was not done within 20 seconds');
    const controller = new AbortController();
    const answer = call(commandTool(['hangs']), {}, { signal: controller.signal });
    controller.abort(new Error('the run was aborted'));
    await expect(answer).rejects.toThrow('the run was aborted');
  });
});

describe('a trial with live tools', () => {
  const tools = [
    { name: 'get_order', description: '', parameters: {} },
    { name: 'cancel_order', description: '', parameters: {} },
  ];
  const fixtures = {
    get_order: { kind: 'constant' as const, value: 'recorded' },
    cancel_order: { kind: 'constant' as const, value: 'recorded' },
  };

  function playWith(calls: string[], live: Record<string, LiveTool>) {
    const model = createScriptedModel([
      { calls: calls.map((name) => ({ name, args: { id: 7 } })) },
      { say: 'Done.' },
    ]);
    return playTrial({
      target: createPromptTarget({ model, system: 's', tools, settings: { maxTokens: 100, maxSteps: 4 } }),
      scenario: makeScenario(['Where is my order?'], fixtures),
      seed: 's',
      maxTurns: 5,
      account: 't-1',
      liveTools: createLiveTools({ tools: live, env, clock: systemClock }),
      clock: systemClock,
      signal: never,
      onProgress: () => {},
      onTurn: () => {},
    });
  }

  it('asks them in the place of its fixtures, one after the other, and records where answers came from', async () => {
    const asked: Received[] = [];
    let busy = 0;
    const { url } = await startServer((request, response) => {
      expect(++busy).toBe(1);
      asked.push(request);
      setImmediate(() => {
        busy--;
        answerJson(response, { n: asked.length });
      });
    });
    const { transcript } = await playWith(['get_order', 'cancel_order'], {
      get_order: httpTool(`${url}/get`),
      cancel_order: httpTool(`${url}/cancel`),
    });
    expect(asked.map((request) => request.url)).toEqual(['/get', '/cancel']);
    expect(transcript.turns[0]?.reply.parts).toEqual([
      { kind: 'tool', call: { name: 'get_order', args: { id: 7 }, result: { n: 1 }, from: 'live' } },
      { kind: 'tool', call: { name: 'cancel_order', args: { id: 7 }, result: { n: 2 }, from: 'live' } },
      { kind: 'text', text: 'Done.' },
    ]);
  });

  it('is an error that names the tool when one cannot be called for real: no fixture steps in', async () => {
    const error = await targetErrorOf(playWith(['get_order'], {}));
    expect(error.message).toBe(
      'the tool "get_order" cannot be called for real: it has no "live" in the file of tools; add it, or run without --live-tools',
    );
  });
});
