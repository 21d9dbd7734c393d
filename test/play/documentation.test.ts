import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { checkCatalogue } from '../../source/grade/registry.js';
import { openModel } from '../../source/model/models.js';
import { createAccounts } from '../../source/model/pacing/accounts.js';
import { createLiveTools } from '../../source/play/live-tools.js';
import { createSimulatedUser } from '../../source/play/simulated-user.js';
import { simulatedUserPrompt } from '../../source/play/simulated-user-prompt.js';
import { playTrial, type TrialOptions } from '../../source/play/trial.js';
import { loadProject } from '../../source/project/config.js';
import { applyFixtures } from '../../source/suite/fixture-overrides.js';
import { loadSuite } from '../../source/suite/load.js';
import type { Suite } from '../../source/suite/types.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import { createFolder, type Files } from '../suite/project.js';
import { never } from '../target/session-request.js';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/conversations.md'), 'utf8');

/** The agent that the page tells of, and the user that is shipped. */
const models: Files = {
  'simulated/order-desk.yaml': `
name: order-desk
rules:
  - {id: refund, when: {user: {has: money back}}, steps: [{call: get_order}, {say: I can offer store credit.}]}
  - {id: valid, when: {user: {has: valid}}, steps: [{say: It is valid for a year.}]}
otherwise: {steps: [{say: Goodbye.}]}
`,
  'simulated/user.yaml': readFileSync(join(root, 'simulated/user.yaml')),
  'prompts/orders/v1.md': 'Offer store credit.\n',
  '.evalrc.json': '{}',
};

/** Every block of the page that names a file, as that file. */
async function loadPage() {
  const blocks = [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)];
  const files = Object.fromEntries(blocks.map(([, path = '', text = '']) => [path, text]));
  const folder = await createFolder({ ...models, ...files });
  const project = await loadProject({ cwd: folder, env: {} });
  return { folder, suite: await loadSuite(project, 'orders', checkCatalogue) };
}

async function play(folder: string, suite: Suite, more: Partial<TrialOptions> = {}) {
  const { target } = suite;
  const [scenario] = suite.scenarios;
  if (target.kind !== 'prompt' || scenario === undefined) throw new Error('the page has another suite');
  const open = (reference: string) =>
    openModel(reference, {
      simulatedFolder: join(folder, 'simulated'),
      clock: systemClock,
      env: { EVALRUN_SIMULATED_LATENCY: '0' },
      providers: {},
      accounts: createAccounts(systemClock),
    });
  const { transcript } = await playTrial({
    target: createPromptTarget({ ...target, model: await open(target.model), system: 'Offer store credit.' }),
    scenario,
    seed: 's',
    maxTurns: suite.limits.maxTurns,
    user: createSimulatedUser({ model: await open(suite.user?.model ?? '') }),
    clock: systemClock,
    signal: never,
    onProgress: () => {},
    onTurn: () => {},
    ...more,
  });
  return transcript;
}

const toolOf = ({ turns }: Awaited<ReturnType<typeof play>>) => {
  const [first] = turns[0]?.reply.parts ?? [];
  return first?.kind === 'tool' ? first.call : undefined;
};

describe('the page on conversations', () => {
  it('has a conversation whose simulated turn ends when its goal is reached', async () => {
    const { folder, suite } = await loadPage();
    const transcript = await play(folder, suite);
    expect(transcript.turns.map(({ message }) => message)).toEqual([
      'I bought this 45 days ago and I want my money back.',
      'How long would that credit be valid?',
      'Thank you, bye.',
    ]);
    expect(transcript).toMatchObject({ end: { kind: 'completed' }, unsent: [] });
    expect(toolOf(transcript)).toMatchObject({ result: { status: 'delivered' }, from: 'fixture' });
  });

  it('has a folder of fixtures', async () => {
    const { folder, suite } = await loadPage();
    const other = await applyFixtures(suite, join(folder, 'fixtures'), folder);
    expect(toolOf(await play(folder, other))).toMatchObject({ result: { status: 'lost' } });
  });

  it('has tools that can be called for real', async () => {
    const { folder, suite } = await loadPage();
    if (suite.target.kind !== 'prompt') throw new Error('the page has another suite');
    const env = { ...process.env, SHOP_URL: 'http://127.0.0.1:9', SHOP_TOKEN: 'open-sesame' };
    const liveTools = createLiveTools({ tools: suite.target.live ?? {}, env, clock: systemClock });
    const transcript = await play(folder, suite, { liveTools, account: 't-1' });
    expect(toolOf(transcript)).toEqual({
      name: 'get_order',
      args: {},
      result: { purchase_days_ago: 12, status: 'delivered', of: 't-1' },
      from: 'live',
    });
  });

  it('names the text that simulated users are told', () => {
    expect(page).toContain(`\`${simulatedUserPrompt.name}\``);
  });
});
