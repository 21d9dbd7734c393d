import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import type { Terminal as XtermTerminal } from '@xterm/headless';

// The package is CommonJS.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof XtermTerminal };

/** A terminal in memory: what is written to `stdout` is on its screen, what is typed comes out of `stdin`. */
export interface VirtualTerminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** Everything that was written, escape sequences and all. */
  readonly bytes: string;
  readonly isRaw: boolean;
  /** Lines of the screen without the spaces at their ends. */
  lines(): string[];
  screen(): string;
  /** Lines above the screen that were scrolled out of it. */
  scrollback(): string[];
  isAlternate(): boolean;
  /** Resolves once the screen fulfils it; rejects with the screen after four seconds. */
  until(isThere: (screen: string) => boolean): Promise<void>;
  waitFor(text: string): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when all that was written is on the screen. */
  settled(): Promise<void>;
}

export function createVirtualTerminal(columns: number, rows: number): VirtualTerminal {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 500 });
  let bytes = '';
  let isRaw = false;
  /** Called whenever something more is on the screen. */
  const onDrawn = new Set<() => void>();
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      isRaw = raw;
    },
    ref() {},
    unref() {},
  });
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    write(text: string) {
      bytes += text;
      // A terminal device turns line feeds into new lines.
      terminal.write(text.replaceAll(/(?<!\r)\n/g, '\r\n'), () => {
        for (const look of onDrawn) look();
      });
      return true;
    },
  });

  const lineOf = (row: number) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '';
  const api: VirtualTerminal = {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    get bytes() {
      return bytes;
    },
    get isRaw() {
      return isRaw;
    },
    lines: () =>
      Array.from({ length: terminal.rows }, (_, row) => lineOf(terminal.buffer.active.baseY + row)),
    screen: () => api.lines().join('\n'),
    scrollback: () => Array.from({ length: terminal.buffer.active.baseY }, (_, row) => lineOf(row)),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    until(isThere) {
      return new Promise((resolve, reject) => {
        const limit = setTimeout(() => {
          onDrawn.delete(look);
          reject(new Error(`not seen; the screen was:\n${api.screen()}`));
        }, 4000);
        const look = () => {
          if (!isThere(api.screen())) return;
          clearTimeout(limit);
          onDrawn.delete(look);
          resolve();
        };
        onDrawn.add(look);
        look();
      });
    },
    waitFor: (text) => api.until((screen) => screen.includes(text)),
    type: (keys) => stdin.write(keys),
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      stdout.columns = nextColumns;
      stdout.rows = nextRows;
      stdout.emit('resize');
    },
    settled: () => new Promise((resolve) => terminal.write('', resolve)),
  };
  return api;
}
