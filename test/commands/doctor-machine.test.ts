import { describe, expect, it, test } from 'vitest';
import {
  clockFinding,
  diskFinding,
  gitFinding,
  nodeFinding,
  terminalFindings,
} from '../../source/commands/shared/doctor/machine.js';

test.each([
  ['20.19.0', 'ok'],
  ['20.18.3', 'fail'],
  ['20.20.2', 'ok'],
  ['22.1.0', 'ok'],
  ['18.99.99', 'fail'],
  ['9.30.0', 'fail'],
])('Node %s is %s where 20.19 is wanted', (version, level) => {
  expect(nodeFinding(version, '>=20.19')).toMatchObject({ level, what: expect.stringContaining(version) });
});

describe('the terminal', () => {
  const usual = {
    isTerminal: true,
    isForLines: false,
    size: { columns: 120, rows: 40 },
    smallest: { columns: 60, rows: 15 },
    colorDepth: 8,
    env: { TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    theme: undefined,
    answers: {},
  };
  const odd = (facts: Partial<typeof usual>) =>
    terminalFindings({ ...usual, ...facts }).filter(({ level }) => level !== 'ok');

  it('that can do everything gives nothing to do', () => {
    const findings = terminalFindings(usual);
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(findings.map(({ what }) => what)).toContain('256 colours, theme dark');
  });

  it.each([
    [{ size: { columns: 59, rows: 40 } }, /59x40 is too small/, 'make it 60x15 or larger'],
    [{ size: { columns: 60, rows: 14 } }, /60x14 is too small/, 'make it 60x15 or larger'],
    [
      { colorDepth: 1, env: { TERM: 'vt-x', LANG: 'C.UTF-8' } },
      /TERM=vt-x shows no colours/,
      /config set theme none/,
    ],
    [{ env: { TERM: 'xterm', LC_ALL: 'C' } }, /LC_ALL=C is not UTF-8/, 'export LC_ALL=C.UTF-8'],
    [{ answers: { cells: 12 } }, /takes 12 cells instead of 6/, /ambiguous/],
    [{ answers: { hasAlternateScreen: false } }, /no second screen/, /another terminal/],
    [{ env: { TERM: 'linux', LANG: 'C.UTF-8' } }, /no second screen/, /another terminal/],
    [{ env: { TERM: 'dumb', LANG: 'C.UTF-8' } }, /TERM is dumb: lines/, /set TERM/],
    [{ env: { LANG: 'C.UTF-8' } }, /TERM is not set: lines/, /set TERM/],
  ])('with %j is told of, with what to do', (facts, what, todo) => {
    expect(odd(facts as Partial<typeof usual>)).toEqual([
      {
        level: 'warn',
        area: 'terminal',
        what: expect.stringMatching(what),
        todo: expect.stringMatching(todo),
      },
    ]);
  });

  it('that answers is believed more than its name', () => {
    const env = { TERM: 'linux', LANG: 'C.UTF-8' };
    expect(odd({ env, answers: { hasAlternateScreen: true, cells: 6 } })).toEqual([]);
    // Where signs are ASCII anyway their width says nothing.
    expect(odd({ env: { TERM: 'xterm', LANG: 'C' }, answers: { cells: 12 } })).toMatchObject([
      { what: 'ASCII signs: LANG=C is not UTF-8' },
    ]);
  });

  it('without colours is fine where none are wanted, and so is none at all', () => {
    expect(odd({ colorDepth: 1, env: { ...usual.env, NO_COLOR: '1' } as typeof usual.env })).toEqual([]);
    expect(odd({ colorDepth: 1, theme: 'none' as unknown as undefined })).toEqual([]);
    expect(odd({ isTerminal: false, size: { columns: 1, rows: 1 } })).toEqual([]);
  });
});

test('git is no must, and a repository neither', () => {
  expect(gitFinding('git version 2.39.5\n', true, '/p')).toMatchObject({ level: 'ok' });
  expect(gitFinding('git version 2.39.5\n', false, '/p')).toMatchObject({ level: 'warn', todo: 'git init' });
  expect(gitFinding(undefined, false, '/p')).toMatchObject({ level: 'warn', todo: 'install git' });
});

test.each([
  [99e6, 'fail', '99 MB'],
  [100e6, 'warn', '100 MB'],
  [999e6, 'warn', '999 MB'],
  [1e9, 'ok', '1.0 GB'],
])('%d free bytes: %s', (free, level, shown) => {
  expect(diskFinding(free, '/logs')).toMatchObject({
    level,
    what: `${shown} free for runs in /logs`,
    area: 'logs',
  });
});

describe('the clock', () => {
  it('is not told of where no server said a time', () => {
    expect(clockFinding([])).toBeUndefined();
  });

  it.each([
    [-29_999, 'ok', 'within 30 s of a'],
    [30_000, 'warn', '30 s behind a'],
    [-299_999, 'warn', '300 s ahead of a'],
    [300_000, 'fail', '300 s behind a'],
    [-7_200_000, 'fail', '120 min ahead of a'],
  ])('that a server is apart from by %d ms: %s', (ms, level, what) => {
    expect(clockFinding([{ host: 'a', ms }])).toMatchObject({ level, what });
  });

  it('is held against the server that agrees best: another may be wrong itself', () => {
    const skews = [
      { host: 'wrong', ms: 9e9 },
      { host: 'right', ms: -200 },
    ];
    expect(clockFinding(skews)).toEqual({ level: 'ok', area: 'clock', what: 'within 30 s of right' });
  });
});
