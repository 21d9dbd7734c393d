import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { createBoundedMap } from '../../../source/model/simulated/bounded-map.js';
import type { ChatMessage, ChatModel, Usage } from '../../../source/model/types.js';
import { createFakeClock } from '../fake-clock.js';
import { ask, assistant, makeModel, toolResult, user } from './make.js';

const tools = [
  {
    name: 'get_order',
    description: 'Looks up an order.',
    parameters: { type: 'object', properties: { id: { type: 'number' } } },
  },
];
const system = 'You are a support agent of an airline. '.repeat(40);
const cache = { minTokens: 50, ttlSeconds: 300 };
const plain = ({ input, cacheRead, cacheWrite }: Usage) => input - cacheRead - cacheWrite;

describe('input and output', () => {
  it('are counted from the text that was really sent and said', async () => {
    const model = makeModel({ otherwise: { steps: [{ say: 'It was delivered on Monday.' }] } });
    const messages = [
      user('Where is my order?'),
      assistant('Let me look.', 'get_order'),
      toolResult('get_order', '{"status":"delivered","on":"Monday"}'),
    ];
    const { usage } = await ask(model, messages, { system, tools });
    const parts = [
      system,
      JSON.stringify(tools),
      'Where is my order?',
      'Let me look.\nget_order {}',
      '{"status":"delivered","on":"Monday"}',
    ];
    expect(usage.input).toBe(parts.reduce((sum, part) => sum + estimateTokenCount(part), 0));
    // The turn's second request has nothing left to say.
    expect(usage.output).toBe(0);
    const first = await ask(model, 'Where is my order?', { system, tools });
    expect(first.usage.output).toBe(estimateTokenCount('It was delivered on Monday.'));
  });

  it('output counts tool calls', async () => {
    const model = makeModel({ otherwise: { steps: [{ call: 'get_order', args: { id: 7 } }] } });
    expect((await ask(model, 'hi')).usage.output).toBe(estimateTokenCount('get_order {"id":7}'));
  });
});

