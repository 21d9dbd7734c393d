import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tinyProject } from './support.js';

function edit(folder: string, change: (text: string) => string): void {
  const file = path.join(folder, 'suites/tiny/scenarios.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe('evalrun regrade', () => {
  it('shows which verdicts a changed check would change, and keeps nothing', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--plain', '--seed', '1']);
    edit(project.folder, (text) => text.replace("'30 days'", "'14 days'"));
    const scratch = path.join(project.folder, 'scratch');
    mkdirSync(scratch);
    const { stdout, stderr, code } = await project.run(['regrade', 'last', '--dry-run'], {
      TMPDIR: scratch,
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^against \S+: 1 verdict would change, 2 criteria keep their verdict\n/);
    expect(stdout).toMatch(
      / {2}refuses-late-refund {2}names-window {2}pass 3\/3 {2}-> fail 0\/3 {2}.*14 days/,
    );
    const runs = JSON.parse((await project.run(['runs', '--json'])).stdout);
    expect(runs.runs).toHaveLength(1);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('writes a new run that says what it grades, and decides about it', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--plain', '--seed', '1']);
    edit(project.folder, (text) => text.replace("'30 days'", "'14 days'"));
    const { stdout, code } = await project.run(['regrade', 'last', '--plain']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/grades the conversations of run \S+ again: no agent was asked/);
    expect(stdout).toMatch(/against \S+: 1 verdict changed/);
    const shown = JSON.parse((await project.run(['show', 'last', '--json'])).stdout);
    expect(shown.runs[0].regradeOf).toEqual({ runId: expect.any(String), stale: [] });
    const resumed = await project.run(['run', '--resume', 'last']);
    expect(resumed.code).toBe(1);
    expect(resumed.stdout).toMatch(/^run \S+ is finished: nothing is left to do$/m);
  });

  it('gives the changes as JSON and nothing else', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--plain', '--seed', '1']);
    edit(project.folder, (text) => text.replace('id: says-hello', 'id: greets'));
    const { stdout } = await project.run(['regrade', 'last', '--dry-run', '--json']);
    const { changes } = JSON.parse(stdout);
    expect(
      changes.map((change: { check: string; before: unknown; after: unknown }) => [
        change.check,
        change.before === null,
        change.after === null,
      ]),
    ).toEqual([
      ['says-hello', false, true],
      ['greets', true, false],
    ]);
  });

  it('names the runs there are when none is meant', async () => {
    const project = tinyProject();
    const { stderr, code } = await project.run(['regrade', 'last']);
    expect(code).toBe(2);
    expect(stderr).toContain('there are no runs in');
  });
});
