import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../source/cli.js';
import { loadWithFixtures } from '../../source/commands/shared/choose-suite.js';
import { prepareBisect } from '../../source/commands/shared/prepare-bisect.js';
import { readBaseline } from '../../source/compare/baseline-file.js';
import { loadProject } from '../../source/project/config.js';
import type { Watched } from '../../source/run/bisect-events.js';
import { findRuns } from '../../source/run/runs.js';
import { createIo } from './io.js';
import { root } from './support.js';

const watched = {
  scenario: 'delay-certificate-keeps-flight',
  check: 'tool_not_called-send_certificate',
} as const;

function logsFolder(): NodeJS.ProcessEnv {
  const logs = mkdtempSync(path.join(tmpdir(), 'evalrun-priors-'));
  onTestFinished(() => rmSync(logs, { recursive: true, force: true }));
  return { EVALRUN_LOGS: logs, EVALRUN_SIMULATED_LATENCY: '0' };
}

/** What a bisect of the shipped suite begins with. */
async function planned(env: NodeJS.ProcessEnv, of?: string, ...checks: readonly Watched[]) {
  const project = await loadProject({ cwd: root, env });
  const suite = await loadWithFixtures(project, 'support-agent', undefined);
  const choice = {
    good: undefined,
    bad: undefined,
    watched: checks.length > 0 ? checks : [watched],
    split: 'hunk',
    strategy: 'auto',
    repeats: undefined,
    budget: undefined,
    skipsCure: false,
    model: undefined,
    liveTools: false,
    ...(of !== undefined && { of }),
  } as const;
  return (await prepareBisect(project, suite, choice, env)).planned;
}

async function run(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<void> {
  const { io, printed } = createIo(root, env);
  const code = await main(
    ['run', 'support-agent', '--plain', '--scenario', watched.scenario, '--repeat', '4', ...flags],
    io,
  );
  expect([0, 1], printed()).toContain(code);
}

describe('what a bisect knows before its first trial', () => {
  it('is what the baseline and earlier runs say of the watched check on the good prompt', async () => {
    const env = logsFolder();
    const baseline = await readBaseline({ root }, 'baselines/support-agent/simulated%3Asupport-agent.yaml');
    const { passed = 0, of = 0 } = baseline.scenarios[watched.scenario]?.checks[watched.check] ?? {};
    expect(of).toBeGreaterThan(0);
    expect((await planned(env)).history).toEqual({ passed, failed: of - passed });
    await run(env, '--seed', '3');
    const { history } = await planned(env);
    expect((history?.passed ?? 0) + (history?.failed ?? 0)).toBe(of + 4);
    // A run that the bisect is of, and one in which the bad prompt was tried, add nothing.
    await run(env, '--seed', '3', '--candidate', '--baseline', 'v14');
    expect((await planned(env)).history).toEqual(history);
    const first = (await findRuns(String(env.EVALRUN_LOGS))).at(-1);
    expect((await planned(env, first?.runId)).history).toEqual({ passed, failed: of - passed });
  });

  it('is nothing of how often several checks passed together', async () => {
    const env = logsFolder();
    const { scenario } = watched;
    expect((await planned(env, undefined, { scenario })).history).toBeUndefined();
    const two = [watched, { scenario: 'delay-regular-claims-gold', check: watched.check }];
    expect((await planned(env, undefined, ...two)).history).toBeUndefined();
  });

  it('suspects most the hunk that shares words with the check, and what it failed for', async () => {
    const env = logsFolder();
    const { weights = [], hunks } = await planned(env);
    expect(weights).toHaveLength(hunks.length);
    expect(weights.indexOf(Math.max(...weights))).toBe(7);
    await run(env, '--seed', '3', '--candidate', '--no-baseline');
    const [raised] = await findRuns(String(env.EVALRUN_LOGS));
    const told = (await planned(env, raised?.runId)).weights ?? [];
    expect(told).not.toEqual(weights);
    expect(told.indexOf(Math.max(...told))).toBe(7);
    // That it cannot be read takes nothing but what it would have told.
    expect((await planned(env, 'no such run')).weights).toEqual(weights);
  });
});
