import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyOf, root } from './support.js';

const examples = () => copyOf(path.join(root, 'examples'));

it('a script of a command that is not there is a mistake, with the place of the suite', async () => {
  const project = examples();
  rmSync(path.join(project.folder, 'javascript-command/agent.mjs'));
  const checked = await project.run(['check', 'javascript-command']);
  expect(checked.code).toBe(2);
  expect(checked.stdout).toMatch(
    /^javascript-command\/suite\.yaml:\d+:\d+: the command names "agent\.mjs", and there is no file javascript-command\/agent\.mjs$/m,
  );
});

it('a module that is not there is a mistake', async () => {
  const project = examples();
  rmSync(path.join(project.folder, 'typescript-module/agent.ts'));
  const checked = await project.run(['check', 'typescript-module']);
  expect(checked).toMatchObject({ code: 2, stdout: expect.stringContaining('there is no module') });
});

it('variables and programs that are missing are noted: they may be there where the suite is run', async () => {
  const project = examples();
  const backend = await project.run(['check', 'http-backend'], { BACKEND_URL: 'http://127.0.0.1:1' });
  expect(backend.code).toBe(0);
  expect(backend.stdout).toContain('note: http-backend needs BACKEND_TOKEN, which is not set here\n');
  writeFileSync(
    path.join(project.folder, 'javascript-command/suite.yaml'),
    'name: javascript-command\ntarget: {command: [no-such-program-here, --fast]}\nscenarios: scenarios/*.yaml\n',
  );
  const command = await project.run(['check', 'javascript-command']);
  expect(command.code).toBe(0);
  expect(command.stdout).toContain(
    'note: javascript-command starts "no-such-program-here", which is no program in PATH here',
  );
});

it('the key of a provider that is not set is noted', async () => {
  const project = copyOf(path.join(root, 'test/fixtures/tiny'));
  const suite = path.join(project.folder, 'suites/tiny/suite.yaml');
  writeFileSync(
    suite,
    'name: tiny\ntarget: {prompt: tiny, model: "anthropic:some-model"}\nscenarios: scenarios.yaml\n',
  );
  const checked = await project.run(['check', 'tiny']);
  expect(checked.stdout).toContain('note: tiny needs ANTHROPIC_API_KEY, which is not set here');
  expect((await project.run(['check', 'tiny'], { ANTHROPIC_API_KEY: 'x' })).stdout).not.toContain('needs');
});
