import { spawnSync } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import {
  commandTargetSchema,
  httpTargetSchema,
  moduleTargetSchema,
  placeTarget,
} from '../../source/suite/target-schemas.js';
import { createCommandTarget } from '../../source/target/command.js';
import { createHttpTarget } from '../../source/target/http.js';
import { createModuleTarget } from '../../source/target/module.js';
import type { Target } from '../../source/target/types.js';
import {
  exampleFolder,
  play,
  readScenarios,
  readTarget,
  scenarioOf,
  signal,
  toolsOf,
} from './examples/play.js';
import { ignore, never, sessionRequest, targetErrorOf } from './session-request.js';

// Programs are started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const clock = systemClock;
const atEnd: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(atEnd.splice(0).map((end) => end()));
});

describe('the HTTP backend', () => {
  const folder = exampleFolder('http-backend');
  type Options = { token?: string; modelFails?: (account: string, turn: number) => boolean };

  async function start(options: Options = {}): Promise<string> {
    const module: { createBackend(options: Options): Server } = await import(
      pathToFileURL(`${folder}/server.mjs`).href
    );
    const server = module.createBackend({ token: 'open-sesame', ...options });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const targetOf = (url: string, token = 'open-sesame') =>
    createHttpTarget(httpTargetSchema.parse(readTarget(folder)), {
      env: { BACKEND_URL: url, BACKEND_TOKEN: token },
      clock,
    });

  it('calms a person whom it acknowledges, and alarms one whom it gives advice at once', async () => {
    const target = targetOf(await start());
    const scenario = scenarioOf(folder, 'panic-on-the-train');
    const before = await play(target, scenario, { account: 't-1', folder, prompt: 'v1' });
    const after = await play(target, scenario, { account: 't-2', folder, prompt: 'v2' });
    expect(before[0]?.text).toBe('That sounds hard, Rosa. It makes sense that you feel like this.');
    expect(Number(signal(before, 'distress').at(-1))).toBeLessThan(Number(signal(after, 'distress').at(-1)));
    expect(signal(before, 'category')).toEqual(['panic', 'panic', 'panic']);
    expect(toolsOf(before)).toEqual(['find_exercise']);
    expect(before[0]).toMatchObject({
      model: 'companion-rules-1',
      version: '2.3.0',
      ended: false,
      fallback: false,
      suggestions: ['It started today', 'It has been going on for a while'],
    });
    expect(before[1]?.usage.cacheRead).toBe(before[0]?.usage.cacheWrite);
  });

  it('wraps up, and ends the session at its cap', async () => {
    const replies = await play(targetOf(await start()), scenarioOf(folder, 'ends-at-the-cap'), {
      account: 't-1',
      folder,
      prompt: 'v1',
    });
    expect(replies).toHaveLength(8);
    expect(replies.at(-1)).toMatchObject({ ended: true, signals: { phase: 'wrap-up' }, suggestions: [] });
    expect(signal(replies, 'phase')[0]).toBe('talk');
  });

  it('begins where the history of the account left off', async () => {
    const target = targetOf(await start());
    const replies = await play(target, scenarioOf(folder, 'comes-back-tense'), {
      account: 't-1',
      folder,
      prompt: 'v1',
    });
    expect(signal(replies, 'category')).toEqual(['sleep', 'sleep']);
    expect(Number(signal(replies, 'distress')[0])).toBeGreaterThanOrEqual(8);
  });

  it('says the same to the same account, streamed or not', async () => {
    const url = await start();
    const spec = httpTargetSchema.parse(readTarget(folder));
    const { stream: _, delta: __, ...send } = spec.send;
    const whole = createHttpTarget(
      { ...spec, send },
      { env: { BACKEND_URL: url, BACKEND_TOKEN: 'open-sesame' }, clock },
    );
    const scenario = scenarioOf(folder, 'ends-at-the-cap');
    const request = { account: 't-7', folder, prompt: 'v1' as const };
    const first = await play(targetOf(url), scenario, request);
    expect(await play(targetOf(url), scenario, request)).toEqual(first);
    expect(await play(whole, scenario, request)).toEqual(first);
    expect(await play(targetOf(url), scenario, { ...request, prompt: 'v2' })).not.toEqual(first);
  });

  it('tells its tuning values, and when its own model has failed', async () => {
    const target = targetOf(await start({ modelFails: (account, turn) => account === 't-1' && turn === 2 }));
    expect(await target.tuning?.()).toEqual({
      startDistress: 6,
      wrapUpAfterTurns: 6,
      maxTurns: 8,
      calmAt: 3,
    });
    const replies = await play(target, scenarioOf(folder, 'panic-on-the-train'), {
      account: 't-1',
      folder,
      prompt: 'v1',
    });
    expect(replies.map(({ fallback }) => fallback)).toEqual([false, true, false]);
  });

  it('refuses who has no token', async () => {
    const error = await targetErrorOf(targetOf(await start(), 'wrong-sesame').open(sessionRequest()));
    expect(error.kind).toBe('auth');
    expect(error.message).toContain('answered 401 (access comes from BACKEND_TOKEN, BACKEND_URL)');
    expect(error.message).not.toContain('wrong-sesame');
  });

  it('serves two hundred conversations at once', async () => {
    const target = targetOf(await start());
    const scenario = scenarioOf(folder, 'panic-on-the-train');
    const accounts = Array.from({ length: 200 }, (_, i) => `t-${i}`);
    const all = await Promise.all(
      accounts.map((account) => play(target, scenario, { account, folder, prompt: 'v1' })),
    );
    expect(all.every((replies) => replies.length === 3)).toBe(true);
    // Accounts differ by their draws, so not all of them hear and feel the same.
    expect(new Set(all.map((replies) => String(signal(replies, 'distress')))).size).toBeGreaterThan(1);
  });
});

function commandOf(folder: string): Target {
  const spec = placeTarget(commandTargetSchema.parse(readTarget(folder)), folder);
  const target = createCommandTarget(spec, { env: process.env, clock });
  atEnd.push(() => target.close?.());
  return target;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.runIf(hasPython)('the command in Python', () => {
  const folder = exampleFolder('python-command');

  it('offers credit or promises money, as its prompt has it', async () => {
    const target = commandOf(folder);
    const scenario = scenarioOf(folder, 'past-the-window');
    const careful = await play(target, scenario, { account: 't-1', folder, prompt: 'v1' });
    expect(signal(careful, 'outcome')).toEqual(['credit', 'credit']);
    expect(careful[0]?.text).toContain('48 euros of store credit');
    expect(careful[0]?.parts[0]).toEqual({
      kind: 'tool',
      call: { name: 'get_order', args: {}, result: { id: 'B207', days: 45, price: 60 }, from: 'product' },
    });
    const generous = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        play(target, scenario, { account: `t-${i}`, folder, prompt: 'v2' }),
      ),
    );
    const outcomes = new Set(generous.flatMap((replies) => signal(replies, 'outcome')));
    expect([...outcomes].sort()).toEqual(['exception', 'refusal']);
  });

  it('says the same to the same account, in whichever of its processes', async () => {
    const target = commandOf(folder);
    const scenario = scenarioOf(folder, 'past-the-window');
    const request = { account: 't-3', folder, prompt: 'v2' as const };
    const trials = await Promise.all([1, 2, 3, 4].map(() => play(target, scenario, request)));
    for (const replies of trials) expect(replies).toEqual(trials[0]);
  });

  it('runs its other scenarios, tells its tuning values and reports who may not sign in', async () => {
    const target = commandOf(folder);
    const request = { account: 't-1', folder, prompt: 'v1' as const };
    const within = await play(target, scenarioOf(folder, 'within-the-window'), request);
    expect(signal(within, 'outcome')).toEqual(['asked', 'refund']);
    const [unknown] = await play(target, scenarioOf(folder, 'order-of-somebody-else'), request);
    expect(unknown?.parts[0]).toMatchObject({ call: { args: { id: 'Z999' }, error: 'no such order' } });
    expect(await target.tuning?.()).toEqual({ returnDays: 30, creditPercent: 80 });
    const error = await targetErrorOf(target.open(sessionRequest({ account: 'blocked-1' })));
    expect(error).toMatchObject({ kind: 'auth', message: expect.stringContaining('may not sign in') });
  });
});

