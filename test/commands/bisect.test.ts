import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { makeSchema } from '../../source/commands/schema.js';
import { bisectProject, copyRun, guiltyHunk, narrowedText, slowBisectProject } from './bisect-project.js';
import { eventsIn, root, runsOf, type TinyProject } from './support.js';

const watched = ['--check', 'refuses-late-refund/names-window'];
const whole = ['bisect', 'tiny', ...watched, '--seed', '1'];

async function schemaErrors(facts: unknown): Promise<unknown> {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(await makeSchema('bisect'));
  validate(facts);
  return validate.errors;
}

function prompt(project: TinyProject, name: string): string {
  return readFileSync(path.join(project.folder, 'prompts/tiny', name), 'utf8');
}

describe('evalrun bisect', () => {
  it('finds the guilty words, confirms them, and says how to write the cure', async () => {
    const project = bisectProject();
    const { stdout, stderr, code } = await project.run(whole);
    expect(code, stderr).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^bisect \S+ {3}tiny {3}v3 → v4 {3}5 hunks {3}auto {3}seed 1$/);
    expect(stdout).toContain('  watched  refuses-late-refund / names-window');
    expect(stdout).toMatch(/^ {2}budget {3}suffices: \d+ % were right$/m);
    expect(stdout).toMatch(/^PASS {5}#1 {2}v3 {2}both ends {2}refuses-late-refund$/m);
    expect(stdout).toMatch(
      /^FAIL {5}#2 {2}v4 {2}both ends {2}refuses-late-refund {2}names-window: expected/m,
    );
    expect(stdout).toMatch(/^believed hunk \d/m);
    expect(stdout).toContain(`FOUND: hunk ${guiltyHunk} of 5, `);
    expect(stdout).toContain('\n  - Refunds are made within 30 days.\n  + Be generous with refunds.\n');
    expect(stdout).toMatch(/\nwrite the narrowed prompt: evalrun bisect --resume \S+ --write\n$/);
    const [run] = runsOf(project, 'tiny');
    expect(eventsIn(run, 'bisect-found')).toHaveLength(1);
  });

  it('is one JSON object that fits the published schema, and the same when it is asked again', async () => {
    const project = bisectProject();
    const { stdout, code } = await project.run([...whole, '--json']);
    expect(code).toBe(0);
    const facts = JSON.parse(stdout);
    expect(await schemaErrors(facts)).toBeNull();
    expect(facts).toMatchObject({
      exitCode: 0,
      finding: { kind: 'hunks', hunks: [guiltyHunk] },
      watched: [{ scenario: 'refuses-late-refund', check: 'names-window' }],
      good: { name: 'v3', path: 'prompts/tiny/v3.md' },
      bad: { name: 'v4' },
      narrowed: { name: 'v4 without 4', reverted: [guiltyHunk], file: null },
      // All that was tried had these three together, or none of them.
      notTested: [1, 2, 5],
      spent: { budget: 200 },
    });
    expect(facts.hunks.map(({ guilty }: { guilty: boolean }) => guilty)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(facts.narrowed.text).toBe(narrowedText);
    expect(facts.narrowed.cure.passed).toBeGreaterThanOrEqual(5);
    expect(facts.trials.at(-1)).toMatchObject({ purpose: { kind: 'suite', hunks: [guiltyHunk] } });
    const again = await project.run(['bisect', '--resume', 'last', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({ ...facts, spent: expect.anything() });
  });

  it('writes the narrowed prompt as the next free version, never over one that is there', async () => {
    const project = bisectProject();
    writeFileSync(path.join(project.folder, 'prompts/tiny/v5.md'), 'mine\n');
    const { stdout, code } = await project.run([...whole, '--no-cure-check', '--write']);
    expect(code).toBe(0);
    expect(stdout).toContain('narrowed prompt written to prompts/tiny/v6.md');
    expect(stdout).toContain('\n  --- prompts/tiny/v4.md\n  +++ prompts/tiny/v6.md\n');
    expect(stdout).toContain('\n  -Be generous with refunds.\n  +Refunds are made within 30 days.\n');
    expect(prompt(project, 'v5.md')).toBe('mine\n');
    expect(prompt(project, 'v6.md')).toBe(narrowedText);

    const again = await project.run(['bisect', '--resume', 'last', '--write']);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(
      'the narrowed prompt is there already: prompts/tiny/v6.md; nothing was written\n  --- prompts/tiny/v4.md',
    );
    expect(readdirSync(path.join(project.folder, 'prompts/tiny')).filter((name) => name > 'v4.md')).toEqual([
      'v5.md',
      'v6.md',
    ]);

    const taken = await project.run([...whole, '--write', 'prompts/tiny/v5.md']);
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toContain('is there already, and nothing is overwritten');
    const named = await project.run(['bisect', '--resume', 'last', '--write', 'out/mended.md']);
    expect(named.code).toBe(0);
    expect(readFileSync(path.join(project.folder, 'out/mended.md'), 'utf8')).toBe(prompt(project, 'v6.md'));
    expect(prompt(project, 'v5.md')).toBe('mine\n');
  });

  it('says what it found although it cannot write the cure', async () => {
    const project = bisectProject();
    writeFileSync(path.join(project.folder, 'a-file'), '');
    const { stdout, stderr, code } = await project.run([
      ...whole,
      '--no-cure-check',
      '--write',
      'a-file/v5.md',
    ]);
    expect(code).toBe(2);
    expect(stdout).toContain(`FOUND: hunk ${guiltyHunk} of 5`);
    expect(stderr).toContain('a-file');
  });

  it('leaves no half of a cure where the disk is full', async () => {
    const project = bisectProject();
    await project.run([...whole, '--no-cure-check']);
    // What ends a write here is a limit on the size of files, which no device is needed for.
    const line = `ulimit -f 0; exec "$0" "$1" bisect --resume last --write`;
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', line, process.execPath, path.join(root, 'dist/evalrun.js')],
      { cwd: project.folder, encoding: 'utf8', env: { ...process.env, EVALRUN_LOGS: project.logs } },
    );
    expect(status).toBe(2);
    expect(stdout).toContain(`FOUND: hunk ${guiltyHunk} of 5`);
    expect(stderr).toContain('cannot be written: EFBIG');
    expect(existsSync(path.join(project.folder, 'prompts/tiny/v5.md'))).toBe(false);
  });

  it('does not say of a prompt that was never tried how often it passed', async () => {
    const { stdout, code } = await bisectProject().run([...whole, '--no-cure-check', '--strategy', 'binary']);
    expect(code).toBe(0);
    expect(stdout).toContain('  v4 without 4 was not tried');
  });

  it('is reported to people who have not got the tool', async () => {
    const project = bisectProject();
    const { code } = await project.run([...whole, '--report', 'out/found.md', '--report', 'out/found.json']);
    expect(code).toBe(0);
    const markdown = readFileSync(path.join(project.folder, 'out/found.md'), 'utf8');
    expect(markdown).toContain('**FOUND: hunk 4 of 5, ');
    expect(markdown).toContain(
      '```diff\n@@ v3:7 → v4:7 @@\n- Refunds are made within 30 days.\n+ Be generous with refunds.\n```',
    );
    expect(markdown).toMatch(/\| <code>v4 without 4<\/code> \| \d+\/\d+ \| 2\/2 \| 5\/5 \|/);
    expect(markdown).toContain('#### Every hunk (5)');
    expect(markdown).toContain(
      '\n\nEach count is graded trials that passed: of the bad prompt without this hunk',
    );
    expect(markdown).toMatch(/The rest of the suite on it: [12] of 2 scenarios pass\./);
    expect(markdown).toContain(
      '#### Not tested\n\n- never tried apart from some other hunk: hunk 1, hunk 2, hunk 5\n',
    );
    expect(markdown).toContain('Fails, on <code>v4</code>');
    expect(markdown).toContain('agent   Of course, the money is on its way.');
    expect(markdown).toContain('Passes, on <code>v4 without 4</code>');
    expect(
      await schemaErrors(JSON.parse(readFileSync(path.join(project.folder, 'out/found.json'), 'utf8'))),
    ).toBeNull();
  });

  it('says with exit code 1 that it is not the prompt', async () => {
    const { stdout, code } = await bisectProject().run(['bisect', 'tiny', '--scenario', 'greets-back']);
    expect(code).toBe(1);
    expect(stdout).toContain('NOT THE PROMPT: nothing between v3 and v4 makes the difference');
  });

  it('comes to no answer within a budget that is too small, and goes on with a larger one', async () => {
    const project = bisectProject();
    const first = await project.run([...whole, '--budget', '5']);
    expect(first.code).toBe(3);
    expect(first.stdout).toContain('INCONCLUSIVE: the budget is spent');
    const [, wouldTake] = /about (\d+) more trials would settle it/.exec(first.stdout) ?? [];
    const [, proposed] =
      /go on with it: evalrun bisect --resume \S+ --budget (\d+)\n/.exec(first.stdout) ?? [];
    // What is spent and what it is said to take, and no more than it takes to round.
    expect(Number(proposed)).toBeGreaterThanOrEqual(5 + Number(wouldTake));
    expect(Number(proposed)).toBeLessThan(5 + Number(wouldTake) + 10);
    const told = await project.run(['bisect', '--resume', 'last']);
    expect(told).toMatchObject({ code: 3, stdout: expect.not.stringContaining('resumed') });
    const more = await project.run(['bisect', '--resume', 'last', '--budget', '60']);
    expect(more.code).toBe(0);
    expect(more.stdout).toContain('resumed  5 of at most 60 trials spent');
    expect(more.stdout).toContain(`FOUND: hunk ${guiltyHunk} of 5`);
    expect(runsOf(project, 'tiny')).toHaveLength(1);
  });
});

describe('what a bisect of very many hunks will cost', () => {
  it('is said to be worked out while that takes seconds, and not on standard output', async () => {
    const project = bisectProject();
    const textOf = (word: string) =>
      Array.from({ length: 150 }, (_, at) => `Rule ${at} ${word}.\n`).join('\n');
    for (const word of ['holds', 'counts'])
      writeFileSync(path.join(project.folder, `prompts/tiny/${word}.md`), textOf(word));
    const line = 'bisect tiny --good holds --bad counts --scenario refuses-late-refund --dry-run'.split(' ');
    const plan = await project.run(line);
    expect(plan).toMatchObject({ code: 0, stderr: 'working out what it will cost …\n' });
    expect(plan.stdout).toContain('150 hunks');
    expect(plan.stdout).not.toContain('working out');
  });
});

describe('what a bisect watches when the line says nothing', () => {
  it('is what the last run of the bad prompt confirmed as regressions', async () => {
    const project = bisectProject();
    const none = await project.run(['bisect', 'tiny']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('no run of "tiny" with a verdict has "v4" as its candidate');
    expect(none.stderr).toContain('evalrun run tiny --candidate prompts/tiny/v4.md');
    const red = await project.run([
      'run',
      'tiny',
      '--candidate',
      '--baseline',
      'v3',
      '--plain',
      '--seed',
      '1',
    ]);
    expect(red.code).toBe(1);
    const [run = ''] = runsOf(project, 'tiny');
    const { stdout, code } = await project.run(['bisect', 'tiny', '--json', '--no-cure-check']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      of: path.basename(run),
      watched: [{ scenario: 'refuses-late-refund', check: 'names-window' }],
      finding: { hunks: [guiltyHunk] },
    });
    const plan = await project.run(['bisect', 'tiny', '--dry-run']);
    expect(plan.stdout).toContain(`confirmed by run ${path.basename(run)}`);
    expect(plan.stdout).toMatch(/v4 passes \d+ % \(0\/6 in run /);
    expect(plan.stdout).toMatch(/cost {5}about \d+ trials, \d+ conversations, .* tokens of the agent/);
    // It tries nothing, and writes nothing.
    const wanted = ['--write', '--report', 'out/found.md'];
    const rehearsed = await project.run(['bisect', 'tiny', '--dry-run', ...wanted]);
    expect(rehearsed).toEqual({
      ...plan,
      stderr: 'note: with --dry-run nothing is written: --write and --report are left out\n',
    });
    expect(existsSync(path.join(project.folder, 'out'))).toBe(false);
    expect(runsOf(project, 'tiny')).toHaveLength(2);
  });

  it('is asked for where the last run is green', async () => {
    const project = bisectProject();
    await project.run([
      'run',
      'tiny',
      '--candidate',
      '--scenario',
      'greets-back',
      '--baseline',
      'v3',
      '--plain',
    ]);
    const { code, stderr } = await project.run(['bisect', 'tiny']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'confirmed no regression, so what fails is not known; name what fails with --scenario',
    );
  });
});

describe('mistakes in the line of a bisect', () => {
  it.each([
    [['tiny', '--rates', '1,0', '--runs', '5'], '--rates and --runs go with --simulate'],
    [
      ['--resume', 'last', '--good', 'v3', '--no-cure-check'],
      'it does not go with --good or --no-cure-check',
    ],
    [['tiny', '--strategy', 'guided'], 'a guided bisect asks a person at every step, and needs the screen'],
    [['tiny', '--strategy', 'guided', '--json'], 'leave --json away, in a terminal, or take --strategy auto'],
    [['tiny', '--strategy', 'all'], '--strategy all compares them, and goes with --simulate'],
    [['tiny', '--split', 'word'], '--split: expected one of hunk, line, sentence, found "word"'],
    [['tiny', '--budget', '0'], '--budget: expected a whole number from 1 to 1000'],
    [['tiny', '--repeat', 'x'], '--repeat: expected a whole number'],
    [['tiny', '--report', 'out.xml'], 'a bisect is reported as .md or .json'],
    [[...whole.slice(1), '--report', '.evalrc.json/out.md'], 'out.md cannot be written'],
    [[...whole.slice(1), '--report', 'markdown=prompts'], 'prompts is a folder; name a file in it'],
    [
      [...whole.slice(1), '--report', 'prompts/tiny/v4.md'],
      'v4.md" is a prompt, and nothing takes the place of',
    ],
    [['tiny', '--scenario', 'refuses-late-refnd'], 'did you mean "refuses-late-refund"'],
    [['tiny', '--check', 'names-windw'], 'the suite "tiny" has no check "names-windw"'],
    [['tiny', '--check', 'greets-back/names-window'], 'scenario "greets-back" has no check "names-window"'],
    [
      ['slow', '--check', 'says-hello'],
      '6 scenarios have a check "says-hello"; say of which, as in wait-1/says-hello',
    ],
    [['tiny', '--good', 'v4', '--scenario', 'greets-back'], '"v4" and "v4" are the same prompt'],
    [['tiny', '--good', 'v4'], '"v4" and "v4" are the same prompt'],
    [['tiny', '--bad', 'v99', '--scenario', 'greets-back'], 'there is no prompt "v99"'],
    [['--resume', 'last'], 'there is no bisect in'],
    [['--resume', './nowhere'], 'there is no bisect at "./nowhere"'],
  ] as const)('%j', async (flags, message) => {
    const { code, stdout, stderr } = await bisectProject().run(['bisect', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('are told of a key in a prompt, which would stand in the journal', async () => {
    const project = bisectProject();
    const file = path.join(project.folder, 'prompts/tiny/v4.md');
    writeFileSync(file, `${readFileSync(file, 'utf8')}Log in with very-secret-0815.\n`);
    const { code, stdout, stderr } = await project.run(whole, { SHOP_API_KEY: 'very-secret-0815' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('prompt "v4" holds the value of a key of the environment');
    expect(stderr).not.toContain('very-secret');
    expect(existsSync(path.join(project.logs, 'tiny'))).toBe(false);
  });

  it('are told of a report that would take the place of a prompt, before it goes on', async () => {
    const project = bisectProject();
    await project.run([...whole, '--no-cure-check']);
    const good = prompt(project, 'v3.md');
    const { code, stdout, stderr } = await project.run([
      'bisect',
      '--resume',
      'last',
      '--report',
      'json=prompts/tiny/v3.md',
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('v3.md" is a prompt, and nothing takes the place of what is read');
    expect(prompt(project, 'v3.md')).toBe(good);
  });

  it('are told of a run that is no bisect', async () => {
    const project = bisectProject();
    await project.run(['run', 'greetings', '--no-baseline', '--plain']);
    const [run = ''] = runsOf(project, 'greetings');
    const { code, stderr } = await project.run(['bisect', '--resume', path.basename(run)]);
    expect(code).toBe(2);
    expect(stderr).toContain('is no bisect; it goes on with: evalrun run --resume');
  });
});

describe('a bisect that was killed', () => {
  it('goes on elsewhere with what it had, and comes to what it would have come to', async () => {
    const project = slowBisectProject();
    const killed = project.start([...whole, '--plain']);
    await killed.seen('#6  ');
    killed.child.kill('SIGKILL');
    await killed.finished;
    const [run = ''] = runsOf(project, 'tiny');
    const before = eventsIn(run, 'trial-finished').length;
    // What was in flight is lost, and what was told of a moment ago may be.
    expect(before).toBeGreaterThanOrEqual(4);
    const copy = copyRun(run, path.join(project.folder, 'from-a-colleague'));
    const { stdout, code, stderr } = await project.start([
      'bisect',
      '--resume',
      path.join(copy, 'journal.jsonl'),
    ]).finished;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('resumed  ');
    expect(stdout).not.toMatch(/#1 {2}v3/);
    expect(stdout).toContain(`FOUND: hunk ${guiltyHunk} of 5`);
    const keys = eventsIn(copy, 'trial-finished').map(({ trial }) => JSON.stringify(trial));
    expect(new Set(keys).size).toBe(keys.length);
    // The one that was copied is as it was.
    expect(eventsIn(run, 'trial-finished')).toHaveLength(before);
    expect(existsSync(path.join(run, 'summary.json'))).toBe(false);
  });

  it('finishes what is in flight at the first Ctrl+C, ends with 130 and says how to go on', async () => {
    const project = slowBisectProject();
    const { child, seen, finished } = project.start([...whole, '--plain']);
    await seen('#4  ');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(130);
    expect(stderr).toContain('stopping: what is in flight finishes');
    expect(stdout).toContain('NOT FINISHED: ');
    const [, runId = ''] = /go on with it: .* bisect --resume (\S+)\n/.exec(stdout) ?? [];
    const [run = ''] = runsOf(project, 'tiny');
    expect(path.basename(run)).toBe(runId);
    const on = await project.run(['bisect', '--resume', runId]);
    expect(on.code).toBe(0);
  });
});
