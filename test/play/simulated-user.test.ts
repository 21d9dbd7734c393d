import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { openModel } from '../../source/model/models.js';
import { createAccounts } from '../../source/model/pacing/accounts.js';
import { ModelError, type Usage } from '../../source/model/types.js';
import { createSimulatedUser } from '../../source/play/simulated-user.js';
import { simulatedUserPrompt } from '../../source/play/simulated-user-prompt.js';
import { playTrial, type TrialOptions } from '../../source/play/trial.js';
import type { PlannedTurn, Scenario } from '../../source/suite/types.js';
import type { AgentReply, Target } from '../../source/target/types.js';
import { createFakeClock } from '../model/fake-clock.js';
import { createScriptedModel, type ScriptedAnswer } from '../target/scripted-model.js';
import { never } from '../target/session-request.js';
import { makeScenario } from './scenario.js';

const usage: Usage = { input: 100, output: 10, cacheRead: 60, cacheWrite: 20 };

const say = (message: string, done = false): ScriptedAnswer => ({ say: JSON.stringify({ message, done }) });

const simulate = (instruction: string, maxTurns = 1, goal?: string): PlannedTurn => ({
  kind: 'simulated',
  instruction,
  maxTurns,
  ...(goal !== undefined && { goal }),
});
const fixed = (message: string): PlannedTurn => ({ kind: 'fixed', message });

/** A product that gives one reply after the other, the last one again and again. */
function createProduct(...replies: (string | Partial<AgentReply>)[]) {
  const sent: string[] = [];
  const target: Target = {
    async open() {
      return {
        async send(message) {
          sent.push(message);
          const reply = replies[Math.min(sent.length, replies.length) - 1] ?? 'I see.';
          const facts = typeof reply === 'string' ? { text: reply } : reply;
          return { parts: [], text: '', usage, steps: 1, stop: 'end', model: 'm', ...facts };
        },
        async close() {},
      };
    },
  };
  return { target, sent };
}

interface Play extends Partial<TrialOptions> {
  answers: ScriptedAnswer[];
  profile?: Scenario['profile'];
}

/** Plays these turns, with a user that gives these answers. */
async function play(turns: PlannedTurn[], target: Target, { answers, profile, ...more }: Play) {
  const model = createScriptedModel(answers);
  const outcome = await playTrial({
    target,
    scenario: { ...makeScenario([]), turns, ...(profile && { profile }) },
    seed: '7/refund/1',
    maxTurns: 40,
    user: createSimulatedUser({ model }),
    clock: createFakeClock(),
    signal: never,
    onProgress: () => {},
    onTurn: () => {},
    ...more,
  });
  return { ...outcome, requests: model.requests };
}

