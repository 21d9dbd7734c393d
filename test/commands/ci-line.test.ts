import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { copyOf, root, type TinyProject } from './support.js';

/** The command line that CI jobs of this shape have, word for word. */
const line =
  '--suite support-agent-regression --candidate prompts/support-agent/v15.md --baseline prompts/support-agent/v14.md --fixtures fixtures/support-agent --repeat 3 --fail-on hard-criteria,score-drop --report out/diff.json';

/** The shipped suite under the name that such jobs have, with the fixtures of one scenario in a folder of their own. */
function regressionProject(): TinyProject {
  const project = copyOf(path.join(root, 'suites/support-agent/licences'));
  const inside = (file: string) => path.join(project.folder, file);
  for (const part of ['prompts', 'suites', 'simulated', 'judges', '.evalrc.json']) {
    cpSync(path.join(root, part), inside(part), { recursive: true });
  }
  renameSync(inside('suites/support-agent'), inside('suites/support-agent-regression'));
  const suite = inside('suites/support-agent-regression/suite.yaml');
  writeFileSync(suite, readFileSync(suite, 'utf8').replace(/^name: .*$/m, 'name: support-agent-regression'));
  const id = 'delay-certificate-keeps-flight';
  const scenario = readFileSync(inside(`suites/support-agent-regression/scenarios/${id}.yaml`), 'utf8');
  mkdirSync(inside('fixtures/support-agent'), { recursive: true });
  writeFileSync(inside(`fixtures/support-agent/${id}.yaml`), stringify(parse(scenario).fixtures));
  return project;
}

it('runs the command line of a CI job as it stands, and writes what changed', async () => {
  const project = regressionProject();
  const { code, stdout } = await project.run(line.split(' '), {
    EVALRUN_SEED: '7',
    EVALRUN_SIMULATED_LATENCY: '0',
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAIL: 1 hard criterion fails/m);
  const [run] = JSON.parse(readFileSync(path.join(project.folder, 'out/diff.json'), 'utf8')).runs;
  expect(run).toMatchObject({ exitCode: 1, verdict: 'fail' });
  expect(run.comparison.changes).toContainEqual(
    expect.objectContaining({
      scenario: 'delay-certificate-keeps-flight',
      check: 'tool_not_called-send_certificate',
      direction: 'regression',
      proof: 'violation',
    }),
  );
});
