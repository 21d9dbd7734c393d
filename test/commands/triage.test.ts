import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type TinyProject, tinyProject } from './support.js';

const flaky = ['shows-what-cannot-be-seen', 'is-plain'] as const;

/** The tiny project in git, whose scenarios Ada wrote and Rosa looks at; clean runs of one trial, a seed each. */
async function project(seeds: readonly number[] = []): Promise<TinyProject & { file: string }> {
  const tiny = tinyProject();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: tiny.folder, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Rosa');
  git('config', 'user.email', 'rosa@example.org');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first', '--author=Ada <ada@example.org>');
  for (const seed of seeds) await tiny.run(['run', 'tiny', '--seed', String(seed), '--repeat', '1']);
  return { ...tiny, file: path.join(tiny.folder, 'suites/tiny/quarantine.yaml') };
}

async function triaged({ run }: TinyProject, suite = 'tiny') {
  const { stdout, code } = await run(['triage', suite, '--json']);
  expect(code).toBe(0);
  return JSON.parse(stdout).suites[0];
}

describe('evalrun triage', () => {
  it('finds in past runs what flips with nothing changed, and suggests what may be done', async () => {
    const tiny = await project([1, 2, 3, 4, 5, 6, 7, 8]);
    const { rows, runs, share } = await triaged(tiny);
    expect(runs).toBe(8);
    expect(share).toEqual({ scenarios: 0, of: 3, most: 1, isOver: false });
    expect(rows.map(({ scenario, check }: { scenario: string; check: string }) => [scenario, check])).toEqual(
      [[...flaky]],
    );
    const [{ results, recent, flips, suggestion, rate }] = rows;
    const verdicts: string[] = results.map(({ verdict }: { verdict: string }) => verdict);
    expect(recent).toBe(verdicts.filter((one, index) => index > 0 && one !== verdicts[index - 1]).length);
    expect(recent).toBeGreaterThanOrEqual(2);
    expect(flips).toHaveLength(recent);
    expect(suggestion).toEqual({ kind: 'quarantine', flips: recent });
    expect(rate).toMatchObject({ passed: verdicts.filter((one) => one === 'pass').length, of: 8 });

    const { stdout } = await tiny.run(['triage', '--plain']);
    expect(stdout).toContain('tiny   8 clean runs, the last 30 days');
    const strip = verdicts.map((one) => (one === 'pass' ? '.' : 'F')).join('');
    expect(stdout).toContain(`${flaky.join(' / ')}  ${strip} `);
    expect(stdout).toContain(`suggested: quarantine, for ${recent} flips with nothing changed`);
    // What each check came to is told here, and fills no list of runs.
    const [newest] = JSON.parse((await tiny.run(['runs', '--json'])).stdout).runs;
    expect(newest).toHaveProperty('decision');
    expect(newest).not.toHaveProperty('results');
  });

  it('says of a suite without runs that there is nothing', async () => {
    const tiny = await project();
    const { stdout, code } = await tiny.run(['triage', 'tiny']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing flipped, and nothing is quarantined');
    expect((await tiny.run(['triage', 'tny'])).stderr).toContain('did you mean "tiny"?');
  });
});

describe('evalrun quarantine', () => {
  it('proposes owner, end and evidence, asks before it writes, and is undone by a release', async () => {
    const tiny = await project([1, 2, 3, 4, 5, 6, 7, 8]);
    const add = ['quarantine', 'add', ...flaky, '--suite', 'tiny', '--reason', 'the model is unsure'];
    const asked = await tiny.run(add);
    expect(asked).toMatchObject({ code: 2, stderr: 'evalrun: nothing was written; --yes writes it\n' });
    expect(existsSync(tiny.file)).toBe(false);

    const added = await tiny.run([...add, '--yes']);
    expect(added.code).toBe(0);
    expect(added.stdout).toContain('  owner     Ada\n');
    expect(added.stdout).toContain(
      `undo with: evalrun quarantine release --suite tiny -- ${flaky.join(' ')}`,
    );
    const { stdout } = await tiny.run(['quarantine', 'list', 'tiny', '--json']);
    const [{ entries }] = JSON.parse(stdout).suites;
    const today = new Date().toISOString().slice(0, 10);
    const end = new Date(Date.parse(today) + 14 * 86_400_000).toISOString().slice(0, 10);
    expect(entries).toEqual([
      {
        scenario: flaky[0],
        check: flaky[1],
        owner: 'Ada',
        reason: 'the model is unsure',
        since: today,
        until: end,
        evidence: expect.arrayContaining([expect.stringMatching(/^\d{8}-\d{6}-/)]),
        expired: false,
      },
    ]);
    expect((await triaged(tiny)).rows[0].entry).toMatchObject({ owner: 'Ada', until: end });

    const before = readFileSync(tiny.file, 'utf8');
    writeFileSync(tiny.file, before.replace('- scenario', '# Ours.\n- scenario'));
    const later = new Date(Date.parse(today) + 20 * 86_400_000).toISOString().slice(0, 10);
    const extended = await tiny.run([
      'quarantine',
      'extend',
      ...flaky,
      '--suite',
      'tiny',
      '--until',
      later,
      '--yes',
    ]);
    expect(extended.stdout).toContain(`from ${end} to ${later}`);
    expect(readFileSync(tiny.file, 'utf8')).toBe(
      before.replace('- scenario', '# Ours.\n- scenario').replace(end, later),
    );
    expect((await tiny.run(['quarantine', 'release', ...flaky, '--suite', 'tiny', '--yes'])).code).toBe(0);
    expect(readFileSync(tiny.file, 'utf8')).toBe(`${before.slice(0, before.indexOf('- scenario'))}# Ours.\n`);
  });

  it('refuses what cannot be, and says what to do', async () => {
    const tiny = await project();
    const add = async (...more: string[]) =>
      (await tiny.run(['quarantine', 'add', '--suite', 'tiny', '--reason', 'x', '--yes', ...more])).stderr;
    expect(await add('greets-bak')).toContain(
      '"tiny" has no scenario "greets-bak"; did you mean "greets-back"?',
    );
    expect(await add('greets-back', 'says-helo')).toContain('did you mean "says-hello"?');
    expect(await add('greets-back', '--until', '2020-01-01')).toContain('--until: 2020-01-01 is past');
    expect(await add('greets-back', '--until', '2099-01-01')).toContain('at most 30 days ahead');
    expect(await add('greets-back', '--until', 'soon')).toContain('--until: expected a day, as in ');
    expect(await add('greets-back')).toBe('');
    expect(await add('greets-back', 'says-hello')).toContain(
      'greets-back / all checks is quarantined already',
    );
    expect(await add('refuses-late-refund')).toContain(
      '2 scenarios of 3 would be quarantined, and at most 1 may be',
    );
    const release = await tiny.run([
      'quarantine',
      'release',
      'refuses-late-refund',
      '--suite',
      'tiny',
      '--yes',
    ]);
    expect(release).toMatchObject({
      code: 2,
      stderr:
        'evalrun: refuses-late-refund / all checks is not quarantined in tiny; quarantined is greets-back / all checks\n',
    });
  });

  it('says which flag is missing, and takes a suite by its path', async () => {
    const tiny = tinyProject();
    const add = ['quarantine', 'add', 'greets-back', '--reason', 'x', '--yes'];
    expect((await tiny.run(add)).stderr).toBe(
      'evalrun: name the suite with --suite: greetings, slow or tiny\n',
    );
    onTestFinished(() => void vi.unstubAllEnvs());
    const nobody = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'user.useConfigOnly',
      GIT_CONFIG_VALUE_0: 'true',
    };
    for (const [name, value] of Object.entries(nobody)) vi.stubEnv(name, value);
    for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM']) vi.stubEnv(name, '/dev/null');
    expect((await tiny.run([...add, '--suite', 'tiny'])).stderr).toBe(
      'evalrun: --owner: git knows nobody who wrote the scenario; say who sees to it\n',
    );
    await tiny.run([...add, '--suite', 'suites/tiny', '--owner', 'Ada']);
    const { stdout } = await tiny.run(['quarantine', 'list', 'suites/tiny', '--json']);
    expect(JSON.parse(stdout).suites).toMatchObject([{ suite: 'tiny', entries: [{ owner: 'Ada' }] }]);
    expect((await triaged(tiny, 'suites/tiny/')).suite).toBe('tiny');
  });

  it('is kept with each run, and lets a check that fails hold up nothing', async () => {
    const tiny = await project();
    const late = ['refuses-late-refund', 'names-window'];
    const generous = ['run', 'tiny', '--seed', '1', '--repeat', '1', '--candidate', 'prompts/tiny/v2.md'];
    const failing = await tiny.run([...generous, '--json']);
    expect(failing.code).toBe(1);
    await tiny.run(['quarantine', 'add', ...late, '--suite', 'tiny', '--reason', 'x', '--yes']);
    const shown = await tiny.run([...generous, '--scenario', 'refuses-late-refund', '--json']);
    expect(shown.code).toBe(3);
    expect(JSON.parse(shown.stdout).runs[0]).toMatchObject({
      headline: 'NO VERDICT: all that was run is quarantined',
      quarantine: [{ scenario: late[0], check: late[1], expired: false, checks: [{ verdict: 'fail' }] }],
    });
    await tiny.run(['quarantine', 'release', ...late, '--suite', 'tiny', '--yes']);
    const again = JSON.parse((await tiny.run(['show', 'last', '--json'])).stdout);
    expect(again.runs[0].quarantine).toHaveLength(1);
  });

  it('that does not parse, or does not fit its suite, stops the gate before anything is run', async () => {
    const tiny = await project();
    writeFileSync(tiny.file, '- scenario: greets-back\n  check: all\n  owner: [\n');
    expect(await tiny.run(['run', 'tiny'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^suites\/tiny\/quarantine.yaml:\d+:\d+: /),
    });
    writeFileSync(
      tiny.file,
      '- {scenario: gone, check: all, owner: Ada, reason: x, since: 2026-01-01, until: 2026-01-02}\n',
    );
    for (const command of ['run', 'check']) {
      const { code, stderr, stdout } = await tiny.run([command, 'tiny']);
      expect(code).toBe(2);
      expect(stderr + stdout).toContain('suites/tiny/quarantine.yaml:1:14: "tiny" has no scenario "gone"');
    }
  });

  it('that has ended fails the gate, unless it is told not to', async () => {
    const tiny = await project();
    writeFileSync(
      tiny.file,
      '- {scenario: greets-back, check: all, owner: Ada, reason: x, since: 2026-01-01, until: 2026-01-02}\n',
    );
    const line = ['run', 'tiny', '--seed', '1', '--repeat', '1', '--plain'];
    const failed = await tiny.run([...line, '--scenario', 'refuses-late-refund']);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('FAIL: a quarantine has expired');
    const told = await tiny.run([...line, '--scenario', 'refuses-late-refund', '--fail-on', 'hard-criteria']);
    expect(told.code).toBe(0);
    expect(told.stdout).toContain('EXPIRED 2026-01-02, Ada: x');
  });
});
