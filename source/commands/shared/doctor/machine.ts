import { isUtf8 } from '../../../base/ascii.js';
import { textWidth } from '../../../base/width.js';
import { themeSetting } from '../../../project/settings.js';
import { type Finding, fail, ok, warn } from './finding.js';

/** What evalrun has of Node against what package.json wants: `>=20.19`, the one form that is read. */
export function nodeFinding(version: string, wanted: string): Finding {
  const [, needed = ''] = /^>=\s*([\d.]+)$/.exec(wanted) ?? [];
  if (needed === '') throw new Error(`engines of package.json: ${wanted}`);
  return isAtLeast(version, needed)
    ? ok('node', `Node ${version}; ${needed} or newer is wanted`)
    : fail('node', `Node ${version} is older than ${needed}`, `install Node ${needed} or newer`);
}

function isAtLeast(version: string, wanted: string): boolean {
  const parts = (text: string) => text.split('.').map(Number);
  const [has, needs] = [parts(version), parts(wanted)];
  for (const [index, need] of needs.entries()) {
    const part = has[index] ?? 0;
    if (part !== need) return part > need;
  }
  return true;
}

/** What is known of the terminal that a command runs in. */
export interface TerminalFacts {
  /** Keys can be read and screens drawn. */
  isTerminal: boolean;
  /** Lines are wanted although there is one, as `CI` says. */
  isForLines: boolean;
  size: { columns: number; rows: number };
  /** Of what no screen is drawn below. */
  smallest: { columns: number; rows: number };
  /** Bits of a colour: 1, 4, 8 or 24. */
  colorDepth: number;
  env: NodeJS.ProcessEnv;
  /** The theme of the person's settings. */
  theme: string | undefined;
  /** What the terminal said when it was asked. */
  answers: { hasAlternateScreen?: boolean; cells?: number };
}

/** Signs of the screens, each one cell wide: what a terminal is asked to draw. */
export const sampleSigns = '●▲✖⠹━▸';

/** Terminals without a second screen: what is drawn stays among what was there before. */
const withoutAlternateScreen = /^(linux|ansi|vt\d.*|cons\d.*|sun.*)$/;

/** Whether screens can be drawn here, and how they look. */
export function terminalFindings(facts: TerminalFacts): Finding[] {
  const { env } = facts;
  if (!facts.isTerminal) return [ok('terminal', 'none here: lines instead of screens'), localeFinding(env)];
  if (env.TERM === undefined || env.TERM === '' || env.TERM === 'dumb') {
    const what = env.TERM === 'dumb' ? 'TERM is dumb' : 'TERM is not set';
    return [
      warn('terminal', `${what}: lines instead of screens`, 'set TERM, as in xterm-256color'),
      localeFinding(env),
    ];
  }
  const lines = facts.isForLines ? [ok('terminal', 'CI is set: lines instead of screens')] : [];
  return [
    ...lines,
    sizeFinding(facts),
    colourFinding(facts),
    signsFinding(facts),
    screenFinding(env.TERM, facts),
  ];
}

function sizeFinding({ size, smallest }: TerminalFacts): Finding {
  const { columns, rows } = size;
  return columns < smallest.columns || rows < smallest.rows
    ? warn(
        'terminal',
        `${columns}x${rows} is too small for screens`,
        `make it ${smallest.columns}x${smallest.rows} or larger`,
      )
    : ok('terminal', `${columns}x${rows}; screens need ${smallest.columns}x${smallest.rows}`);
}

function colourFinding({ colorDepth, env, theme: setting }: TerminalFacts): Finding {
  const { value, from } = themeSetting(env, setting);
  if (value === 'none') {
    const who = from === 'settings' ? 'your settings' : from;
    return ok('terminal', `no colour, as ${who} says; every meaning has a sign or a word`);
  }
  return colorDepth < 4
    ? warn(
        'terminal',
        `TERM=${env.TERM} shows no colours`,
        'evalrun config set theme none, or set TERM, as in xterm-256color',
      )
    : ok('terminal', `${2 ** colorDepth} colours, theme ${value}`);
}

