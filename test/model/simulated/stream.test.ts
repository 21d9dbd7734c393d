import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLatencyFactor } from '../../../source/model/simulated/latency.js';
import { createTokenCounter } from '../../../source/model/simulated/tokens.js';
import { splitWords } from '../../../source/model/simulated/words.js';
import type { ChatEvent, ChatModel, ChatRequest } from '../../../source/model/types.js';
import { createFakeClock, settle } from '../fake-clock.js';
import { ask, makeModel, makeRequest } from './make.js';

const latency = { firstTokenMs: 250, wordMs: 14 };
const text = 'I can offer store credit.';
const words = ['I ', 'can ', 'offer ', 'store ', 'credit.'];

/** Reads an answer while the test lets time pass. */
function listen(model: ChatModel, request: ChatRequest) {
  const heard: ChatEvent[] = [];
  let failure: unknown;
  const ended = (async () => {
    try {
      for await (const event of model.stream(request)) heard.push(event);
    } catch (error) {
      failure = error;
    }
  })();
  return {
    heard,
    ended,
    texts: () => heard.flatMap((event) => (event.type === 'text' ? [event.text] : [])),
    failure: () => failure,
  };
}

describe('an answer with latency', () => {
  it('comes word by word, the first after firstTokenMs', async () => {
    const clock = createFakeClock();
    const model = makeModel({ latency, otherwise: { steps: [{ say: text }] } }, { clock, latencyFactor: 1 });
    const answer = listen(model, makeRequest('hi'));
    await clock.advance(263);
    expect(answer.texts()).toEqual([]);
    await clock.advance(1);
    expect(answer.texts()).toEqual(['I ']);
    await clock.advance(28);
    expect(answer.texts()).toEqual(['I ', 'can ', 'offer ']);
    await clock.advance(28);
    expect(answer.texts()).toEqual(words);
    await answer.ended;
    expect(answer.heard.at(-1)).toMatchObject({ type: 'done', stop: 'end' });
  });

  it('takes as many times longer as EVALRUN_SIMULATED_LATENCY says', async () => {
    const clock = createFakeClock();
    const model = makeModel({ latency, otherwise: { steps: [{ say: text }] } }, { clock, latencyFactor: 2 });
    const answer = listen(model, makeRequest('hi'));
    await clock.advance(2 * 264 - 1);
    expect(answer.texts()).toEqual([]);
    await clock.advance(1);
    expect(answer.texts()).toEqual(['I ']);
  });

  it('writes tool calls too, longer ones for longer', async () => {
    const clock = createFakeClock();
    const steps = [
      {
        calls: [
          { call: 'a', args: {} },
          { call: 'b', args: { text: 'word '.repeat(100) } },
        ],
      },
    ];
    const model = makeModel({ latency, otherwise: { steps } }, { clock, latencyFactor: 1 });
    const answer = listen(model, makeRequest('hi'));
    await clock.advance(400);
    expect(answer.heard.map((event) => event.type)).toEqual(['tool-request']);
    await clock.advance(14 * 200);
    expect(answer.heard.map((event) => event.type)).toEqual(['tool-request', 'tool-request', 'done']);
  });

  it('makes good for timers that are late, so that a busy machine does not slow the answer down', async () => {
    const waited: number[] = [];
    let now = 0;
    const clock = {
      now: () => now,
      wait: async (ms: number) => {
        waited.push(ms);
        now += ms + 10;
      },
    };
    const model = makeModel(
      { latency: { firstTokenMs: 0, wordMs: 14 }, otherwise: { steps: [{ say: 'one two three' }] } },
      { clock, latencyFactor: 1 },
    );
    await ask(model, 'hi');
    expect(waited).toEqual([14, 4, 4]);
  });

  it('stops at once when aborted, in every wait, with the reason of the signal', async () => {
    // Before the first word, between two words, and while a tool call is written.
    for (const ms of [100, 280, 330]) {
      const clock = createFakeClock();
      const steps = [{ say: text, call: 'a', args: { text } }];
      const model = makeModel({ latency, otherwise: { steps } }, { clock, latencyFactor: 1 });
      const stop = new AbortController();
      const answer = listen(model, makeRequest('hi', { signal: stop.signal }));
      await clock.advance(ms);
      const before = answer.heard.length;
      const reason = new Error(`stopped after ${ms}`);
      stop.abort(reason);
      await answer.ended;
      expect(answer.failure()).toBe(reason);
      expect(answer.heard).toHaveLength(before);
      expect(clock.waiting).toBe(0);
    }
  });
});