describe('a turn that a model plays', () => {
  it('is what the model says, after the fixed ones and before those that follow', async () => {
    const { target, sent } = createProduct('No refund.', 'A credit of 60 euros.', 'For a year.');
    const turns = [fixed('I want my money back.'), simulate('Insist once more.'), fixed('Bye.')];
    const { transcript } = await play(turns, target, { answers: [say('I insist!')] });
    expect(sent).toEqual(['I want my money back.', 'I insist!', 'Bye.']);
    expect(transcript).toMatchObject({ end: { kind: 'completed' }, unsent: [] });
    expect(transcript.turns.map(({ simulated }) => simulated)).toEqual([
      undefined,
      { model: 'scripted:model', plannedTurn: 2, isDone: false, usage },
      undefined,
    ]);
  });

  it('goes on until its goal is reached', async () => {
    const { target, sent } = createProduct();
    const { requests, transcript } = await play([simulate('Ask for a refund.', 5), fixed('Bye.')], target, {
      answers: [say('Refund?'), say('Please!'), say('Thanks.', true)],
    });
    expect(sent).toEqual(['Refund?', 'Please!', 'Thanks.', 'Bye.']);
    expect(requests).toHaveLength(3);
    expect(transcript.turns.map(({ simulated }) => simulated?.isDone)).toEqual([
      false,
      false,
      true,
      undefined,
    ]);
  });

  it('sends nothing when its goal is reached already, and the tokens count all the same', async () => {
    const { target, sent } = createProduct();
    const { transcript, userUsage } = await play([fixed('Hi.'), simulate('Ask.', 3), fixed('Bye.')], target, {
      answers: [say('', true)],
    });
    expect(sent).toEqual(['Hi.', 'Bye.']);
    expect(transcript).toMatchObject({ end: { kind: 'completed' }, unsent: [] });
    expect(userUsage).toEqual(usage);
  });

  it('ends after its messages, whether or not the goal is reached', async () => {
    const { target, sent } = createProduct();
    const { requests } = await play([simulate('Insist.', 2)], target, {
      answers: [say('1'), say('2'), say('3')],
    });
    expect(sent).toEqual(['1', '2']);
    expect(requests).toHaveLength(2);
  });

  it('shows the limits of the suite and the end of the session, and its instruction is what was not sent', async () => {
    const limited = createProduct();
    const turns = [simulate('Insist.', 3), fixed('Bye.')];
    const answers = [say('1'), say('2'), say('3')];
    const atTheLimit = await play(turns, limited.target, { answers, maxTurns: 2 });
    expect(atTheLimit.transcript).toMatchObject({
      end: { kind: 'turn-limit', maxTurns: 2 },
      unsent: ['Insist.', 'Bye.'],
    });
    expect(atTheLimit.requests).toHaveLength(2);

    const ending = createProduct('Go on.', { text: 'Goodbye.', ended: true });
    expect((await play(turns, ending.target, { answers })).transcript).toMatchObject({
      end: { kind: 'ended', turn: 2 },
      unsent: ['Insist.', 'Bye.'],
    });
    const done = createProduct({ text: 'Goodbye.', ended: true });
    const { transcript } = await play(turns, done.target, { answers: [say('Thanks.', true)] });
    expect(transcript).toMatchObject({ end: { kind: 'ended', turn: 1 }, unsent: ['Bye.'] });
  });

  it('has its tokens counted apart from those of the agent, for each message', async () => {
    const { target } = createProduct();
    const mine = { input: 7, output: 1, cacheRead: 0, cacheWrite: 0 };
    const outcome = await play([fixed('Hi.'), simulate('Insist.', 2)], target, {
      answers: [
        { ...say('1'), usage: mine },
        { ...say('2'), usageMissing: true, usage: { ...mine, input: 0, output: 0 } },
      ],
    });
    expect(outcome.usage).toEqual({ input: 300, output: 30, cacheRead: 180, cacheWrite: 60 });
    expect(outcome.userUsage).toEqual(mine);
    expect(outcome.transcript.turns.map(({ simulated }) => simulated?.usageMissing)).toEqual([
      undefined,
      undefined,
      true,
    ]);
  });

  it('cannot be played by nobody', async () => {
    const { target, sent } = createProduct();
    const trial = playTrial({
      target,
      scenario: { ...makeScenario([]), turns: [simulate('Insist.')] },
      seed: 's',
      maxTurns: 4,
      clock: createFakeClock(),
      signal: never,
      onProgress: () => {},
      onTurn: () => {},
    });
    await expect(trial).rejects.toThrow('nobody plays the user of refund-request-past-window');
    expect(sent).toEqual([]);
  });
});

describe('what the simulated user is told', () => {
  const profile = {
    name: 'Rosa',
    facts: ['bought 45 days ago', 'lives in\nGraz'],
    unknown: ['the order number'],
    details: { mood: 'angry', orders: [7] },
  };

  it('is who it is, what it knows and does not know, what to do, and how many messages it has', async () => {
    const { target } = createProduct();
    const { requests } = await play([simulate('Insist. # Not known', 2, 'gets a refund')], target, {
      answers: [say('1'), say('2')],
      profile,
    });
    const [first, second] = requests.map(({ system }) => system.slice(simulatedUserPrompt.text.length));
    expect(first).toBe(`

# Known to the person
- name: Rosa
- bought 45 days ago
- lives in
  Graz
- mood: angry
- orders: [7]

# Not known to the person
- the order number

# Instruction for now
Insist. # Not known

# Goal
gets a refund

# Messages left for this
2`);
    expect(second).toContain('# Messages left for this\n1: this is the last one.');
    expect(requests[0]).toMatchObject({ tools: [], answerSchema: { required: ['message', 'done'] } });
  });

  it('is the conversation from its own side, quick replies included and tool calls left out', async () => {
    const reply: Partial<AgentReply> = {
      text: 'Shall I?',
      suggestions: ['Yes', 'No "thanks"'],
      parts: [
        { kind: 'tool', call: { name: 'get_order', args: {}, result: 'SECRET', from: 'product' } },
        { kind: 'text', text: 'Shall I?' },
      ],
    };
    const { target } = createProduct(reply, { text: ' ' });
    const { requests } = await play([fixed('Hi.'), simulate('Insist.', 2)], target, {
      answers: [say('1'), say('2')],
    });
    expect(requests[1]?.messages).toEqual([
      { role: 'user', text: '(The conversation begins. The agent is waiting for what you say.)' },
      { role: 'assistant', text: '{"message":"Hi.","done":false}', toolRequests: [] },
      { role: 'user', text: 'Shall I?\n\n(Quick replies that are offered: "Yes", "No \\"thanks\\"")' },
      { role: 'assistant', text: '{"message":"1","done":false}', toolRequests: [] },
      { role: 'user', text: '(The agent said nothing.)' },
    ]);
  });

  it('has a draw of its own for every message', async () => {
    const { target } = createProduct();
    const { requests } = await play([simulate('a', 2), simulate('b')], target, {
      answers: [say('1'), say('2'), { say: 'no JSON' }, say('3')],
    });
    expect(requests.map(({ seed }) => seed)).toEqual([
      '7/refund/1/user/1/1',
      '7/refund/1/user/1/2',
      '7/refund/1/user/2/1',
      '7/refund/1/user/2/1/again',
    ]);
  });

  it('is a versioned text', () => {
    // After a change of the text: a new name, for results of two versions are not comparable.
    expect(simulatedUserPrompt).toMatchObject({
      name: 'simulated-user@1',
      sha256: '1d9e38641bcbd320c319d621d58b0701c4523ce7f9dd62aa85b41d3358b1b9a3',
    });
  });
});

