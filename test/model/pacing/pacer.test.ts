import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPacer,
  type Pacer,
  type PacerOptions,
  type Permit,
} from '../../../source/model/pacing/pacer.js';
import { ModelError } from '../../../source/model/types.js';
import { createFakeClock, settle } from '../fake-clock.js';

function harness(options: Partial<PacerOptions> = {}) {
  const clock = createFakeClock(1_000_000);
  const pacer = createPacer({ account: 'openai', clock, concurrency: 2, ...options });
  return { clock, pacer };
}

/** Asks for a turn under a name; the names in the order in which turns were given. */
function queue(pacer: Pacer) {
  const granted: string[] = [];
  const permits = new Map<string, Permit>();
  const refused = new Map<string, unknown>();
  return {
    granted,
    permits,
    refused,
    ask(name: string, tokens = 1, signal?: AbortSignal) {
      pacer.acquire(tokens, signal).then(
        (permit) => {
          granted.push(name);
          permits.set(name, permit);
        },
        (reason) => refused.set(name, reason),
      );
    },
    end(name: string, ...[outcome = { kind: 'answered' }]: Partial<Parameters<Permit['release']>>) {
      permits.get(name)?.release(outcome);
    },
  };
}

describe('turns', () => {
  test('are given up to the limit, then in the order of asking', async () => {
    const { pacer } = harness();
    const { ask, granted, end } = queue(pacer);
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    await settle();
    expect(granted).toEqual(['a', 'b']);
    expect(pacer.state()).toEqual({ limit: 2, inFlight: 2, waiting: 2, pausedUntil: undefined });
    end('b');
    await settle();
    expect(granted).toEqual(['a', 'b', 'c']);
    end('a');
    end('c');
    await settle();
    expect(granted).toEqual(['a', 'b', 'c', 'd']);
    end('d');
    expect(pacer.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test('end once: a second end of the same turn frees nothing', async () => {
    const { pacer } = harness({ concurrency: 1 });
    const { ask, granted, end } = queue(pacer);
    for (const name of ['a', 'b', 'c']) ask(name);
    await settle();
    end('a');
    end('a');
    end('a');
    await settle();
    expect(granted).toEqual(['a', 'b']);
    expect(pacer.state()).toMatchObject({ inFlight: 1, waiting: 1 });
  });

  test('are not waited for by whoever leaves: the reason of the signal, the place in the queue gone', async () => {
    const { pacer } = harness({ concurrency: 1 });
    const { ask, granted, refused, end } = queue(pacer);
    const controller = new AbortController();
    ask('a');
    ask('b', 1, controller.signal);
    ask('c');
    await settle();
    const reason = new Error('the trial is over');
    controller.abort(reason);
    await settle();
    expect(refused.get('b')).toBe(reason);
    expect(pacer.state().waiting).toBe(1);
    end('a');
    await settle();
    expect(granted).toEqual(['a', 'c']);
  });

  test('are not given to whoever has left already', async () => {
    const { pacer } = harness();
    const reason = new Error('never mind');
    await expect(pacer.acquire(1, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(pacer.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test('an abort after the turn was given changes nothing', async () => {
    const { pacer } = harness({ concurrency: 1 });
    const controller = new AbortController();
    const permit = await pacer.acquire(1, controller.signal);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    controller.abort();
    expect(pacer.state().inFlight).toBe(1);
    permit.release({ kind: 'answered' });
    expect(pacer.state().inFlight).toBe(0);
  });

  test('whatever happens: never more in flight than the limit, order kept, nobody lost', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('ask' as const), tokens: fc.integer({ min: 1, max: 40 }) }),
      fc.record({
        do: fc.constant('end' as const),
        which: fc.nat(),
        how: fc.constantFrom('answered', 'refused', 'failed'),
      }),
      fc.record({ do: fc.constant('leave' as const), which: fc.nat() }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 40 }),
        async (concurrency, steps) => {
          const { clock, pacer } = harness({ concurrency, tokensPerMinute: 300, requestsPerMinute: 120 });
          const { ask, granted, permits, refused, end } = queue(pacer);
          const leaves = new Map<string, AbortController>();
          const open = () => granted.filter((name) => permits.has(name));
          let asked = 0;
          for (const now of steps) {
            if (now.do === 'ask') {
              const name = String(asked++).padStart(3, '0');
              const controller = new AbortController();
              leaves.set(name, controller);
              ask(name, now.tokens, controller.signal);
            } else if (now.do === 'end' && open().length > 0) {
              const name = open()[now.which % open().length] ?? '';
              end(name, { kind: now.how as 'answered' });
              permits.delete(name);
            } else if (now.do === 'leave' && leaves.size > 0) {
              [...leaves.values()][now.which % leaves.size]?.abort(new Error('left'));
            } else if (now.do === 'pass') {
              await clock.advance(now.ms);
            }
            await settle();
            const { inFlight } = pacer.state();
            expect(inFlight).toBe(open().length);
            expect(inFlight).toBeLessThanOrEqual(concurrency);
          }
          expect([...granted]).toEqual([...granted].sort());
          while (pacer.state().waiting > 0 || open().length > 0) {
            for (const name of open()) {
              end(name);
              permits.delete(name);
            }
            await clock.advance(1_000);
          }
          expect(granted.length + refused.size).toBe(asked);
          // No timer is left behind.
          expect(clock.waiting).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a refusal', () => {
  test('halves the limit and holds the account for as long as the server asks', async () => {
    const { clock, pacer } = harness({ concurrency: 4 });
    const { ask, granted, end } = queue(pacer);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) ask(name);
    await settle();
    end('a', { kind: 'refused', retryAfterMs: 10_000 });
    end('b', { kind: 'refused', retryAfterMs: 10_000 });
    end('c');
    end('d');
    await settle();
    expect(pacer.state()).toEqual({ limit: 2, inFlight: 0, waiting: 3, pausedUntil: clock.now() + 10_000 });
    await clock.advance(9_999);
    expect(granted).toHaveLength(4);
    await clock.advance(1);
    expect(granted).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(pacer.state()).toMatchObject({ limit: 2, inFlight: 2, waiting: 1, pausedUntil: undefined });
  });

  test('the longest of several pauses holds', async () => {
    const { clock, pacer } = harness({ concurrency: 2 });
    const { ask, end } = queue(pacer);
    ask('a');
    ask('b');
    await settle();
    end('a', { kind: 'refused', retryAfterMs: 30_000 });
    end('b', { kind: 'refused', retryAfterMs: 5_000 });
    expect(pacer.state().pausedUntil).toBe(clock.now() + 30_000);
  });

  test('that names no time pauses ever longer, until there is an answer', async () => {
    const { clock, pacer } = harness({ concurrency: 1 });
    const pauses: number[] = [];
    const oneMore = async (kind: 'refused' | 'answered') => {
      const acquired = pacer.acquire(1);
      while (pacer.state().waiting > 0) await clock.advance(500);
      (await acquired).release({ kind });
      const { pausedUntil } = pacer.state();
      pauses.push(pausedUntil === undefined ? 0 : pausedUntil - clock.now());
    };
    for (let at = 0; at < 8; at++) await oneMore('refused');
    await oneMore('answered');
    await oneMore('refused');
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 0, 500]);
  });

  test('for longer than anybody wants to wait is an answer to all who wait and all who ask', async () => {
    const { clock, pacer } = harness({ concurrency: 1, mostPauseMs: 60_000 });
    const { ask, granted, refused, end } = queue(pacer);
    for (const name of ['a', 'b', 'c']) ask(name);
    await settle();
    end('a', { kind: 'refused', retryAfterMs: 3_600_000 });
    await settle();
    ask('d');
    await settle();
    expect([...refused.keys()]).toEqual(['b', 'c', 'd']);
    const reason = refused.get('b');
    expect(reason).toBeInstanceOf(ModelError);
    expect(reason).toMatchObject({ kind: 'rate-limit', retryAfterMs: 3_600_000 });
    expect((reason as ModelError).message).toBe('openai asks to be left alone for 3600 s');
    await clock.advance(3_540_000);
    ask('e');
    await clock.advance(60_000);
    expect(granted).toEqual(['a', 'e']);
  });

  test('a failure that is none of the account changes neither limit nor pace', async () => {
    const { pacer } = harness({ concurrency: 4 });
    const { ask, granted, end } = queue(pacer);
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
    await settle();
    end('a', { kind: 'failed' });
    await settle();
    expect(granted).toHaveLength(5);
    expect(pacer.state()).toMatchObject({ limit: 4, pausedUntil: undefined });
  });
});

describe('budgets', () => {
  test('of requests a minute: a tenth at once, the rest as it comes', async () => {
    const { clock, pacer } = harness({ concurrency: 100, requestsPerMinute: 60 });
    const { ask, granted } = queue(pacer);
    for (let at = 0; at < 100; at++) ask(String(at));
    await settle();
    expect(granted).toHaveLength(6);
    await clock.advance(59_999);
    expect(granted).toHaveLength(60);
    expect(pacer.state()).toMatchObject({ inFlight: 60, waiting: 40 });
  });

  test('of tokens a minute: a large request is not overtaken by small ones', async () => {
    const { clock, pacer } = harness({ concurrency: 100, tokensPerMinute: 600 });
    const { ask, granted } = queue(pacer);
    ask('first', 60);
    ask('large', 50);
    ask('small', 1);
    await settle();
    expect(granted).toEqual(['first']);
    await clock.advance(4_000);
    expect(granted).toEqual(['first']);
    await clock.advance(2_000);
    expect(granted).toEqual(['first', 'large', 'small']);
  });

  test('of tokens a minute: what an answer really took is what counts', async () => {
    const { pacer } = harness({ concurrency: 100, tokensPerMinute: 600 });
    const { ask, granted, end } = queue(pacer);
    ask('a', 60);
    ask('b', 55);
    await settle();
    expect(granted).toEqual(['a']);
    end('a', { kind: 'answered', tokens: 5 });
    await settle();
    expect(granted).toEqual(['a', 'b']);
  });
});

describe('subscribers', () => {
  test('hear of changes once a tick, and no more when they have left', async () => {
    const { pacer } = harness();
    let heard = 0;
    const leave = pacer.subscribe(() => heard++);
    const { ask, end } = queue(pacer);
    for (const name of ['a', 'b', 'c']) ask(name);
    await settle();
    expect(heard).toBe(1);
    end('a');
    await settle();
    expect(heard).toBe(2);
    leave();
    end('b');
    await settle();
    expect(heard).toBe(2);
  });

  test('hear when a pause is over, as long as somebody waits for it', async () => {
    const { clock, pacer } = harness({ concurrency: 1 });
    const { ask, end } = queue(pacer);
    ask('a');
    ask('b');
    await settle();
    end('a', { kind: 'refused', retryAfterMs: 1_000 });
    await settle();
    const states: (number | undefined)[] = [];
    pacer.subscribe(() => states.push(pacer.state().pausedUntil));
    await clock.advance(1_000);
    expect(states).toEqual([undefined]);
  });
});
