import { describe, expect, it } from 'vitest';
import { ModelError, type Usage } from '../../source/model/types.js';
import { playTrial, type TrialOptions } from '../../source/play/trial.js';
import type { Turn } from '../../source/play/types.js';
import type { AgentReply, ReplyProgress, SessionRequest, Target } from '../../source/target/types.js';
import { createFakeClock } from '../model/fake-clock.js';
import { makeScenario } from './scenario.js';

const usage: Usage = { input: 100, output: 10, cacheRead: 60, cacheWrite: 20 };

function reply(text: string, more: Partial<AgentReply> = {}): AgentReply {
  return {
    parts: [{ kind: 'text', text }],
    text,
    usage,
    steps: 1,
    stop: 'end',
    model: 'scripted:model',
    ...more,
  };
}

/** A target that echoes, or does what the test says at a turn (from 1). */
function createEcho(
  at: Record<number, (request: SessionRequest, signal: AbortSignal) => AgentReply | Promise<AgentReply>> = {},
) {
  const sent: string[] = [];
  const opened: SessionRequest[] = [];
  let closed = 0;
  const target: Target = {
    async open(request) {
      opened.push(request);
      return {
        async send(message, onProgress, signal) {
          sent.push(message);
          onProgress({ type: 'text', text: 'you' });
          onProgress({ type: 'text', text: `you said ${message}` });
          return (await at[sent.length]?.(request, signal)) ?? reply(`you said ${message}`);
        },
        async close() {
          closed++;
        },
      };
    },
  };
  return { target, sent, opened, closed: () => closed };
}

function play(target: Target, more: Partial<TrialOptions> = {}) {
  return playTrial({
    target,
    scenario: makeScenario(['one', 'two', 'three']),
    seed: '7/refund/1',
    maxTurns: 40,
    clock: createFakeClock(),
    signal: new AbortController().signal,
    onProgress: () => {},
    onTurn: () => {},
    ...more,
  });
}

describe('a conversation', () => {
  it('sends the messages of the scenario one by one, byte for byte', async () => {
    const messages = ['  Hi\r\n', 'naïve 👩‍👩‍👧 \u202e', '', '{{profile.name}} {# x #}', 'a\u0000b'];
    const { target, sent, opened, closed } = createEcho();
    const { transcript } = await play(target, { scenario: makeScenario(messages) });
    expect(sent).toEqual(messages);
    expect(transcript.turns.map(({ index, message }) => [index, message])).toEqual(
      messages.map((message, at) => [at + 1, message]),
    );
    expect(transcript).toMatchObject({ end: { kind: 'completed' }, unsent: [] });
    expect(opened.map(({ seed }) => seed)).toEqual(['7/refund/1']);
    expect(closed()).toBe(1);
  });

  it('tells the target whom it plays', async () => {
    const { target, opened } = createEcho();
    const scenario = {
      ...makeScenario([]),
      tenant: 'acme',
      profile: { name: 'Rosa', facts: ['bought 45 days ago'] },
      history: [{ x: 1 }],
      variables: { plan: 'standard' },
    };
    const prompt = { name: 'v15', path: 'prompts/support/v15.md', text: 'You help.' };
    await play(target, { scenario, account: 't-7', prompt });
    expect(opened[0]).toEqual({
      seed: '7/refund/1',
      callTool: expect.any(Function),
      account: 't-7',
      prompt,
      scenario: scenario.id,
      tenant: 'acme',
      profile: scenario.profile,
      history: scenario.history,
      variables: scenario.variables,
    });
    const bare = createEcho();
    await play(bare.target);
    expect(Object.keys(bare.opened[0] ?? {}).sort()).toEqual(['callTool', 'scenario', 'seed', 'variables']);
  });

  it('adds up the tokens and takes the time of each turn and of all', async () => {
    const clock = createFakeClock();
    const wait = (ms: number) => async () => {
      await clock.advance(ms);
      return reply('late');
    };
    const { target } = createEcho({ 1: wait(500), 3: wait(1_500) });
    const outcome = await play(target, { clock });
    expect(outcome.usage).toEqual({ input: 300, output: 30, cacheRead: 180, cacheWrite: 60 });
    expect(outcome.transcript.turns.map(({ ms }) => ms)).toEqual([500, 0, 1_500]);
    expect(outcome.ms).toBe(2_000);
  });

  it('tells of the reply while it streams, then of the turn, turn by turn', async () => {
    const heard: unknown[] = [];
    await play(createEcho().target, {
      scenario: makeScenario(['one', 'two']),
      onProgress: (turn: number, progress: ReplyProgress) => heard.push([turn, progress]),
      onTurn: (turn: Turn) => heard.push(turn.reply.text),
    });
    expect(heard).toEqual([
      [1, { type: 'text', text: 'you' }],
      [1, { type: 'text', text: 'you said one' }],
      'you said one',
      [2, { type: 'text', text: 'you' }],
      [2, { type: 'text', text: 'you said two' }],
      'you said two',
    ]);
  });

  it('without messages is completed at once', async () => {
    const { transcript } = await play(createEcho().target, { scenario: makeScenario([]) });
    expect(transcript).toEqual({ turns: [], end: { kind: 'completed' }, unsent: [] });
  });
});