describe('an answer that cannot be sent', () => {
  it('is asked for once more, with what was wrong, and that is recorded', async () => {
    const { target, sent } = createProduct();
    const { transcript, userUsage, requests } = await play([simulate('Insist.')], target, {
      answers: [{ say: 'Agent: how can I help?' }, say('I insist.', true)],
    });
    expect(sent).toEqual(['I insist.']);
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: 'assistant', text: 'Agent: how can I help?', toolRequests: [] },
      {
        role: 'user',
        text: '(This could not be sent: it is not one JSON object and nothing else. Say it again, as the person alone, with one JSON object {"message": …, "done": …} and nothing else.)',
      },
    ]);
    expect(transcript.turns[0]?.simulated).toMatchObject({
      isDone: true,
      askedAgain: 'it is not one JSON object and nothing else',
      usage: { input: 200, output: 20, cacheRead: 120, cacheWrite: 40 },
    });
    expect(userUsage.input).toBe(200);
  });

  it("twice in a row ends the trial in an error that is not the agent's, and nothing is sent", async () => {
    const { target, sent } = createProduct();
    const answers = [say('Agent: Sure!'), { say: `Agent:\u001b[2J ${'sk-ant-'}${'a1B2'.repeat(8)}` }];
    const error = await play([simulate('Insist.')], target, { answers }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind: 'bad-answer' });
    expect(String(error)).toContain(
      'the simulated user: scripted:model gave no message that could be sent, asked twice: it is not one JSON object and nothing else; it answered: Agent:␛[2J [secret]',
    );
    expect(sent).toEqual([]);
  });

  it("because there is no answer is the error of the model, said to be the user's", async () => {
    const { target } = createProduct();
    const throws = new ModelError('rate-limit', 'openai answered 429', 3000, { status: 429 });
    const error = await play([simulate('x')], target, { answers: [{ throws }] }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      kind: 'rate-limit',
      message: 'the simulated user: openai answered 429',
      retryAfterMs: 3000,
      status: 429,
      permanent: false,
    });
    const broken = play([simulate('x')], target, { answers: [{ say: '{"mess', breaksOff: true }] });
    await expect(broken).rejects.toThrow('the answer of scripted:model broke off in the middle');
  });
});

