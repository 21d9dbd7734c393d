import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { firstPhrase, suiteNameOf } from '../../source/commands/shared/init/scaffold.js';
import { splitCommand } from '../../source/commands/shared/init/split-command.js';
import { copyOf, runsOf, type TinyProject } from './support.js';

test.each([
  ['a  b', ['a', 'b']],
  [`python3 "my agent.py" --x='a b' c\\ d`, ['python3', 'my agent.py', '--x=a b', 'c d']],
  ['a ""', ['a', '']],
  [`a 'b`, undefined],
  ['a \\', undefined],
  ['', []],
])('the words of %j', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

test.each([
  ['Support Agent (v2)', 'support-agent-v2'],
  ['Åse Ñandú', 'a-se-n-andu'],
  ['日本', undefined],
  ['--', undefined],
])('a suite after %j', (text, name) => {
  expect(suiteNameOf(text)).toBe(name);
});

test('the phrase of a prompt is six to ten of its words in a row', () => {
  expect(firstPhrase('# Title\n\n{{x}} short.\nYou are the agent of an airline, and polite.')).toBe(
    'You are the agent of an airline',
  );
  expect(firstPhrase('Be kind.\n')).toBeUndefined();
});

/** A folder with these files as a project. */
function projectWith(files: Record<string, string> = {}): TinyProject {
  const source = mkdtempSync(path.join(tmpdir(), 'evalrun-init-'));
  onTestFinished(() => rmSync(source, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(source, file)), { recursive: true });
    writeFileSync(path.join(source, file), text);
  }
  return copyOf(source);
}

const init = (project: TinyProject, args: string[], env: NodeJS.ProcessEnv = {}) =>
  project.run(['init', ...args], { EVALRUN_SIMULATED_LATENCY: '0', ...env });

/** Every file of a project with its text. */
function filesOf({ folder }: TinyProject): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]),
  );
}

const airline = 'You are the support agent of an airline, and you answer politely.\n';

