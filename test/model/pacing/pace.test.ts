import { describe, expect, test } from 'vitest';
import { createAccounts } from '../../../source/model/pacing/accounts.js';
import { withPacing } from '../../../source/model/pacing/pace.js';
import type { Outcome, Pacer } from '../../../source/model/pacing/pacer.js';
import { type ChatEvent, ModelError } from '../../../source/model/types.js';
import { createFakeClock } from '../fake-clock.js';
import { collect, done, request, say, scripted } from '../scripted.js';

/** A pacer that lets everybody through and remembers what it was told. */
function recording(): Pacer & { asked: number[]; outcomes: Outcome[] } {
  const asked: number[] = [];
  const outcomes: Outcome[] = [];
  return {
    account: 'test',
    asked,
    outcomes,
    state: () => ({ limit: 1, inFlight: 0, waiting: 0, pausedUntil: undefined }),
    subscribe: () => () => {},
    async acquire(tokens) {
      asked.push(tokens);
      return { release: (outcome) => outcomes.push(outcome) };
    },
  };
}

describe('a paced model', () => {
  test('passes everything on and tells the account what the answer took', async () => {
    const pacer = recording();
    expect(await collect(withPacing(scripted([say('Hi'), done]), pacer))).toEqual([say('Hi'), done]);
    expect(pacer.outcomes).toEqual([{ kind: 'answered', tokens: 15 }]);
  });

  test('tells nothing of tokens that nobody counted', async () => {
    const pacer = recording();
    const uncounted: ChatEvent = {
      type: 'done',
      stop: 'end',
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      usageMissing: true,
    };
    await collect(withPacing(scripted([uncounted]), pacer));
    expect(pacer.outcomes).toEqual([{ kind: 'answered' }]);
  });

  const failures: [what: string, error: Error, outcome: Outcome][] = [
    [
      'a rate limit',
      new ModelError('rate-limit', 'x', 7_000, { status: 429 }),
      { kind: 'refused', retryAfterMs: 7_000 },
    ],
    ['529', new ModelError('overloaded', 'x', undefined, { status: 529 }), { kind: 'refused' }],
    ['503', new ModelError('overloaded', 'x', undefined, { status: 503 }), { kind: 'refused' }],
    ['an overload told in the stream', new ModelError('overloaded', 'x'), { kind: 'refused' }],
    ['500', new ModelError('overloaded', 'x', undefined, { status: 500 }), { kind: 'failed' }],
    ['a cut connection', new ModelError('network', 'x'), { kind: 'failed' }],
    ['a refused key', new ModelError('auth', 'x', undefined, { status: 401 }), { kind: 'failed' }],
    ['a bug', new TypeError('x'), { kind: 'failed' }],
  ];
  test.each(failures)('%s is told as it is, and thrown on', async (_what, error, outcome) => {
    const pacer = recording();
    await expect(collect(withPacing(scripted([say('a'), error]), pacer))).rejects.toBe(error);
    expect(pacer.outcomes).toEqual([outcome]);
  });

  test('gives its turn back when the consumer leaves', async () => {
    const pacer = recording();
    for await (const event of withPacing(scripted([say('a'), say('b'), done]), pacer).stream(request)) {
      expect(event).toEqual(say('a'));
      break;
    }
    expect(pacer.outcomes).toEqual([{ kind: 'failed' }]);
  });

  test('expects a token for four characters of all that is sent, and all the output that is allowed', async () => {
    const pacer = recording();
    const model = withPacing(scripted([done]), pacer);
    await collect(model, { system: 'x'.repeat(400), maxTokens: 50 });
    await collect(model, {
      system: '',
      maxTokens: 50,
      messages: [
        { role: 'user', text: 'x'.repeat(200) },
        {
          role: 'assistant',
          text: 'x'.repeat(100),
          toolRequests: [{ id: 'a', name: 'b', args: { c: 'x'.repeat(100) } }],
        },
        { role: 'tool', toolRequestId: 'a', name: 'b', content: 'x'.repeat(400), isError: false },
      ],
    });
    expect(pacer.asked[0]).toBe(Math.ceil((400 + 5 + 2) / 4) + 50);
    expect(pacer.asked[1]).toBeGreaterThan(200 + 50);
    expect(pacer.asked[1]).toBeLessThan(220 + 50);
  });
});

describe('accounts', () => {
  test('are one for each provider and key, whoever asks', () => {
    const accounts = createAccounts(createFakeClock());
    const pacer = accounts.pacerOf('openai', 'key-1', { concurrency: 3 });
    expect(accounts.pacerOf('openai', 'key-1', { concurrency: 9 })).toBe(pacer);
    expect(accounts.pacerOf('openai', 'key-2', {})).not.toBe(pacer);
    expect(accounts.pacerOf('local', 'key-1', {})).not.toBe(pacer);
    expect(accounts.states()).toEqual([
      { account: 'openai', limit: 3, inFlight: 0, waiting: 0, pausedUntil: undefined },
      { account: 'openai', limit: 64, inFlight: 0, waiting: 0, pausedUntil: undefined },
      { account: 'local', limit: 64, inFlight: 0, waiting: 0, pausedUntil: undefined },
    ]);
  });

  test('tell of what changes at any of them', async () => {
    const accounts = createAccounts(createFakeClock());
    let heard = 0;
    const leave = accounts.subscribe(() => heard++);
    const pacer = accounts.pacerOf('openai', 'key-1', {});
    expect(heard).toBe(1);
    await pacer.acquire(1);
    expect(heard).toBe(2);
    leave();
    accounts.pacerOf('local', '', {});
    expect(heard).toBe(2);
  });
});
