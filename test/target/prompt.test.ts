import { describe, expect, it } from 'vitest';
import { ModelError } from '../../source/model/types.js';
import type { ModelSettings } from '../../source/suite/types.js';
import { createPromptTarget } from '../../source/target/prompt.js';
import {
  MissingFixtureError,
  type ReplyProgress,
  type Session,
  type SessionRequest,
} from '../../source/target/types.js';
import { createScriptedModel, type ScriptedAnswer } from './scripted-model.js';

const tools = ['get_order', 'get_user'].map((name) => ({ name, description: name, parameters: {} }));
const quiet = () => {};

async function openSession(
  answers: ScriptedAnswer[],
  {
    callTool = (name) => ({ result: `answer of ${name}` }),
    settings = { maxTokens: 800, maxSteps: 8 },
    seed = 'trial-seed',
  }: { callTool?: SessionRequest['callTool']; settings?: ModelSettings; seed?: string } = {},
) {
  const model = createScriptedModel(answers);
  const target = createPromptTarget({ model, system: 'You are an agent.', tools, settings });
  const session = await target.open({ seed, callTool });
  return { model, session, send: (message: string) => session.send(message, quiet, neverAborted()) };
}

const neverAborted = () => new AbortController().signal;

describe('the agent loop', () => {
  it('asks the model until it calls no more tools, and answers each call from the trial', async () => {
    const calls: unknown[] = [];
    const { model, send } = await openSession(
      [
        { say: ['Let me ', 'look.'], calls: [{ name: 'get_order', args: { id: 7 } }] },
        { calls: [{ name: 'get_user', args: {} }] },
        { say: 'It was delivered.' },
      ],
      {
        callTool: (name, args) => {
          calls.push([name, args]);
          return { result: { of: name } };
        },
      },
    );
    const reply = await send('Where is order 7?');
    expect(calls).toEqual([
      ['get_order', { id: 7 }],
      ['get_user', {}],
    ]);
    expect(reply).toEqual({
      parts: [
        { kind: 'text', text: 'Let me look.' },
        {
          kind: 'tool',
          call: { name: 'get_order', args: { id: 7 }, result: { of: 'get_order' }, from: 'fixture' },
        },
        { kind: 'tool', call: { name: 'get_user', args: {}, result: { of: 'get_user' }, from: 'fixture' } },
        { kind: 'text', text: 'It was delivered.' },
      ],
      text: 'Let me look.\n\nIt was delivered.',
      usage: { input: 300, output: 30, cacheRead: 180, cacheWrite: 60 },
      steps: 3,
      stop: 'end',
      model: 'scripted:model',
    });
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: 'user', text: 'Where is order 7?' },
      {
        role: 'assistant',
        text: 'Let me look.',
        toolRequests: [{ id: '1-1', name: 'get_order', args: { id: 7 } }],
      },
      {
        role: 'tool',
        toolRequestId: '1-1',
        name: 'get_order',
        content: '{"of":"get_order"}',
        isError: false,
      },
      { role: 'assistant', text: '', toolRequests: [{ id: '2-1', name: 'get_user', args: {} }] },
      { role: 'tool', toolRequestId: '2-1', name: 'get_user', content: '{"of":"get_user"}', isError: false },
    ]);
  });

  it('sends prompt, tools and settings as they are, and goes on with the conversation', async () => {
    const { model, send } = await openSession([{ say: 'Hello.' }, { say: 'Bye.' }], {
      settings: { maxTokens: 55, maxSteps: 2, temperature: 0 },
    });
    await send('  Hi\r\n');
    await send('');
    expect(model.requests[0]).toMatchObject({
      system: 'You are an agent.',
      tools,
      maxTokens: 55,
      temperature: 0,
    });
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', text: '  Hi\r\n' }]);
    expect(model.requests[1]?.messages).toEqual([
      { role: 'user', text: '  Hi\r\n' },
      { role: 'assistant', text: 'Hello.', toolRequests: [] },
      { role: 'user', text: '' },
    ]);
  });

  it('sends no temperature where none is set', async () => {
    const { model, send } = await openSession([{ say: 'Hello.' }]);
    await send('Hi');
    expect(model.requests[0]).not.toHaveProperty('temperature');
  });

  it('answers several calls of one request in their order', async () => {
    const order: string[] = [];
    const { model, send } = await openSession(
      [{ calls: ['get_user', 'get_order', 'get_user'].map((name) => ({ name, args: {} })) }, { say: 'ok' }],
      {
        callTool: (name) => {
          order.push(name);
          return { result: order.length };
        },
      },
    );
    const { parts } = await send('Hi');
    expect(order).toEqual(['get_user', 'get_order', 'get_user']);
    expect(parts.map((part) => (part.kind === 'tool' ? part.call.result : part.text))).toEqual([
      1,
      2,
      3,
      'ok',
    ]);
    expect(
      model.requests[1]?.messages.flatMap((message) =>
        message.role === 'tool' ? [message.toolRequestId] : [],
      ),
    ).toEqual(['1-1', '1-2', '1-3']);
  });

  it('gives all requests of a turn one seed, and every turn another', async () => {
    const call = { calls: [{ name: 'get_order', args: {} }] };
    const { model, send } = await openSession([call, { say: 'a' }, { say: 'b' }], { seed: '7/refund/1' });
    await send('one');
    await send('two');
    expect(model.requests.map(({ seed }) => seed)).toEqual(['7/refund/1/1', '7/refund/1/1', '7/refund/1/2']);
  });

  it('cuts a turn short after maxSteps requests, its last calls answered, and the conversation goes on', async () => {
    const call = { say: 'again', calls: [{ name: 'get_order', args: {} }] };
    const { model, send } = await openSession([call, call, { say: 'Here I am.' }], {
      settings: { maxTokens: 800, maxSteps: 2 },
    });
    const reply = await send('Hi');
    expect(reply).toMatchObject({ stop: 'step-limit', steps: 2, text: 'again\n\nagain' });
    expect(reply.parts.filter((part) => part.kind === 'tool' && part.call.result !== undefined)).toHaveLength(
      2,
    );
    expect(await send('Hello?')).toMatchObject({ stop: 'end', text: 'Here I am.' });
    expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('a turn that ends with its last allowed request is not cut short', async () => {
    const { send } = await openSession([{ calls: [{ name: 'get_order', args: {} }] }, { say: 'done' }], {
      settings: { maxTokens: 800, maxSteps: 2 },
    });
    expect((await send('Hi')).stop).toBe('end');
  });

  it('records an empty answer as empty', async () => {
    const { send } = await openSession([{}]);
    expect(await send('Hi')).toMatchObject({ parts: [], text: '', stop: 'end', steps: 1 });
  });

  it('passes on why the model stopped', async () => {
    const { send } = await openSession([{ say: 'I am cut', stop: 'cut-off' }, { stop: 'refused' }]);
    expect((await send('Hi')).stop).toBe('cut-off');
    expect((await send('Hi')).stop).toBe('refused');
  });

  it('sends back what the provider wants back with the answer that it belongs to', async () => {
    const { model, send } = await openSession([{ say: 'Hello.', carry: ['signed'] }, { say: 'Bye.' }]);
    await send('Hi');
    await send('Bye');
    expect(model.requests[1]?.messages[1]).toEqual({
      role: 'assistant',
      text: 'Hello.',
      toolRequests: [],
      carry: ['signed'],
    });
  });
});

