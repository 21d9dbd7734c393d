import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bisectProject, guiltyHunk } from './bisect-project.js';
import { runsOf, type TinyProject } from './support.js';

/** A bisect of which some trials are run, and nothing is found yet. */
async function halfway(): Promise<TinyProject> {
  const project = bisectProject();
  const watched = ['--check', 'refuses-late-refund/names-window'];
  const { code } = await project.run(['bisect', 'tiny', ...watched, '--seed', '1', '--budget', '7']);
  expect(code).toBe(3);
  return project;
}

const goOn = ['bisect', '--resume', 'last', '--budget', '60'];

function change({ folder }: TinyProject, file: string, edit: (text: string) => string): void {
  const place = path.join(folder, file);
  const text = readFileSync(place, 'utf8');
  expect(edit(text)).not.toBe(text);
  writeFileSync(place, edit(text));
}

describe('a bisect that is resumed', () => {
  it.each([
    ['changed', (project: TinyProject) => change(project, 'prompts/tiny/v4.md', () => 'Something else.\n')],
    ['is gone', ({ folder }: TinyProject) => rmSync(path.join(folder, 'prompts/tiny/v4.md'))],
  ])('goes on although a file of its prompts %s: both texts stand in its journal', async (_, touch) => {
    const project = await halfway();
    touch(project);
    const { code, stdout, stderr } = await project.run(goOn);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`FOUND: hunk ${guiltyHunk} of 5`);
  });

  it.each([
    [
      'scenario',
      'suites/tiny/scenarios.yaml',
      ['Are you sure?', 'Really?'],
      'scenario refuses-late-refund: it changed',
    ],
    [
      'suite',
      'suites/tiny/suite.yaml',
      ['model: agent', 'model: agent\n  settings: {maxTokens: 7}'],
      'its tools, settings or limits changed',
    ],
    [
      'model',
      'simulated/tiny.yaml',
      ['Only within 30 days', 'Within 30 days only'],
      'the file of simulated:tiny changed',
    ],
  ] as const)(
    'refuses to go on with another %s, and leaves the journal alone',
    async (_, file, [old, fresh], why) => {
      const project = await halfway();
      const [run = ''] = runsOf(project, 'tiny');
      const journal = readFileSync(path.join(run, 'journal.jsonl'));
      change(project, file, (text) => text.replace(old, fresh));
      const { code, stderr } = await project.run(goOn);
      expect(code).not.toBe(0);
      expect(stderr).toContain('cannot go on, for what it tests has changed since');
      expect(stderr).toContain(why);
      expect(readFileSync(path.join(run, 'journal.jsonl')).equals(journal)).toBe(true);
    },
  );
});
