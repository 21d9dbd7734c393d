import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../source/base/hash.js';
import { loadProject, type Project } from '../../source/project/config.js';
import { gitFacts, gitFileFacts } from '../../source/project/git.js';
import { loadPrompt } from '../../source/project/prompts.js';
import { createFolder, type Files } from '../suite/project.js';

const config = {
  prompts: { support: { deployed: 'prompts/support/v14.md', candidate: 'prompts/support/v15.md' } },
};

async function project(files: Files = {}, cwd = '.'): Promise<Project> {
  const root = await createFolder({
    '.evalrc.json': JSON.stringify(config),
    'prompts/support/v14.md': 'old\n',
    'prompts/support/v15.md': 'new\n',
    'prompts/support/v9.txt': 'older\n',
    ...files,
  });
  return loadProject({ cwd: join(root, cwd), env: {} });
}

function git(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
}

describe('a version of a prompt', () => {
  test.each([
    [undefined, 'v14', 'old\n'],
    ['deployed', 'v14', 'old\n'],
    ['candidate', 'v15', 'new\n'],
    ['v15', 'v15', 'new\n'],
    ['v9.txt', 'v9', 'older\n'],
    ['prompts/support/v15.md', 'v15', 'new\n'],
    ['./prompts/support/v15.md', 'v15', 'new\n'],
  ])('wanted as %j is %s', async (wanted, name, text) => {
    const prompt = await loadPrompt(await project(), 'support', wanted);
    expect(prompt).toMatchObject({ name, text, sha256: sha256(text), dirty: false });
    expect(prompt.path).toMatch(/^prompts\/support\/v\d+\.(md|txt)$/);
    expect(prompt).not.toHaveProperty('commit');
  });

  test('may be given as a path in place of a name, from the root wherever the command is called', async () => {
    const made = await project({ 'prompts/prompts/support/v15.md': 'decoy' }, 'prompts');
    for (const file of ['prompts/support/v15.md', join(made.root, 'prompts/support/v15.md')]) {
      expect((await loadPrompt(made, file)).path).toBe('prompts/support/v15.md');
    }
    expect((await loadPrompt(made, 'prompts/support/v14.md', 'v15')).name).toBe('v15');
  });

  test('that a flag wants by path starts at the folder of the call, else at the root', async () => {
    const made = await project({ 'prompts/prompts/support/v14.md': 'nearer' }, 'prompts');
    const wanted = async (file: string) => (await loadPrompt(made, 'support', file)).path;
    expect(await wanted('support/v15.md')).toBe('prompts/support/v15.md');
    expect(await wanted('prompts/support/v15.md')).toBe('prompts/support/v15.md');
    expect(await wanted('prompts/support/v14.md')).toBe('prompts/prompts/support/v14.md');
  });

  test('is the same text and the same hash whatever the line ends of the checkout', async () => {
    const made = await project({ 'prompts/support/v15.md': '\ufeffnew\r\n' });
    expect(await loadPrompt(made, 'support', 'candidate')).toMatchObject({
      text: 'new\n',
      sha256: sha256('new\n'),
    });
  });

  test.each([
    [
      'suport',
      undefined,
      'there is no prompt "suport", neither in "prompts" of .evalrc.json nor as a file; did you mean "support"?',
    ],
    ['support', 'v16', 'there is no prompt "v16"; in prompts/support there are v14.md, v15.md and v9.txt'],
    [
      'support',
      'prompts/support/v16.md',
      /there is no prompt "prompts\/support\/v16\.md"; in prompts\/support there are/,
    ],
    [
      'support',
      'final',
      'there is no prompt "final"; in prompts/support there are v14.md, v15.md and v9.txt',
    ],
    ['support', 'old/final.md', /there is no prompt "old\/final\.md"; there is no folder old$/],
    ['prompts/support/v14.md', 'candidate', /no candidate is named for prompt "prompts\/support\/v14\.md"/],
    ['support', 'HEAD:prompts/support/v14.md', /git has no file "prompts\/support\/v14\.md" at "HEAD"/],
  ])('%s as %j that is not there names what is', async (name, wanted, expected) => {
    await expect(loadPrompt(await project(), name, wanted)).rejects.toThrow(expected);
  });

  test('that the config names and that is not there names the path that was looked at', async () => {
    const made = await project();
    await rm(join(made.root, 'prompts/support/v14.md'));
    await expect(loadPrompt(made, 'support')).rejects.toThrow(
      'prompt "support": there is no file prompts/support/v14.md; in prompts/support there are v15.md and v9.txt',
    );
  });

  test('of which there are many is answered with the nearest alone', async () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => [`prompts/support/draft-${index}.md`, 'x'] as const,
    );
    await expect(loadPrompt(await project(Object.fromEntries(many)), 'support', 'darft-7')).rejects.toThrow(
      'there is no prompt "darft-7"; did you mean draft-7.md?',
    );
  });

  test('that is empty or not UTF-8 is a mistake', async () => {
    const made = await project({
      'prompts/support/v14.md': ' \n',
      'prompts/support/v15.md': Buffer.from([0x61, 0xff]),
    });
    await expect(loadPrompt(made, 'support')).rejects.toThrow('prompts/support/v14.md: the prompt is empty');
    await expect(loadPrompt(made, 'support', 'candidate')).rejects.toThrow(
      'prompts/support/v15.md:1:2: the file is not UTF-8: byte 0xFF at offset 1',
    );
  });
});

