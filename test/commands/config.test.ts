import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reviewerName } from '../../source/commands/shared/signature.js';
import { tinyProject } from './support.js';

/** The tiny project with settings in a folder of its own. */
function withSettings(text?: string) {
  const project = tinyProject();
  const folder = path.join(project.folder, '..', 'config', 'evalrun');
  const file = path.join(folder, 'settings.json');
  if (text !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  const env = { XDG_CONFIG_HOME: path.dirname(folder), USER: 'mira' };
  const config = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    project.run(['config', ...args], { ...env, ...more });
  return { config, file, folder, env, project };
}

describe('evalrun config', () => {
  it('shows every setting and where it comes from, in lines and as JSON', async () => {
    const { config, file } = withSettings('{"theme": "light", "reviewer": "Ada"}');
    const { stdout, code } = await config([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^theme +light +your settings +EVALRUN_THEME$/m);
    expect(stdout).toMatch(/^sort +order +default/m);
    expect(stdout).toMatch(/^suite +not set +default/m);
    expect(stdout).toMatch(/^reviewer +Ada +your settings/m);
    expect(stdout).toContain(`kept in ${file}\n`);
    const json = await config(['--json'], { EVALRUN_THEME: 'none' });
    expect(JSON.parse(json.stdout)).toEqual({
      file,
      settings: [
        { name: 'theme', value: 'none', from: 'environment' },
        { name: 'sort', value: 'order', from: 'default' },
        { name: 'suite', value: null, from: 'default' },
        { name: 'reviewer', value: 'Ada', from: 'your settings' },
      ],
    });
  });

  it('sets what makes sense, says what stands above it, and refuses the rest', async () => {
    const { config, file } = withSettings();
    expect(await config(['set', 'theme', 'light'])).toMatchObject({
      code: 0,
      stdout: `theme is light, kept in ${file}\n`,
    });
    const covered = await config(['set', 'theme', 'dark'], { NO_COLOR: '1' });
    expect(covered.stdout).toContain('note: NO_COLOR stands above it: the theme is none\n');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' });
    for (const [args, message] of [
      [['theme', 'lihgt'], 'evalrun: theme: there is no "lihgt"; did you mean "light"?\n'],
      [['sort', 'wosrt'], 'evalrun: sort: there is no "wosrt"; did you mean "worst"?\n'],
      [['them', 'light'], 'evalrun: there is no setting "them"; did you mean "theme"?\n'],
      [['reviewer', ' '], 'evalrun: reviewer: expected a name on one line, of at most 200 characters\n'],
    ] as const)
      expect(await config(['set', ...args])).toMatchObject({ code: 2, stderr: message });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' });
  });

  it('forgets a setting or all of them, and nothing without being told to', async () => {
    const { config, file } = withSettings('{"theme": "light", "sort": "worst", "later": 1}');
    const unasked = await config(['reset']);
    expect(unasked).toMatchObject({ code: 2, stderr: 'evalrun: nothing was forgotten; --yes does it\n' });
    expect((await config(['reset', 'theme', '--yes'])).stdout).toBe('forgotten: theme "light"\n');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ sort: 'worst', later: 1 });
    expect((await config(['reset', 'theme', '--yes'])).stdout).toBe(
      'theme is not set: there is nothing to forget\n',
    );
    expect((await config(['reset', '--yes'])).stdout).toBe('forgotten: sort "worst"\n');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ later: 1 });
  });

  it('names the mistake of a file that cannot be read, and loses nothing of it', async () => {
    const broken = '{"theme": "light"\n "sort": "worst"}\n';
    const { config, file, folder } = withSettings(broken);
    const shown = await config([]);
    expect(shown.code).toBe(2);
    expect(shown.stderr).toContain(`evalrun: ${file}:2:2: `);
    for (const args of [
      ['set', 'theme', 'dark'],
      ['reset', 'theme', '--yes'],
    ])
      expect(await config(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(`${file}:2:2: `) });
    expect(readFileSync(file, 'utf8')).toBe(broken);
    expect((await config(['reset', '--yes'])).stdout).toBe(
      `set aside as ${path.join(folder, 'settings.broken.json')}\n`,
    );
    expect(readdirSync(folder)).toEqual(['settings.broken.json']);
    expect(readFileSync(path.join(folder, 'settings.broken.json'), 'utf8')).toBe(broken);
    expect((await config([])).code).toBe(0);
  });

  it('names the reviewer who signs labels: the one that was set, else the name on this machine', async () => {
    const { config, env } = withSettings();
    expect((await config([])).stdout).toMatch(/^reviewer +mira +your name on this machine/m);
    expect(await reviewerName(env)).toBe('mira');
    await config(['set', 'reviewer', 'Ada L.']);
    expect(await reviewerName(env)).toBe('Ada L.');
  });

  it('tells of a theme in the environment that is none', async () => {
    const { project } = withSettings();
    const { stdout } = await project.run(['check'], { EVALRUN_THEME: 'lihgt' });
    expect(stdout).toContain(
      'warning: EVALRUN_THEME sets nothing: "lihgt" is no theme; did you mean "light"?\n',
    );
  });
});