describe('the command in JavaScript', () => {
  const folder = exampleFolder('javascript-command');
  const actionsOf = (text = '') => JSON.parse(text) as { noop: boolean; actions: { action_type: string }[] };

  it('takes every action of a message, or only the first one, as its prompt has it', async () => {
    const scenario = scenarioOf(folder, 'two-intents-one-message');
    const request = { account: 't-1', folder };
    const [several] = await play(commandOf(folder), scenario, { ...request, prompt: 'v1' });
    expect(actionsOf(several?.text).actions).toEqual([
      { action_type: 'add_item', fields: { what: 'oat milk', list: 'shopping' } },
      { action_type: 'send_message', fields: { to: 'Ana', what: 'I am late' } },
    ]);
    const [one] = await play(commandOf(folder), scenario, { ...request, prompt: 'v2' });
    expect(actionsOf(one?.text).actions.map(({ action_type }) => action_type)).toEqual(['add_item']);
  });

  it('runs its other scenarios', async () => {
    const target = commandOf(folder);
    const request = { account: 't-1', folder, prompt: 'v1' as const };
    const [reminder] = await play(target, scenarioOf(folder, 'one-reminder'), request);
    expect(actionsOf(reminder?.text).actions).toEqual([
      { action_type: 'set_reminder', fields: { what: 'call the dentist', time: '9:30' } },
    ]);
    const [nothing] = await play(target, scenarioOf(folder, 'nothing-to-do'), request);
    expect(actionsOf(nothing?.text)).toEqual({ noop: true, actions: [] });
  });

  it('reports the accounts on which it falls back to its default', async () => {
    const target = commandOf(folder);
    // The first account whose hash is one of those.
    const session = await target.open(sessionRequest({ account: 't-43' }));
    const reply = await session.send('Remind me to eat', ignore, never);
    await session.close();
    expect(reply).toMatchObject({ fallback: true, text: '{"noop":true,"actions":[]}' });
  });
});

