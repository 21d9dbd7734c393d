import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSettings } from '../../source/project/settings.js';
import { createFolder } from '../suite/project.js';

test('settings outlive the process', async () => {
  const home = await createFolder({});
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), APPDATA: join(home, 'config') };
  const first = await openSettings(env);
  expect(first.get('theme')).toBeUndefined();
  first.set('theme', 'plain');
  first.set('sort', 'worst');
  const second = await openSettings(env);
  expect([second.get('theme'), second.get('sort')]).toEqual(['plain', 'worst']);
});

test('settings that cannot be kept hold for the process', async () => {
  // A file stands where the folder would have to be made, which no permission of a test user can get around.
  const home = await createFolder({ blocked: '' });
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'blocked'), APPDATA: join(home, 'blocked') };
  const settings = await openSettings(env);
  settings.set('theme', 'plain');
  expect(settings.get('theme')).toBe('plain');
  expect((await openSettings(env)).get('theme')).toBeUndefined();
  expect((await stat(join(home, 'blocked'))).isFile()).toBe(true);
});

test('a settings file that is broken is the same as none, and is written anew', async () => {
  const home = await createFolder({ 'config/evalrun/settings.json': '{"theme": ' });
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
  const settings = await openSettings(env);
  expect(settings.get('theme')).toBeUndefined();
  settings.set('theme', 'plain');
  expect(JSON.parse(await readFile(join(home, 'config/evalrun/settings.json'), 'utf8'))).toEqual({
    theme: 'plain',
  });
});
