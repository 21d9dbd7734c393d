/**
 * Makes the pictures of the readme from a real run: starts the built CLI in a pseudo-terminal, waits for the
 * moment to show, and writes what the terminal shows as SVG. `npm run pictures`; `npm run pictures -- bisect` makes
 * only those of a bisect.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pty from '@lydell/node-pty';
import type { IBufferCell, Terminal as XtermTerminal } from '@xterm/headless';

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof XtermTerminal };

const columns = 110;
const rows = 30;
const cellWidth = 8.4;
const cellHeight = 18;
const ansi16 = [
  '#484f58',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#76e3ea',
  '#b1bac4',
  '#6e7681',
  '#ffa198',
  '#56d364',
  '#f2cc60',
  '#a5d6ff',
  '#e2c5ff',
  '#b3f0ff',
  '#f0f6fc',
];
const foreground = '#d1d7e0';
const background = '#0d1117';

function paletteColour(index: number): string {
  if (index < 16) return ansi16[index] ?? foreground;
  if (index >= 232) {
    const level = 8 + (index - 232) * 10;
    return `rgb(${level},${level},${level})`;
  }
  const channel = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  const cube = index - 16;
  return `rgb(${channel(Math.floor(cube / 36))},${channel(Math.floor(cube / 6) % 6)},${channel(cube % 6)})`;
}

function rgb(value: number): string {
  return `#${value.toString(16).padStart(6, '0')}`;
}

/** Foreground, background and weight of a cell, as attributes that are equal exactly when the cells look alike. */
function styleOf(cell: IBufferCell): { fill: string; back: string | undefined; extra: string } {
  let fill = cell.isFgRGB()
    ? rgb(cell.getFgColor())
    : cell.isFgPalette()
      ? paletteColour(cell.getFgColor())
      : foreground;
  let back = cell.isBgRGB()
    ? rgb(cell.getBgColor())
    : cell.isBgPalette()
      ? paletteColour(cell.getBgColor())
      : undefined;
  if (cell.isInverse()) [fill, back] = [back ?? background, fill];
  const extra = `${cell.isBold() ? ' font-weight="bold"' : ''}${cell.isDim() ? ' opacity="0.6"' : ''}`;
  return { fill, back, extra };
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);
}

/** The visible screen as SVG; text runs of one look share an element, placed by column so that fonts cannot shift it. */
function screenToSvg(terminal: XtermTerminal, title: string): string {
  const width = columns * cellWidth + 24;
  const height = rows * cellHeight + 24;
  const rects: string[] = [];
  const texts: string[] = [];
  for (let y = 0; y < rows; y++) {
    const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + y);
    if (!line) continue;
    let x = 0;
    while (x < columns) {
      const first = line.getCell(x);
      if (!first) break;
      const style = styleOf(first);
      const start = x;
      let text = '';
      while (x < columns) {
        const cell = line.getCell(x);
        if (!cell) break;
        const here = styleOf(cell);
        if (here.fill !== style.fill || here.back !== style.back || here.extra !== style.extra) break;
        text += cell.getChars() || ' ';
        x += Math.max(1, cell.getWidth());
      }
      const left = (12 + start * cellWidth).toFixed(1);
      const span = ((x - start) * cellWidth).toFixed(1);
      if (style.back)
        rects.push(
          `<rect x="${left}" y="${12 + y * cellHeight}" width="${span}" height="${cellHeight}" fill="${style.back}"/>`,
        );
      if (text.trim() !== '') {
        texts.push(
          `<text x="${left}" y="${12 + y * cellHeight + 13}" fill="${style.fill}"${style.extra} textLength="${span}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escapeXml(text)}</text>`,
        );
      }
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${rects.join('\n')}
${texts.join('\n')}
</g>
</svg>
`;
}

/** The built CLI in a terminal of its own. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const home = mkdtempSync(join(tmpdir(), 'evalrun-pictures-'));
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const app = pty.spawn(process.execPath, ['dist/evalrun.js', ...args], {
    cols: columns,
    rows,
    env: {
      ...process.env,
      CI: 'false',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      EVALRUN_LOGS: join(home, 'logs'),
      ...env,
    },
  });
  /** Called whenever the terminal has taken in what the app wrote. */
  let onScreen = () => {};
  app.onData((data) => terminal.write(data, () => onScreen()));

  function screenText(): string {
    const lines: string[] = [];
    for (let y = 0; y < rows; y++)
      lines.push(
        terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true) ?? '',
      );
    return lines.join('\n');
  }

  return {
    press(...keys: string[]): void {
      for (const key of keys) app.write(key);
    },
    /** Resolves once the screen holds what `isThere` looks for. */
    waitFor(isThere: (screen: string) => boolean): Promise<void> {
      return new Promise((resolve, reject) => {
        const limit = setTimeout(
          () => reject(new Error(`not seen within three minutes; the screen was:\n${screenText()}`)),
          180_000,
        );
        const look = () => {
          if (!isThere(screenText())) return;
          clearTimeout(limit);
          onScreen = () => {};
          resolve();
        };
        onScreen = look;
        look();
      });
    },
    draw(name: string, title: string): void {
      writeFileSync(`docs/pictures/${name}.svg`, screenToSvg(terminal, title));
    },
    end(): void {
      app.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function pictureRun(): Promise<void> {
  const app = start(['run', 'support-agent', '--candidate', '--seed', '7']);
  try {
    // Late enough that something has failed and early enough that rows still stream.
    await app.waitFor((screen) => Number(/(\d+) %/.exec(screen)?.[1] ?? 0) >= 55 && screen.includes('FAIL'));
    app.draw('grid', 'evalrun: a run in progress, one row a scenario, one cell a trial');
    await app.waitFor((screen) => /completed|finished|done/.test(screen));
    app.press('s', 'n', '\r');
    await app.waitFor((screen) => screen.includes('saw') && screen.includes('send_certificate({'));
    app.draw('trial', 'evalrun: a failing trial, its checks, the reason and the transcript');
  } finally {
    app.end();
  }
}

async function pictureBisect(): Promise<void> {
  const check = 'delay-certificate-keeps-flight/tool_not_called-send_certificate';
  const ends = ['--good', 'v14', '--bad', 'v15'];
  const app = start(['bisect', 'support-agent', ...ends, '--check', check, '--seed', '7'], {
    EVALRUN_SIMULATED_LATENCY: '0',
  });
  /** Runs the step of a hunk: below both ends, from 1. */
  const step = async (hunk: number) => {
    app.press('g', ...Array.from({ length: hunk + 1 }, () => 'j'), '\r');
    await app.waitFor((screen) => screen.includes(`hunk ${hunk}: it `));
  };
  try {
    await app.waitFor((screen) => screen.includes('Enter begins'));
    app.press('\r');
    await app.waitFor((screen) => screen.includes('Enter reverts'));
    await step(3);
    app.press('a');
    await app.waitFor((screen) => screen.includes('hunk 3: taken'));
    await step(8);
    app.draw('bisect', 'evalrun: a guided bisect, one row a hunk, and what is believed of each');
  } finally {
    app.end();
  }
}

const pictures = { run: pictureRun, bisect: pictureBisect };
const wanted = process.argv.slice(2);
for (const [name, make] of Object.entries(pictures)) {
  if (wanted.length === 0 || wanted.includes(name)) await make();
}
process.exit(0);
