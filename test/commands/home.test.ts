import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type OpenHomeDesk, openHomeDesk } from '../../source/commands/shared/home/desk.js';
import { loadProject } from '../../source/project/config.js';
import type { RunSummary } from '../../source/run/summary.js';
import { runSummary } from '../report/history-support.js';
import { createIo } from './io.js';
import { runsOf, type TinyProject, tinyProject } from './support.js';

async function openDesk({ folder, logs }: TinyProject) {
  const env = { EVALRUN_LOGS: logs };
  const project = await loadProject({ cwd: folder, env });
  const never = async () => {
    throw new Error('nothing is run here');
  };
  return openHomeDesk(
    project,
    { ...createIo(folder).io, env },
    { lastSuite: undefined, start: never, resume: never, triage: never as never },
  );
}

/** What home finds in a project, once all of it is read. */
async function homeOf(project: TinyProject, desk?: OpenHomeDesk) {
  const home = desk ?? (await openDesk(project));
  await home.read();
  const facts = home.facts();
  if (!facts) throw new Error('nothing was read');
  return facts;
}

/** Runs of the suite as their summaries tell them. */
function keep({ logs }: TinyProject, summaries: readonly RunSummary[]): void {
  for (const summary of summaries) {
    const folder = path.join(logs, summary.suite, summary.runId);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'journal.jsonl'), '\n');
    writeFileSync(path.join(folder, 'summary.json'), JSON.stringify(summary));
  }
}

it('without a terminal the help is printed, as ever', async () => {
  const { stdout, code } = await tinyProject().run([]);
  expect(stdout).toContain('Usage: evalrun');
  expect(code).toBe(0);
});

it('knows what the usual run is, and whom it asks', async () => {
  const project = tinyProject();
  const { suites } = await homeOf(project);
  expect(suites.map(({ suite, usual }) => [suite, usual])).toEqual([
    ['greetings', { isCandidate: true, asks: [] }],
    ['slow', { isCandidate: true, asks: [] }],
    ['tiny', { isCandidate: true, asks: [] }],
  ]);
  const live = {
    project: 'tiny',
    models: { agent: 'openai:gpt-4o-mini' },
    prompts: { tiny: { deployed: 'prompts/tiny/v1.md' } },
  };
  writeFileSync(path.join(project.folder, '.evalrc.json'), JSON.stringify(live));
  const usual = (await homeOf(project)).suites.find(({ suite }) => suite === 'tiny')?.usual;
  expect(usual).toEqual({ isCandidate: false, asks: ['openai:gpt-4o-mini'] });
});

it('shouts about a quarantine that has ended and about scores that fall, before a mistake in another suite', async () => {
  const project = tinyProject();
  const entry =
    'scenario: refuses-late-refund\n  check: names-window\n  reason: flips\n  owner: me\n  since: 2026-01-01\n  until: 2026-01-05\n';
  writeFileSync(path.join(project.folder, 'suites/tiny/quarantine.yaml'), `- ${entry}  evidence: []\n`);
  writeFileSync(path.join(project.folder, 'suites/slow/suite.yaml'), 'target: [\n');
  keep(project, [
    ...Array.from({ length: 20 }, (_, day) => runSummary(day, day % 2 === 0 ? 95 : 94)),
    ...Array.from({ length: 10 }, (_, day) => runSummary(20 + day, 70)),
  ]);
  const { suites, matters } = await homeOf(project);
  expect(matters.map(({ suite, word }) => `${suite} ${word}`)).toEqual([
    'slow MISTAKE',
    'tiny EXPIRED',
    'tiny DRIFT',
    'tiny old',
  ]);
  const slow = suites.find(({ suite }) => suite === 'slow');
  expect(slow?.usual?.problem).toContain('suites/slow/suite.yaml');
  const tiny = suites.find(({ suite }) => suite === 'tiny');
  expect(tiny?.last?.runId).toBe(runSummary(29, 0).runId);
  expect(tiny?.series?.points).toHaveLength(30);
});

it('says which runs an earlier version summed up, until the triage has read them again', async () => {
  const project = tinyProject();
  await project.run(['run', 'tiny', '--seed', '1', '--repeat', '1']);
  const file = path.join(runsOf(project, 'tiny')[0] ?? '', 'summary.json');
  const { results: _, ...old } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(old));
  const desk = await openDesk(project);
  expect((await homeOf(project, desk)).matters).toMatchObject([
    {
      suite: 'tiny',
      kind: 'old',
      text: expect.stringMatching(/^1 run was summed up before flips were kept/),
    },
  ]);
  await project.run(['triage', 'tiny', '--plain']);
  expect((await homeOf(project, desk)).matters).toEqual([]);
});
