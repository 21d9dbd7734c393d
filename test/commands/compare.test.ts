import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { saveClass } from '../../source/run/change-classes.js';
import { runsOf, type TinyProject, tinyProject } from './support.js';

const quick = ['--repeat', '3', '--seed', '7', '--plain', '--no-baseline', '--scenario', 'greets-back'];

/** Two runs of one scenario; before the second the words that it looks for are others. */
async function twoRuns(change = false): Promise<TinyProject> {
  const project = tinyProject();
  await project.run(['run', 'tiny', ...quick]);
  if (change) {
    const prompt = path.join(project.folder, 'prompts/tiny/v1.md');
    writeFileSync(prompt, `${readFileSync(prompt, 'utf8')}\nBe brief.\n`);
  }
  await project.run(['run', 'tiny', ...quick]);
  return project;
}

test('two runs of the same are compared, and nothing blocks', async () => {
  const project = await twoRuns(true);
  const [first = '', second = ''] = runsOf(project, 'tiny').map((folder) => path.basename(folder));
  const { stdout, code } = await project.run(['compare', first, second]);
  expect(stdout).toContain(`run ${second}`);
  expect(stdout).toMatch(/prompt .* → .*/);
  expect(stdout).toMatch(/nothing (else )?changed \(\d+ criteri/);
  expect(stdout).toMatch(/^PASS: nothing blocks against the base/m);
  expect(code).toBe(0);
});

test('what people said of a change is in the lines and in the JSON', async () => {
  const project = await twoRuns();
  const [, last = ''] = runsOf(project, 'tiny');
  const said = { scenario: 'greets-back', check: 'x', class: 'bad-criterion', by: 'Ada', at: 0 } as const;
  await saveClass(last, said);
  const { stdout, code } = await project.run(['compare', 'last', 'last', '--json']);
  const facts = JSON.parse(stdout);
  expect(facts).toMatchObject({ format: 1, verdict: 'pass', exitCode: code, classes: [said] });
  expect(facts.comparison.differences).toEqual([]);
});

test('a side that is none is refused with what there is', async () => {
  const project = await twoRuns();
  const run = (...args: string[]) => project.run(['compare', ...args]);
  expect(await run('baseline', 'baseline')).toMatchObject({ code: 2 });
  const missing = await run('baseline', 'last');
  expect(missing).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no baseline on simulated:tiny yet'),
  });
  const condition = await run('last:v99', 'last');
  expect(condition.stderr).toMatch(/RUN:CONDITION "v99" is no condition of run .*; there is a \(/);
  expect((await run('nonsense', 'last')).stderr).toContain('no run begins with "nonsense"');
});

test('a run of other scenarios gives no verdict', async () => {
  const project = await twoRuns();
  await project.run([
    'run',
    'tiny',
    '--seed',
    '7',
    '--plain',
    '--no-baseline',
    '--scenario',
    'refuses-late-refund',
  ]);
  const [first = ''] = runsOf(project, 'tiny').map((folder) => path.basename(folder));
  const { stdout, code } = await project.run(['compare', first, 'last']);
  expect(stdout).toContain('NO VERDICT: the two cannot be compared');
  expect(stdout).toContain('no scenario in common');
  expect(code).toBe(3);
});
