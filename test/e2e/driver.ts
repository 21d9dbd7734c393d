import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as pty from '@lydell/node-pty';
import type { Terminal as XtermTerminal } from '@xterm/headless';
import { onTestFinished } from 'vitest';

// The package is CommonJS.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof XtermTerminal };

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const program = path.join(root, 'dist/evalrun.js');

const keyBytes = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  pageDown: '\x1b[6~',
  pageUp: '\x1b[5~',
  backspace: '\x7f',
  'ctrl+c': '\x03',
  'ctrl+z': '\x1a',
  'ctrl+f1': '\x1b[1;5P',
} as const;
type NamedKey = keyof typeof keyBytes;

export interface StartOptions {
  columns?: number;
  rows?: number;
  env?: NodeJS.ProcessEnv;
  /** A project and logs of an app that was started before. */
  home?: string;
}

/** The program in a terminal, as a person meets it. */
export interface TerminalApp {
  readonly home: string;
  readonly pid: number;
  /** Everything the program wrote. */
  readonly bytes: string;
  /** What the terminal shows. */
  screen(): string;
  lines(): string[];
  isAlternate(): boolean;
  /** Resolves once a whole frame holds the text or matches the pattern; rejects with the screen after 30 seconds. */
  waitFor(text: string | RegExp): Promise<void>;
  waitUntilGone(text: string): Promise<void>;
  /** Sends keys by name, or text as it is typed. */
  press(...keys: (NamedKey | (string & {}))[]): void;
  resize(columns: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** Hangs up, as a window that is closed does. */
  hangUp(): void;
  /** Resolves when the program has ended and its last words are on the screen. */
  exit: Promise<{ code: number; signal: number | undefined }>;
  grid: {
    /** The line of the selected row. */
    selected(): string;
    /** Moves the selection down to the first row that holds the text. */
    select(text: string): Promise<TerminalApp['grid']>;
    /** Opens the selected trial and waits for its screen. */
    open(): Promise<void>;
  };
}

/** A copy of the fixture project, with a home and logs of its own, gone when the test is over. */
export function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'evalrun-e2e-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync(path.join(root, 'test/fixtures/tiny'), path.join(home, 'project'), { recursive: true });
  return home;
}

/** Starts `evalrun` with these arguments in the fixture project. */
export function startApp(args: string[], options: StartOptions = {}): TerminalApp {
  return startInTerminal(process.execPath, [program, ...args], options);
}

/**
 * Starts a command line under a shell, which says `exit=CODE` and `shell-is-back` when it has ended, and stays: of what is
 * written just before a terminal's last process ends the driver may lose the end on a busy machine.
 */
export function startUnderShell(line: string, options: StartOptions = {}): TerminalApp {
  const tell = 'echo "exit=$?"; stty -a | tr ";" "\\n" | grep -w icanon; echo shell-is-back; read -r _';
  return startInTerminal('sh', ['-c', `trap '' TERM HUP; ${line}; ${tell}`], options);
}

/** Starts any command in a terminal, in the fixture project; `$EVALRUN` is the program's file. */
function startInTerminal(command: string, args: string[], options: StartOptions = {}): TerminalApp {
  const { columns = 80, rows = 24, home = newHome(), env = {} } = options;
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = pty.spawn(command, args, {
    cols: columns,
    rows,
    cwd: path.join(home, 'project'),
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, 'config'),
      EVALRUN_LOGS: path.join(home, 'logs'),
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      NODE: process.execPath,
      EVALRUN: program,
      ...env,
    },
  });
  const watchers = new Set<() => void>();
  let bytes = '';
  let hasEnded = false;
  /** Whether all of a frame has been written, and not only what came with the first read. */
  let isWhole = true;
  child.onData((data) => {
    bytes += data;
    const isWholeThen = bytes.lastIndexOf('\x1b[?2026l') >= bytes.lastIndexOf('\x1b[?2026h');
    terminal.write(data, () => {
      isWhole = isWholeThen;
      for (const look of watchers) look();
    });
  });
  const exit = new Promise<{ code: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      // What was written last is still on its way through the terminal.
      setImmediate(() => terminal.write('', () => resolve({ code: exitCode, signal })));
    });
  });
  onTestFinished(() => {
    if (!hasEnded) child.kill('SIGKILL');
  });

  function until(isThere: (screen: string) => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        watchers.delete(look);
        reject(new Error(`${what}; the screen was:\n${app.screen()}`));
      }, 30_000);
      const look = () => {
        if (!isWhole || !isThere(app.screen())) return;
        clearTimeout(limit);
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  }

  const app: TerminalApp = {
    home,
    pid: child.pid,
    get bytes() {
      return bytes;
    },
    lines() {
      const { active } = terminal.buffer;
      return Array.from(
        { length: terminal.rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
      );
    },
    screen: () => app.lines().join('\n'),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    waitFor: (text) =>
      until(
        (screen) => (typeof text === 'string' ? screen.includes(text) : text.test(screen)),
        `never saw ${text}`,
      ),
    waitUntilGone: (text) => until((screen) => !screen.includes(text), `still there: ${text}`),
    press(...keys) {
      for (const key of keys) child.write(key in keyBytes ? keyBytes[key as NamedKey] : key);
    },
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      child.resize(nextColumns, nextRows);
    },
    signal: (name) => child.kill(name),
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    exit,
    grid: {
      selected: () => app.lines().find((line) => line.startsWith('▸')) ?? '',
      async select(text) {
        while (!app.grid.selected().includes(text)) {
          const before = app.grid.selected();
          app.press('down');
          await until(() => app.grid.selected() !== before, `the selection did not move on from ${before}`);
        }
        return app.grid;
      },
      async open() {
        app.press('enter');
        await app.waitFor('transcript');
      },
    },
  };
  return app;
}
