import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandIo } from '../../source/commands/io.js';
import { chooseSuites } from '../../source/commands/shared/choose-suite.js';
import { loadProject } from '../../source/project/config.js';
import { openSettings } from '../../source/project/settings.js';
import { createIo } from './io.js';
import { tinyProject } from './support.js';

/** Somebody at a terminal in the fixture project, or nobody. */
async function at(isTTY: boolean) {
  const { folder } = tinyProject();
  const env = { HOME: path.dirname(folder) };
  const { io, printed } = createIo(folder, env);
  const terminal: CommandIo = {
    ...io,
    stdin: { isTTY } as CommandIo['stdin'],
    stdout: Object.assign(io.stdout, { isTTY }),
  };
  const project = await loadProject({ cwd: folder, env });
  const settings = await openSettings(env);
  return { choose: (...asked: string[]) => chooseSuites(asked, project, terminal), settings, printed };
}

describe('the suite that a line means where it names none', () => {
  it('is at a terminal that of the settings, which is told', async () => {
    const { choose, settings, printed } = await at(true);
    await expect(choose()).rejects.toThrow('name the suite to run: greetings, slow or tiny');
    settings.keep(new Map([['suite', 'slow']]));
    expect(await choose()).toEqual(['slow']);
    expect(printed()).toBe(
      'note: no suite is named, so "slow" is meant: that of your settings (evalrun config)\n',
    );
    expect(await choose('tiny', 'greetings', 'tiny')).toEqual(['tiny', 'greetings']);
    settings.keep(new Map([['suite', 'of another project']]));
    await expect(choose()).rejects.toThrow('name the suite to run');
  });

  it('is never that of a person where nobody is', async () => {
    const { choose, settings, printed } = await at(false);
    settings.keep(new Map([['suite', 'slow']]));
    await expect(choose()).rejects.toThrow('name the suite to run: greetings, slow or tiny');
    expect(printed()).toBe('');
  });
});
