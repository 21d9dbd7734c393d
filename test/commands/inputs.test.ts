import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bisectProject } from './bisect-project.js';
import { runsOf, type TinyProject, tinyProject } from './support.js';

const files = {
  '.evalrc.json': 'the config',
  'prompts/tiny/v1.md': 'a prompt',
  'prompts/tiny/v2.md': 'a prompt',
  'suites/tiny/suite.yaml': 'a file of the suite "tiny"',
  'suites/tiny/scenarios.yaml': 'a file of the suite "tiny"',
  'suites/tiny/quarantine.yaml': 'a file of the suite "tiny"',
  'suites/tiny/shape.json': 'a file of the suite "tiny"',
  'suites/tiny/checks.mjs': 'a file of the suite "tiny"',
  'suites/tiny/check.sh': 'a program of the suite "tiny"',
  'simulated/tiny.yaml': 'a simulated model',
  'judges/mine@1.md': 'a prompt of a judge',
  'judges/mine.labels.yaml': 'labels of a judge',
  'baselines/tiny/b.yaml': 'a baseline',
  'fixtures/greets-back.yaml': 'a file of the suite "tiny"',
} as const;

/** The fixture project with one of everything that is read. */
function everything(project: TinyProject = tinyProject()): TinyProject {
  const write = (name: string, text: string) => {
    const file = path.join(project.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const suite = path.join(project.folder, 'suites/tiny/suite.yaml');
  writeFileSync(
    suite,
    `${readFileSync(suite, 'utf8')}checks:
  - {type: custom, module: checks.mjs}
  - {type: custom, command: [sh, check.sh]}
  - {type: json_schema, file: shape.json}
`,
  );
  write('suites/tiny/checks.mjs', "export default () => ({ verdict: 'pass' });\n");
  write('suites/tiny/check.sh', 'cat > /dev/null; echo \'{"verdict": "pass"}\'\n');
  write('suites/tiny/shape.json', '{}\n');
  write('suites/tiny/quarantine.yaml', '[]\n');
  write('judges/mine@1.md', 'You judge.\n');
  write('judges/mine.labels.yaml', '[]\n');
  write('baselines/tiny/b.yaml', 'no baseline, and nothing asks for it\n');
  write('fixtures/greets-back.yaml', '{}\n');
  return project;
}

describe('a report that would take the place of what is read', () => {
  it.each(Object.entries(files))('is refused before anything runs: %s', async (file, what) => {
    const project = everything();
    const before = readFileSync(path.join(project.folder, file), 'utf8');
    const { code, stdout, stderr } = await project.run([
      ...['run', 'tiny', '--fixtures', 'fixtures', '--no-baseline', '--json'],
      ...['--report', `json=${file}`],
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${file}" is ${what}, and nothing takes the place of what is read`);
    expect(readFileSync(path.join(project.folder, file), 'utf8')).toBe(before);
    expect(existsSync(project.logs)).toBe(false);
  });

  it('is found by whatever name it goes', async () => {
    const project = tinyProject();
    symlinkSync('v1.md', path.join(project.folder, 'prompts/tiny/old.md'));
    symlinkSync('prompts', path.join(project.folder, 'words'));
    for (const file of ['prompts/tiny/old.md', 'words/tiny/v1.md']) {
      const { code, stderr } = await project.run(['run', 'tiny', '--plain', '--report', file]);
      expect(code).toBe(2);
      expect(stderr).toContain(`${path.basename(file)}" is a prompt, and nothing`);
    }
    expect(existsSync(project.logs)).toBe(false);
  });

  it('is told of in a rehearsal', async () => {
    const project = bisectProject();
    for (const command of [['run'], ['bisect', '--scenario', 'greets-back']]) {
      const [name = '', ...rest] = command;
      const line = [name, 'tiny', ...rest, '--dry-run', '--report', 'json=suites/tiny/scenarios.yaml'];
      const { code, stdout, stderr } = await project.run(line);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('scenarios.yaml" is a file of the suite "tiny", and nothing');
    }
  });

  it('is refused where a run or a bisect goes on', async () => {
    const project = bisectProject();
    for (const [begin, name] of [
      [['run', 'tiny', '--no-baseline', '--plain'], 'run'],
      [['bisect', 'tiny', '--scenario', 'refuses-late-refund', '--no-cure-check'], 'bisect'],
    ] as const) {
      await project.run([...begin]);
      const journal = path.join(runsOf(project, 'tiny').at(-1) ?? '', 'journal.jsonl');
      for (const [file, what] of [
        [journal, 'a journal'],
        [path.join(path.dirname(journal), 'summary.json'), 'a file of the run'],
        ['suites/tiny/scenarios.yaml', 'a file of the suite "tiny"'],
      ] as const) {
        const before = readFileSync(path.resolve(project.folder, file), 'utf8');
        const { code, stdout, stderr } = await project.run([
          ...[name, '--resume', path.basename(path.dirname(journal)), '--report', `json=${file}`],
        ]);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(`" is ${what}, and nothing takes the place`);
        expect(readFileSync(path.resolve(project.folder, file), 'utf8')).toBe(before);
      }
    }
  });

  it('may stand beside it, and take the place of a report', async () => {
    const project = tinyProject();
    for (const code of [0, 0]) {
      const line = ['run', 'greetings', '--no-baseline', '--plain', '--report', 'suites/greetings/report.md'];
      expect((await project.run(line)).code).toBe(code);
    }
  });

  it('is not the narrowed prompt of the same line either', async () => {
    const line = ['bisect', 'tiny', '--scenario', 'refuses-late-refund', '--write', 'prompts/tiny/v5.md'];
    const { code, stderr } = await bisectProject().run([
      ...line,
      '--report',
      'prompts/../prompts/tiny/v5.md',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('v5.md"; name another file');
  });
});
