import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TinyProject, tinyProject } from './support.js';

/** A user is played in one of its scenarios, or in all. */
function withSimulatedUser(project: TinyProject, suite: 'some' | 'all'): void {
  const config = path.join(project.folder, '.evalrc.json');
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('"models": {', '"models": {"user": "simulated:user", '),
  );
  writeFileSync(
    path.join(project.folder, 'simulated/user.yaml'),
    `name: user\notherwise: {steps: [{say: '{"message": "Hello then.", "done": true}'}]}\n`,
  );
  const folder = path.join(project.folder, 'suites/tiny');
  writeFileSync(
    path.join(folder, 'suite.yaml'),
    'name: tiny\ntarget: {prompt: tiny, model: agent}\nuser: {model: user}\nscenarios: scenarios.yaml\n',
  );
  const fixed = '- {id: fixed, message: Hello, checks: [{type: pattern_present, pattern: Hello}]}\n';
  const played =
    '- {id: played, turns: [{user: Hello}, {simulate: say hello}], checks: [{type: pattern_present, pattern: Hello}]}\n';
  writeFileSync(path.join(folder, 'scenarios.yaml'), suite === 'all' ? played : `${fixed}${played}`);
}

describe('evalrun attribute', () => {
  it('tells what the candidate does worse, which show says again with the same exit code', async () => {
    const project = tinyProject();
    const run = await project.run(['attribute', 'tiny', '--seed', '3', '--plain']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('\nFAIL: 1 criterion is confirmed worse under b than under a (');
    expect(run.stdout).toContain(
      'confirmed worse: refuses-late-refund / names-window: 2/2 → 0/2, re-run 4/4 → 0/4, p <0.001',
    );
    const shown = await project.run(['show', 'last', '--json']);
    const [report] = JSON.parse(shown.stdout).runs;
    expect(report).toMatchObject({ exitCode: 1, verdict: 'fail', purpose: 'attribution', comparison: null });
    expect(run.stdout).toContain(report.headline);
    expect(report.attribution.checks[0]).toMatchObject({ attribution: 'confirmed', direction: 'worse' });
    expect((await project.run(['attribute', 'tiny', '--a', 'v2', '--b', 'v1', '--plain'])).code).toBe(0);
    const same = await project.run(['attribute', 'tiny', '--a', 'v1', '--b', 'v1']);
    expect(same.code).toBe(2);
    expect(same.stderr).toContain('a and b are one condition (prompts/tiny/v1.md)');
  });

  it('leaves scenarios with a simulated user out before anything is run, and says so', async () => {
    const project = tinyProject();
    withSimulatedUser(project, 'some');
    const some = await project.run(['attribute', 'tiny', '--dry-run']);
    expect(some.stderr).toContain('left out, for a simulated user speaks');
    expect(some.stdout).toMatch(/^tiny {3}4 trials: 1 scenario x 2 conditions x 2 /);
    const asked = await project.run(['attribute', 'tiny', '--dry-run', '--compare-simulated-users']);
    expect(asked.stderr).toContain('confounded: a simulated user speaks in "played"');
    expect(asked.stdout).toMatch(/^tiny {3}8 trials: 2 scenarios /);
  });
});

describe('evalrun run --aa', () => {
  it('keeps the noise floor with the suite, and every later verdict says it', async () => {
    const project = tinyProject();
    const measured = await project.run(['run', 'tiny', '--aa', '--seed', '5', '--json']);
    expect(measured.code).toBe(0);
    expect(measured.stderr).toContain('note: the noise floor is kept in suites/tiny/noise.yaml');
    const [report] = JSON.parse(measured.stdout).runs;
    expect(report).toMatchObject({ verdict: 'measured', purpose: 'aa', noise: { checks: 3 } });
    const file = readFileSync(path.join(project.folder, 'suites/tiny/noise.yaml'), 'utf8');
    expect(file).toContain(`run: ${report.runId}`);

    const { stdout } = await project.run(['run', 'tiny', '--candidate', '--baseline', 'v1', '--plain']);
    expect(stdout).toMatch(/\n {2}noise floor \(\d+ \w+, 18 trials\): this gate goes red by chance in /);
    expect((await project.run(['show', 'last', '--plain'])).stdout).toContain('noise floor (');
    const some = await project.run(['run', 'tiny', '--aa', '--scenario', 'greets*', '--plain']);
    expect(some.stderr).toContain('note: not kept: scenarios were left out');
    expect(readFileSync(path.join(project.folder, 'suites/tiny/noise.yaml'), 'utf8')).toBe(file);
  });

  it('goes with no base', async () => {
    const { stderr, code } = await tinyProject().run(['run', 'tiny', '--aa', '--baseline', 'v1']);
    expect(code).toBe(2);
    expect(stderr).toContain('it does not go with --baseline');
  });
});

describe('a model beside another', () => {
  const swap = ['run', 'greetings', '--model', 'agent', '--model', 'other', '--plain'];

  it('is compared with the first, and blocks only where the line says what is to', async () => {
    const project = tinyProject();
    const told = await project.run(swap);
    expect(told.code).toBe(0);
    expect(told.stderr).toContain('note: nothing blocks between models; --fail-on says what is to');
    expect(told.stdout).toMatch(/\nMEASURED: the second model against the first, .* \d+ worse/);
    const gated = await project.run([...swap, '--fail-on', 'hard-criteria']);
    expect(gated.code).toBe(1);
    expect(gated.stdout).toContain('\nFAIL: ');
  });

  it('stands side by side with more than one other', async () => {
    const { stdout, stderr, code } = await tinyProject().run([
      ...swap,
      '--model',
      'simulated:slow',
      '--dry-run',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('note: 3 models stand side by side; afterwards "evalrun compare RUN:a RUN:b"');
    expect(stdout).toContain('compared    with nothing');
  });
});

describe('a comparison in which a model plays the user', () => {
  it('is refused before trials are spent, unless asked for', async () => {
    const project = tinyProject();
    withSimulatedUser(project, 'all');
    const candidate = ['run', 'tiny', '--candidate', '--plain'];
    const refused = await project.run(candidate);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('a simulated user speaks in every scenario of "tiny"');
    expect(existsSync(project.logs)).toBe(false);
    const asked = await project.run([...candidate, '--compare-simulated-users']);
    expect(asked.stderr).toContain('note: confounded: a simulated user speaks in "played"');
    expect(asked.stdout).toContain('confounded: a simulated user speaks in played');
    expect((await project.run(['show', 'last', '--plain'])).stdout).toContain(
      'confounded: a simulated user speaks in played',
    );
    expect((await project.run([...candidate, '--no-baseline'])).code).toBe(0);
  });

  it('says at the start which scenarios it leaves out', async () => {
    const project = tinyProject();
    withSimulatedUser(project, 'some');
    const { stderr, stdout } = await project.run(['run', 'tiny', '--candidate', '--plain']);
    expect(stderr).toContain('a simulated user speaks in "played": run, and not compared');
    expect(stdout).toContain('not compared, for a simulated user speaks: played');
  });
});
