import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../source/base/clock.js';
import { openModel } from '../../source/model/models.js';
import { createAccounts } from '../../source/model/pacing/accounts.js';
import { openProviderModel, resolveProvider } from '../../source/model/provider.js';
import { configSchema } from '../../source/project/config-schema.js';
import {
  commandTargetSchema,
  httpTargetSchema,
  moduleTargetSchema,
  placeTarget,
} from '../../source/suite/target-schemas.js';
import { createCommandTarget } from '../../source/target/command.js';
import { createHttpTarget } from '../../source/target/http.js';
import { createModuleTarget } from '../../source/target/module.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import { collect } from '../model/scripted.js';
import { sendJson, startServer as startModelServer } from '../model/wire/server.js';
import { exampleFolder } from './examples/play.js';
import { ignore, never, recordProgress, sessionRequest, targetErrorOf } from './session-request.js';

// Programs are started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const page = readFileSync(fileURLToPath(new URL('../../docs/targets.md', import.meta.url)), 'utf8');
const clock = systemClock;
let folder = '';

/** Writes every block of the page that names a file to that file. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evalrun-test-'));
  for (const [, path = '', text = ''] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const targetIn = (kind: string) => parse(readFileSync(join(folder, kind, 'suite.yaml'), 'utf8')).target;

const creditPrompt = { name: 'v1', path: 'v1.md', text: 'After 30 days offer store credit.' };

it('the example of a prompt target answers', async () => {
  const { prompt, model, settings } = targetIn('prompt');
  const target = createPromptTarget({
    model: await openModel(model, { simulatedFolder: join(folder, 'prompt/simulated'), clock, env: {} }),
    system: readFileSync(join(folder, 'prompt', prompt), 'utf8'),
    tools: [],
    settings,
  });
  const session = await target.open(sessionRequest());
  expect((await session.send('I want a refund.', ignore, never)).text).toBe('I can offer store credit.');
});

it.each([
  ['local', '/v1/chat/completions', {}],
  ['azure', '/v1/chat/completions?api-version=2024-10-21', { 'api-key': 'a-key-of-azure' }],
  ['gateway', '/v1/messages', { 'x-api-key': 'a-key-of-the-gateway', 'x-team': 'evals' }],
])('the provider %s of the page is asked as the page says', async (name, path, headers) => {
  const server = await startModelServer((response) => sendJson(response, 400, {}));
  const config = configSchema.parse(JSON.parse(readFileSync(join(folder, 'prompt/.evalrc.json'), 'utf8')));
  const settings = resolveProvider(name, config.providers);
  if (settings === undefined) throw new Error(`no provider ${name}`);
  const env = { AZURE_OPENAI_API_KEY: 'a-key-of-azure', GATEWAY_KEY: 'a-key-of-the-gateway' };
  const here = { ...settings, baseURL: `${server.url}/v1` };
  const model = await openProviderModel(name, here, 'm', { env, clock, accounts: createAccounts(clock) });
  await expect(collect(model)).rejects.toThrow('refused the request');
  expect(server.seen[0]).toMatchObject({ path, headers });
});

it('the example of an http target talks to the backend that it is written for', async () => {
  const module: { createBackend(options: object): Server } = await import(
    pathToFileURL(`${exampleFolder('http-backend')}/server.mjs`).href
  );
  const server = module.createBackend({ token: 'open-sesame' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const env = {
      BACKEND_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      BACKEND_TOKEN: 'open-sesame',
    };
    const target = createHttpTarget(httpTargetSchema.parse(targetIn('http')), { env, clock });
    expect(await target.tuning?.()).toHaveProperty('maxTurns');
    const session = await target.open(
      sessionRequest({
        prompt: { name: 'v1', path: 'v1.md', text: 'Acknowledge first.' },
        history: { lastDistress: 9 },
      }),
    );
    const reply = await session.send('I lay awake all night.', ignore, never);
    await session.close();
    expect(reply).toMatchObject({
      text: 'That sounds hard. It makes sense that you feel like this.',
      signals: { category: 'sleep' },
      model: 'companion-rules-1',
    });
    expect(reply.usage.cacheWrite).toBe(2);
    expect(session.log?.()).toBe('');
  } finally {
    server.close();
  }
});

it.runIf(spawnSync('python3', ['--version']).status === 0)(
  'the example of a command target answers',
  async () => {
    const spec = placeTarget(commandTargetSchema.parse(targetIn('command')), join(folder, 'command'));
    const target = createCommandTarget(spec, { env: process.env, clock });
    try {
      const session = await target.open(sessionRequest({ prompt: creditPrompt }));
      const { told, onProgress } = recordProgress();
      const reply = await session.send('I want a refund.', onProgress, never);
      expect(reply).toMatchObject({
        text: 'One moment. I can offer store credit.',
        signals: { credit: true },
      });
      expect(reply.parts[0]).toMatchObject({ call: { name: 'get_order', result: { days: 45 } } });
      expect(told).toEqual([{ type: 'text', text: 'One moment. ' }]);
      expect((await targetErrorOf(session.send('Hi', ignore, never))).message).toContain(
        'I only know refunds',
      );
      await session.close();
      expect(await target.tuning?.()).toEqual({ returnDays: 30 });
    } finally {
      await target.close?.();
    }
  },
);

it('the example of a module target answers', async () => {
  const spec = placeTarget(moduleTargetSchema.parse(targetIn('module')), join(folder, 'module'));
  const target = await createModuleTarget(spec, { clock });
  const session = await target.open(sessionRequest({ profile: { name: 'Rosa', facts: [] } }));
  const reply = await session.send('an appointment', ignore, never);
  expect(reply).toMatchObject({
    text: 'Hello, Rosa. I can offer Monday at 9:40.',
    suggestions: ['Monday at 9:40'],
    ended: false,
  });
  expect(await target.tuning?.()).toEqual({ slots: 2 });
});
