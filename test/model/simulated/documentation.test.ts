import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseBehaviours } from '../../../source/model/simulated/load.js';
import { createSimulatedModel } from '../../../source/model/simulated/model.js';
import type { ChatModel } from '../../../source/model/types.js';
import { createFakeClock } from '../fake-clock.js';
import { ask, assistant, say, toolResult, user } from './make.js';

let model: ChatModel;

beforeAll(async () => {
  const page = await readFile(new URL('../../../docs/simulated-model.md', import.meta.url), 'utf8');
  const example = /^```yaml\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
  const behaviours = await parseBehaviours(example, { file: 'docs/simulated-model.md', name: 'order-desk' });
  model = createSimulatedModel(behaviours, { clock: createFakeClock(), latencyFactor: 0 });
});

/** Answers of a hundred trials to one message. */
async function answers(system: string, message: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let at = 0; at < 100; at++) {
    const text = await say(model, message, { system, seed: `${at}/1` });
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

describe('the example of the documentation', () => {
  it('is a file that loads', () => {
    expect(model.name).toBe('simulated:order-desk');
  });

  it('reacts to the text of the prompt, and flips now and then', async () => {
    const good = await answers('Past 30 days, offer\nstore credit.', 'I want a refund.');
    expect(good.size).toBe(2);
    expect(good.get('Let me look at your order.')).toBeGreaterThan(70);
    const broken = await answers('Be kind.', 'I want a refund.');
    expect(broken).toEqual(new Map([['I will refund you in full.', 100]]));
  });

  it('follows its script, with tools that are called at once', async () => {
    const moved = [user('I have moved.'), assistant('What is your new address?'), user('12 Elm Street')];
    expect((await ask(model, moved)).calls.map(({ name }) => name)).toEqual(['get_user', 'list_orders']);
    const looked = [...moved, assistant('', 'get_user', 'list_orders'), toolResult('get_user', '{}')];
    expect((await ask(model, looked)).calls.map(({ name }) => name)).toEqual(['set_address']);
  });

  it('thanks only after an order was looked at, and otherwise says what it is for', async () => {
    const before = [
      user('hi'),
      assistant('Hello.', 'get_order'),
      toolResult('get_order', '{}'),
      user('ok, thank you'),
    ];
    expect(await say(model, before)).toBe('You are welcome.');
    expect(await say(model, 'thank you')).toBe('I can help with orders and refunds.');
  });
});
