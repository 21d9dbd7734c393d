import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSettings, setAside, themeSetting } from '../../source/project/settings.js';
import { createFolder, type Files } from '../suite/project.js';

async function createHome(files: Files = {}) {
  const home = await createFolder(files);
  const folder = join(home, 'config');
  return { home, file: join(folder, 'evalrun/settings.json'), env: { HOME: home, XDG_CONFIG_HOME: folder } };
}

test('settings outlive the process', async () => {
  const { env } = await createHome();
  const first = await openSettings(env);
  expect(first.get('theme')).toBeUndefined();
  first.set('theme', 'light');
  first.set('sort', 'worst');
  const second = await openSettings(env);
  expect([second.get('theme'), second.get('sort')]).toEqual(['light', 'worst']);
});

test('settings that cannot be kept hold for the process', async () => {
  // A file stands where the folder would have to be made, which no permission of a test user can get around.
  const { env, home } = await createHome({ config: '' });
  const settings = await openSettings(env);
  settings.set('theme', 'light');
  expect(settings.get('theme')).toBe('light');
  expect((await openSettings(env)).get('theme')).toBeUndefined();
  expect((await stat(join(home, 'config'))).isFile()).toBe(true);
  expect(() => settings.keep(new Map([['theme', 'none']]))).toThrow(/settings\.json cannot be written/);
});

test.each([
  ['is cut off', '{"theme": "light",\n', /settings\.json:\d+:\d+: /],
  ['holds a list', '["theme"]', /settings\.json: expected an object of settings/],
  ['is empty', '', /settings\.json: the file is empty/],
])('a settings file that %s is the same as none, and stays byte for byte', async (_what, text, problem) => {
  const { env, file } = await createHome({ 'config/evalrun/settings.json': text });
  const settings = await openSettings(env);
  expect(settings.problem).toMatch(problem);
  expect(settings.get('theme')).toBeUndefined();
  settings.set('theme', 'none');
  expect(settings.get('theme')).toBe('none');
  expect(() => settings.keep(new Map([['theme', 'none']]))).toThrow(problem);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('what this version does not know stays in the file, and so does what another process sets meanwhile', async () => {
  const { env, file } = await createHome({
    'config/evalrun/settings.json': '{"later": {"a": 1}, "sort": "worst"}',
  });
  const [one, other] = [await openSettings(env), await openSettings(env)];
  other.set('reviewer', 'Mira');
  one.keep(
    new Map([
      ['theme', 'light'],
      ['sort', undefined],
    ]),
  );
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    later: { a: 1 },
    reviewer: 'Mira',
    theme: 'light',
  });
});

test('a file is set aside beside where it stood, over nothing', async () => {
  const { file } = await createHome({ 'config/evalrun/settings.json': 'one' });
  expect(await setAside(file)).toBe(file.replace('.json', '.broken.json'));
  const { file: second } = await createHome({
    'config/evalrun/settings.json': 'two',
    'config/evalrun/settings.broken.json': 'one',
  });
  expect(await setAside(second)).toBe(second.replace('.json', '.broken-2.json'));
  expect((await readdir(join(second, '..'))).sort()).toEqual([
    'settings.broken-2.json',
    'settings.broken.json',
  ]);
  expect(await readFile(second.replace('.json', '.broken.json'), 'utf8')).toBe('one');
});

describe('the theme that holds', () => {
  test.each([
    [{}, undefined, 'dark', 'default'],
    [{}, 'light', 'light', 'settings'],
    [{}, 'neon', 'dark', 'default'],
    [{ EVALRUN_THEME: 'none' }, 'light', 'none', 'EVALRUN_THEME'],
    [{ EVALRUN_THEME: 'neon' }, 'light', 'light', 'settings'],
    [{ NO_COLOR: '1', EVALRUN_THEME: 'dark' }, 'light', 'none', 'NO_COLOR'],
    [{ NO_COLOR: '' }, undefined, 'dark', 'default'],
  ])('with %j and the setting %s is %s, from %s', (env, setting, value, from) => {
    expect(themeSetting(env, setting)).toEqual({ value, from });
  });
});
