import type { SessionRequest, Target } from './types.js';

/** A target that is opened with its first session, and that can be let go of in between. */
export interface LazyTarget extends Target {
  /** Closes what the target holds, once no session needs it; the next session opens it again. */
  release(): Promise<void>;
}

/**
 * Opens a target only when it is needed: a bisect tries many prompts, each a target of its own, a few at a time, and a
 * command or a module holds a process or a thread.
 */
export function createLazyTarget(openTarget: () => Promise<Target>): LazyTarget {
  let opened: Promise<Target> | undefined;
  let sessions = 0;
  let isReleased = false;

  async function closeIfIdle(): Promise<void> {
    if (!isReleased || sessions > 0 || !opened) return;
    const target = opened;
    opened = undefined;
    await target.then((one) => one.close?.());
  }

  async function end(): Promise<void> {
    sessions--;
    await closeIfIdle();
  }

  return {
    async open(request: SessionRequest) {
      sessions++;
      isReleased = false;
      try {
        opened ??= openTarget();
        const session = await (await opened).open(request);
        let isOpen = true;
        return {
          send: (message, onProgress, signal) => session.send(message, onProgress, signal),
          async close() {
            await session.close();
            if (!isOpen) return;
            isOpen = false;
            // Closing never throws: that a target does not end well changes nothing of what was said.
            await end().catch(() => {});
          },
          ...(session.log && { log: () => session.log?.() ?? '' }),
        };
      } catch (error) {
        await end().catch(() => {});
        throw error;
      }
    },
    async release() {
      isReleased = true;
      await closeIfIdle();
    },
    async close() {
      isReleased = true;
      const target = opened;
      opened = undefined;
      await target?.then((one) => one.close?.());
    },
  };
}
