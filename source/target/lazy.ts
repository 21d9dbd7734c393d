import type { SessionRequest, Target } from './types.js';

/** A target that is opened with its first session, and that can be let go of in between. */
export interface LazyTarget extends Target {
  /** Closes what the target holds, once no session needs it; the next session opens it again. */
  release(): Promise<void>;
}

/**
 * Opens a target only when it is needed: a bisect tries many prompts, each a target of its own, a few at a time, and a
 * command or a module holds a process or a thread. One that could not be opened is tried anew with the next session.
 */
export function createLazyTarget(openTarget: () => Promise<Target>): LazyTarget {
  let opened: Promise<Target> | undefined;
  /** Sessions that are open, or being opened. */
  let users = 0;
  let isReleased = false;

  function openOnce(): Promise<Target> {
    if (opened) return opened;
    const opening = openTarget();
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  }

  async function closeNow(): Promise<void> {
    const target = opened;
    opened = undefined;
    await target?.then((one) => one.close?.());
  }

  /** Closing never throws: that a target does not end well changes nothing of what was said. */
  async function leave(): Promise<void> {
    users--;
    if (isReleased && users === 0) await closeNow().catch(() => {});
  }

  return {
    async open(request: SessionRequest) {
      users++;
      isReleased = false;
      try {
        const session = await (await openOnce()).open(request);
        let isOpen = true;
        return {
          send: (message, onProgress, signal) => session.send(message, onProgress, signal),
          async close() {
            if (!isOpen) return;
            isOpen = false;
            await session.close();
            await leave();
          },
          ...(session.log && { log: () => session.log?.() ?? '' }),
        };
      } catch (error) {
        await leave();
        throw error;
      }
    },
    async tuning() {
      users++;
      try {
        return await (await openOnce()).tuning?.();
      } finally {
        // Asked once, before the first trial: until then nothing is held.
        isReleased = users === 1;
        await leave();
      }
    },
    async release() {
      isReleased = true;
      if (users === 0) await closeNow();
    },
    async close() {
      isReleased = true;
      await closeNow();
    },
  };
}