describe('what a tool answers', () => {
  const contents = async (answer: ReturnType<SessionRequest['callTool']>) => {
    const { model, send } = await openSession([{ calls: [{ name: 'get_order', args: {} }] }, { say: 'ok' }], {
      callTool: () => answer,
    });
    const reply = await send('Hi');
    return { message: model.requests[1]?.messages.at(-1), part: reply.parts[0] };
  };

  it('reaches the model as JSON, a text as it is', async () => {
    expect((await contents({ result: [] })).message).toMatchObject({ content: '[]', isError: false });
    expect((await contents({ result: null })).message).toMatchObject({ content: 'null', isError: false });
    expect((await contents({ result: 'not found' })).message).toMatchObject({ content: 'not found' });
  });

  it('is recorded, also where it is null or false', async () => {
    for (const result of [null, false, 0, '']) {
      expect((await contents({ result })).part).toMatchObject({ call: { result, from: 'fixture' } });
    }
  });

  it('may be an error, which the model reads and the transcript keeps', async () => {
    const { message, part } = await contents({ error: 'timeout' });
    expect(message).toMatchObject({ content: 'timeout', isError: true });
    expect(part).toEqual({
      kind: 'tool',
      call: { name: 'get_order', args: {}, error: 'timeout', from: 'fixture' },
    });
  });
});

