import { loadWithFixtures } from '../../source/commands/shared/choose-suite.js';
import { makeBisect } from '../../source/commands/shared/make-bisect.js';
import { type BisectChoice, prepareBisect } from '../../source/commands/shared/prepare-bisect.js';
import { loadProject } from '../../source/project/config.js';
import { resolveRunSettings } from '../../source/project/run-settings.js';
import { createIo } from './io.js';
import type { TinyProject } from './support.js';

/** What the fixture project's v2 broke. */
export const broken = { scenario: 'refuses-late-refund', check: 'names-window' };

/**
 * Bisects v1 and v2 of the fixture project, whose only hunk is guilty, and gives the id of its run. `trials`: it is stopped
 * after so many.
 */
export async function bisectTiny(
  { folder, logs }: TinyProject,
  { trials, ...choice }: Partial<BisectChoice> & { trials?: number } = {},
): Promise<string> {
  const env = { ...process.env, EVALRUN_LOGS: logs };
  const { io } = createIo(folder, env);
  const project = await loadProject({ cwd: folder, env });
  const suite = await loadWithFixtures(project, 'tiny', undefined);
  const settings = resolveRunSettings({ flags: { seed: '3' }, env, config: project.config });
  const prepared = await prepareBisect(
    project,
    suite,
    {
      good: 'v1',
      bad: 'v2',
      watched: [broken],
      split: 'hunk',
      strategy: 'auto',
      repeats: undefined,
      budget: undefined,
      skipsCure: true,
      model: undefined,
      liveTools: false,
      ...choice,
    },
    env,
  );
  const options = { settings, isAttended: false, line: ['bisect'] };
  const { run, driver } = await makeBisect(prepared, options, project, io);
  let ended = 0;
  run.subscribe(({ event }) => {
    if (event.type === 'trial-finished' && ++ended === trials) run.stop();
  });
  await driver.start();
  await run.close();
  return run.runId;
}
