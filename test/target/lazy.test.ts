import { describe, expect, it } from 'vitest';
import { createLazyTarget } from '../../source/target/lazy.js';
import type { Session, Target } from '../../source/target/types.js';
import { reply } from '../run/support.js';

const request = { seed: '1', callTool: () => ({ result: null }) };

/** A target that says when it is opened and closed. `failures`: how often it cannot be opened. */
function product(failures = 0) {
  const log: string[] = [];
  let left = failures;
  const lazy = createLazyTarget(async (): Promise<Target> => {
    if (left-- > 0) throw new Error('no such program');
    log.push('opened');
    return {
      async open(): Promise<Session> {
        return { send: async () => reply('yes'), close: async () => void log.push('session closed') };
      },
      tuning: async () => ({ level: 3 }),
      close: async () => void log.push('closed'),
    };
  });
  return { lazy, log };
}

describe('a target that is opened when it is needed', () => {
  it('is opened once, by its first session', async () => {
    const { lazy, log } = product();
    expect(log).toEqual([]);
    await Promise.all([lazy.open(request), lazy.open(request)]);
    expect(log).toEqual(['opened']);
  });

  it('that is let go of is closed when its last session is, and opened again by the next', async () => {
    const { lazy, log } = product();
    const [one, other] = [await lazy.open(request), await lazy.open(request)];
    await lazy.release();
    await one.close();
    await one.close();
    expect(log).toEqual(['opened', 'session closed']);
    await other.close();
    expect(log).toEqual(['opened', 'session closed', 'session closed', 'closed']);
    await (await lazy.open(request)).close();
    expect(log.slice(4)).toEqual(['opened', 'session closed']);
    await lazy.release();
    expect(log.at(-1)).toBe('closed');
  });

  it('that could not be opened is tried again by the next session', async () => {
    const { lazy, log } = product(2);
    const failed = await Promise.allSettled([lazy.open(request), lazy.open(request)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(lazy.open(request)).rejects.toThrow('no such program');
    await lazy.release();
    expect(await (await lazy.open(request)).send('hi', () => {}, AbortSignal.abort())).toMatchObject({
      text: 'yes',
    });
    expect(log).toEqual(['opened']);
  });

  it('gives its tuning values and holds nothing after that', async () => {
    const { lazy, log } = product();
    expect(await lazy.tuning?.()).toEqual({ level: 3 });
    expect(log).toEqual(['opened', 'closed']);
  });

  it('that was never needed has nothing to close', async () => {
    const { lazy, log } = product();
    await lazy.release();
    await lazy.close?.();
    expect(log).toEqual([]);
  });
});