describe('evalrun init', () => {
  it('writes a suite into an empty folder, checks it, and runs it to a pass without a key', async () => {
    const project = projectWith();
    const { stdout, stderr, code } = await init(project, ['--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 suite, 3 scenarios, 6 checks: no mistakes\n');
    expect(stdout).toContain('PASS: all 3 scenarios pass\n');
    expect(stdout).toContain('"agent" in .evalrc.json');
    expect(Object.keys(filesOf(project)).sort()).toEqual([
      '.evalrc.json',
      'prompts/project/v1.md',
      'simulated/project.yaml',
      'suites/project/scenarios/keeps-its-instructions.yaml',
      'suites/project/scenarios/remembers-the-name.yaml',
      'suites/project/scenarios/says-hello.yaml',
      'suites/project/suite.yaml',
    ]);
    expect(runsOf(project, 'project')).toHaveLength(1);
    expect(stdout).not.toMatch(/^(note|warning):/m);
  });

  it('leaves every file as it is when it is called again, but for more entries in the config', async () => {
    const project = projectWith();
    await init(project, ['--yes', '--no-run']);
    const before = filesOf(project);
    const { stdout, code } = await init(project, ['--yes', '--no-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('  left   prompts/project/v1.md, as it is\n');
    const after = filesOf(project);
    for (const [file, text] of Object.entries(before))
      if (file !== '.evalrc.json') expect(after[file]).toBe(text);
    expect(JSON.parse(after['.evalrc.json'] ?? '')).toEqual({
      project: 'project',
      models: { agent: 'simulated:project', 'project-2': 'simulated:project-2' },
      prompts: { project: { deployed: 'prompts/project/v1.md' } },
    });
  });

  it('takes the prompt of the project, and names the suite after it', async () => {
    const project = projectWith({
      'prompts/support-agent/v7.md': airline,
      '.evalrc.json': '{\n\t"models": {"agent": "openai:gpt-4o-mini"}\n}\n',
    });
    const { stdout, code } = await init(project, ['--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('  left   prompts/support-agent/v7.md, as it is\n');
    expect(stdout).toContain('run support-agent --model agent');
    const files = filesOf(project);
    expect(files['.evalrc.json']).toBe(
      '{\n\t"models": {"agent": "openai:gpt-4o-mini", "support-agent": "simulated:support-agent"},\n\t"prompts": { "support-agent": { "deployed": "prompts/support-agent/v7.md" } }\n}\n',
    );
    expect(files['suites/support-agent/scenarios/keeps-its-instructions.yaml']).toContain(
      'words: ["You are the support agent of an airline"]',
    );
  });

  it('takes none of several prompts unless it is named', async () => {
    const project = projectWith({ 'prompts/a.md': airline, 'prompts/b.md': airline });
    const { stdout } = await init(project, ['--yes', '--no-run']);
    expect(stdout).toContain('wrote  prompts/project/v1.md');
    const named = await init(project, ['--prompt', 'prompts/b.md', '--no-run']);
    expect(named.stdout).toContain('left   prompts/b.md, as it is');
    expect(named.stdout).toContain('wrote  suites/b/suite.yaml');
  });

  it.each([
    ['http', ['--url', 'http://127.0.0.1:3000/api/chat'], 'post: "/api/chat"'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}
    ['http', ['--url', '${BACKEND_URL}'], 'baseURL: "${BACKEND_URL}"'],
    ['command', ['--command', 'node "my agent.mjs" --fast'], '"node","my agent.mjs","--fast"'],
    ['module', ['--module', './app/agent.mjs'], 'module: "../../app/agent.mjs"'],
  ])(
    'points a suite at a product (%s %j), runs the stand-in alone, and says so',
    async (_kind, args, expected) => {
      const project = projectWith({
        'my agent.mjs': 'process.exit(9);\n',
        'app/agent.mjs': 'throw new Error("x");\n',
      });
      const { stdout, code } = await init(project, [...args, '--suite', 'desk']);
      expect(code).toBe(0);
      expect(stdout).toContain('2 suites, 6 scenarios, 12 checks: no mistakes');
      expect(stdout).toContain('running desk-simulated on a simulated model:');
      expect(stdout).toContain('your product is the target of desk, and was not asked yet');
      expect(filesOf(project)['suites/desk/suite.yaml']).toContain(expected);
      expect(runsOf(project, 'desk')).toEqual([]);
      expect(runsOf(project, 'desk-simulated')).toHaveLength(1);
    },
  );

  it('writes a product alone where no simulated suite is wanted, and needs no model then', async () => {
    const project = projectWith({ 'agent.mjs': '' });
    const { stdout, code } = await init(project, [
      '--module',
      'agent.mjs',
      '--no-simulated',
      '--suite',
      'true',
    ]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('running');
    expect(filesOf(project)).not.toHaveProperty('simulated/true.yaml');
    expect(JSON.parse(filesOf(project)['.evalrc.json'] ?? '')).toEqual({ project: 'project' });
  });

  it('makes a folder that is named, and takes the project of the folder that it is called in', async () => {
    const project = projectWith({ '.evalrc.json': '{"suites": "bench/suites"}', 'app/agent.mjs': '' });
    expect((await init(project, ['new/one', '--yes', '--no-run'])).code).toBe(0);
    expect(existsSync(path.join(project.folder, 'new/one/suites/one/suite.yaml'))).toBe(true);
    expect((await init(project, ['--yes', '--no-run'])).stdout).toContain(
      'wrote  bench/suites/project/suite.yaml',
    );
  });

  it('names the schemas where the project has evalrun installed', async () => {
    const project = projectWith({ 'node_modules/evalrun/docs/schemas/suite.json': '{}' });
    await init(project, ['--yes', '--no-run']);
    const files = filesOf(project);
    expect(files['suites/project/suite.yaml']).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/node_modules\/evalrun\/docs\/schemas\/suite\.json\n/,
    );
    expect(files['suites/project/scenarios/says-hello.yaml']).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/node_modules\/evalrun\/docs\/schemas\/scenario\.json\n/,
    );
    expect(JSON.parse(files['.evalrc.json'] ?? '').$schema).toBe(
      './node_modules/evalrun/docs/schemas/config.json',
    );
  });

  it.each([
    [[], /nobody can be asked here/],
    [['--target', 'htp'], /there is no "htp"; did you mean "http"\?/],
    [['--target', 'http'], /--target http needs --url/],
    [['--target', 'http', '--module', 'a.mjs'], /--module is for --target module, not http/],
    [['--url', 'x', '--module', 'a.mjs'], /three kinds of target/],
    [['--url', 'ftp://x'], /is no address/],
    [['--url', 'http://u:secretpassword@x/chat'], /a key or a password/],
    [['--module', 'agnet.mjs'], /there is no file agnet\.mjs; in .+ there are empty\.md and notes\.txt/],
    [['--module', 'notes.txt'], /is no TypeScript or JavaScript module/],
    [['--command', 'node agnet.mjs'], /there is no file agnet\.mjs/],
    [['--command', 'node "x'], /a quotation mark is missing/],
    [['--prompt', 'nowhere.md'], /there is no file nowhere\.md/],
    [['--prompt', '../outside.md'], /there is no file .+outside\.md/],
    [['--prompt', 'empty.md'], /empty\.md is empty/],
    [['--yes', '--suite', 'My Suite'], /small letters, digits and hyphens, as in my-suite/],
  ])('with %j writes nothing, and says what would be right', async (args, message) => {
    const project = projectWith({ 'notes.txt': 'x', 'empty.md': '\n' });
    const before = filesOf(project);
    const { stderr, code } = await init(project, args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(filesOf(project)).toEqual(before);
  });

  it('leaves a config with mistakes, a name that is taken, and whatever stands in the way', async () => {
    const broken = projectWith({ '.evalrc.json': '{"modles": {}}' });
    expect(await init(broken, ['--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('.evalrc.json:1:2: unknown key "modles"'),
    });
    expect(Object.keys(filesOf(broken))).toEqual(['.evalrc.json']);

    const taken = projectWith({ 'suites/desk/suite.yaml': 'x: 1\n', '.evalrc.json': '{}' });
    expect((await init(taken, ['--yes', '--suite', 'desk'])).stderr).toContain(
      '"desk" already; take another name',
    );
    expect(Object.keys(filesOf(taken)).sort()).toEqual(['.evalrc.json', 'suites/desk/suite.yaml']);

    // The prompt can be written, the suite cannot: a file stands where its folder would.
    const blocked = projectWith({ suites: 'in the way' });
    const { stderr, code } = await init(blocked, ['--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('nothing was left behind');
    expect(filesOf(blocked)).toEqual({ suites: 'in the way' });
    expect(readdirSync(blocked.folder)).toEqual(['suites']);

    const simulated = projectWith({ simulated: 'in the way' });
    expect(await init(simulated, ['--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^evalrun: .+simulated cannot be read \(ENOTDIR\); is it a folder\?\n$/),
    });
    expect(filesOf(simulated)).toEqual({ simulated: 'in the way' });
  });

  it('keeps what it wrote where the run cannot be kept, and says where runs could go', async () => {
    const project = projectWith({ file: '' });
    const { stderr, code } = await init(project, ['--yes'], {
      EVALRUN_LOGS: path.join(project.folder, 'file', 'logs'),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('EVALRUN_LOGS');
    expect((await project.run(['check'])).stdout).toContain('no mistakes');
  });

  it('keeps the permissions of the config', async () => {
    const project = projectWith({ '.evalrc.json': '{}' });
    const file = path.join(project.folder, '.evalrc.json');
    chmodSync(file, 0o640);
    await init(project, ['--yes', '--no-run']);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});
