import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TinyProject, tinyProject } from './support.js';

const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u;

/** The folders of all runs of a suite, oldest first. */
function runsOf(project: TinyProject, suite: string): string[] {
  const folder = path.join(project.logs, suite);
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((run) => path.join(folder, run))
    : [];
}

function journalOf(folder: string): { type: string; trial?: { scenario: string } }[] {
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('evalrun', () => {
  it('prints its version and nothing else', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await tinyProject().start(['--version']).finished).toMatchObject({
      stdout: `${version}\n`,
      stderr: '',
      code: 0,
    });
  });

  it('prints help when nothing is asked, with every command that there is', async () => {
    const { stdout, code } = await tinyProject().run([]);
    expect(code).toBe(0);
    for (const command of ['run', 'show', 'runs', 'check', 'schema']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
  });

  it('tells in its help, and in that of run, which variables matter', async () => {
    const { knownVariables } = await import('../../source/project/variables.js');
    const project = tinyProject();
    const helps = await Promise.all(
      [['--help'], ['run', '--help'], ['help', 'run']].map((args) => project.run(args)),
    );
    for (const { stdout, code } of helps) {
      expect(code).toBe(0);
      for (const name of [...knownVariables, 'NO_COLOR', 'CI', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'])
        expect(stdout).toContain(name);
    }
    expect(helps[2]).toEqual(helps[1]);
    expect(helps[1]?.stdout).toContain('--candidate [prompt]');
    expect((await project.run(['show', '--help'])).stdout).not.toContain('Environment');
  });

  it.each([
    [['rnu'], "evalrun: unknown command 'rnu'\nevalrun: (Did you mean run?)\n"],
    [['tiny'], "evalrun: unknown command 'tiny'\nevalrun: to run a suite: evalrun run SUITE\n"],
    [['run', 'tiny', '--sead', '7'], "evalrun: unknown option '--sead'\nevalrun: (Did you mean --seed?)\n"],
    [['run', 'tiny', '--repeat'], "evalrun: option '--repeat <n>' argument missing\n"],
    [['run', 'tiny', '--plain', '--json'], "evalrun: option '--plain' cannot be used with option '--json'\n"],
    [
      ['run', 'tiny', '--repeat', 'often', '--concurrency', '0'],
      'evalrun: --repeat: expected a whole number from 1 to 1000, found "often"\n' +
        'evalrun: --concurrency: expected a whole number from 1 to 1000, found "0"\n',
    ],
    [['run', 'tinny'], 'evalrun: there is no suite "tinny"; did you mean "tiny"?\n'],
    [['run'], 'evalrun: name the suite to run: greetings, slow or tiny\n'],
    [
      ['run', 'tiny', '--scenario', 'greets-bak'],
      'evalrun: no scenario of tiny is named by "greets-bak"; did you mean "greets-back"?\n',
    ],
    [
      ['run', 'tiny', '--tag', 'smok'],
      'evalrun: no scenario of tiny has the tag "smok"; did you mean "smoke"?\n',
    ],
    [
      ['run', 'tiny', '--candidate', 'v9'],
      'evalrun: there is no prompt "v9"; in prompts/tiny there are v1.md and v2.md\n',
    ],
    [
      ['run', 'tiny', '--model', 'agnet'],
      'evalrun: "agnet" is no model of the config, and not provider:model either; did you mean "agent"?\n',
    ],
    [
      ['run', 'tiny', '--resume', 'last', '--seed', '7'],
      'evalrun: --resume goes on with a run as it was planned; it does not go with a suite or --seed\n',
    ],
  ])('refuses %j with exit code 2, saying what would be right', async (args, stderr) => {
    const project = tinyProject();
    expect(await project.run(args)).toEqual({ stdout: '', stderr, code: 2, signal: null });
    expect(existsSync(project.logs)).toBe(false);
  });

  it('refuses a prompt file for suites that test different prompts', async () => {
    const project = tinyProject();
    const config = JSON.parse(readFileSync(path.join(project.folder, '.evalrc.json'), 'utf8'));
    config.prompts.other = { deployed: 'prompts/tiny/v1.md' };
    writeFileSync(path.join(project.folder, '.evalrc.json'), JSON.stringify(config));
    const suite = path.join(project.folder, 'suites/greetings/suite.yaml');
    writeFileSync(suite, readFileSync(suite, 'utf8').replace('prompt: tiny', 'prompt: other'));
    const { stderr, code } = await project.run([
      'run',
      'tiny',
      'greetings',
      '--candidate',
      'prompts/tiny/v2.md',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^evalrun: "prompts\/tiny\/v2\.md" is one prompt, and .*tiny.* test different ones/,
    );
  });

  it('names every mistake of the files, one a line, and runs nothing', async () => {
    const project = tinyProject();
    writeFileSync(
      path.join(project.folder, 'suites/tiny/scenarios.yaml'),
      '- id: one\n  turn: []\n- id: one\n',
    );
    const { stderr, stdout, code } = await project.run(['run', 'tiny']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^suites\/tiny\/scenarios\.yaml:\d+:\d+: /);
  });
});

describe('evalrun run without a terminal', () => {
  it('exits with 0 when the gate holds, with a line a trial and a closing table, and no escape', async () => {
    const { stdout, stderr, code } = await tinyProject().run([
      'run',
      'tiny',
      '--seed',
      '7',
      '--scenario',
      'gr*',
      '--scenario',
      'refuses*',
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PASS {5}greets-back {10}#1 of 3 /m);
    expect(stdout).toMatch(/^PASS {5}greets-back {10}3\/3 {2}0\.46–1\.00$/m);
    expect(stdout).toMatch(/^PASS: all 2 scenarios pass$/m);
    expect(stdout).toMatch(/^simulated: answers come from a seeded stand-in/m);
    expect(stdout).not.toMatch(unsafe);
  });

  it('exits with 1 when a scenario fails, and prints FAIL', async () => {
    const { stdout, code } = await tinyProject().start(['run', 'tiny', '--candidate', '--seed', '7'])
      .finished;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL: 1 hard criterion fails against the base$/m);
    expect(stdout).toMatch(/^FAIL {5}refuses-late-refund {8}0\/3 {2}0\.00–0\.54 {2}names-window: /m);
    expect(stdout).not.toMatch(unsafe);
  });

  it('exits with 3 when too few trials could be run', async () => {
    const { stdout, code } = await tinyProject().run(['run', 'slow', '--scenario', 'wait-1'], {
      EVALRUN_TRIAL_TIMEOUT_SECONDS: '0.01',
      EVALRUN_ATTEMPTS: '1',
    });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ERROR {4}wait-1 {2}#1 of 1 {2}not over after 0\.01 seconds$/m);
    expect(stdout).toMatch(/^NO VERDICT: 0 % of the trials were run and graded, at least 95 % are needed$/m);
  });

  it('takes flags without a command for those of run', async () => {
    const { stdout, code } = await tinyProject().run(['--suite', 'greetings', '--seed', '1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PASS: the scenario passes$/m);
  });

  it('prints the same replies and verdicts for the same seed, and others for another', async () => {
    const project = tinyProject();
    const trials = async (seed: string) => {
      const { stdout } = await project.run([
        'run',
        'tiny',
        '--seed',
        seed,
        '--repeat',
        '9',
        '--concurrency',
        '3',
        '--json',
      ]);
      return JSON.stringify(
        JSON.parse(stdout).runs[0].scenarios.map(
          (row: { conditions: { trials: { verdict: string; why: string }[] }[] }) =>
            row.conditions[0]?.trials.map(({ verdict, why }) => [verdict, why]),
        ),
      );
    };
    const first = await trials('7');
    expect(await trials('7')).toBe(first);
    expect(await trials('8')).not.toBe(first);
  });

  it('prints nothing but one JSON object with --json', async () => {
    const { stdout, stderr, code } = await tinyProject().run([
      'run',
      'tiny',
      'greetings',
      '--candidate',
      '--seed',
      '7',
      '--json',
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report.exitCode).toBe(1);
    expect(report.runs.map((run: { suite: string; exitCode: number }) => [run.suite, run.exitCode])).toEqual([
      ['tiny', 1],
      ['greetings', 0],
    ]);
    expect(report.runs[0]).toMatchObject({
      simulated: true,
      verdict: 'fail',
      trials: { total: 30, done: 30 },
    });
    expect(stdout).not.toMatch(unsafe);
  });

  it('runs a condition a model, side by side', async () => {
    const { stdout, code } = await tinyProject().run([
      'run',
      'greetings',
      '--model',
      'agent',
      '--model',
      'other',
      '--json',
    ]);
    // Another model is meant to differ: nothing blocks unless the line says what does.
    expect(code).toBe(0);
    const [run] = JSON.parse(stdout).runs;
    expect(run.conditions.map((condition: { model: string }) => condition.model)).toEqual([
      'simulated:tiny',
      'simulated:curt',
    ]);
    expect(run.scenarios[0].conditions.map((group: { verdict: string }) => group.verdict)).toEqual([
      'pass',
      'fail',
    ]);
  });

  it('says what of the line a dry run leaves out', async () => {
    const project = tinyProject();
    const line = ['run', 'tiny', '--candidate', '--baseline', 'v1', '--bisect-on-red', '--budget', '40'];
    const { code, stdout, stderr } = await project.run([...line, '--dry-run', '--report', 'out/r.md']);
    expect(code).toBe(0);
    expect(stdout).toContain('compare');
    expect(stderr).toBe(
      'note: with --dry-run nothing is written: --report is left out\n' +
        'note: --bisect-on-red takes up to 40 trials more where the gate goes red\n',
    );
    expect(existsSync(path.join(project.folder, 'out'))).toBe(false);
  });

  it('prints the plan and makes no run with --dry-run', async () => {
    const project = tinyProject();
    const { stdout, code } = await project.run([
      'run',
      'tiny',
      '--model',
      'agent,other',
      '--repeat',
      '4',
      '--dry-run',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tiny {3}24 trials: 3 scenarios x 2 conditions x 4 /);
    expect(stdout).toMatch(/^ {2}condition b v1 on simulated:curt {3}prompts\/tiny\/v1\.md [0-9a-f]{12}/m);
    expect(existsSync(project.logs)).toBe(false);
    const json = await project.run(['run', 'tiny', '--dry-run', '--json']);
    expect(JSON.parse(json.stdout).plans[0]).toMatchObject({ suite: 'tiny', trials: 9, repeat: 3 });
  });

  it('keeps label, note and the line in a journal that only its owner can read', async () => {
    const project = tinyProject();
    await project.run(['run', 'greetings', '--label', 'nightly', '--note', 'after the fix', '--seed', '3']);
    const [folder = ''] = runsOf(project, 'greetings');
    expect(journalOf(folder)[0]).toMatchObject({
      label: 'nightly',
      note: 'after the fix',
      seed: '3',
      command: 'evalrun run greetings --label nightly --note after the fix --seed 3',
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'journal.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('ends quietly when whoever reads its output has gone, and leaves a run that can be resumed', async () => {
    const project = tinyProject();
    const { child, seen, finished } = project.start(['run', 'slow', '--concurrency', '1']);
    await seen('wait-1');
    child.stdout?.destroy();
    const { stderr, code } = await finished;
    expect(stderr).toBe('');
    expect(code).toBe(130);
    expect(await project.run(['run', '--resume', 'last', '--concurrency', '6'])).toMatchObject({ code: 0 });
  });
});

describe('a run that is interrupted', () => {
  /** Trials of a journal that began, and those that ended. */
  function trialsOf(folder: string): { began: string[]; ended: string[] } {
    const named = (type: string) =>
      journalOf(folder).flatMap((event) =>
        event.type === type && event.trial ? [event.trial.scenario] : [],
      );
    return { began: named('trial-started').sort(), ended: named('trial-finished').sort() };
  }

  it('finishes what is in flight on the first Ctrl+C, says so, and exits with 130', async () => {
    const project = tinyProject();
    const { child, seen, finished } = project.start(['run', 'slow', '--concurrency', '2']);
    await seen('wait-1');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(130);
    expect(stderr).toBe('evalrun: stopping: what is in flight finishes; Ctrl+C again aborts it\n');
    const [folder = ''] = runsOf(project, 'slow');
    const { began, ended } = trialsOf(folder);
    expect(ended).toEqual(began);
    expect(ended.length).toBeLessThan(6);
    expect(stdout).toContain(`\nINTERRUPTED: ${ended.length} of 6 trials done\n`);
    expect(stdout).toMatch(/^not run {2}\d scenarios?$/m);
    expect(journalOf(folder).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'stopped' });
  });

  it.each([[['SIGINT', 'SIGINT']], [['SIGTERM']], [['SIGHUP']]] as NodeJS.Signals[][][])(
    'aborts at once on %s and leaves its journal whole',
    async (signals) => {
      const project = tinyProject();
      const { child, seen, finished } = project.start(['run', 'slow', '--concurrency', '2']);
      // Told just before the first trials begin, which take half a second.
      await seen('simulated: ');
      for (const [index, signal] of signals.entries()) {
        child.kill(signal);
        if (index < signals.length - 1) await seen('stopping');
      }
      const { code, stdout } = await finished;
      expect(code).toBe(130);
      const [folder = ''] = runsOf(project, 'slow');
      const { began, ended } = trialsOf(folder);
      expect(began.length).toBeGreaterThan(ended.length);
      expect(stdout).toContain(`\nINTERRUPTED: ${ended.length} of 6 trials done\n`);
      expect(journalOf(folder).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' });
    },
  );

  it('loses no more than what was in flight to kill -9, and ends as if it had not been killed', async () => {
    const project = tinyProject();
    const killed = project.start(['run', 'slow', '--concurrency', '2', '--seed', '7']);
    await killed.seen('wait-2');
    killed.child.kill('SIGKILL');
    expect((await killed.finished).signal).toBe('SIGKILL');
    const [folder = ''] = runsOf(project, 'slow');

    expect((await project.run(['runs'])).stdout).toMatch(/slow {2,}unfinished/);
    const shown = await project.run(['show']);
    expect(shown.stdout).toMatch(/^INTERRUPTED: \d of 6 trials done$/m);
    expect(shown.code).toBe(130);

    const resumed = await project.run(['run', '--resume', path.basename(folder).slice(0, 12)]);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toMatch(/^resumed: \d of 6 trials are done$/m);
    expect(resumed.stdout).toMatch(/^PASS: all 6 scenarios pass$/m);
    const events = journalOf(folder);
    expect(events.filter(({ type }) => type === 'trial-finished')).toHaveLength(6);
    expect(events.filter(({ type }) => type === 'run-resumed')).toHaveLength(1);
  });

  it('that has finished says that nothing is left, shows its result and has the exit code of its gate', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--candidate', '--seed', '7', '--repeat', '2']);
    const [folder = ''] = runsOf(project, 'tiny');
    // Also where the files are others by now: there is nothing to run on them.
    writeFileSync(path.join(project.folder, 'prompts/tiny/v2.md'), 'Another prompt.\n');
    const journal = journalOf(folder);
    const again = await project.run(['run', '--resume', 'last']);
    expect(again.stdout.split('\n')[0]).toBe(
      `run ${path.basename(folder)} is finished: nothing is left to do`,
    );
    expect(again.stdout).toMatch(/^FAIL: 1 hard criterion fails against the base$/m);
    expect(again).toMatchObject({ stderr: '', code: 1 });
    const json = await project.run(['run', '--resume', 'last', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 1, runs: [{ verdict: 'fail' }] });
    expect(json.stderr).toMatch(/^note: run \S+ is finished: nothing is left to do\n$/);
    expect(journalOf(folder)).toEqual(journal);
  });

  it('is refused to a second process while the first writes it', async () => {
    const project = tinyProject();
    const { child, seen, finished } = project.start(['run', 'slow', '--concurrency', '1']);
    await seen('wait-1');
    const second = await project.run(['run', '--resume', 'last']);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(
      /^evalrun: another evalrun \(process \d+\) is writing .*journal\.jsonl; wait for it to end/,
    );
    child.kill('SIGTERM');
    await finished;
  });

  it('is not resumed once its files have changed, and the message names what did', async () => {
    const project = tinyProject();
    const { child, seen, finished } = project.start(['run', 'slow', '--concurrency', '1']);
    await seen('wait-1');
    child.kill('SIGTERM');
    await finished;
    const scenarios = path.join(project.folder, 'suites/slow/scenarios.yaml');
    writeFileSync(scenarios, readFileSync(scenarios, 'utf8').replace('take your time', 'take all your time'));
    writeFileSync(path.join(project.folder, 'prompts/tiny/v1.md'), 'Another prompt.\n');
    const { code, stderr, stdout } = await project.run(['run', '--resume', 'last']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('cannot go on, for what it tests has changed since');
    expect(stderr).toContain('evalrun:   scenario wait-1: it changed\n');
    expect(stderr).toContain(
      'evalrun:   condition v1 on simulated:slow: the text of prompts/tiny/v1.md changed\n',
    );
    expect(stderr).not.toContain('wait-2');
  });
});

describe('what a run is made of', () => {
  it('fills in the prompt of a scenario where the suite says that it is a template', async () => {
    const project = tinyProject();
    const suite = path.join(project.folder, 'suites/greetings');
    const yaml = readFileSync(path.join(suite, 'suite.yaml'), 'utf8');
    writeFileSync(
      path.join(suite, 'suite.yaml'),
      yaml.replace('  model: agent', '  model: agent\n  template: true'),
    );
    writeFileSync(
      path.join(project.folder, 'prompts/tiny/v1.md'),
      'You answer for {{tenant}}. Be {{variables.mood}}.\n',
    );
    const model = path.join(project.folder, 'simulated/tiny.yaml');
    const rule =
      "rules:\n  - {id: t, when: {prompt: {has: 'You answer for Acme. Be kind.'}}, steps: [{say: Acme here}]}\n";
    writeFileSync(model, readFileSync(model, 'utf8').replace('rules:\n', rule));
    writeFileSync(
      path.join(suite, 'scenarios.yaml'),
      '- id: one\n  tenant: Acme\n  variables: {mood: kind}\n  turns: [{user: Hi}]\n  checks: [{type: pattern_present, pattern: Acme here}]\n',
    );
    expect(await project.run(['run', 'greetings'])).toMatchObject({ stderr: '', code: 0 });
  });

  it('is taken from its commit when a run is resumed after an edit of the prompt', async () => {
    const project = tinyProject();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: project.folder,
        stdio: 'pipe',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const { child, seen, finished } = project.start(['run', 'slow', '--concurrency', '3']);
    await seen('simulated: ');
    child.kill('SIGTERM');
    await finished;
    writeFileSync(path.join(project.folder, 'prompts/tiny/v1.md'), 'Another prompt.\n');
    expect(await project.run(['run', '--resume', 'last', '--concurrency', '6'])).toMatchObject({
      stderr: '',
      code: 0,
    });
  });

  it('has no secret in what is written of its line', async () => {
    const project = tinyProject();
    const key = `sk-ant-api03-${'a1B2'.repeat(12)}`;
    await project.run(['run', 'greetings', '--note', `with ${key}`, '--label', key]);
    const [folder = ''] = runsOf(project, 'greetings');
    expect(readFileSync(path.join(folder, 'journal.jsonl'), 'utf8')).not.toContain(key);
    expect(journalOf(folder)[0]).toMatchObject({ note: 'with [secret]' });
  });

  it('cannot be kept in what is no folder, and the message says where else', async () => {
    const project = tinyProject();
    writeFileSync(project.logs, '');
    const { code, stderr, stdout } = await project.run(['run', 'greetings']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^evalrun: the run cannot be kept \(.*\); EVALRUN_LOGS names another folder for runs\n$/,
    );
  });
});

describe('evalrun show and runs', () => {
  it('show the report of a past run, by id, beginning or last, with the exit code that the gate has for it', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--candidate', '--seed', '7']);
    await project.run(['run', 'greetings']);
    const [tiny = ''] = runsOf(project, 'tiny').map((folder) => path.basename(folder));
    const shown = await project.start(['show', tiny]).finished;
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^FAIL: 1 hard criterion fails against the base$/m);
    // How it was started here, by its path, so that the line can be pasted.
    expect(shown.stdout).toMatch(new RegExp(`^reopen with: node \\S*evalrun\\.js show ${tiny}$`, 'm'));
    const sameLine = shown.stdout.replace(/node \S*evalrun\.js/, 'evalrun');
    expect((await project.run(['show', tiny.slice(0, -2)])).stdout).toBe(sameLine);
    const last = await project.run(['show']);
    expect(last.code).toBe(0);
    expect(last.stdout).toContain('greetings');
    const json = await project.run(['show', tiny, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 1, runs: [{ runId: tiny, verdict: 'fail' }] });
    const none = await project.run(['show', '1999']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('no run begins with "1999"; the newest are ');
  });

  it('print single trials as text that does no harm', async () => {
    const project = tinyProject();
    await project.run(['run', 'tiny', '--seed', '7']);
    const one = await project.run(['show', '--trial', 'refuses-late-refund#2']);
    expect(one.code).toBe(0);
    expect(one.stdout).toMatch(
      /^refuses-late-refund {3}trial 2 of 3 {3}v1 on simulated:tiny \(simulated\) {3}PASS$/m,
    );
    expect(one.stdout).toMatch(/^ {2}user {4}Are you sure\?$/m);
    const all = await project.run(['show', '--trial', 'shows-what-cannot-be-seen']);
    expect(all.stdout.match(/trial \d of 3/g)).toEqual(['trial 1 of 3', 'trial 2 of 3', 'trial 3 of 3']);
    expect(all.stdout).toContain(
      'Odd: ␛[31mred␛[0m, ⟨U+202E⟩esrever⟨U+202C⟩\n        │ ::error::not a command',
    );
    expect(all.stdout).not.toMatch(unsafe);
    expect((await project.run(['show', '--trial', 'greets-bak'])).stderr).toBe(
      'evalrun: the run has no scenario "greets-bak"; did you mean "greets-back"?\n',
    );
    expect((await project.run(['show', '--trial', 'greets-back#9'])).stderr).toBe(
      'evalrun: scenario "greets-back" has trials 1 to 3, and no 9\n',
    );
  });

  it('list runs from their summaries, and rebuild those', async () => {
    const project = tinyProject();
    expect((await project.run(['runs'])).stdout).toContain('there are no runs in');
    await project.run(['run', 'tiny', '--candidate', '--seed', '7', '--label', 'first']);
    await project.run(['run', 'greetings']);
    const list = await project.run(['runs']);
    expect(list.code).toBe(0);
    const [, newest = '', oldest = ''] = list.stdout.split('\n');
    expect(newest).toMatch(/greetings {2}PASS +1\/1 +v1 on simulated:tiny/);
    expect(oldest).toMatch(
      /tiny {7}FAIL, 1 fail, 1 warn +30\/30 +v2 on simulated:tiny and v1 on simulated:tiny +first$/,
    );

    const [folder = ''] = runsOf(project, 'tiny');
    const before = readFileSync(path.join(folder, 'summary.json'), 'utf8');
    writeFileSync(path.join(folder, 'summary.json'), '{"half');
    expect((await project.run(['runs'])).stdout).toMatch(/tiny +unfinished/);
    const rebuilt = await project.run(['runs', '--rebuild']);
    expect(rebuilt).toMatchObject({
      code: 0,
      stderr: 'evalrun: rebuilt 2 of 2 summaries\n',
      stdout: list.stdout,
    });
    expect(readFileSync(path.join(folder, 'summary.json'), 'utf8')).toBe(before);

    const json = JSON.parse((await project.run(['runs', '--json'])).stdout);
    expect(json.runs.map((run: { suite: string; state: string }) => [run.suite, run.state])).toEqual([
      ['greetings', 'completed'],
      ['tiny', 'completed'],
    ]);
  });

  it('name a journal that is damaged, and show the others all the same', async () => {
    const project = tinyProject();
    await project.run(['run', 'greetings']);
    await project.run(['run', 'tiny', '--seed', '7']);
    const [folder = ''] = runsOf(project, 'greetings');
    const journal = path.join(folder, 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    lines[2] = '{"type":"turn-fin';
    writeFileSync(journal, lines.join('\n'));
    const rebuilt = await project.run(['runs', '--rebuild']);
    expect(rebuilt.code).toBe(2);
    expect(rebuilt.stderr).toContain('evalrun: rebuilt 1 of 2 summaries\n');
    expect(rebuilt.stderr).toContain(
      `evalrun: ${journal}:3: the journal is damaged here: this line is not JSON\n`,
    );
    expect(rebuilt.stdout).toMatch(/tiny/);
    const shown = await project.run(['show', path.basename(folder)]);
    expect(shown).toMatchObject({ code: 2, stdout: '' });
  });
});
