import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { reportSchema } from '../../source/report/report-schema.js';
import type { RunStarted } from '../../source/run/reader.js';
import { slowDown } from './bisect-project.js';
import { copyOf, type Finished, root, runsOf, type TinyProject, tinyProject } from './support.js';

const late = 'refuses-late-refund';
const redLine = ['run', 'tiny', '--candidate', '--baseline', 'v1', '--scenario', 'refuses*', '--seed', '3'];
const onRed = [...redLine, '--bisect-on-red'];

/** The first lines of the journals of a suite, oldest first. */
function journals(project: TinyProject, suite = 'tiny'): RunStarted[] {
  return runsOf(project, suite).map((folder) => {
    const [first = ''] = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n', 1);
    return JSON.parse(first);
  });
}

function trialsOf(project: TinyProject, runId: string): number {
  const file = path.join(project.logs, 'tiny', runId, 'summary.json');
  return JSON.parse(readFileSync(file, 'utf8')).trials.done;
}

/** The shipped suite, with the fixtures of the scenario that v15 breaks in a folder of their own. */
function shippedProject(): TinyProject {
  const project = copyOf(path.join(root, 'suites/support-agent/licences'));
  for (const part of ['prompts', 'suites', 'simulated', 'judges', 'baselines', '.evalrc.json'])
    cpSync(path.join(root, part), path.join(project.folder, part), { recursive: true });
  const file = 'delay-certificate-keeps-flight.yaml';
  const text = readFileSync(path.join(project.folder, 'suites/support-agent/scenarios', file), 'utf8');
  mkdirSync(path.join(project.folder, 'fixtures'));
  writeFileSync(path.join(project.folder, 'fixtures', file), stringify(parse(text).fixtures));
  return project;
}