describe('an answer at once', () => {
  it('sets no timer and comes in one piece', async () => {
    const clock = createFakeClock();
    const model = makeModel(
      { latency, otherwise: { steps: [{ say: text, call: 'a' }] } },
      { clock, latencyFactor: 0 },
    );
    const { events } = await ask(model, 'hi');
    expect(events.map((event) => event.type)).toEqual(['text', 'tool-request', 'done']);
    expect(clock.waits).toBe(0);
  });

  it('is not given to a request that is aborted already, and not finished for one that is aborted meanwhile', async () => {
    const model = makeModel({});
    const stop = new AbortController();
    const stream = model.stream(makeRequest('hi', { signal: stop.signal }))[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ type: 'text' });
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(stream.next()).rejects.toBe(reason);
    await expect(ask(model, 'hi', { signal: stop.signal })).rejects.toBe(reason);
  });

  it('answers the same as one with latency', async () => {
    const file = {
      latency,
      otherwise: { steps: [{ say: `${text}\n\n日本語のテキスト 👩‍👩‍👧 naïve`, call: 'a' }] },
    };
    const clock = createFakeClock();
    const slow = listen(makeModel(file, { clock, latencyFactor: 1 }), makeRequest('hi'));
    await clock.advance(10_000);
    await settle();
    const fast = await ask(makeModel(file), 'hi');
    expect(slow.texts().join('')).toBe(fast.text);
    expect(slow.heard.at(-1)).toEqual(fast.events.at(-1));
  });
});

describe('words', () => {
  it('are words with what follows them, in scripts with and without spaces', () => {
    expect(splitWords(text)).toEqual(words);
    expect(splitWords('"Well — yes," she said.\n')).toEqual(['"Well — ', 'yes," ', 'she ', 'said.\n']);
    expect(splitWords('私は返金を希望します').length).toBeGreaterThan(3);
    expect(splitWords('')).toEqual([]);
  });

  it('joined are the text again, and cut no grapheme in two', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const count = (of: string) => [...graphemes.segment(of)].length;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (any) => {
        const pieces = splitWords(any);
        expect(pieces.join('')).toBe(any);
        expect(pieces.reduce((sum, piece) => sum + count(piece), 0)).toBe(count(any));
      }),
    );
  });
});

describe('the token limit', () => {
  const long = 'One two three four five six seven eight nine ten, eleven twelve 🎉🎉 thirteen.';
  const model = makeModel({ otherwise: { steps: [{ say: long, call: 'a', args: { x: 1 } }] } });

  it('cuts the text off, makes no call after it, and says so', async () => {
    const answer = await ask(model, 'hi', { maxTokens: 5 });
    expect(answer).toMatchObject({
      text: 'One two three four five ',
      calls: [],
      stop: 'cut-off',
      usage: { output: 5 },
    });
  });

  it('leaves out a call that does not fit whole', async () => {
    const whole = await ask(model, 'hi', { maxTokens: 1_000 });
    expect(whole.stop).toBe('tool-calls');
    const short = await ask(model, 'hi', { maxTokens: whole.usage.output - 1 });
    expect(short).toMatchObject({ text: long, calls: [], stop: 'cut-off' });
  });

  it('is kept for every text and limit, and what is said is a beginning of the text', async () => {
    const countTokens = createTokenCounter();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 12 }),
        async (any, maxTokens) => {
          const answer = await ask(makeModel({ otherwise: { steps: [{ say: any }] } }), 'hi', { maxTokens });
          expect(any.startsWith(answer.text)).toBe(true);
          expect(answer.usage.output).toBeLessThanOrEqual(maxTokens);
          expect(answer.usage.output).toBe(countTokens(answer.text));
          expect(answer.stop).toBe(answer.text === any ? 'end' : 'cut-off');
        },
      ),
    );
  });
});

describe('EVALRUN_SIMULATED_LATENCY', () => {
  it('is 1 when it is not set, and a number from 0 to 100 otherwise', () => {
    expect(readLatencyFactor({})).toBe(1);
    expect(readLatencyFactor({ EVALRUN_SIMULATED_LATENCY: '' })).toBe(1);
    expect(readLatencyFactor({ EVALRUN_SIMULATED_LATENCY: '0' })).toBe(0);
    expect(readLatencyFactor({ EVALRUN_SIMULATED_LATENCY: ' 0.25 ' })).toBe(0.25);
  });

  it('is refused when it is no such number', () => {
    for (const written of ['fast', '-1', 'NaN', 'Infinity', '101', '1x']) {
      expect(() => readLatencyFactor({ EVALRUN_SIMULATED_LATENCY: written })).toThrow(
        /EVALRUN_SIMULATED_LATENCY/,
      );
    }
  });
});