describe('the limit of turns', () => {
  it('stops sending, and records what was not sent', async () => {
    const { target, sent } = createEcho();
    const { transcript } = await play(target, { maxTurns: 2 });
    expect(sent).toEqual(['one', 'two']);
    expect(transcript).toMatchObject({ end: { kind: 'turn-limit', maxTurns: 2 }, unsent: ['three'] });
  });

  it('is not reached by a scenario of just as many messages', async () => {
    const { transcript } = await play(createEcho().target, { maxTurns: 3 });
    expect(transcript.end).toEqual({ kind: 'completed' });
  });
});

describe('a product that ends the session', () => {
  it('is sent nothing more, and what was not sent is recorded', async () => {
    const { target, sent, closed } = createEcho({ 2: () => reply('Goodbye.', { ended: true }) });
    const { transcript } = await play(target);
    expect(sent).toEqual(['one', 'two']);
    expect(transcript).toMatchObject({ end: { kind: 'ended', turn: 2 }, unsent: ['three'] });
    expect(transcript.turns[1]?.reply.text).toBe('Goodbye.');
    expect(closed()).toBe(1);
  });

  it('with the last message has ended it all the same', async () => {
    const { target } = createEcho({ 3: () => reply('Goodbye.', { ended: true }) });
    expect((await play(target)).transcript).toMatchObject({ end: { kind: 'ended', turn: 3 }, unsent: [] });
  });

  it('goes before the limit of the suite, and saying that it has not ended ends nothing', async () => {
    const ending = createEcho({ 2: () => reply('Goodbye.', { ended: true }) });
    expect((await play(ending.target, { maxTurns: 2 })).transcript.end).toEqual({ kind: 'ended', turn: 2 });
    const going = createEcho({ 1: () => reply('Hi.', { ended: false }) });
    expect((await play(going.target)).transcript.end).toEqual({ kind: 'completed' });
  });
});

describe('what a product says beside its replies', () => {
  const withLog = (lines: string[], failure?: Error): Target => ({
    async open() {
      return {
        send: () => (failure ? Promise.reject(failure) : Promise.resolve(reply('ok'))),
        close: async () => {
          lines.push('closed');
        },
        log: () => lines.join('\n'),
      };
    },
  });

  it('is heard once the session is closed, also after an error', async () => {
    const heard: string[] = [];
    const onLog = (log: string) => heard.push(log);
    await play(withLog(['a warning']), { onLog });
    const failure = new ModelError('network', 'gone');
    await expect(play(withLog(['a trace'], failure), { onLog })).rejects.toBe(failure);
    expect(heard).toEqual(['a warning\nclosed', 'a trace\nclosed']);
  });

  it('is heard at once, and once, when the trial is aborted, although nothing ends', async () => {
    const heard: string[] = [];
    const aborted = new AbortController();
    const target: Target = {
      open: async () => ({
        send: () => new Promise(() => {}),
        close: async () => {},
        log: () => 'waits for a lock',
      }),
    };
    void play(target, { onLog: (log) => heard.push(log), signal: aborted.signal });
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([]);
    aborted.abort(new Error('over'));
    expect(heard).toEqual(['waits for a lock']);

    heard.length = 0;
    const listening = new AbortController();
    const ended = play(withLog(['a trace'], new Error('aborted')), {
      onLog: (log) => heard.push(log),
      signal: listening.signal,
    });
    listening.abort(new Error('over'));
    await expect(ended).rejects.toThrow();
    expect(heard.length).toBeLessThanOrEqual(1);
  });

  it('is not heard when it is nothing', async () => {
    const target: Target = {
      open: async () => ({ send: async () => reply('ok'), close: async () => {}, log: () => '' }),
    };
    await play(target, { onLog: () => expect.unreachable() });
  });
});

