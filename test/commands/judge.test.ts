import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tinyProject } from './support.js';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** The shipped project, where the labels and their judge are. */
function shippedProject() {
  const project = tinyProject();
  rmSync(path.join(project.folder, 'suites'), { recursive: true });
  for (const name of ['suites', 'prompts', 'simulated', 'judges', '.evalrc.json'])
    cpSync(path.join(root, name), path.join(project.folder, name), { recursive: true });
  const run = (args: string[]) => project.run(args, { EVALRUN_SIMULATED_LATENCY: '0' });
  return { ...project, run };
}

describe('evalrun judge test', () => {
  it('says how far the shipped judge agrees with its labels, and where it does not', async () => {
    const { stdout, stderr, code } = await shippedProject().run([
      'judge',
      'test',
      'default',
      '--floor',
      '0.7',
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('judge default@1 on simulated:judge   22 labels\nsimulated: ');
    expect(stdout).toMatch(/agrees +20 of 22, 91 % \(0\.74–0\.98\), kappa 0\.77 \(0\.\d\d to 1\.00\)/);
    expect(stdout).toMatch(
      /judges\/default\.labels\.yaml:\d+: labelled pass, the judge says fail: Shows no sympathy/,
    );
    expect(stdout).toMatch(/^PASS: kappa 0\.77 is at least 0\.7 \(22 cases: 0\.\d\d or more\)$/m);
  });

  it('fails below the floor, in words and as JSON', async () => {
    const project = shippedProject();
    const { stdout, code } = await project.run(['judge', 'test', '--floor', '0.95', '--json']);
    expect(code).toBe(1);
    const facts = JSON.parse(stdout);
    expect(facts).toMatchObject({ cases: 22, agreed: 20, floor: 0.95, exitCode: 1 });
    expect(facts.disagreements).toHaveLength(2);
  });

  it('saves what the judge says when asked to, and a changed prompt leaves it uncalibrated', async () => {
    const project = shippedProject();
    const file = path.join(project.folder, 'judges/default.labels.yaml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(
      path.join(project.folder, 'judges/default@1.md'),
      `${readFileSync(path.join(root, 'judges/default@1.md'), 'utf8')}\n`,
    );
    await project.run(['judge', 'test']);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await project.run(['judge', 'test', '--save']);
    const after = readFileSync(file, 'utf8');
    expect(after).not.toBe(before);
    const without = (text: string) => text.replace(/^judged: .*$/gm, '');
    expect(without(after)).toBe(without(before));
  });

  it('takes copies of labels for no more than one, and saves what the judge says in all of them', async () => {
    const project = shippedProject();
    const file = path.join(project.folder, 'judges/default.labels.yaml');
    const [head = '', ...labels] = readFileSync(file, 'utf8').split(/^---\n/m);
    writeFileSync(file, [head, ...labels, ...labels].join('---\n'));
    const { stdout } = await project.run(['judge', 'test', '--floor', '0.7', '--save', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ cases: 22, copies: 22, contradictions: [], exitCode: 0 });
    const saved = readFileSync(file, 'utf8').match(/^judged: .*$/gm) ?? [];
    expect(saved).toHaveLength(44);
    expect(saved.slice(22)).toEqual(saved.slice(0, 22));
  });

  it('refuses a floor that is none and a prompt that nobody has', async () => {
    const project = shippedProject();
    const floor = await project.run(['judge', 'test', '--floor', '80']);
    expect(floor.code).toBe(2);
    expect(floor.stderr).toContain('expected a kappa from -1 to 1');
    const name = await project.run(['judge', 'test', 'defualt']);
    expect(name.code).toBe(2);
    expect(name.stderr).toContain('did you mean "default@1"?');
  });

  it('names every mistake of the labels at its place', async () => {
    const project = shippedProject();
    const file = path.join(project.folder, 'judges/default.labels.yaml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('expected: 5', 'expected: good')
        .replace('expected: 1', 'expectd: 1'),
    );
    const { stderr, code } = await project.run(['judge', 'test']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^judges\/default\.labels\.yaml:\d+:\d+: expected pass, fail, or a score of 1 to 5/m,
    );
    expect(stderr).toMatch(
      /^judges\/default\.labels\.yaml:\d+:\d+: unknown key "expectd"; did you mean "expected"\?/m,
    );
  });
});
