import { isUtf8 } from '../base/ascii.js';
import { type ThemeName, themeSetting } from '../project/settings.js';
import type { Verdict } from '../tally/types.js';
import type { Tone } from './tone.js';

/** How a text looks: what Ink's `Text` takes. */
export interface Look {
  color?: string;
  bold?: boolean;
  dimColor?: boolean;
  inverse?: boolean;
}

/** Signs that the screens are drawn with. Every sign is one cell wide, but for the arrow. */
export interface Glyphs {
  waiting: string;
  pass: string;
  warn: string;
  fail: string;
  unknown: string;
  error: string;
  /** Frames of the sign for what is running. */
  spinner: readonly string[];
  marker: string;
  checkPass: string;
  checkFail: string;
  barDone: string;
  barTip: string;
  barLeft: string;
  rule: string;
  wall: string;
  evidence: string;
  evidenceBar: string;
  arrow: string;
  sorted: string;
  cursor: string;
  dot: string;
  /** Between the trials of a row and those of a confirmation. */
  apart: string;
  regression: string;
  drift: string;
  cleared: string;
  notComparable: string;
  fixed: string;
  better: string;
  gone: string;
  added: string;
  same: string;
  /** Scores of a spark line, from low to high. */
  spark: readonly string[];
  /** In a plot: the run that is selected, and one that is marked. */
  point: string;
  markedPoint: string;
}

/** Colours and signs by meaning. A component names a meaning, never a colour. */
export interface Theme {
  glyphs: Glyphs;
  isAscii: boolean;
  look(tone: Tone): Look;
}

const unicode: Glyphs = {
  waiting: '·',
  pass: '●',
  warn: '▲',
  fail: '✖',
  unknown: '?',
  error: '!',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  marker: '▸',
  checkPass: '✔',
  checkFail: '✖',
  barDone: '━',
  barTip: '╸',
  barLeft: '─',
  rule: '─',
  wall: '│',
  evidence: '▔',
  evidenceBar: '▌',
  arrow: '→',
  sorted: '▾',
  cursor: '█',
  dot: '·',
  apart: '┊',
  regression: '▼',
  drift: '◣',
  cleared: '≈',
  notComparable: '≠',
  fixed: '▲',
  better: '◤',
  gone: '−',
  added: '+',
  same: '=',
  spark: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  point: '●',
  markedPoint: '○',
};

const ascii: Glyphs = {
  waiting: '.',
  pass: 'o',
  warn: '^',
  fail: 'x',
  unknown: '?',
  error: '!',
  spinner: ['|', '/', '-', '\\'],
  marker: '>',
  checkPass: '+',
  checkFail: 'x',
  barDone: '=',
  barTip: '>',
  barLeft: '-',
  rule: '-',
  wall: '|',
  evidence: '^',
  evidenceBar: '>',
  arrow: '->',
  sorted: 'v',
  cursor: '_',
  dot: '-',
  apart: ':',
  regression: 'v',
  drift: '~',
  cleared: '%',
  notComparable: '#',
  fixed: '^',
  better: "'",
  gone: '-',
  added: '+',
  same: '=',
  spark: ['_', '.', '-', '~', '='],
  point: 'O',
  markedPoint: '#',
};

/** For a dark background, of the sixteen colours that every terminal has. */
const dark: Record<Tone, Look> = {
  plain: {},
  faint: { dimColor: true },
  strong: { bold: true },
  title: { bold: true },
  accent: { color: 'cyan' },
  key: { color: 'cyan' },
  pass: { color: 'green' },
  warn: { color: 'yellow' },
  fail: { color: 'red', bold: true },
  unknown: { color: 'magenta' },
  error: { color: 'magenta', bold: true },
  running: { color: 'cyan' },
  waiting: { dimColor: true },
  evidence: { color: 'yellow', bold: true },
  removed: { color: 'red', bold: true },
  added: { color: 'green', bold: true },
  found: { color: 'cyan', bold: true },
};

/** On a light background yellow and cyan cannot be read: warnings are magenta there, and what has no verdict is blue. */
const light: Record<Tone, Look> = {
  ...dark,
  accent: { color: 'blue' },
  key: { color: 'blue' },
  warn: { color: 'magenta' },
  unknown: { color: 'blue' },
  error: { color: 'blue', bold: true },
  running: { color: 'blue' },
  evidence: { color: 'magenta', bold: true },
  found: { color: 'blue', bold: true },
};

/** The same meanings without colour: weight and inversion are kept, since they carry the selection. */
function withoutColour({ color: _color, ...look }: Look): Look {
  return look;
}

const looks: Record<ThemeName, (tone: Tone) => Look> = {
  dark: (tone) => dark[tone],
  light: (tone) => light[tone],
  none: (tone) => withoutColour(dark[tone]),
};

/** The colours of the theme that holds, see `themeSetting`; a locale without UTF-8 takes the signs. */
export function createTheme(env: NodeJS.ProcessEnv, setting: string | undefined): Theme {
  const isAscii = !isUtf8(env);
  return {
    isAscii,
    glyphs: isAscii ? ascii : unicode,
    look: looks[themeSetting(env, setting).value],
  };
}

/** The frame of the spinner at a time: whoever draws at that time draws the same. */
export function spinnerFrame(glyphs: Glyphs, now: number): string {
  return glyphs.spinner[Math.floor(now / 100) % glyphs.spinner.length] ?? glyphs.waiting;
}

/** The sign of a cell. */
export function cellGlyph(glyphs: Glyphs, state: 'waiting' | 'running' | Verdict, now: number): string {
  return state === 'running' ? spinnerFrame(glyphs, now) : glyphs[state];
}