describe('calls that nothing can answer', () => {
  it('a tool that is not offered gives the model an error, whatever fixtures there are, and the turn goes on', async () => {
    const { model, send } = await openSession([
      { calls: [{ name: 'delete_all', args: {} }] },
      { say: 'Sorry.' },
    ]);
    const reply = await send('Hi');
    const error = 'there is no tool named "delete_all"; the tools are get_order, get_user';
    expect(reply.parts[0]).toEqual({
      kind: 'tool',
      call: { name: 'delete_all', args: {}, error, from: 'none' },
    });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: error, isError: true });
    expect(reply.text).toBe('Sorry.');
  });

  it('arguments that are no JSON object are recorded as text, and the model reads that they are none', async () => {
    const { model, send } = await openSession(
      [{ calls: [{ name: 'get_order', args: '{"id": 7' }] }, { say: 'ok' }],
      {
        callTool: () => {
          throw new Error('is not asked');
        },
      },
    );
    const reply = await send('Hi');
    const error = 'the arguments are not a JSON object';
    expect(reply.parts[0]).toEqual({
      kind: 'tool',
      call: { name: 'get_order', args: '{"id": 7', error, from: 'none' },
    });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: error, isError: true });
  });

  it('a missing fixture ends the reply at the call, with no retry and nothing made up', async () => {
    const { model, send } = await openSession(
      [
        {
          say: 'Looking.',
          calls: [
            { name: 'get_user', args: {} },
            { name: 'get_order', args: { id: 7 } },
            { name: 'get_user', args: {} },
          ],
        },
      ],
      {
        callTool: (name, args) => {
          if (name === 'get_order') throw new MissingFixtureError(name, args);
          return { result: 1 };
        },
      },
    );
    const reply = await send('Hi');
    expect(reply).toMatchObject({ stop: 'no-fixture', steps: 1, text: 'Looking.' });
    expect(reply.parts.slice(1)).toEqual([
      { kind: 'tool', call: { name: 'get_user', args: {}, result: 1, from: 'fixture' } },
      { kind: 'tool', call: { name: 'get_order', args: { id: 7 }, from: 'none' } },
    ]);
    expect(model.requests).toHaveLength(1);
  });
});

describe('what goes wrong', () => {
  it('an error of the model comes through as it is', async () => {
    const failure = new ModelError('rate-limit', 'slow down', 3_000);
    const { send } = await openSession([{ throws: failure }]);
    await expect(send('Hi')).rejects.toBe(failure);
  });

  it('a stream that ends without its end is a bad answer', async () => {
    const { send } = await openSession([{ say: 'I would', breaksOff: true }]);
    await expect(send('Hi')).rejects.toMatchObject({ name: 'ModelError', kind: 'bad-answer' });
  });

  it('an error of the bench itself is not taken for a missing fixture', async () => {
    const { send } = await openSession([{ calls: [{ name: 'get_order', args: {} }] }], {
      callTool: () => {
        throw new TypeError('a bug');
      },
    });
    await expect(send('Hi')).rejects.toThrow('a bug');
  });

  it('an aborted signal stops before the next request, with its reason', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const { model, session } = await openSession(
      [{ calls: [{ name: 'get_order', args: {} }] }, { say: 'ok' }],
      {
        callTool: () => {
          stop.abort(reason);
          return { result: 1 };
        },
      },
    );
    await expect(session.send('Hi', quiet, stop.signal)).rejects.toBe(reason);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.signal).toBe(stop.signal);
  });
});