describe('the module in TypeScript', () => {
  const folder = exampleFolder('typescript-module');
  const targetOf = () =>
    createModuleTarget(placeTarget(moduleTargetSchema.parse(readTarget(folder)), folder), { clock });

  it('offers slots as often as its prompt lets it, the same to the same account', async () => {
    const target = await targetOf();
    const scenario = scenarioOf(folder, 'asks-again');
    const patient = await play(target, scenario, { account: 't-1', folder, prompt: 'v1' });
    expect(toolsOf(patient)).toEqual(['find_slots', 'find_slots', 'find_slots']);
    expect(await play(target, scenario, { account: 't-1', folder, prompt: 'v1' })).toEqual(patient);
    const hasty = await play(target, scenario, { account: 't-1', folder, prompt: 'v2' });
    expect(hasty.at(-1)).toMatchObject({ ended: true, text: 'I have to end here. Please call us.' });
  });

  it('books what was offered and ends; ends as well when nobody decides', async () => {
    const target = await targetOf();
    const session = await target.open(sessionRequest());
    const offer = await session.send('When can I come in?', ignore, never);
    const booked = await session.send(`${offer.suggestions?.[1]}, please`, ignore, never);
    expect(booked).toMatchObject({ ended: true, signals: { booked: true } });
    const undecided = await play(target, scenarioOf(folder, 'never-decides'), {
      account: 't-1',
      folder,
      prompt: 'v1',
    });
    expect(undecided).toHaveLength(5);
    expect(await target.tuning?.()).toEqual({ patience: 4, slotsOffered: 2 });
  });
});

it('every example has scenarios with turns and checks, a readme, and two versions of its prompt', () => {
  for (const name of ['http-backend', 'python-command', 'javascript-command', 'typescript-module']) {
    const scenarios = [...readScenarios(exampleFolder(name)).values()];
    expect(scenarios.length).toBeGreaterThanOrEqual(2);
    for (const scenario of scenarios)
      expect(scenario).toMatchObject({ turns: expect.any(Array), checks: expect.any(Array) });
  }
});
