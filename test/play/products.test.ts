import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { checkCatalogue } from '../../source/grade/registry.js';
import { playTrial } from '../../source/play/trial.js';
import { loadProject } from '../../source/project/config.js';
import { loadPrompt } from '../../source/project/prompts.js';
import { readSuite } from '../../source/suite/load.js';
import type { Suite } from '../../source/suite/types.js';
import { createCommandTarget } from '../../source/target/command.js';
import { createHttpTarget } from '../../source/target/http.js';
import { createModuleTarget } from '../../source/target/module.js';
import type { Target } from '../../source/target/types.js';
import { never } from '../target/session-request.js';

// Programs are started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const clock = systemClock;
const root = join(import.meta.dirname, '../..');

/** A suite of the shipped examples, loaded as suites of a project are. */
async function loadExample(name: string) {
  const project = await loadProject({ cwd: join(root, 'examples'), env: {} });
  const { suite, problems } = await readSuite(project, name, checkCatalogue);
  expect(problems).toEqual([]);
  if (suite === undefined) throw new Error(`examples/${name} cannot be loaded`);
  return { suite, project };
}

async function openProduct({ target }: Suite, env: NodeJS.ProcessEnv): Promise<Target> {
  switch (target.kind) {
    case 'http':
      return createHttpTarget(target, { env, clock });
    case 'command':
      return createCommandTarget(target, { env, clock });
    case 'module':
      return createModuleTarget(target, { env, clock });
    case 'prompt':
      throw new Error('a prompt is no product');
  }
}

async function playExample(name: string, scenarioId: string, env: NodeJS.ProcessEnv = process.env) {
  const { suite, project } = await loadExample(name);
  const scenario = suite.scenarios.find(({ id }) => id === scenarioId);
  if (scenario === undefined) throw new Error(`examples/${name} has no scenario ${scenarioId}`);
  const target = await openProduct(suite, env);
  onTestFinished(() => target.close?.());
  const { name: version, path, text } = await loadPrompt(project, `${name}/prompts/v1.md`);
  const { transcript } = await playTrial({
    target,
    scenario,
    seed: 's',
    maxTurns: suite.limits.maxTurns,
    account: `t-${scenarioId}`,
    prompt: { name: version, path, text },
    clock,
    signal: never,
    onProgress: () => {},
    onTurn: () => {},
  });
  return transcript;
}

it('a backend that reaches its cap ends the conversation, and what it was not sent is recorded', async () => {
  const { createBackend }: { createBackend(options: object): Server } = await import(
    pathToFileURL(join(root, 'examples/http-backend/server.mjs')).href
  );
  const server = createBackend({ token: 'open-sesame' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transcript = await playExample('http-backend', 'ends-at-the-cap', {
    BACKEND_URL: url,
    BACKEND_TOKEN: 'open-sesame',
  });
  expect(transcript).toMatchObject({ end: { kind: 'ended', turn: 8 }, unsent: ['Are you still there?'] });
  expect(transcript.turns.at(-1)?.reply.signals).toHaveProperty('phase', 'wrap-up');
});

it('a program is loaded with the history of the scenario and calls its own tools', async () => {
  const { turns, end } = await playExample('python-command', 'past-the-window');
  expect(end).toEqual({ kind: 'completed' });
  const calls = turns.flatMap(({ reply }) =>
    reply.parts.flatMap((part) => (part.kind === 'tool' ? [part.call] : [])),
  );
  expect(calls[0]).toMatchObject({ name: 'get_order', from: 'product' });
  expect(turns.at(-1)?.reply.text).toContain('store credit');
});

it('a module that gives up ends the conversation too', async () => {
  const transcript = await playExample('typescript-module', 'never-decides');
  expect(transcript.end).toEqual({ kind: 'ended', turn: 5 });
  expect(transcript.unsent).toEqual(['Are you there?']);
});