describe('a missing fixture', () => {
  it('ends the trial with the turn that it happened in, and records what was not sent', async () => {
    const turns: number[] = [];
    const { target, sent, closed } = createEcho({
      2: () =>
        reply('', {
          stop: 'no-fixture',
          parts: [
            { kind: 'text', text: 'Looking.' },
            { kind: 'tool', call: { name: 'get_order', args: { id: 7 }, from: 'none' } },
          ],
        }),
    });
    const { transcript, usage: used } = await play(target, { onTurn: ({ index }) => turns.push(index) });
    expect(sent).toEqual(['one', 'two']);
    expect(turns).toEqual([1, 2]);
    expect(transcript).toMatchObject({
      end: { kind: 'no-fixture', tool: 'get_order', args: '{"id":7}' },
      unsent: ['three'],
    });
    expect(used.input).toBe(200);
    expect(closed()).toBe(1);
  });

  it('in the last turn is no completed trial either', async () => {
    const { target } = createEcho({
      3: () =>
        reply('', {
          stop: 'no-fixture',
          parts: [{ kind: 'tool', call: { name: 't', args: {}, from: 'none' } }],
        }),
    });
    expect((await play(target)).transcript).toMatchObject({ end: { kind: 'no-fixture' }, unsent: [] });
  });

  it('tools are answered from the fixtures of the scenario', async () => {
    const answers: unknown[] = [];
    const { target } = createEcho({
      1: ({ callTool }, signal) => {
        answers.push(callTool('get_order', {}, signal), callTool('get_order', {}, signal));
        return reply('ok');
      },
    });
    const scenario = makeScenario(['one'], {
      get_order: { kind: 'rules', rules: [{ returns: 1 }, { error: 'timeout' }] },
    });
    await play(target, { scenario });
    const again = createEcho({
      1: ({ callTool }, signal) => {
        answers.push(callTool('get_order', {}, signal));
        return reply('ok');
      },
    });
    await play(again.target, { scenario });
    expect(answers).toEqual([{ result: 1 }, { error: 'timeout' }, { result: 1 }]);
  });
});

describe('a trial that cannot go on', () => {
  it('throws what the target threw, and closes the session', async () => {
    const failure = new ModelError('overloaded', 'try later');
    const { target, sent, closed } = createEcho({
      2: () => {
        throw failure;
      },
    });
    await expect(play(target)).rejects.toBe(failure);
    expect(sent).toEqual(['one', 'two']);
    expect(closed()).toBe(1);
  });

  it('hides the first error behind no later one', async () => {
    const failure = new ModelError('network', 'gone');
    const target: Target = {
      open: async () => ({
        send: () => Promise.reject(failure),
        close: () => Promise.reject(new Error('cannot close either')),
      }),
    };
    await expect(play(target)).rejects.toBe(failure);
  });

  it('sends nothing more once it is aborted, and throws the reason', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const { target, sent, closed } = createEcho({
      1: () => {
        stop.abort(reason);
        return reply('one');
      },
    });
    await expect(play(target, { signal: stop.signal })).rejects.toBe(reason);
    expect(sent).toEqual(['one']);
    expect(closed()).toBe(1);
    const other = createEcho();
    await expect(play(other.target, { signal: stop.signal })).rejects.toBe(reason);
    expect(other.opened).toEqual([]);
  });
});
