import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  baselineBlessCommand,
  baselineLogCommand,
  baselineShowCommand,
} from '../../source/commands/baseline.js';
import { type BaselineSaveArgs, baselineSaveCommand } from '../../source/commands/baseline-save.js';
import { checkCommand } from '../../source/commands/check.js';
import { runCommand } from '../../source/commands/run.js';
import { proposeBaseline } from '../../source/commands/shared/propose-baseline.js';
import type { RunArgs } from '../../source/commands/shared/run-args.js';
import { loadProject } from '../../source/project/config.js';
import { createFolder } from '../suite/project.js';
import { createIo } from './io.js';
import { root } from './support.js';

const file = 'baselines/tiny/simulated%3Atiny.yaml';
const scenario = ['greets-back', 'refuses-late-refund'];

/** A copy of the tiny project in a repository of its own, with its commands. */
async function createBench() {
  const home = await createFolder({});
  const folder = path.join(home, 'project');
  await cp(path.join(root, 'test/fixtures/tiny'), folder, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Rosa');
  git('config', 'user.email', 'rosa@example.org');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first', '--author=Ada <ada@example.org>');
  const env = { EVALRUN_LOGS: path.join(home, 'logs'), HOME: home };
  const call = async (command: (io: ReturnType<typeof createIo>['io']) => Promise<number>) => {
    const { io, printed } = createIo(folder, env);
    const code = await command(io);
    return { code, text: printed() };
  };
  return {
    folder,
    logs: env.EVALRUN_LOGS,
    git,
    call,
    text: () => readFile(path.join(folder, file), 'utf8'),
    run: (more: Partial<RunArgs> = {}) =>
      call((io) => runCommand({ suites: ['tiny'], scenario, plain: true, seed: '7', line: [], ...more }, io)),
    save: (args: BaselineSaveArgs = { yes: true }) => call((io) => baselineSaveCommand(args, io)),
  };
}

test('a run is saved after its changes are shown, and goes in once', async () => {
  const { run, save, text, call, git } = await createBench();
  await run({ scenario: scenario.slice(0, 1) });
  const asked = await save({});
  expect(asked.code).toBe(2);
  expect(asked.text).toContain('nothing was saved; --yes saves it');
  const first = await save();
  expect(first.code).toBe(0);
  expect(first.text).toContain('new          1 check of 1 scenario');
  expect(first.text).toContain(
    `git add -- ${file} && git commit -m 'Baseline of tiny on simulated:tiny: run `,
  );
  const written = await text();
  expect((await save()).text).toContain('is counted in baselines/tiny/simulated%3Atiny.yaml already');
  expect(await text()).toBe(written);

  await run({ scenario: scenario.slice(0, 1), seed: '8' });
  expect((await save()).text).toContain('counted      1 check of 1 scenario, then known by 6 trials');
  expect(await text()).toContain('says-hello: {verdict: pass, passed: 6, of: 6, type: pattern_present');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'Baseline of tiny');

  const shown = await call((io) => baselineShowCommand({}, io));
  expect(shown.text).toContain('expected     1 check of 1 scenario: 1 pass, 0 warn, 0 fail');
  const json = await call((io) => baselineShowCommand({ suite: 'tiny', model: 'agent', json: true }, io));
  expect(JSON.parse(json.text)).toMatchObject({
    baselines: [{ file, suite: 'tiny', condition: { model: 'simulated:tiny' } }],
  });
  const log = await call((io) => baselineLogCommand({}, io));
  expect(log.text).toMatch(
    /^baselines\/tiny\/simulated%3Atiny\.yaml\n\d{4}-\d\d-\d\d {2}[0-9a-f]{9} {2}Baseline of tiny {2}\(Rosa\)\n$/,
  );
});

test('a proposal writes nothing, knows what git has, and is not written over what somebody else saved', async () => {
  const { run, save, text, git, folder, logs } = await createBench();
  await run();
  const { io } = createIo(folder, { EVALRUN_LOGS: logs });
  const project = await loadProject({ cwd: folder, env: io.env });
  const propose = async () => {
    const proposal = await proposeBaseline({ run: 'last' }, project, io);
    if (proposal.kind !== 'change') throw new Error(proposal.line);
    return proposal;
  };
  const first = await propose();
  expect(first).toMatchObject({ file, isNew: true, replaced: 0 });
  expect(first.lines.join('\n')).toContain('new          ');
  await expect(text()).rejects.toThrow('ENOENT');
  expect(await first.isInGit()).toBe(false);
  await first.write();
  const written = await text();
  await expect(propose()).rejects.toThrow('is counted in baselines/tiny/simulated%3Atiny.yaml already');

  git('add', '--all');
  git('commit', '--quiet', '-m', 'Baseline of tiny');
  await run({ seed: '8' });
  const second = await propose();
  expect(second).toMatchObject({ isNew: false, replaced: 0 });
  expect(await second.isInGit()).toBe(true);
  expect(await text()).toBe(written);
  await save();
  const saved = await text();
  expect(saved).not.toBe(written);
  expect(await second.isInGit()).toBe(false);
  await expect(second.write()).rejects.toThrow('was changed meanwhile, and is left as it is');
  expect(await text()).toBe(saved);

  const scenarios = path.join(folder, 'suites/tiny/scenarios.yaml');
  const asked = await readFile(scenarios, 'utf8');
  await writeFile(scenarios, asked.replace("'(?i)hello'", "'(?i)hell'"));
  await run({ seed: '9' });
  expect((await propose()).replaced).toBe(1);
});