describe('in git', () => {
  test('a prompt knows the commit that changed it last, and whether it differs from that', async () => {
    const made = await project();
    const { root } = made;
    git(root, 'init', '-q', '-b', 'main');
    expect(await gitFacts(root)).toBeUndefined();
    expect(await loadPrompt(made, 'support')).toMatchObject({ dirty: true });

    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'First');
    const first = git(root, 'rev-parse', 'HEAD');
    await writeFile(join(root, 'prompts/support/v15.md'), 'newer\n');
    expect(await loadPrompt(made, 'support', 'candidate')).toMatchObject({ commit: first, dirty: true });
    git(root, 'commit', '-qam', 'Second');
    const second = git(root, 'rev-parse', 'HEAD');
    expect(await loadPrompt(made, 'support', 'candidate')).toMatchObject({ commit: second, dirty: false });
    expect(await loadPrompt(made, 'support')).toMatchObject({ commit: first, dirty: false });

    const old = await loadPrompt(made, 'support', 'HEAD~1:prompts/support/v15.md');
    expect(old).toEqual({
      name: 'v15@HEAD~1',
      path: 'prompts/support/v15.md',
      text: 'new\n',
      sha256: sha256('new\n'),
      commit: first,
      dirty: false,
    });
    await expect(loadPrompt(made, 'support', 'nobody:prompts/support/v15.md')).rejects.toThrow(
      'git has no file',
    );
  });

  test('a tree knows its commit, its branch and whether anything differs', async () => {
    const { root } = await project();
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'First');
    const commit = git(root, 'rev-parse', 'HEAD');
    expect(await gitFacts(root)).toEqual({ commit, branch: 'main', dirty: false });
    await writeFile(join(root, 'new.txt'), '');
    expect(await gitFacts(root)).toEqual({ commit, branch: 'main', dirty: true });
    expect(await gitFileFacts(root, 'new.txt')).toEqual({ dirty: true });
    git(root, 'checkout', '-q', '--detach');
    expect(await gitFacts(root)).toEqual({ commit, dirty: true });
  });

  test('a project below the top of its tree reads old versions from its own root', async () => {
    const root = await createFolder({
      'app/.evalrc.json': JSON.stringify(config),
      'app/prompts/support/v14.md': 'old\n',
    });
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'First');
    const made = await loadProject({ cwd: join(root, 'app'), env: {} });
    expect((await loadPrompt(made, 'support', 'main:prompts/support/v14.md')).text).toBe('old\n');
  });

  test('without a tree nothing is known', async () => {
    const { root } = await project();
    expect(await gitFacts(root)).toBeUndefined();
    expect(await gitFileFacts(root, 'prompts/support/v14.md')).toBeUndefined();
  });
});
