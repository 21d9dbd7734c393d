import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BisectDriver } from '../../source/bisect/driver.js';
import { loadWithFixtures } from '../../source/commands/shared/choose-suite.js';
import { makeBisect } from '../../source/commands/shared/make-bisect.js';
import { prepareBisect } from '../../source/commands/shared/prepare-bisect.js';
import { loadProject } from '../../source/project/config.js';
import { resolveRunSettings } from '../../source/project/run-settings.js';
import type { StrategyName } from '../../source/run/bisect-events.js';
import { temporaryFolder } from '../run/support.js';
import { finishReal } from './real-run.js';

const root = path.join(import.meta.dirname, '../..');
const seeds = Array.from({ length: 20 }, (_, index) => String(index + 1));
/** What v15 says of certificates. */
const guilty = 7;

const shipped = (async () => {
  const project = await loadProject({ cwd: root, env: process.env });
  return { project, suite: await loadWithFixtures(project, 'support-agent', undefined) };
})();

/** Bisects v14 and v15 of the shipped suite with its simulated model. */
async function bisectShipped(strategy: StrategyName, seed: string, person?: (driver: BisectDriver) => void) {
  const env = { ...process.env, EVALRUN_SIMULATED_LATENCY: '0', EVALRUN_LOGS: await temporaryFolder() };
  const { stdout, stderr, stdin } = process;
  const io = { cwd: root, env, stdout, stderr, stdin, program: 'evalrun' };
  const { project, suite } = await shipped;
  const settings = resolveRunSettings({ flags: { seed }, env, config: project.config });
  const choice = {
    good: 'v14',
    bad: 'v15',
    watched: [{ scenario: 'delay-certificate-keeps-flight', check: 'tool_not_called-send_certificate' }],
    split: 'hunk',
    strategy,
    repeats: undefined,
    budget: undefined,
    // The whole suite on the narrowed prompt is another matter, and many more trials.
    skipsCure: true,
    model: undefined,
    liveTools: false,
  } as const;
  const prepared = await prepareBisect(project, suite, choice, env);
  const isAttended = person !== undefined;
  const opened = await makeBisect(prepared, { settings, isAttended, line: ['bisect'] }, project, io);
  expect(opened.record.diff.hunks[guilty]?.newText).toContain('certificate');
  await finishReal(opened, person);
  return opened;
}

/** Starts each step that is proposed and takes each verdict as it is. */
function acceptAll(driver: BisectDriver): void {
  const status = driver.status();
  if (status.kind === 'deciding') driver.decide({ kind: 'accept', hunk: status.next.hunk });
  else if (status.kind === 'waiting' || status.kind === 'asking') driver.goOn();
}

describe('on the shipped suite the hunk of v15 that gives certificates away is found', () => {
  it.each(seeds)('by auto, seed %s', async (seed) => {
    const { driver } = await bisectShipped('auto', seed);
    expect(driver.status()).toMatchObject({ found: { finding: { kind: 'hunks', hunks: [guilty] } } });
  });

  it.each(seeds)('by a person who goes step by step, seed %s', async (seed) => {
    const { driver, record } = await bisectShipped('guided', seed, acceptAll);
    expect(driver.status()).toMatchObject({ found: { finding: { kind: 'hunks', hunks: [guilty] } } });
    expect(record.session().entries.some(({ kind }) => kind === 'accept')).toBe(true);
  });
});
