import { describe, expect, it } from 'vitest';
import { UserError } from '../../source/base/errors.js';
import { createDoor } from '../../source/ui/door.js';
import type { AppRun } from '../../source/ui/types.js';

interface Inner {
  title: string;
  back(text?: string): Promise<void>;
  subscribe(): void;
  close(): Promise<void>;
}

/** A promise that the test settles. */
function held<T = void>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

/** A door, and what happened at it in order. */
function holdDoor(closed: Promise<void> = Promise.resolve()) {
  const log: string[] = [];
  const door = createDoor<Inner>({
    create: ({ title = '' }, { back }) => ({
      title,
      back,
      subscribe() {},
      async close() {
        log.push(`${title} closes`);
        await closed.finally(() => log.push(`${title} is closed`));
      },
    }),
    say: (problem) => log.push(`said: ${problem}`),
    fail: (error) => log.push(`failed: ${error}`),
    onChange() {},
  });
  const run = (title: string): AppRun => ({
    title,
    feed() {},
    readTrial: () => Promise.reject(new Error('it has no trials')),
    async leave() {
      log.push(`${title} is left`);
    },
  });
  const opens =
    (title: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      log.push(`${title} is asked for`);
      await until;
      return run(title);
    };
  return { door, log, opens };
}

/** What was set off has happened. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('what is opened over other screens', () => {
  it('is asked for when what was left before is closed, and not while that still holds its journal', async () => {
    const closing = held();
    const { door, log, opens } = holdDoor(closing.promise);
    await door.enter(opens('one'), 'written');
    void door.inner?.back('it goes on another time');
    const again = door.enter(opens('again'), 'written');
    await settle();
    expect(log).toEqual(['one is asked for', 'one closes', 'said: it goes on another time']);
    expect(door.inner).toBeUndefined();
    closing.resolve();
    await again;
    expect(log.slice(3)).toEqual(['one is closed', 'again is asked for']);
    expect(door.inner?.title).toBe('again');
  });

  it('is asked for although what was left before could not be closed', async () => {
    const closing = held();
    const { door, log, opens } = holdDoor(closing.promise);
    await door.enter(opens('one'), 'written');
    const left = door.inner?.back();
    const again = door.enter(opens('again'), 'written');
    closing.reject(new UserError('the disk is full'));
    await expect(left).rejects.toThrow('the disk is full');
    await again;
    expect(log.at(-1)).toBe('again is asked for');
  });

  it('asked for twice: one run is started, and whoever asks again is told so', async () => {
    const first = held();
    const { door, log, opens } = holdDoor();
    const one = door.enter(opens('one', first.promise), 'written');
    await settle();
    await door.enter(opens('two'), 'written');
    await door.enter(opens('past'), 'read');
    first.resolve();
    await one;
    expect(log).toEqual(['one is asked for', 'said: a run is being started', 'said: a run is being started']);
    expect(door.inner?.title).toBe('one');
    await door.enter(opens('past'), 'read');
    expect(door.inner?.title).toBe('past');
  });

  it('is left again where the app was closed while it was being started', async () => {
    const first = held();
    const { door, log, opens } = holdDoor();
    void door.enter(opens('one', first.promise), 'written');
    await settle();
    const closed = door.close();
    first.resolve();
    await closed;
    expect(log).toEqual(['one is asked for', 'one is left']);
  });

  it('is not opened at all where the app was closed while it waited', async () => {
    const { door, log, opens } = holdDoor();
    void door.enter(opens('four'), 'written');
    await door.close();
    expect(log).toEqual([]);
  });

  it('is shown at once where it is only read', async () => {
    const { door, log, opens } = holdDoor(new Promise(() => {}));
    await door.enter(opens('one'), 'written');
    void door.inner?.back();
    await door.enter(opens('past'), 'read');
    expect(log).toEqual(['one is asked for', 'one closes', 'past is asked for']);
    expect(door.inner?.title).toBe('past');
  });

  it('says why it cannot be opened, whatever that is thrown by', async () => {
    const { door, log, opens } = holdDoor();
    await door.enter(() => {
      throw new UserError('there is no such run');
    }, 'written');
    await door.enter(opens('one'), 'written');
    expect(log).toEqual(['said: there is no such run', 'one is asked for']);
  });
});
