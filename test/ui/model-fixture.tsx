import chalk from 'chalk';
import { renderToString } from 'ink';
import type { Clock } from '../../source/base/clock.js';
import type { ReviewDesk } from '../../source/grade/labels/desk.js';
import { App } from '../../source/ui/app.js';
import { createModel, type DrivenModel } from '../../source/ui/create-model.js';
import { dispatch } from '../../source/ui/keys/dispatcher.js';
import { createKeyReader } from '../../source/ui/keys/key-reader.js';
import { createTheme } from '../../source/ui/theme.js';
import type {
  AppResult,
  AppRun,
  HomeDesk,
  PastRuns,
  SettingKey,
  TriagedSuite,
} from '../../source/ui/types.js';

/** The app without a terminal: keys in, screen out. */
export interface HeldApp {
  model: DrivenModel;
  /** Types keys as a terminal would send them. */
  press(...keys: string[]): void;
  /** The screen as text, spaces at line ends left out. */
  screen(): string;
  lines(): string[];
  /** Lets what is asynchronous (reading a trial) happen. */
  settle(): Promise<void>;
  copied: string[];
  left: AppResult[];
  /** Places that were opened in the editor. */
  edited: string[];
  settings: Map<SettingKey, string>;
  time: { now: number };
}

export const keys = {
  enter: '\r',
  escape: '\x1b',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  tab: '\t',
  pageDown: '\x1b[6~',
  end: '\x1b[F',
  backspace: '\x7f',
  ctrlC: '\x03',
} as const;

export function holdApp(
  runs: AppRun[],
  {
    columns = 80,
    rows = 24,
    now = 1_700_000_000_000 + 60_000,
    sort = undefined as string | undefined,
    desk = undefined as ReviewDesk | undefined,
    pastRuns = undefined as PastRuns | undefined,
    triage = undefined as readonly TriagedSuite[] | undefined,
    home = undefined as HomeDesk | undefined,
  } = {},
): HeldApp {
  // Screens are compared as text, wherever the tests run.
  chalk.level = 0;
  const time = { now };
  const clock: Clock = { now: () => time.now, wait: () => new Promise(() => {}) };
  const settings = new Map<SettingKey, string>(sort === undefined ? [] : [['sort', sort]]);
  const copied: string[] = [];
  const left: AppResult[] = [];
  const edited: string[] = [];
  const model = createModel({
    runs,
    desk,
    pastRuns,
    triage,
    home,
    clock,
    settings: { get: (key) => settings.get(key), set: (key, value) => settings.set(key, value) },
    theme: createTheme({ LANG: 'C.UTF-8' }, undefined),
    size: { columns, rows },
    copy(text, name) {
      copied.push(text);
      return `copied ${name}`;
    },
    suspend() {},
    async edit({ file, line }) {
      edited.push(`${file}:${line}`);
      return undefined;
    },
    redraw() {},
    leave: (result) => left.push(result),
    fail(error) {
      throw error;
    },
  });
  const reader = createKeyReader((key) => {
    dispatch(model.front, key);
    model.publish();
  });
  const app: HeldApp = {
    model,
    press(...typed) {
      for (const each of typed) {
        reader.read(each);
        reader.flush();
      }
    },
    screen: () => app.lines().join('\n'),
    lines: () =>
      renderToString(
        <App
          model={model}
          onError={(error) => {
            throw error;
          }}
        />,
        { columns },
      )
        .split('\n')
        .map((line) => line.trimEnd()),
    async settle() {
      await new Promise((resolve) => setImmediate(resolve));
      model.resize(model.state.size);
    },
    copied,
    left,
    edited,
    settings,
    time,
  };
  return app;
}