test('a failing check has to be named, and is then known to fail', async () => {
  const { run, save, text } = await createBench();
  await run({ candidate: true });
  const condition = 'v2';
  await expect(save({ yes: true, condition })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('  refuses-late-refund/names-window  0 of 3'),
  });
  const named = await save({ yes: true, condition, known: ['refuses-late-refund/names-window: v3 will'] });
  expect(named.text).toContain('known to fail: refuses-late-refund/names-window: v3 will');
  expect(named.text).toContain('note: v2 is not what is deployed, which is v1');
  expect(await text()).toMatch(/names-window: \{verdict: fail, passed: 0, of: 3, .*known: "?v3 will"?\}/);
});

test('one criterion is blessed with its reason, from the run of the candidate', async () => {
  const { run, save, text, call, git, folder } = await createBench();
  await run();
  await save();
  await run({ candidate: true });
  const bless = (more = {}) =>
    call((io) =>
      baselineBlessCommand(
        { scenario: 'refuses-late-refund', check: 'names-window', reason: 'we are generous now', ...more },
        io,
      ),
    );
  await expect(bless({ reason: ' ' })).rejects.toThrow('--reason');
  const done = await bless();
  expect(done.text).toContain('refuses-late-refund/names-window  pass 3/3 → fail 0/3');
  expect(done.text).not.toContain('last edited by you');
  expect(await text()).toContain('reason: we are generous now');
  expect((await call((io) => baselineLogCommand({}, io))).text).toContain(
    'blessed refuses-late-refund/names-window: we are generous now, expected before: pass 3/3  (Rosa)',
  );
  await expect(bless()).rejects.toThrow('is expected to fail as it is; there is nothing to bless');

  await writeFile(path.join(folder, 'prompts/tiny/v2.md'), 'Be generous, and quick.\n');
  git('commit', '--quiet', '-m', 'quicker', '--', 'prompts');
  await run({ candidate: true, scenario: scenario.slice(1) });
  git('checkout', '--quiet', '--', 'prompts');
  const before = await text();
  await writeFile(
    path.join(folder, file),
    before.replace('verdict: fail, passed: 0', 'verdict: pass, passed: 3'),
  );
  expect((await bless()).text).toContain('note: prompts/tiny/v2.md was last edited by you');
  await writeFile(
    path.join(folder, file),
    before.replace('verdict: fail, passed: 0', 'verdict: pass, passed: 3'),
  );
  const config = JSON.parse(await readFile(path.join(folder, '.evalrc.json'), 'utf8'));
  await writeFile(
    path.join(folder, '.evalrc.json'),
    JSON.stringify({ ...config, guard: { secondReviewer: true } }),
  );
  await expect(bless()).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('this project wants a second reviewer'),
  });
});

test('of a run of several models the one to save is named', async () => {
  const { run, save } = await createBench();
  await run({ model: ['agent', 'other'], scenario: scenario.slice(0, 1) });
  await expect(save()).rejects.toThrow(
    'has 2 conditions; name one with --condition: a (v1, simulated:tiny) or b',
  );
  expect((await save({ yes: true, condition: 'simulated:tiny' })).text).toContain(`saved ${file}`);
});

test('what is not there is said with what is', async () => {
  const { call, run } = await createBench();
  await expect(call((io) => baselineShowCommand({}, io))).rejects.toThrow(
    'evalrun baseline save makes one from a run',
  );
  await expect(call((io) => baselineShowCommand({ suite: 'tinny' }, io))).rejects.toThrow(
    'there is no suite "tinny"',
  );
  await run();
  const bless = { scenario: 'greets-back', check: 'says-hello', reason: 'x' };
  await expect(call((io) => baselineBlessCommand(bless, io))).rejects.toThrow(
    'tiny has no baseline on simulated:tiny yet',
  );
});

test('evalrun check reads the baselines too', async () => {
  const { run, save, text, call, folder } = await createBench();
  await run();
  await save();
  const check = () => call((io) => checkCommand({ suites: [] }, io));
  expect((await check()).code).toBe(0);
  await writeFile(path.join(folder, file), (await text()).replace('passed: 3, of: 3', 'passed: 4, of: 3'));
  const found = await check();
  expect(found.code).toBe(2);
  expect(found.text).toMatch(
    /^baselines\/tiny\/simulated%3Atiny\.yaml:\d+:\d+: 4 of 3 trials cannot have passed$/m,
  );
});
