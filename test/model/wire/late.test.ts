import { expect, test, vi } from 'vitest';
import { apis, ask, open } from './ask.js';
import { beginStream, startServer } from './server.js';
import { answer } from './streams.js';

/** The SDKs that were loaded so far. */
const loaded = vi.hoisted(() => [] as string[]);
vi.mock('openai', async (original) => {
  loaded.push('openai');
  return original();
});
vi.mock('@anthropic-ai/sdk', async (original) => {
  loaded.push('anthropic');
  return original();
});

test('an SDK is loaded by the first request that needs it, once, and by nothing before', async () => {
  const asked: string[][] = [];
  for (const api of apis) {
    const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
    const model = open(api, server.url);
    asked.push([...loaded]);
    await ask(model);
  }
  expect(asked).toEqual([[], ['anthropic'], ['anthropic', 'openai']]);
  expect(loaded).toEqual(['anthropic', 'openai']);
});
