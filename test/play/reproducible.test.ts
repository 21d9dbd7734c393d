import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Clock } from '../../source/base/clock.js';
import type { ChatModel } from '../../source/model/types.js';
import { playTrial } from '../../source/play/trial.js';
import type { Transcript } from '../../source/play/types.js';
import type { Scenario } from '../../source/suite/types.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import { createFakeClock } from '../model/fake-clock.js';
import { type Behaviours, makeModel } from '../model/simulated/make.js';
import { makeScenario } from './scenario.js';

const tools = [{ name: 'get_order', description: 'Looks up an order.', parameters: {} }];

/** Draws in every turn, calls tools in some, and sometimes a tool that is missing or has no fixture. */
const file: Behaviours = {
  latency: { firstTokenMs: 30, wordMs: 5 },
  cache: { minTokens: 1, ttlSeconds: 60 },
  rules: [
    {
      id: 'order',
      when: { user: { has: 'order' } },
      do: [
        {
          weight: 3,
          steps: [{ say: 'Let me look.', call: 'get_order', args: { id: 7 } }, { say: 'It is late.' }],
        },
        {
          steps: [
            { calls: [{ call: 'find_order' }, { call: 'get_order', args: { id: 7 } }] },
            { say: 'Sorry.' },
          ],
        },
        { steps: [{ call: 'get_order', args: { id: 8 } }, { say: 'never said' }] },
      ],
    },
  ],
  otherwise: { do: [{ steps: [{ say: 'Yes.' }] }, { steps: [{ say: 'No, I cannot.' }] }] },
};

const scenarios: Scenario[] = [
  { ...makeScenario(['Hello', 'Where is my order?', 'And now?']), id: 'late-order' },
  { ...makeScenario(['order', 'order', 'order']), id: 'asks-thrice' },
  { ...makeScenario(['Can you help?']), id: 'short' },
].map((scenario) => ({
  ...scenario,
  fixtures: {
    get_order: {
      kind: 'rules',
      rules: [
        { when: { id: 7 }, returns: { status: 'in transit' } },
        { when: { id: 7 }, returns: { status: 'delivered' } },
      ],
    },
  },
}));

const trials = scenarios.flatMap((scenario) =>
  [1, 2, 3].map((repeat) => ({ scenario, seed: `7/${scenario.id}/${repeat}` })),
);

function play(model: ChatModel, { scenario, seed }: { scenario: Scenario; seed: string }, clock: Clock) {
  const target = createPromptTarget({
    model,
    system: 'You are a support agent.',
    tools,
    settings: { maxTokens: 100, maxSteps: 4 },
  });
  return playTrial({
    target,
    scenario,
    seed,
    maxTurns: 40,
    clock,
    signal: new AbortController().signal,
    onProgress: () => {},
    onTurn: () => {},
  });
}

/** What has to reproduce: all but times and what the cache happened to hold. */
function replies({ turns, end, unsent }: Transcript) {
  return {
    turns: turns.map(({ message, reply: { parts, text, stop, steps, usage } }) => ({
      message,
      parts,
      text,
      stop,
      steps,
      tokens: [usage.input, usage.output],
    })),
    end,
    unsent,
  };
}

async function playAlone() {
  const alone = [];
  for (const trial of trials) {
    const { transcript } = await play(makeModel(file), trial, createFakeClock());
    alone.push(replies(transcript));
  }
  return alone;
}

it('with the same seed a trial has the same transcript, however trials run beside each other', async () => {
  const alone = await playAlone();
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.shuffledSubarray([...trials.entries()]),
      async (scheduler, started) => {
        let now = 0;
        // Whose wait ends next is up to the scheduler: any interleaving that timers and networks can bring about.
        const clock: Clock = { now: () => now++, wait: () => scheduler.schedule(Promise.resolve()) };
        const model = makeModel(file, { clock, latencyFactor: 1 });
        const playing = Promise.all(started.map(([, trial]) => play(model, trial, clock)));
        await scheduler.waitFor(playing);
        for (const [at, { transcript }] of (await playing).entries()) {
          expect(replies(transcript)).toEqual(alone[started[at]?.[0] ?? -1]);
          for (const { reply } of transcript.turns) {
            expect(reply.usage.cacheRead + reply.usage.cacheWrite).toBeLessThanOrEqual(reply.usage.input);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

it('repeats differ by their seed, and the scenario covers each kind of end', async () => {
  const alone = await playAlone();
  const [first] = alone;
  expect(alone.slice(1, 3).some((repeat) => JSON.stringify(repeat) !== JSON.stringify(first))).toBe(true);
  expect(new Set(alone.map(({ end }) => end.kind))).toEqual(new Set(['completed', 'no-fixture']));
});