function localeFinding(env: NodeJS.ProcessEnv): Finding {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((one) => env[one]);
  const said = name === undefined ? 'no locale is set' : `${name}=${env[name]}`;
  return isUtf8(env)
    ? ok('terminal', `Unicode signs: ${said}`)
    : warn('terminal', `ASCII signs: ${said} is not UTF-8`, 'export LC_ALL=C.UTF-8');
}

/** A terminal that gives a sign two cells moves every column after it. */
function signsFinding({ env, answers: { cells } }: TerminalFacts): Finding {
  const wanted = textWidth(sampleSigns);
  if (!isUtf8(env) || cells === undefined || cells === wanted) return localeFinding(env);
  return warn(
    'terminal',
    `${sampleSigns} takes ${cells} cells instead of ${wanted}, so columns are off`,
    'have the terminal show ambiguous characters narrow, or another font; LC_ALL=C draws ASCII signs',
  );
}

function screenFinding(term: string, { answers: { hasAlternateScreen } }: TerminalFacts): Finding {
  if (hasAlternateScreen ?? !withoutAlternateScreen.test(term)) {
    const who = hasAlternateScreen === undefined ? `TERM=${term}` : 'the terminal says that it';
    return ok('terminal', `${who} has a second screen, which screens are drawn on`);
  }
  return warn(
    'terminal',
    `TERM=${term} has no second screen: screens stay among what was there before`,
    'use another terminal, or --plain',
  );
}

/** Whether git is there, and a repository. `version`: what `git --version` printed, undefined where it is not there. */
export function gitFinding(version: string | undefined, isRepository: boolean, root: string): Finding {
  if (version === undefined)
    return warn(
      'git',
      'git is not there: runs record no commit, and REF:PATH, guard and baseline log do not work',
      'install git',
    );
  const which = version.trim().replace(/^git version /, 'git ');
  return isRepository
    ? ok('git', `${which}, and ${root} is in a repository`)
    : warn('git', `${which}, and ${root} is in no repository: runs record no commit`, 'git init');
}

/** Bytes below which a run may end in the middle, and below which a few large ones fit. */
const [fewBytes, someBytes] = [100e6, 1e9];

export function diskFinding(freeBytes: number, folder: string): Finding {
  const free = freeBytes < 1e9 ? `${Math.floor(freeBytes / 1e6)} MB` : `${(freeBytes / 1e9).toFixed(1)} GB`;
  const what = `${free} free for runs in ${folder}`;
  const todo = 'free some space, or name another folder with EVALRUN_LOGS';
  if (freeBytes < fewBytes) return fail('logs', what, todo);
  return freeBytes < someBytes ? warn('logs', what, todo) : ok('logs', what);
}

/** What a server's clock says against this machine's, in milliseconds; above 0: this machine is behind. */
export interface Skew {
  host: string;
  ms: number;
}

/** Dates are sent in whole seconds, and an answer is some time on its way. */
const [smallSkewMs, largeSkewMs] = [30_000, 300_000];

/** The server that agrees best counts: one whose own clock is wrong says nothing about this machine. */
export function clockFinding(skews: readonly Skew[]): Finding | undefined {
  const [best] = skews.toSorted((a, b) => Math.abs(a.ms) - Math.abs(b.ms));
  if (best === undefined) return undefined;
  const distance = Math.abs(best.ms);
  if (distance < smallSkewMs) return ok('clock', `within ${smallSkewMs / 1000} s of ${best.host}`);
  const seconds = Math.round(distance / 1000);
  const apart = seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  const what = `${apart} ${best.ms > 0 ? 'behind' : 'ahead of'} ${best.host}`;
  const todo = 'set the clock of this machine (NTP): dates in Retry-After and tokens that end are read by it';
  return distance < largeSkewMs ? warn('clock', what, todo) : fail('clock', what, todo);
}
