import { createRequire } from 'node:module';
import { expect, test, vi } from 'vitest';
import { apis, ask, open } from './ask.js';
import { beginStream, startServer } from './server.js';
import { answer } from './streams.js';

const asModules = vi.hoisted(() => [] as string[]);
vi.mock('openai', async (original) => {
  asModules.push('openai');
  return original();
});
vi.mock('@anthropic-ai/sdk', async (original) => {
  asModules.push('anthropic');
  return original();
});

const { cache } = createRequire(import.meta.url);

const folders = [
  ['anthropic', /[/\\]node_modules[/\\]@anthropic-ai[/\\]sdk[/\\]/],
  ['openai', /[/\\]node_modules[/\\]openai[/\\]/],
] as const;

/** The SDKs that were loaded so far. */
function loaded(): string[] {
  const files = Object.keys(cache);
  return folders.flatMap(([name, folder]) => (files.some((file) => folder.test(file)) ? [name] : []));
}

test('an SDK is loaded by the first request that needs it, and by nothing before', async () => {
  // Other tests of this process may have loaded them.
  for (const file of Object.keys(cache))
    if (folders.some(([, folder]) => folder.test(file))) delete cache[file];
  const asked: string[][] = [];
  for (const api of apis) {
    const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
    const model = open(api, server.url);
    asked.push(loaded());
    await ask(model);
  }
  expect(asked).toEqual([[], ['anthropic'], ['anthropic', 'openai']]);
  expect(loaded()).toEqual(['anthropic', 'openai']);
  // Nor is either loaded a second time in its other form.
  expect(asModules).toEqual([]);
});