describe('laws of a conversation with a simulated user', () => {
  const planned = fc.oneof(
    fc.record({ kind: fc.constant('fixed' as const), message: fc.string() }),
    fc.record({
      kind: fc.constant('simulated' as const),
      instruction: fc.string({ minLength: 1 }),
      maxTurns: fc.integer({ min: 1, max: 4 }),
    }),
  );
  const userAnswer = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ message: fc.string(), done: fc.boolean() }).map((a) => JSON.stringify(a)),
    },
    { weight: 1, arbitrary: fc.constantFrom('no JSON', '{"message": "Agent: hi", "done": false}') },
  );
  const agentReply = fc.record({
    text: fc.string(),
    ended: fc.constantFrom(false, false, false, true),
    suggestions: fc.array(fc.string(), { maxLength: 2 }),
  });

  it('sends one message a reply, fixed ones as they are, within every limit, and accounts for every turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(planned, { minLength: 1, maxLength: 6 }),
        fc.array(userAnswer, { minLength: 60, maxLength: 60 }),
        fc.array(agentReply, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        async (turns, answers, replies, maxTurns) => {
          let inFlight = 0;
          const product = createProduct(...replies);
          const target: Target = {
            async open(request) {
              const session = await product.target.open(request);
              return {
                ...session,
                async send(...args) {
                  // Never two messages in a row without the reply to the first.
                  expect(++inFlight).toBe(1);
                  const reply = await session.send(...args);
                  inFlight--;
                  return reply;
                },
              };
            },
          };
          const scripted = answers.map((text) => ({ say: text }));
          const outcome = await play(turns, target, { answers: scripted, maxTurns }).catch(
            (error: unknown) => error,
          );
          if (outcome instanceof ModelError) {
            expect(outcome.kind).toBe('bad-answer');
            return;
          }
          if (outcome instanceof Error) throw outcome;
          const { transcript, requests } = outcome as Awaited<ReturnType<typeof play>>;

          expect(transcript.turns.map(({ message }) => message)).toEqual(product.sent);
          expect(product.sent.length).toBeLessThanOrEqual(maxTurns);
          for (const [at, turn] of turns.entries()) {
            if (turn.kind === 'fixed') continue;
            const own = transcript.turns.filter(({ simulated }) => simulated?.plannedTurn === at + 1);
            expect(own.length).toBeLessThanOrEqual(turn.maxTurns);
            expect(own.slice(0, -1).every(({ simulated }) => simulated?.isDone === false)).toBe(true);
          }
          // Fixed messages byte for byte and in order, as far as the conversation came.
          const fixedOnes = turns.flatMap((turn) => (turn.kind === 'fixed' ? [turn.message] : []));
          const sentFixed = transcript.turns.flatMap(({ simulated, message }) =>
            simulated ? [] : [message],
          );
          expect(sentFixed).toEqual(fixedOnes.slice(0, sentFixed.length));
          const left = turns.slice(turns.length - transcript.unsent.length);
          expect(sentFixed.length + left.filter(({ kind }) => kind === 'fixed').length).toBe(
            fixedOnes.length,
          );
          expect(transcript.end.kind === 'completed').toBe(
            transcript.unsent.length === 0 && transcript.turns.every(({ reply }) => !reply.ended),
          );
          // The user hears the agent after everything it says: sides alternate in what it is asked.
          for (const { messages } of requests) {
            expect(messages.map(({ role }, at) => (role === 'user') === (at % 2 === 0))).not.toContain(false);
            expect(messages.length % 2).toBe(1);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a replay sends the same messages, whatever the target answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 39 }),
        fc.array(
          agentReply.map((reply) => ({ ...reply, ended: false })),
          { minLength: 1, maxLength: 5 },
        ),
        async (messages, replies) => {
          const { target, sent } = createProduct(...replies);
          const { transcript } = await play(messages.map(fixed), target, { answers: [] });
          expect(sent).toEqual(messages);
          expect(transcript.unsent).toEqual([]);
        },
      ),
    );
  });
});

describe('the simulated model that is shipped as a user', () => {
  it('judges the condition of its instruction by what the agent said', async () => {
    const env = { EVALRUN_SIMULATED_LATENCY: '0' };
    const clock = systemClock;
    const model = await openModel('simulated:user', {
      simulatedFolder: join(import.meta.dirname, '../../simulated'),
      clock,
      env,
      providers: {},
      accounts: createAccounts(clock),
    });
    const turns = [
      fixed('I bought this 45 days ago and I want my money back.'),
      simulate(
        'If the agent offered store credit, ask how long it is valid. Otherwise insist once more.',
        2,
        'knows how long the credit is valid',
      ),
    ];
    const playWith = async (...replies: string[]) => {
      const { target, sent } = createProduct(...replies);
      const user = createSimulatedUser({ model });
      await play(turns, target, { answers: [], user });
      return sent.slice(1);
    };
    expect(await playWith('I can offer store credit.', 'It is valid for one year.')).toEqual([
      'How long would that credit be valid?',
    ]);
    expect(await playWith('I cannot refund this.', 'Then I offer store credit.')).toEqual([
      'That cannot be right. I want my money back.',
      'How long would that credit be valid?',
    ]);
  });
});
