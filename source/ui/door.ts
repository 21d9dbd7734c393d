import { UserError } from '../base/errors.js';
import type { AppRun } from './types.js';

/** What is opened: it is drawn as it says, and closed when the person goes back. */
interface Opened {
  subscribe(listener: () => void): unknown;
  close(): Promise<void>;
}

/** Opens runs over the screens of a model, and leads back. */
export interface Door<Inner> {
  /** What is open; undefined where nothing is. */
  readonly inner: Inner | undefined;
  /** Opens the run once it is there; of two that were asked for, the later one. Never rejects. */
  enter(opening: Promise<AppRun>, isComparing: boolean): Promise<void>;
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
  const closing: Promise<void>[] = [];

  function shut(): Promise<void> {
    asked++;
    const closed = inner?.close() ?? Promise.resolve();
    closing.push(closed);
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

  async function open(opening: Promise<AppRun>, isComparing: boolean): Promise<void> {
    const turn = ++asked;
    const isWanted = () => !isClosed && turn === asked;
    try {
      const run = await opening;
      if (!isWanted()) {
        if (run.leave) closing.push(run.leave());
        return;
      }
      const back = (text?: string) => {
        const closed = shut();
        if (text !== undefined) say(text);
        onChange();
        return closed;
      };
      inner = create(run, { isComparing, back, fail: (error) => isWanted() && refuse(error) });
      inner.subscribe(onChange);
      onChange();
    } catch (error) {
      if (isWanted()) refuse(error);
    }
  }

  return {
    get inner() {
      return inner;
    },
    async enter(opening, isComparing) {
      const entering = open(opening, isComparing);
      closing.push(entering);
      await entering;
    },
    async close() {
      isClosed = true;
      void shut();
      // What is still being opened is closed as soon as it is there.
      while (closing.length > 0) await Promise.all(closing.splice(0));
    },
  };
}
