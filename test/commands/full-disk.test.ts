import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bisectProject } from './bisect-project.js';
import { root, type TinyProject, tinyProject } from './support.js';

const program = path.join(root, 'dist/evalrun.js');

/** The built program where no file may grow beyond some KiB: its journal cannot be written from there on. */
function runWithin(project: TinyProject, kib: number, args: readonly string[]) {
  const line = ['-c', `ulimit -f ${kib}; exec "$0" "$@"`, process.execPath, program, ...args];
  const { status, stdout, stderr } = spawnSync('bash', line, {
    cwd: project.folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: path.dirname(project.folder), EVALRUN_LOGS: project.logs },
  });
  return { code: status, stdout, stderr };
}

const full = /^evalrun: the journal \S+ cannot be written: EFBIG.*--resume goes on from there\n$/m;

describe.runIf(process.platform !== 'win32')('a disk that is full in the middle', () => {
  it('leaves of a run what there is of it, the code that it ended with, and how it goes on', async () => {
    const project = tinyProject();
    const line = ['run', 'tiny', '--no-baseline', '--seed', '1', '--repeat', '5'];
    const { code, stdout, stderr } = runWithin(project, 12, [...line, '--json', '--report', 'out/r.json']);
    expect(stderr).toMatch(full);
    expect(code).toBe(3);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ exitCode: 3, runs: [{ state: 'unfinished', verdict: 'interrupted' }] });
    expect(told.runs[0].trials.done).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(path.join(project.folder, 'out/r.json'), 'utf8'))).toEqual(told);
    const again = await project.run(['run', '--resume', told.runs[0].runId, '--json']);
    const { runs } = JSON.parse(again.stdout);
    expect(runs[0]).toMatchObject({ state: 'completed', trials: { done: 15, total: 15 } });
    expect(runWithin(project, 12, line).stdout).toMatch(/^go on with: .*evalrun.js run --resume \S+$/m);
  });

  it('does the same for a bisect', async () => {
    const project = bisectProject();
    const line = ['bisect', 'tiny', '--check', 'refuses-late-refund/names-window', '--seed', '1'];
    const { code, stdout, stderr } = runWithin(project, 20, [...line, '--json', '--report', 'out/b.json']);
    expect(stderr).toMatch(full);
    expect(code).toBe(3);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ exitCode: 3, state: 'unfinished', finding: null });
    expect(told.spent.trials).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(path.join(project.folder, 'out/b.json'), 'utf8'))).toEqual(told);
    expect(stderr).toMatch(
      new RegExp(`^note: go on with it: .*evalrun.js bisect --resume ${told.runId}$`, 'm'),
    );
    const again = await project.run(['bisect', '--resume', told.runId, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ exitCode: 0, finding: { kind: 'hunks', hunks: [4] } });
    const plain = runWithin(project, 20, [...line, '--plain']);
    expect(plain.stdout).toMatch(/^go on with it: .*evalrun.js bisect --resume \S+$/m);
  });
});

describe.runIf(existsSync('/dev/full'))('a report that cannot be written at the end', () => {
  it('is in the exit code that JSON tells, printed and in other reports', async () => {
    for (const [project, line] of [
      [tinyProject(), ['run', 'greetings', '--no-baseline']],
      [bisectProject(), ['bisect', 'tiny', '--scenario', 'refuses-late-refund', '--no-cure-check']],
    ] as const) {
      const { code, stdout, stderr } = await project.run([
        ...[...line, '--json', '--report', 'out/x.json', '--report', 'markdown=/dev/full'],
        ...['--report', 'out/x.md'],
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain('evalrun: the report /dev/full cannot be written: ENOSPC');
      expect(JSON.parse(stdout)).toMatchObject({ exitCode: 2 });
      const report = JSON.parse(readFileSync(path.join(project.folder, 'out/x.json'), 'utf8'));
      expect(report.exitCode).toBe(2);
      expect(existsSync(path.join(project.folder, 'out/x.md'))).toBe(true);
    }
  });
});

describe('a narrowed prompt that cannot be written', () => {
  it('is in the exit code that JSON tells', async () => {
    const project = bisectProject();
    const line = ['bisect', 'tiny', '--check', 'refuses-late-refund/names-window', '--seed', '1'];
    const ends = ['--no-cure-check', '--write', '.evalrc.json/v5.md', '--report', 'out/x.json'];
    const { code, stdout, stderr } = await project.run([...line, ...ends, '--json']);
    expect(code).toBe(2);
    expect(stderr).toContain('v5.md" cannot be written');
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ exitCode: 2, finding: { hunks: [4] }, narrowed: { file: null } });
    expect(JSON.parse(readFileSync(path.join(project.folder, 'out/x.json'), 'utf8'))).toEqual(told);
  });
});
