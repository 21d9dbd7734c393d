import { isAbsolute, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Project } from '../../source/project/config.js';
import { dataFolder, logsFolder, settingsFolder, shownPath, suiteLogs } from '../../source/project/paths.js';
import { createProject } from '../suite/project.js';

const home = { HOME: '/home/ada' };

describe('folders of the user', () => {
  test('follow the custom of the platform', () => {
    expect(dataFolder(home, 'linux')).toBe('/home/ada/.local/share/evalrun');
    expect(dataFolder({ ...home, XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/evalrun');
    expect(dataFolder(home, 'darwin')).toBe('/home/ada/Library/Application Support/evalrun');
    expect(dataFolder({ ...home, LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'evalrun', 'Data'));
    expect(settingsFolder(home, 'linux')).toBe('/home/ada/.config/evalrun');
    expect(settingsFolder({ ...home, XDG_CONFIG_HOME: '/conf' }, 'linux')).toBe('/conf/evalrun');
  });

  test('do not hang on the folder of the call: an empty home is that of the account', () => {
    vi.stubEnv('HOME', '');
    expect(isAbsolute(dataFolder({ HOME: '' }, 'linux'))).toBe(true);
    expect(isAbsolute(settingsFolder({ HOME: '' }, 'linux'))).toBe(true);
    vi.unstubAllEnvs();
  });

  test('do not hang on the folder of the call: a relative XDG folder is none', () => {
    expect(dataFolder({ ...home, XDG_DATA_HOME: 'data' }, 'linux')).toBe('/home/ada/.local/share/evalrun');
    expect(dataFolder({ ...home, XDG_DATA_HOME: '' }, 'linux')).toBe('/home/ada/.local/share/evalrun');
  });
});

describe('the folder of the runs', () => {
  async function project(config: Partial<Project['config']> = {}, root = '/work/shop') {
    const made = await createProject();
    return { ...made, root, config: { ...made.config, project: 'Shop / beta', ...config } };
  }

  test('is one of the user, named after the project and told apart by its root', async () => {
    const a = logsFolder(await project(), home, 'linux');
    const b = logsFolder(await project({}, '/work/shop2'), home, 'linux');
    expect(a).toMatch(/^\/home\/ada\/\.local\/share\/evalrun\/Shop-beta-[0-9a-f]{8}$/);
    expect(b).not.toBe(a);
  });

  test('is what the config says, and before that what the environment says', async () => {
    const shop = await project({ logs: 'runs' });
    expect(logsFolder(shop, home)).toBe('/work/shop/runs');
    expect(logsFolder(await project({ logs: '~/runs' }), home)).toBe('/home/ada/runs');
    expect(logsFolder(shop, { ...home, EVALRUN_LOGS: '/elsewhere' })).toBe('/elsewhere');
    expect(logsFolder(shop, { ...home, EVALRUN_LOGS: '' })).toBe('/work/shop/runs');
  });

  test('never leaves the logs, whatever a suite is called', () => {
    expect(suiteLogs('/logs', 'support')).toBe('/logs/support');
    for (const name of ['..', '.', '../../etc', 'a/b', 'c:\\d', '', 'a\u0000b']) {
      expect(suiteLogs('/logs', name)).toMatch(/^\/logs\/[^/]+$/);
      expect(suiteLogs('/logs', name)).not.toBe('/logs/..');
    }
  });
});

test('paths are shown from the root, and whole where they lead out of it', () => {
  expect(shownPath('/work/shop', 'suites/a.yaml')).toBe('suites/a.yaml');
  expect(shownPath('/work/shop', '/work/shop/suites/a.yaml')).toBe('suites/a.yaml');
  expect(shownPath('/work/shop', '../other/a.yaml')).toBe('/work/other/a.yaml');
  expect(shownPath('/work/shop', '..a.yaml')).toBe('..a.yaml');
});