describe('tools that take their time', () => {
  it('are asked one after the other, in order, and the model waits for all of them', async () => {
    const log: string[] = [];
    const { send } = await openSession(
      [
        {
          calls: [
            { name: 'get_order', args: {} },
            { name: 'get_user', args: {} },
          ],
        },
        { say: 'Done.' },
      ],
      {
        async callTool(name) {
          log.push(`${name} begins`);
          await new Promise((resolve) => setImmediate(resolve));
          log.push(`${name} ends`);
          return { result: name, from: 'live' };
        },
      },
    );
    const reply = await send('Hi');
    expect(log).toEqual(['get_order begins', 'get_order ends', 'get_user begins', 'get_user ends']);
    expect(reply.parts.map((part) => part.kind === 'tool' && part.call.from)).toEqual([
      'live',
      'live',
      false,
    ]);
  });

  it('get to know when the trial is aborted, and what they throw is what send throws', async () => {
    const controller = new AbortController();
    const { session } = await openSession([{ calls: [{ name: 'get_order', args: {} }] }], {
      callTool: (_name, _args, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(new Error('the run was aborted'));
        }),
    });
    await expect(session.send('Hi', quiet, controller.signal)).rejects.toThrow('the run was aborted');
  });

  it('may have no fixture as well', async () => {
    const { send } = await openSession([{ calls: [{ name: 'get_order', args: {} }] }], {
      callTool: async (name, args) => {
        throw new MissingFixtureError(name, args);
      },
    });
    expect(await send('Hi')).toMatchObject({ stop: 'no-fixture' });
  });
});

describe('tokens that nobody reported', () => {
  it('mark the reply, whichever of its requests they are missing of', async () => {
    const calls = [{ name: 'get_order', args: {} }];
    const some = await openSession([{ calls, usageMissing: true }, { say: 'Done.' }]);
    expect((await some.send('Hi')).usageMissing).toBe(true);
    const none = await openSession([{ calls }, { say: 'Done.' }]);
    expect(await none.send('Hi')).not.toHaveProperty('usageMissing');
  });
});

describe('progress', () => {
  const hear = async (session: Session) => {
    const heard: ReplyProgress[] = [];
    await session.send('Hi', (progress) => heard.push(progress), neverAborted());
    return heard;
  };

  it('tells the text that is being said, so far, and each tool that is called', async () => {
    const { session } = await openSession([
      { say: ['Let me ', '', 'look.'], calls: [{ name: 'get_order', args: {} }] },
      { say: ['It ', 'was.'] },
    ]);
    expect(await hear(session)).toEqual([
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool', name: 'get_order' },
      { type: 'text', text: 'It ' },
      { type: 'text', text: 'It was.' },
    ]);
  });
});

describe('an answer that is asked for again', () => {
  it('leaves nothing of what came before it in the reply', async () => {
    const model = {
      name: 'test:breaks-off',
      async *stream() {
        yield { type: 'text' as const, text: 'The refund is on its w' };
        yield { type: 'tool-request' as const, request: { id: '1', name: 'get_order', args: {} } };
        yield { type: 'restart' as const };
        yield { type: 'text' as const, text: 'No refund is due.' };
        yield {
          type: 'done' as const,
          stop: 'end' as const,
          usage: { input: 9, output: 4, cacheRead: 0, cacheWrite: 0 },
        };
      },
    };
    const target = createPromptTarget({
      model,
      system: 's',
      tools,
      settings: { maxTokens: 800, maxSteps: 8 },
    });
    const session = await target.open({
      seed: 'trial-seed',
      callTool: () => {
        throw new Error('a voided call was answered');
      },
    });
    const heard: ReplyProgress[] = [];
    const reply = await session.send('Hello', (progress) => heard.push(progress), neverAborted());
    expect(reply.text).toBe('No refund is due.');
    expect(reply.parts).toEqual([{ kind: 'text', text: 'No refund is due.' }]);
    expect(heard.at(-1)).toEqual({ type: 'text', text: 'No refund is due.' });
  });
});