describe('the prefix cache', () => {
  const make = (more = {}) => {
    const clock = createFakeClock();
    return { clock, model: makeModel({ cache: { ...cache, ...more } }, { clock }) };
  };
  const usageOf = async (model: ChatModel, messages: string | ChatMessage[], more = {}) =>
    (await ask(model, messages, { system, tools, ...more })).usage;

  it('is cold first, then warm, also for another conversation with the same prompt', async () => {
    const { model } = make();
    const cold = await usageOf(model, 'Where is my order?');
    expect(cold.cacheRead).toBe(0);
    expect(cold.cacheWrite).toBe(cold.input - estimateTokenCount('Where is my order?'));
    const warm = await usageOf(model, 'Cancel my flight.');
    expect(warm.cacheRead).toBe(cold.cacheWrite);
    expect(warm.cacheWrite).toBe(0);
    expect(plain(warm)).toBe(estimateTokenCount('Cancel my flight.'));
  });

  it('reads the longest beginning that is there and writes the rest', async () => {
    const { model } = make();
    const first = await usageOf(model, 'Where is my order?');
    const second = await usageOf(model, [
      user('Where is my order?'),
      assistant('Which one?'),
      user('The last.'),
    ]);
    expect(second.cacheRead).toBe(first.cacheWrite);
    expect(second.cacheWrite).toBe(
      estimateTokenCount('Where is my order?') + estimateTokenCount('Which one?'),
    );
    expect(plain(second)).toBe(estimateTokenCount('The last.'));
    const other = await usageOf(model, [user('Where is my order?'), assistant('Which?'), user('The last.')]);
    // Up to the user's message the two conversations are the same.
    expect(other.cacheRead).toBe(first.cacheWrite + estimateTokenCount('Where is my order?'));
  });

  it('takes another prompt for another beginning, and still has the tools in common', async () => {
    const { model } = make({ minTokens: 1 });
    await usageOf(model, 'hi');
    const other = await usageOf(model, 'hi', { system: `Be kind. ${system}` });
    expect(other.cacheRead).toBe(estimateTokenCount(JSON.stringify(tools)));
    const without = await usageOf(model, 'hi', { tools: [] });
    expect(without.cacheRead).toBe(0);
  });

  it('neither reads nor writes what is shorter than its minimum', async () => {
    const { model } = make({ minTokens: 100_000 });
    const usages = [await usageOf(model, 'hi'), await usageOf(model, 'hi')];
    for (const usage of usages) expect(usage).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
  });

  it('forgets what nobody used for its time to live, and every use starts that time anew', async () => {
    const { model, clock } = make();
    const cold = await usageOf(model, 'hi');
    await clock.advance(299_000);
    expect((await usageOf(model, 'hi')).cacheRead).toBe(cold.cacheWrite);
    await clock.advance(299_000);
    expect((await usageOf(model, 'hi')).cacheRead).toBe(cold.cacheWrite);
    await clock.advance(300_000);
    expect(await usageOf(model, 'hi')).toEqual(cold);
  });

  it('is cold for requests that start before the first one has begun to be answered', async () => {
    const clock = createFakeClock();
    const model = makeModel(
      { cache, latency: { firstTokenMs: 100, wordMs: 1 } },
      { clock, latencyFactor: 1 },
    );
    const together = [usageOf(model, 'a'), usageOf(model, 'b')];
    await clock.advance(1_000);
    for (const usage of await Promise.all(together)) expect(usage.cacheRead).toBe(0);
    const later = usageOf(model, 'c');
    await clock.advance(1_000);
    expect((await later).cacheRead).toBeGreaterThan(0);
  });

  it('keeps nothing of a request that was aborted before its first word', async () => {
    const clock = createFakeClock();
    const model = makeModel(
      { cache, latency: { firstTokenMs: 100, wordMs: 1 } },
      { clock, latencyFactor: 1 },
    );
    const stop = new AbortController();
    const aborted = ask(model, 'a', { system, tools, signal: stop.signal });
    const failed = expect(aborted).rejects.toThrow('stopped');
    await clock.advance(50);
    stop.abort(new Error('stopped'));
    await failed;
    const later = usageOf(model, 'a');
    await clock.advance(1_000);
    expect((await later).cacheRead).toBe(0);
  });

  it('reads more with every request of a conversation, and its parts never exceed the input', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ asks: text, answers: text }), { minLength: 2, maxLength: 8 }),
        fc.integer({ min: 0, max: 400 }),
        async (turns, minTokens) => {
          const { model } = make({ minTokens });
          const messages: ChatMessage[] = [];
          let read = 0;
          for (const { asks, answers } of turns) {
            messages.push(user(asks));
            const usage = await usageOf(model, [...messages]);
            expect(usage.cacheRead).toBeGreaterThanOrEqual(read);
            expect(usage.cacheRead + usage.cacheWrite).toBeLessThanOrEqual(usage.input);
            expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0);
            read = usage.cacheRead;
            messages.push(assistant(answers));
          }
        },
      ),
    );
  });
});

describe('bounded memory', () => {
  it('forgets what was used longest ago once there are too many entries or they weigh too much', () => {
    const map = createBoundedMap<number>(3, 100);
    map.set('a', 1, 10);
    map.set('b', 2, 10);
    map.set('c', 3, 10);
    expect(map.get('a')).toBe(1);
    map.set('d', 4, 10);
    expect([map.get('a'), map.get('b'), map.get('c'), map.get('d')]).toEqual([1, undefined, 3, 4]);
    map.set('e', 5, 85);
    expect(map.get('e')).toBe(5);
    expect(map.size).toBe(2);
    map.set('f', 6, 101);
    expect(map.get('f')).toBeUndefined();
    expect(map.get('e')).toBe(5);
  });

  it('is kept whatever is put in', () => {
    const entry = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), weight: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const map = createBoundedMap<number>(3, 100);
        const weights = new Map<string, number>();
        for (const { key, weight } of entries) {
          map.set(key, weight, weight);
          weights.set(key, weight);
        }
        const held = [...weights].filter(([key]) => map.get(key) !== undefined);
        expect(held).toHaveLength(map.size);
        expect(map.size).toBeLessThanOrEqual(3);
        expect(held.reduce((sum, [, weight]) => sum + weight, 0)).toBeLessThanOrEqual(100);
        const last = entries.at(-1);
        if (last !== undefined) expect(map.get(last.key)).toBe(last.weight);
      }),
    );
  });
});
