import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { openModel } from '../../source/model/models.js';
import { createAccounts } from '../../source/model/pacing/accounts.js';
import { startRun } from '../../source/run/start.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import { beginStream, sendJson, startServer } from '../model/wire/server.js';
import { answer, errorBody } from '../model/wire/streams.js';
import { observe, patternCheck, runOptions, scenario, tallyOf, temporaryFolder } from './support.js';

const conversations = 500;

/** Trials of two turns, of as many scenarios as there are conversations, on a provider at `url`. */
async function openRun(url: string, concurrency: number) {
  const accounts = createAccounts(systemClock);
  let longest = 0;
  accounts.subscribe(() => {
    for (const { waiting } of accounts.states()) longest = Math.max(longest, waiting);
  });
  const model = await openModel('local:one', {
    simulatedFolder: '/nowhere',
    clock: systemClock,
    env: {},
    accounts,
    providers: { local: { api: 'openai-chat', baseURL: `${url}/v1`, concurrency } },
  });
  const observed = observe();
  const target = createPromptTarget({
    model,
    system: 'You say who you are.',
    tools: [],
    settings: { maxTokens: 100, maxSteps: 2 },
  });
  const scenarios = Array.from({ length: conversations }, (_, at) =>
    scenario(
      `s${at}`,
      [`conversation-${at}.`, 'Sure?'],
      [patternCheck('its-own', `^I am conversation-${at}\\.$`)],
    ),
  );
  const run = await startRun(
    runOptions(await temporaryFolder(), observed, {
      scenarios,
      target,
      repeat: 1,
      concurrency: conversations,
      attempts: 1,
    }),
  );
  return { run, observed, accounts, longest: () => longest };
}

const nameIn = (body: unknown) => JSON.stringify(body).match(/conversation-\d+\./)?.[0] ?? '';

describe('500 conversations at once, through the scheduler', () => {
  it('all end with their own answers; nobody is warned, and no queue is longer than they are', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
    process.on('warning', hear);
    const server = await startServer((response, { body }) =>
      beginStream(response).end(answer('openai-chat', 'I am ', nameIn(body))),
    );
    const { run, observed, accounts, longest } = await openRun(server.url, 64);
    await run.start();
    await run.close();
    process.off('warning', hear);
    const tally = tallyOf(observed);
    expect(tally.trials).toMatchObject({ total: conversations, done: conversations, errors: 0, running: 0 });
    expect(tally.verdicts.pass).toBe(conversations);
    expect(server.seen).toHaveLength(2 * conversations);
    expect(longest()).toBeGreaterThan(100);
    expect(longest()).toBeLessThanOrEqual(conversations);
    expect(accounts.states()).toMatchObject([{ inFlight: 0, waiting: 0 }]);
    expect(tally.inFlight.size).toBe(0);
    expect(warnings).toEqual([]);
  }, 120_000);

  it('a server that refuses some of them slows them down and loses none', async () => {
    let now = 0;
    const server = await startServer(async (response, { body }) => {
      now++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      const isTooMany = now > 20;
      now--;
      if (isTooMany)
        sendJson(response, 429, errorBody('openai-chat', 'rate_limit_error', 'too many'), {
          'retry-after-ms': '20',
        });
      else beginStream(response).end(answer('openai-chat', 'I am ', nameIn(body)));
    });
    const { run, observed, accounts } = await openRun(server.url, 64);
    await run.start();
    await run.close();
    const tally = tallyOf(observed);
    expect(tally.verdicts.pass).toBe(conversations);
    expect(tally.taints).toEqual([]);
    expect(accounts.states()[0]?.limit).toBeLessThan(64);
  }, 120_000);

  it('aborted, they all let go', async () => {
    const server = await startServer(() => {});
    const { run, observed, accounts } = await openRun(server.url, 64);
    const over = run.start();
    await expect.poll(() => server.seen.length, { timeout: 30_000 }).toBe(64);
    run.abort();
    await over;
    await run.close();
    expect(tallyOf(observed)).toMatchObject({ state: 'interrupted', trials: { done: 0, running: 0 } });
    expect(accounts.states()).toMatchObject([{ inFlight: 0, waiting: 0 }]);
  }, 120_000);
});
