import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bisectTiny, broken } from './bisected.js';
import { runsOf, type TinyProject, tinyProject } from './support.js';

async function listed({ run }: TinyProject): Promise<string[]> {
  return (await run(['runs'])).stdout.trimEnd().split('\n');
}

describe('a bisect among the runs', () => {
  it('is listed by its two prompts and what it found, and so beside the run that it looks into', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--candidate', '--baseline', 'v1', '--seed', '3', '--plain']);
    const [red = ''] = runsOf(project, 'tiny');
    const of = path.basename(red);
    const id = await bisectTiny(project, { of });
    const [, bisect = '', run = ''] = await listed(project);
    expect(bisect).toMatch(
      new RegExp(
        `^${id}  tiny   FOUND: hunk 1 of 1 +\\d+/\\d+  +bisect v1 → v2 on simulated:tiny +looks into ${of}$`,
      ),
    );
    expect(run).toMatch(/ FAIL, .* v2 on simulated:tiny and v1 on simulated:tiny +bisected: hunk 1 of 1$/);

    const { runs } = JSON.parse((await project.run(['runs', '--json'])).stdout);
    expect(runs[0]).toMatchObject({
      runId: id,
      purpose: 'bisect',
      conditions: [{ promptName: 'v1' }, { promptName: 'v2' }],
      scenarios: { pass: 0, warn: 0, fail: 0, unknown: 0, error: 0 },
      scores: [],
      bisect: { good: 'v1', bad: 'v2', hunks: 1, of, watched: [broken], found: { finding: { hunks: [0] } } },
      decision: { verdict: 'measured', exitCode: 0 },
    });
    expect(runs[0].conditions).toHaveLength(2);
    expect(runs[0].decision.headline).toBe(runs[0].bisect.found.headline);
    expect(runs[0].results).toBeUndefined();

    const before = await listed(project);
    rmSync(path.join(project.logs, 'tiny', id, 'summary.json'));
    expect((await listed(project))[1]).toMatch(/ unfinished +bisect v1 → v2 on simulated:tiny +looks into /);
    expect((await listed(project))[2]).toMatch(/ bisected: not finished$/);
    const rebuilt = await project.run(['runs', '--rebuild']);
    expect(rebuilt.stderr).toContain('rebuilt 2 of 2 summaries');
    expect(rebuilt.stdout.trimEnd().split('\n')).toEqual(before);
  });

  it('is unfinished when it was stopped, and goes on as a bisect alone', async () => {
    const project = tinyProject();
    const id = await bisectTiny(project, { trials: 2 });
    expect((await listed(project))[1]).toMatch(/ unfinished +\d\/\d +bisect v1 → v2 on simulated:tiny$/);
    const resumed = await project.run(['run', '--resume', 'last', '--plain']);
    expect(resumed).toMatchObject({ code: 2, stdout: '' });
    expect(resumed.stderr).toBe(
      `evalrun: run ${id} is a bisect, which goes on with: evalrun bisect --resume ${id}\n`,
    );
  });

  it('is no evidence: not for a baseline, a comparison or a history', async () => {
    const project = tinyProject();
    const id = await bisectTiny(project);
    const why = `run ${id} is a bisect: it chose what to try by what had failed, so it is no evidence for a baseline or a comparison\n`;
    for (const line of [
      ['baseline', 'save', id, '--yes'],
      ['baseline', 'save', id, '--condition', 'v1', '--yes'],
      ['compare', `${id}:a`, `${id}:b`],
      ['compare', id, 'baseline'],
    ]) {
      const { code, stderr } = await project.run(line);
      expect([code, stderr]).toEqual([2, `evalrun: ${why}`]);
    }
    const history = await project.run(['history', '--json']);
    expect(JSON.parse(history.stdout)).toEqual({ series: [] });
    expect((await project.run(['history', '--plain'])).stdout).toMatch(/^there are no clean runs in /);
    expect(existsSync(path.join(project.folder, 'baselines'))).toBe(false);
  });

  it('is not graded again, and costs what it used', async () => {
    const project = tinyProject();
    const id = await bisectTiny(project);
    const regraded = await project.run(['regrade', id]);
    expect(regraded).toMatchObject({ code: 2 });
    expect(regraded.stderr).toBe(
      `evalrun: run ${id} is a bisect: what it tried next rests on how its trials were graded then; bisect anew\n`,
    );
    const { runs } = JSON.parse((await project.run(['price', id, '--json'])).stdout);
    expect(runs).toHaveLength(1);
    expect(runs[0].ledgers[0]).toMatchObject({ who: 'agent', model: 'simulated:tiny' });
    const summary = JSON.parse(readFileSync(path.join(project.logs, 'tiny', id, 'summary.json'), 'utf8'));
    expect(runs[0].ledgers[0].usage).toEqual(summary.tokens.agent);
    expect(summary.tokens.agent.output).toBeGreaterThan(0);
  });
});

describe('a bisect that finds that it is not the prompt', () => {
  it('names what else changed since the baseline that the good prompt passed in', async () => {
    const project = tinyProject();
    const only = ['--scenario', 'refuses*', '--plain'];
    await project.run(['run', 'tiny', '--no-baseline', ...only]);
    expect((await project.run(['baseline', 'save', 'last', '--yes'])).code).toBe(0);
    const model = path.join(project.folder, 'simulated/tiny.yaml');
    writeFileSync(model, readFileSync(model, 'utf8').replace('Only within 30 days', 'Too late'));
    await project.run(['run', 'tiny', '--candidate', '--baseline', 'v1', ...only]);
    const [green = '', red = ''] = runsOf(project, 'tiny').map((folder) => path.basename(folder));
    const id = await bisectTiny(project, { of: red });
    const { bisect, decision } = JSON.parse(
      readFileSync(path.join(project.logs, 'tiny', id, 'summary.json'), 'utf8'),
    );
    expect(decision).toMatchObject({ verdict: 'fail', exitCode: 1 });
    expect(bisect.found.headline).toMatch(/^NOT THE PROMPT: v1 fails as well/);
    expect(bisect.found.reasons).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^differs too between the baseline \\(run ${green}\\) and run ${red}: file of simulated:tiny `,
        ),
      ),
    );
    expect(bisect.found.reasons.at(-1)).toMatch(
      /^next: evalrun run tiny --candidate prompts\/tiny\/v1.md --no-baseline --scenario refuses-late-refund /,
    );
    // Without the journal of the baseline's run nobody knows its files.
    rmSync(path.join(project.logs, 'tiny', green), { recursive: true });
    const again = await bisectTiny(project, { of: red });
    const { reasons } = JSON.parse(
      readFileSync(path.join(project.logs, 'tiny', again, 'summary.json'), 'utf8'),
    ).bisect.found;
    expect(reasons).toContain(
      `the journal of run ${green} is gone: tuning values and files of then are not known`,
    );
  });
});
