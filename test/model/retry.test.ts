import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../source/base/random.js';
import { failureUnder, type Retry, withRetry } from '../../source/model/retry.js';
import { ModelError, type ModelErrorKind } from '../../source/model/types.js';
import { createFakeClock, settle } from './fake-clock.js';
import { collect, done, say, scripted } from './scripted.js';

const always = (share: number): Random => ({ next: () => share });
const limited = (retryAfterMs?: number) => new ModelError('rate-limit', 'slow down', retryAfterMs);

function harness(options: Partial<Parameters<typeof withRetry>[1]> = {}) {
  const clock = createFakeClock();
  const retries: Retry[] = [];
  return {
    clock,
    retries,
    options: { clock, random: always(0.5), onRetry: (retry: Retry) => retries.push(retry), ...options },
  };
}

/** The outcome of something that waits on a fake clock, time passing until it is there. */
async function pass<T>(clock: ReturnType<typeof createFakeClock>, outcome: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = outcome.finally(() => {
    isOver = true;
  });
  watched.catch(() => {});
  await settle();
  while (!isOver) await clock.advance(100);
  return watched;
}

describe('a failed request', () => {
  test.each(['rate-limit', 'overloaded', 'network'] as ModelErrorKind[])(
    'is tried again after %s',
    async (kind) => {
      const { clock, options, retries } = harness();
      const model = scripted([new ModelError(kind, 'for now')], [say('Hi'), done]);
      expect(await pass(clock, collect(withRetry(model, options)))).toEqual([say('Hi'), done]);
      expect(model.asked).toBe(2);
      expect(retries).toMatchObject([
        { model: 'scripted:model', attempt: 1, waitMs: 250, isRestart: false, error: { kind } },
      ]);
    },
  );

  test.each(['auth', 'not-found', 'too-long', 'bad-request', 'bad-answer'] as ModelErrorKind[])(
    'is not tried again after %s, which no asking mends',
    async (kind) => {
      const { options, retries } = harness();
      const error = new ModelError(kind, 'for good');
      const model = scripted([error]);
      await expect(collect(withRetry(model, options))).rejects.toBe(error);
      expect(model.asked).toBe(1);
      expect(retries).toEqual([]);
    },
  );

  test('costs what was reported of it before it broke off, and what was not is said to be missing', async () => {
    const { clock, options } = harness();
    const broken = new ModelError('network', 'broke off');
    broken.spent = { usage: { input: 40, output: 2, cacheRead: 30, cacheWrite: 0 }, usageMissing: true };
    const model = scripted([say('Hi'), broken], [new ModelError('overloaded', 'busy')], [done]);
    expect((await pass(clock, collect(withRetry(model, options)))).at(-1)).toEqual({
      type: 'done',
      stop: 'end',
      usage: { input: 50, output: 7, cacheRead: 30, cacheWrite: 0 },
      usageMissing: true,
    });
  });

  test('costs nothing where no answer had begun', async () => {
    const { clock, options } = harness();
    const model = scripted([new ModelError('overloaded', 'busy')], [done]);
    expect((await pass(clock, collect(withRetry(model, options)))).at(-1)).toEqual(done);
  });

  test('is not tried again when the failure says that it is for good', async () => {
    const { options } = harness();
    const error = new ModelError('network', 'no trust', undefined, { permanent: true });
    const model = scripted([error]);
    await expect(collect(withRetry(model, options))).rejects.toBe(error);
    expect(model.asked).toBe(1);
  });

  test('is not tried again after a bug', async () => {
    const { options } = harness();
    const model = scripted([new TypeError('x is not a function')]);
    await expect(collect(withRetry(model, options))).rejects.toThrow('x is not a function');
    expect(model.asked).toBe(1);
  });

  test('that was answered, and each time to no use, is given up after six tries', async () => {
    const { clock, options } = harness();
    const broken = new ModelError('network', 'the answer broke off');
    broken.hasAnswered = true;
    const model = scripted([broken]);
    await expect(pass(clock, collect(withRetry(model, options)))).rejects.toThrow(
      /broke off \(tried 6 times/,
    );
    const busy = new ModelError('overloaded', 'busy', undefined, { status: 529 });
    busy.hasAnswered = true;
    const other = scripted([busy]);
    await expect(pass(clock, collect(withRetry(other, options)))).rejects.toThrow('busy');
    expect(other.asked).toBeGreaterThan(6);
  });

  test('says under its signal why there is no answer yet, until there is one', async () => {
    const { clock, options } = harness();
    const { signal } = new AbortController();
    const model = scripted([new ModelError('network', 'refused')], [done]);
    const asked = collect(withRetry(model, options), { signal });
    await settle();
    expect(failureUnder(signal)?.message).toBe('refused');
    await pass(clock, asked);
    expect(failureUnder(signal)).toBeUndefined();
  });

  test('waits twice as long each time, up to the bound, by a draw below it', async () => {
    const { clock, options, retries } = harness({ baseMs: 1_000, mostMs: 5_000, random: always(0.25) });
    const model = scripted([limited()], [limited()], [limited()], [limited()], [limited()], [done]);
    await pass(clock, collect(withRetry(model, options)));
    expect(retries.map(({ waitMs }) => waitMs)).toEqual([250, 500, 1_000, 1_250, 1_250]);
  });

  test('waits all of a Retry-After and never less, whatever is drawn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (ms, draw) => {
          const { clock, options, retries } = harness({ random: always(draw) });
          const began = clock.now();
          const model = scripted([limited(ms)], [done]);
          await pass(clock, collect(withRetry(model, options)));
          expect(clock.now() - began).toBeGreaterThanOrEqual(ms);
          expect(retries[0]?.waitMs).toBeLessThanOrEqual(ms + 500);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('spreads the waits of requests that failed together over the whole bound', async () => {
    const random = createRandom('spread');
    const waits: number[] = [];
    for (let at = 0; at < 400; at++) {
      const { clock, options } = harness({
        random,
        baseMs: 1_000,
        onRetry: ({ waitMs }) => waits.push(waitMs),
      });
      await pass(clock, collect(withRetry(scripted([limited()], [done]), options)));
    }
    const quarters = [0, 1, 2, 3].map(
      (quarter) => waits.filter((wait) => Math.floor(wait / 250) === quarter).length,
    );
    for (const count of quarters) expect(count).toBeGreaterThan(60);
    expect(Math.max(...waits)).toBeLessThan(1_000);
  });
});

describe('the total time', () => {
  test('ends the tries with the last error, which says how many there were', async () => {
    const { clock, options, retries } = harness({ totalMs: 10_000, baseMs: 1_000 });
    const model = scripted([
      new ModelError('overloaded', 'host is overloaded (529)', undefined, { status: 529 }),
    ]);
    const failing = collect(withRetry(model, options));
    await expect(pass(clock, failing)).rejects.toMatchObject({
      kind: 'overloaded',
      status: 529,
      message: expect.stringMatching(/^host is overloaded \(529\) \(tried \d+ times in \d+ s\)$/),
    });
    const waited = retries.reduce((sum, { waitMs }) => sum + waitMs, 0);
    expect(waited).toBeLessThanOrEqual(10_000);
    expect(model.asked).toBe(retries.length + 1);
  });

  test('a Retry-After beyond it fails at once: nobody waits for a try that will not be made', async () => {
    const { clock, options, retries } = harness({ totalMs: 60_000 });
    const error = limited(3_600_000);
    const began = clock.now();
    await expect(collect(withRetry(scripted([error]), options))).rejects.toBe(error);
    expect(clock.now()).toBe(began);
    expect(retries).toEqual([]);
  });

  test('counts from the first failure, so that a long wait for a turn costs no tries', async () => {
    const { clock, options } = harness({ totalMs: 1_000 });
    let asked = 0;
    const queued = {
      name: 'queued:model',
      async *stream() {
        await clock.wait(600_000);
        if (asked++ === 0) throw limited();
        yield done;
      },
    };
    expect(await pass(clock, collect(withRetry(queued, options)))).toEqual([done]);
  });

  test('an abort ends the wait with the reason of the signal', async () => {
    const { clock, options, retries } = harness();
    const controller = new AbortController();
    const failing = collect(withRetry(scripted([limited(60_000)]), options), { signal: controller.signal });
    failing.catch(() => {});
    await expect.poll(() => retries.length).toBe(1);
    const reason = new Error('the trial is over');
    controller.abort(reason);
    await expect(failing).rejects.toBe(reason);
    expect(clock.waiting).toBe(0);
  });
});

describe('an answer that breaks off', () => {
  const broken = new ModelError('network', 'broke off');

  test('is asked for again, and the consumer is told to forget what it has', async () => {
    const { clock, options, retries } = harness();
    const model = scripted([say('I can'), say(' off'), broken], [say('I can offer store credit.'), done]);
    expect(await pass(clock, collect(withRetry(model, options)))).toEqual([
      say('I can'),
      say(' off'),
      { type: 'restart' },
      say('I can offer store credit.'),
      done,
    ]);
    expect(retries).toMatchObject([{ isRestart: true }]);
  });

  test('a consumer that had got nothing is told nothing', async () => {
    const { clock, options } = harness();
    const events = await pass(
      clock,
      collect(withRetry(scripted([broken], [broken], [say('Hi'), done]), options)),
    );
    expect(events).toEqual([say('Hi'), done]);
  });

  test('is told once for each time that something came, not for tries that gave nothing', async () => {
    const { clock, options } = harness();
    const model = scripted([say('a'), broken], [broken], [say('b'), broken], [say('c'), done]);
    const events = await pass(clock, collect(withRetry(model, options)));
    const restart = { type: 'restart' };
    expect(events).toEqual([say('a'), restart, say('b'), restart, say('c'), done]);
  });

  test('a tool request counts as something', async () => {
    const { clock, options } = harness();
    const call = { type: 'tool-request' as const, request: { id: 't1', name: 'get_order', args: {} } };
    const events = await pass(clock, collect(withRetry(scripted([call, broken], [call, done]), options)));
    expect(events).toEqual([call, { type: 'restart' }, call, done]);
  });

  test('whatever breaks when: what follows the last restart is one whole answer', async () => {
    const attempt = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 5 }), attempt, async (failures, last) => {
        const { clock, options } = harness();
        const model = scripted(...failures.map((words) => [...words.map(say), broken]), [
          ...last.map(say),
          done,
        ]);
        const events = await pass(clock, collect(withRetry(model, options)));
        const from = events.findLastIndex(({ type }) => type === 'restart') + 1;
        expect(events.slice(from)).toEqual([...last.map(say), done]);
        expect(events.filter(({ type }) => type === 'restart')).toHaveLength(
          failures.filter((words) => words.length > 0).length,
        );
      }),
      { numRuns: 60 },
    );
  });
});
