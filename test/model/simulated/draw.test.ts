import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatModel } from '../../../source/model/types.js';
import { makeModel, say } from './make.js';

const threeWays = () =>
  makeModel({
    rules: [
      {
        id: 'r',
        when: { turn: 1 },
        do: [
          { weight: 6, steps: [{ say: 'often' }] },
          { weight: 3, steps: [{ say: 'sometimes' }] },
          { steps: [{ say: 'seldom' }] },
        ],
      },
    ],
  });

async function shares(model: ChatModel, system: string, count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const text = await say(model, 'hi', { system, seed: `7/scenario/${at}/1` });
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

it('alternatives are drawn as often as their weights say', async () => {
  const counts = await shares(threeWays(), 'p', 4_000);
  // Four standard deviations of 4,000 draws are at most 0.032.
  expect(Math.abs((counts.often ?? 0) / 4_000 - 0.6)).toBeLessThan(0.032);
  expect(Math.abs((counts.sometimes ?? 0) / 4_000 - 0.3)).toBeLessThan(0.032);
  expect(Math.abs((counts.seldom ?? 0) / 4_000 - 0.1)).toBeLessThan(0.032);
});

it('the same seed, prompt and rule draw the same, in any order and in another model of the same file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ seed: fc.string(), system: fc.string() }), { minLength: 1, maxLength: 12 }),
      async (requests) => {
        const model = threeWays();
        const forward: string[] = [];
        for (const request of requests) forward.push(await say(model, 'hi', request));
        const other = threeWays();
        const backward: string[] = [];
        for (const request of requests.toReversed()) backward.unshift(await say(other, 'hi', request));
        expect(backward).toEqual(forward);
        expect(await Promise.all(requests.map((request) => say(model, 'hi', request)))).toEqual(forward);
      },
    ),
  );
});

it('the draw hangs on nothing else: not on the words of the user, nor on tools, settings or steps before', async () => {
  const model = makeModel({
    rules: [
      {
        id: 'r',
        when: { turn: { min: 1 } },
        do: [{ steps: [{ say: 'heads' }] }, { steps: [{ say: 'tails' }] }],
      },
    ],
  });
  const seeds = Array.from({ length: 40 }, (_, at) => `seed-${at}`);
  const plain = await Promise.all(seeds.map((seed) => say(model, 'hi', { seed })));
  expect(new Set(plain)).toEqual(new Set(['heads', 'tails']));
  const changed = await Promise.all(
    seeds.map((seed) =>
      say(model, 'something else', {
        seed,
        maxTokens: 5_000,
        temperature: 0,
        tools: [{ name: 't', description: 'd', parameters: {} }],
      }),
    ),
  );
  expect(changed).toEqual(plain);
});

it('an edit of the prompt, a seed and another rule each draw anew', async () => {
  const model = makeModel({
    rules: ['a', 'b'].map((id) => ({
      id,
      when: { user: { is: id } },
      do: [{ steps: [{ say: 'heads' }] }, { steps: [{ say: 'tails' }] }],
    })),
  });
  const seeds = Array.from({ length: 200 }, (_, at) => `seed-${at}`);
  const draws = (message: string, system: string) =>
    Promise.all(seeds.map((seed) => say(model, message, { system, seed })));
  const base = await draws('a', 'prompt');
  const sameAsBase = (other: string[]) => other.filter((text, at) => text === base[at]).length;
  // Independent coins agree in half of the cases; 30 is more than four standard deviations.
  expect(Math.abs(sameAsBase(await draws('a', 'prompt.')) - 100)).toBeLessThan(30);
  expect(Math.abs(sameAsBase(await draws('b', 'prompt')) - 100)).toBeLessThan(30);
  expect(Math.abs(base.filter((text) => text === 'heads').length - 100)).toBeLessThan(30);
});

it('all steps of a turn belong to one draw', async () => {
  const model = makeModel({
    rules: [
      {
        id: 'r',
        when: { turn: 1 },
        do: ['x', 'y'].map((name) => ({ steps: [{ call: name }, { say: `called ${name}` }] })),
      },
    ],
  });
  for (let at = 0; at < 20; at++) {
    const seed = `${at}/1`;
    const tools: string[] = [];
    for await (const event of model.stream({
      system: '',
      messages: [{ role: 'user', text: 'hi' }],
      tools: [],
      maxTokens: 100,
      seed,
    })) {
      if (event.type === 'tool-request') tools.push(event.request.name);
    }
    const [name = ''] = tools;
    const text = await say(
      model,
      [
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: '', toolRequests: [{ id: '1', name, args: {} }] },
        { role: 'tool', toolRequestId: '1', name, content: '', isError: false },
      ],
      { system: '', seed },
    );
    expect(text).toBe(`called ${name}`);
  }
});
