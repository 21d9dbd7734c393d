import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { copyOf, root, type TinyProject, tinyProject } from './support.js';

interface Step {
  name?: string;
  run?: string;
  uses?: string;
}

interface Workflow {
  on: { pull_request?: { paths: string[] }; schedule?: { cron: string }[] };
  jobs: Record<string, { env: Record<string, string>; steps: Step[] }>;
}

function workflow(name: string): Workflow {
  return parse(readFileSync(path.join(root, 'docs/ci', name), 'utf8'));
}

/** The shipped project without the program, its tools callable for real. */
function shippedProject(): TinyProject {
  const project = copyOf(path.join(root, 'suites/support-agent/licences'));
  for (const part of ['prompts', 'suites', 'simulated', 'judges', 'baselines', '.evalrc.json']) {
    cpSync(path.join(root, part), path.join(project.folder, part), { recursive: true });
  }
  const file = path.join(project.folder, 'suites/support-agent/tools.yaml');
  const written = parse(readFileSync(file, 'utf8'));
  const tools = (Array.isArray(written) ? written : written.tools) as object[];
  const live = { command: [process.execPath, '-e', 'console.log(JSON.stringify({ok: true}))'] };
  writeFileSync(file, stringify({ tools: tools.map((tool) => ({ ...tool, live })) }));
  return project;
}

/** Runs the command lines of a job as its runner would, with this program for `npx evalrun` and nothing for `gh`. */
async function runSteps(
  project: TinyProject,
  steps: readonly Step[],
): Promise<Map<string, { code: number | null; text: string }>> {
  const ended = new Map<string, { code: number | null; text: string }>();
  const program = path.join(root, 'dist/evalrun.js');
  const shim = `npx() { shift; '${process.execPath}' '${program}' "$@"; }; npm() { :; }; gh() { echo "gh $*"; cat "\${!#}"; }`;
  for (const { name, run } of steps) {
    if (run === undefined) continue;
    const child = spawn('bash', ['-c', `${shim}\n${run}`], {
      cwd: project.folder,
      env: {
        PATH: process.env.PATH,
        HOME: path.dirname(project.folder),
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: project.folder,
        GITHUB_STEP_SUMMARY: path.join(project.folder, 'summary.md'),
        EVALRUN_LOGS: path.join(project.folder, 'out/logs'),
        EVALRUN_SIMULATED_LATENCY: '0',
        EVALRUN_SEED: '7',
        NUMBER: '12',
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    ended.set(name ?? run, { code, text });
  }
  return ended;
}

describe('the workflow for pull requests', () => {
  it('starts on everything that the agent is made of', () => {
    const { on } = workflow('pull-request.yml');
    expect(on.pull_request?.paths).toEqual([
      'prompts/**',
      'judges/**',
      'suites/**',
      'baselines/**',
      '.evalrc.json',
    ]);
  });

  it('runs as it stands: red for the candidate that breaks something, with annotations, summary and a comment', async () => {
    const project = shippedProject();
    const ended = await runSteps(project, workflow('pull-request.yml').jobs.gate?.steps ?? []);
    expect(ended.get('Files are right')).toMatchObject({ code: 0 });
    const gate = ended.get('Candidate against deployed');
    expect(gate).toMatchObject({ code: 1 });
    const scenario = 'delay-certificate-keeps-flight';
    expect(gate?.text).toMatch(
      new RegExp(
        `^::error file=suites/support-agent/scenarios/${scenario}.yaml,line=\\d+,col=\\d+,title=regression`,
        'm',
      ),
    );
    expect(readFileSync(path.join(project.folder, 'summary.md'), 'utf8')).toContain('#### Blocks');
    const comment = ended.get('Comment');
    expect(comment?.text).toMatch(
      /^gh pr comment 12 --edit-last --create-if-none --body-file out\/comment.md\n<!-- evalrun -->/,
    );
    expect(comment?.text).toContain(`<summary><code>${scenario}&#35;1</code>`);
    const report = JSON.parse(readFileSync(path.join(project.folder, 'out/report.json'), 'utf8'));
    expect(report).toMatchObject({
      exitCode: 1,
      runs: [{ verdict: 'fail', comparison: { candidate: { condition: { promptName: 'v15' } } } }],
    });
    const failures = readFileSync(path.join(project.folder, 'out/junit.xml'), 'utf8').match(/<failure /g);
    expect(failures?.length).toBeGreaterThan(1);
  });
});

describe('the nightly workflow', () => {
  it('runs as it stands, with live tools, and shows the scores over time', async () => {
    const { on, jobs } = workflow('nightly.yml');
    expect(on.schedule).toHaveLength(1);
    const project = shippedProject();
    const ended = await runSteps(project, jobs.live?.steps ?? []);
    const report = JSON.parse(readFileSync(path.join(project.folder, 'out/report.json'), 'utf8'));
    expect(report).toMatchObject({ runs: [{ state: 'completed', liveTools: true, note: 'nightly' }] });
    expect(ended.get('Scores over time')).toMatchObject({
      code: 0,
      text: expect.stringContaining('live tools   1 clean run'),
    });
  });
});

describe('--report', () => {
  it('writes several, into folders that it makes, beside what is printed', async () => {
    const project = tinyProject();
    const finished = await project.run([
      'run',
      'tiny',
      '--plain',
      '--report',
      'a/b/r.json',
      '--report',
      'a/r.md',
      '--report',
      'a/r.txt',
    ]);
    expect(finished.stdout).toContain('reopen with');
    const report = JSON.parse(readFileSync(path.join(project.folder, 'a/b/r.json'), 'utf8'));
    expect(report.exitCode).toBe(finished.code);
    expect(readFileSync(path.join(project.folder, 'a/r.md'), 'utf8')).toContain(
      report.runs[0].headline.slice(0, 4),
    );
    // The same lines, in the same order, whoever writes them.
    expect(readFileSync(path.join(project.folder, 'a/r.txt'), 'utf8')).toBe(finished.stdout);
  });

  it('is refused before anything runs', async () => {
    const project = tinyProject();
    mkdirSync(path.join(project.folder, 'there.json'));
    for (const [file, why] of [
      ['r.html', 'the ending of the file says which report it gets'],
      ['there.json', 'is a folder'],
      ['.evalrc.json/r.xml', 'cannot be written'],
    ] as const) {
      const finished = await project.run(['run', 'tiny', '--report', file]);
      expect(finished).toMatchObject({ code: 2, stderr: expect.stringContaining(why), stdout: '' });
    }
    expect((await project.run(['run', 'tiny', '--report', 'x.md', '--report', './x.md'])).stderr).toContain(
      'twice',
    );
    expect(existsSync(project.logs)).toBe(false);
  });
});

describe('--label', () => {
  it('keeps the scores of a run in a file beside its suite, and says where', async () => {
    const project = tinyProject();
    const args = ['run', 'tiny', '--plain', '--seed', '7', '--label', 'before the edit'];
    const { stderr } = await project.run(args);
    const [, shown = ''] =
      /^note: the scores are kept in (suites\/tiny\/results\/\d{8}_\d{6}_before-the-edit\.yaml)$/m.exec(
        stderr,
      ) ?? [];
    const kept = parse(readFileSync(path.join(project.folder, shown), 'utf8'));
    expect(kept).toMatchObject({
      label: 'before the edit',
      suite: 'tiny',
      seed: '7',
      conditions: [{ model: 'simulated:tiny' }],
    });
  });
});
