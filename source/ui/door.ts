import { UserError } from '../base/errors.js';
import type { AppRun } from './types.js';

/** What is opened: it is drawn as it says, and closed when the person goes back. */
interface Opened {
  subscribe(listener: () => void): unknown;
  close(): Promise<void>;
}

/**
 * What a run is opened for. `written`: it goes on here, and is not asked for before all is closed that was opened before:
 * till then that holds its journal, and whoever looks for it finds a run that somebody writes. `read` and `compared`: it is
 * only shown, the latter on what changed, and waits for nothing.
 */
export type Entering = 'read' | 'compared' | 'written';

/** Opens runs over the screens of a model, and leads back. */
export interface Door<Inner> {
  /** What is open; undefined where nothing is. */
  readonly inner: Inner | undefined;
  /**
   * Opens a run once it is there; of two that were asked for, the later one. While one that is written is on its way nothing
   * else is opened: it is on disk by then, and would be left there with nothing run. Never rejects.
   */
  enter(open: () => Promise<AppRun>, how: Entering): Promise<void>;
  /** Resolves when all that was opened is closed. */
  close(): Promise<void>;
}

export interface DoorOptions<Inner> {
  /** `back` resolves when the run is closed; `fail` is told what makes it unreadable. */
  create(
    run: AppRun,
    how: { isComparing: boolean; back(text?: string): Promise<void>; fail(error: unknown): void },
  ): Inner;
  /** Tells the person why a run cannot be opened. */
  say(problem: string): void;
  /** Hears what is nobody's mistake but the program's. */
  fail(error: unknown): void;
  /** Something is to be drawn. */
  onChange(): void;
}

export function createDoor<Inner extends Opened>(options: DoorOptions<Inner>): Door<Inner> {
  const { create, say, fail, onChange } = options;
  let inner: Inner | undefined;
  let asked = 0;
  let isClosed = false;
  let isStarting = false;
  /** What `close` waits for, and hears of what went wrong. */
  const closing: Promise<void>[] = [];
  /** Resolves when all is over that was begun so far. */
  let before: Promise<unknown> = Promise.resolve();

  /** What follows waits for it. */
  function keep(work: Promise<void>): void {
    closing.push(work);
    before = Promise.allSettled([before, work]);
  }

  function shut(): Promise<void> {
    asked++;
    const closed = inner?.close() ?? Promise.resolve();
    keep(closed);
    inner = undefined;
    return closed;
  }

  /** A journal that cannot be read closes its run and nothing else. */
  function refuse(error: unknown): void {
    if (!(error instanceof UserError)) {
      fail(error);
      return;
    }
    void shut();
    say(error.message);
    onChange();
  }

  async function open(make: () => Promise<AppRun>, how: Entering): Promise<void> {
    const turn = ++asked;
    const isWanted = () => !isClosed && turn === asked;
    if (how === 'written') await before;
    if (!isWanted()) return;
    try {
      const run = await make();
      if (!isWanted()) {
        await leave(run);
        return;
      }
      const back = (text?: string) => {
        const closed = shut();
        if (text !== undefined) say(text);
        onChange();
        return closed;
      };
      inner = create(run, {
        isComparing: how === 'compared',
        back,
        fail: (error) => isWanted() && refuse(error),
      });
      inner.subscribe(onChange);
      onChange();
    } catch (error) {
      if (isWanted()) refuse(error);
    }
  }

  /** What goes wrong at it is for `close`. */
  async function leave(run: AppRun): Promise<void> {
    if (!run.leave) return;
    const left = run.leave();
    closing.push(left);
    await left.catch(() => {});
  }

  return {
    get inner() {
      return inner;
    },
    async enter(make, how) {
      if (isStarting) {
        say('a run is being started');
        onChange();
        return;
      }
      isStarting = how === 'written';
      const entering = open(make, how).finally(() => {
        isStarting = false;
      });
      keep(entering);
      await entering;
    },
    async close() {
      isClosed = true;
      void shut();
      // What is still being opened is closed as soon as it is there; what waits is not opened.
      while (closing.length > 0) await Promise.all(closing.splice(0));
    },
  };
}
