import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { askTerminal } from '../../../source/ui/terminal/probe.js';

/** A terminal that answers what is written to it, piece by piece. */
function terminalThat(answers: string[]) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isRaw: false,
    setRawMode(isRaw: boolean) {
      modes.push(isRaw);
    },
    resume() {},
    pause() {},
  });
  let written = '';
  const stdout = {
    write(text: string) {
      written += text;
      for (const answer of answers) setImmediate(() => stdin.emit('data', answer));
      return true;
    },
  };
  const ask = (limitMs: number) =>
    askTerminal(stdin as unknown as NodeJS.ReadStream, stdout as NodeJS.WriteStream, { text: '●▲', limitMs });
  return { ask, modes, listeners: () => stdin.listenerCount('data'), written: () => written };
}

describe('a terminal that is asked', () => {
  it('says what it can do, in pieces too', async () => {
    const { ask, modes, listeners, written } = terminalThat(['\x1b[7;3R\x1b[?10', '49;2$y', 'x\x1b[?1;2c']);
    expect(await ask(20_000)).toEqual({ hasAlternateScreen: true, cells: 2 });
    expect(modes).toEqual([true, false]);
    expect(listeners()).toBe(0);
    expect(written()).toBe('\r●▲\x1b[6n\r\x1b[K\x1b[?1049$p\x1b[c');
  });

  it.each([
    ['does not know the mode', '\x1b[1;5R\x1b[?1049;0$y\x1b[?62c', { hasAlternateScreen: false, cells: 4 }],
    ['never leaves it', '\x1b[?1049;4$y\x1b[?62c', { hasAlternateScreen: false }],
    ['answers nothing but what it is', '\x1b[?62c', {}],
  ])('and %s', async (_what, answer, expected) => {
    expect(await terminalThat([answer]).ask(20_000)).toEqual(expected);
  });

  it('is not waited for when it is silent', async () => {
    const { ask, modes, listeners } = terminalThat([]);
    expect(await ask(5)).toEqual({});
    expect([modes, listeners()]).toEqual([[true, false], 0]);
  });
});