describe('a red gate that is bisected', () => {
  it('names the guilty hunk of the shipped candidate in every report, and stays as red as it was', async () => {
    const project = shippedProject();
    const inside = (file: string) => path.join(project.folder, file);
    const reports = ['report.md', 'report.json', 'report.xml'];
    const { code, stdout, stderr } = await project.run(
      [
        ...['run', 'support-agent', '--candidate', 'v15', '--fixtures', 'fixtures', '--seed', '7', '--plain'],
        ...['--bisect-on-red', ...reports.flatMap((file) => ['--report', file])],
      ],
      {
        EVALRUN_SIMULATED_LATENCY: '0',
        GITHUB_ACTIONS: 'true',
        GITHUB_STEP_SUMMARY: inside('job.md'),
      },
    );
    expect(code).toBe(1);
    expect(stderr).toContain(
      'note: the gate is red: bisecting v14 → v15 by "delay-certificate-keeps-flight", within 200 trials\n',
    );
    const [run, bisect] = journals(project, 'support-agent');
    expect(bisect).toMatchObject({
      purpose: 'bisect',
      fixtures: 'fixtures',
      bisect: {
        of: run?.runId,
        good: { name: 'v14' },
        bad: { name: 'v15' },
        budget: 200,
        skipsCure: true,
        elsewhere: { kind: 'baseline' },
      },
    });
    expect(bisect?.seed).not.toBe(run?.seed);
    const headline =
      /FOUND: hunk 8 of 10, Once you have confirmed the facts in… − but only once the…, believed \d/;
    const words = 'you may offer a certificate: $100 per passenger for a cancelled flight';
    const closing = stdout.slice(stdout.indexOf('\nFAIL: '));
    expect(closing).toMatch(
      /\nbisected delay-certificate-keeps-flight \/ tool_not_called-send_certificate.*, v14 → v15: FOUND: hunk 8 of 10/,
    );
    expect(closing).toMatch(headline);
    expect(closing).toContain(words);
    expect(closing).toContain(`  see all of it with: evalrun show ${bisect?.runId}`);
    const error = stdout.split('\n').find((line) => line.startsWith('::error title=evalrun support-agent::'));
    expect(error).toMatch(headline);
    for (const file of ['report.md', 'job.md']) {
      const markdown = readFileSync(inside(file), 'utf8');
      expect(markdown).toMatch(/#### Bisected: <code>delay-certificate-keeps-flight \//);
      expect(markdown).toMatch(headline);
      expect(markdown).toContain(words);
    }
    expect(readFileSync(inside('report.xml'), 'utf8')).toMatch(headline);
    const report = reportSchema.parse(JSON.parse(readFileSync(inside('report.json'), 'utf8')));
    expect(report.exitCode).toBe(1);
    expect(report.runs).toHaveLength(1);
    expect(report.runs[0]?.bisects).toEqual([
      expect.objectContaining({
        runId: bisect?.runId,
        state: 'done',
        headline: expect.stringMatching(headline),
        finding: expect.objectContaining({ kind: 'hunks', hunks: [8] }),
        diff: expect.arrayContaining([expect.stringContaining(words)]),
      }),
    ]);
    const shown = await project.run(['show', run?.runId ?? '', '--plain']);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(headline);
    const found = await project.run(['show', 'last', '--plain']);
    expect(found.code).toBe(0);
    expect(found.stdout).toMatch(/^\nFOUND: hunk 8 of 10/);
    expect(found.stdout).not.toContain('PASS ');
    expect(JSON.parse((await project.run(['show', 'last', '--json'])).stdout)).toMatchObject({
      runId: bisect?.runId,
      finding: { hunks: [8] },
    });

    // One that takes what it watches from that run takes its fixtures too.
    await project.run(
      ['bisect', 'support-agent', '--bad', 'v15', '--plain', '--no-cure-check', '--budget', '4'],
      { EVALRUN_SIMULATED_LATENCY: '0' },
    );
    const [, , later] = journals(project, 'support-agent');
    expect(later).toMatchObject({ purpose: 'bisect', fixtures: 'fixtures', bisect: { of: run?.runId } });
  });

  it('prints one JSON object, with a base that is run beside the candidate', async () => {
    const project = tinyProject();
    const { code, stdout, stderr } = await project.run([...onRed, '--json']);
    expect(code).toBe(1);
    const { runs, exitCode } = reportSchema.parse(JSON.parse(stdout));
    expect(exitCode).toBe(1);
    expect(runs[0]?.bisects).toEqual([
      expect.objectContaining({
        headline: expect.stringMatching(/^FOUND: hunk 1 of 1/),
        good: 'v1',
        bad: 'v2',
      }),
    ]);
    expect(stderr).toContain('bisecting v1 → v2 by "refuses-late-refund", within 200 trials');
    const [, bisect] = journals(project);
    expect(bisect?.bisect).toMatchObject({ elsewhere: { kind: 'run', differences: [] } });
  });

  it('leaves a gate that holds alone', async () => {
    const project = tinyProject();
    const line = ['run', 'tiny', '--candidate', 'v1', '--baseline', 'v2', '--scenario', 'refuses*'];
    const { code, stderr } = await project.run([...line, '--bisect-on-red', '--plain']);
    expect([code, stderr]).toEqual([0, '']);
    expect(journals(project)).toHaveLength(1);
  });

  it('shares its budget among the scenarios that regressed, and what one leaves goes to the next', async () => {
    const project = tinyProject();
    const file = path.join(project.folder, 'suites/tiny/scenarios.yaml');
    const all: { id: string }[] = parse(readFileSync(file, 'utf8'));
    const [one] = all.filter(({ id }) => id === late);
    writeFileSync(file, stringify([one, { ...one, id: `${late}-too` }]));
    const { code, stdout, stderr } = await project.run([...onRed, '--budget', '21', '--plain']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'by "refuses-late-refund" and "refuses-late-refund-too", within 21 trials, shared by 2\n',
    );
    const [, first, second] = journals(project);
    const spent = trialsOf(project, first?.runId ?? '');
    expect(first?.bisect).toMatchObject({ budget: 10, watched: [{ scenario: late }] });
    expect(second?.bisect).toMatchObject({ budget: 21 - spent, watched: [{ scenario: `${late}-too` }] });
    expect(spent + trialsOf(project, second?.runId ?? '')).toBeLessThanOrEqual(21);
    expect(stdout.match(/\nbisected refuses-late-refund.*: (FOUND|INCONCLUSIVE)/g)).toHaveLength(2);

    // What a bisect of before took is not there a second time where the run is gone on with.
    rmSync(path.join(project.logs, 'tiny', second?.runId ?? ''), { recursive: true });
    const [run] = journals(project);
    const resume = ['run', '--resume', run?.runId ?? '', '--bisect-on-red', '--budget', '21', '--plain'];
    await project.run(resume);
    const [, , again] = journals(project);
    expect(again?.bisect).toMatchObject({ budget: 21 - spent, watched: [{ scenario: `${late}-too` }] });

    const small = await project.run([...onRed, '--budget', '6', '--plain']);
    expect(small.code).toBe(1);
    expect(small.stderr).toContain(
      'note: "refuses-late-refund" is not bisected: 3 trials would find nothing\n',
    );
  });
});

describe('a red gate that cannot be bisected', () => {
  /** Counts v1 in a baseline. */
  async function withBaseline(): Promise<TinyProject> {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--no-baseline', '--scenario', 'refuses*', '--plain']);
    expect((await project.run(['baseline', 'save', 'last', '--yes'])).code).toBe(0);
    return project;
  }

  function edit({ folder }: TinyProject, file: string, from: string, to: string): void {
    const full = path.join(folder, file);
    writeFileSync(full, readFileSync(full, 'utf8').replace(from, to));
  }

  function expectRedAndUnbisected({ code, stderr }: Finished, why: string | RegExp): void {
    expect(code).toBe(1);
    const [, said = ''] = stderr.split('note: not bisected: ');
    if (typeof why === 'string') expect(said).toBe(`${why}\n`);
    else expect(said).toMatch(why);
  }

  const plain = ['run', 'tiny', '--scenario', 'refuses*', '--bisect-on-red', '--plain'];

  it('says that nothing was compared', async () => {
    const project = tinyProject();
    edit(project, 'simulated/tiny.yaml', 'Only within 30 days', 'Too late');
    expectRedAndUnbisected(
      await project.run(plain),
      'nothing was compared, so no prompt is known that passes; --baseline names one',
    );
  });

  it('says what else differs where the prompt is the same', async () => {
    const project = await withBaseline();
    edit(project, 'simulated/tiny.yaml', 'Only within 30 days', 'Too late');
    expectRedAndUnbisected(
      await project.run([...plain, '--no-confirm']),
      /the prompt is the same on both sides; what differs: file of simulated:tiny \w{8} → \w{8}\n/,
    );
  });

  it('says that the prompt of the baseline is nowhere any more', async () => {
    const project = await withBaseline();
    edit(project, 'prompts/tiny/v1.md', 'Refunds are made within 30 days', 'Be generous with a refund');
    expectRedAndUnbisected(
      await project.run([...plain, '--no-confirm']),
      'the prompt of what it was compared with cannot be had any more: "prompts/tiny/v1.md" says something else today',
    );
  });

  it('refuses lines that leave it nothing to bisect', async () => {
    const project = tinyProject();
    for (const [flags, why] of [
      [
        ['--bisect-on-red', '--no-baseline'],
        '--bisect-on-red takes a prompt that passed: it does not go with --no-baseline',
      ],
      [['--bisect-on-red', '--aa'], '--bisect-on-red takes a prompt that passed: it does not go with --aa'],
      [['--budget', '20'], '--budget is for the bisects that --bisect-on-red asks for'],
      [
        ['--bisect-on-red', '--budget', 'all'],
        '--budget: expected a whole number from 1 to 1000, found "all"',
      ],
    ] as const) {
      const { code, stderr } = await project.run(['run', 'tiny', ...flags]);
      expect([code, stderr]).toEqual([2, `evalrun: ${why}\n`]);
    }
    expect(journals(project)).toEqual([]);
  });
});

describe('a bisect on red that is interrupted', () => {
  it('leaves the verdict of the run, says how it goes on, and goes on', async () => {
    const project = tinyProject();
    slowDown(project.folder, 250);
    const { child, seen, finished } = project.start([...onRed, '--plain']);
    await seen('\nbisect 2');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await finished;
    const [run, bisect] = journals(project);
    expect(code).toBe(1);
    expect(stderr).toContain(`bisect --resume ${bisect?.runId}`);
    expect(stdout).toMatch(/\nFAIL: /);
    expect(stdout).toMatch(/\nbisected refuses-late-refund \/ names-window, v1 → v2: not finished\n/);
    expect(stdout).toContain(`bisect --resume ${bisect?.runId}`);

    const resumed = await project.run(['run', '--resume', run?.runId ?? '', '--bisect-on-red', '--plain'], {
      EVALRUN_SIMULATED_LATENCY: '0',
    });
    expect(resumed.code).toBe(1);
    expect(resumed.stdout).toMatch(
      /\nbisected refuses-late-refund \/ names-window, v1 → v2: FOUND: hunk 1 of 1/,
    );
    expect(journals(project)).toHaveLength(2);
    // What was found is not looked for again.
    const third = await project.run(['run', '--resume', run?.runId ?? '', '--bisect-on-red', '--plain']);
    expect(third.stdout).toMatch(/\nbisected refuses-late-refund .*FOUND: hunk 1 of 1/);
    expect(journals(project)).toHaveLength(2);
  });
});
