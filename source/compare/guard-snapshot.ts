import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { normaliseText, readTextFile } from '../base/document.js';
import { InputError, type Problem } from '../base/errors.js';
import { contentHash, sha256 } from '../base/hash.js';
import { checkHash } from '../grade/check-hash.js';
import { checkCatalogue } from '../grade/registry.js';
import { type Project, readProject } from '../project/config.js';
import { shownPath } from '../project/paths.js';
import { gateSettings } from '../project/run-gate.js';
import { resolveRunSettings } from '../project/run-settings.js';
import { listSuites, readSuite } from '../suite/load.js';
import { promptOf } from '../suite/target.js';
import type { Suite } from '../suite/types.js';
import { parseBaseline } from './baseline-file.js';
import type { BaselineMeaning, GuardedPrompt, GuardSnapshot, RecordedBless, SuiteCriteria } from './guard.js';

/** A snapshot with what could not be read of it: nothing should be concluded about that. */
export interface ReadSnapshot {
  snapshot: GuardSnapshot;
  problems: Problem[];
}

/** Files that prompts are, where the config does not say. */
export const defaultPromptGlobs: readonly string[] = ['prompts/**'];

/** What a project in a folder tells its agents, and what it holds them against. */
export async function readGuardSnapshot(root: string): Promise<ReadSnapshot> {
  const { project, problems: config } = await readProject({ cwd: root, env: {} });
  const problems = [...config];
  const suites = new Map<string, SuiteCriteria>();
  const roles = new Map<string, string[]>();
  const addRole = (file: string, role: string) => {
    const shown = shownPath(project.root, path.resolve(project.root, file));
    roles.set(shown, [...(roles.get(shown) ?? []), role]);
  };
  for (const [name, { deployed, candidate }] of Object.entries(project.config.prompts)) {
    addRole(deployed, `prompt ${name}`);
    if (candidate !== undefined) addRole(candidate, `prompt ${name}`);
  }
  for (const name of await listSuites(project)) {
    const read = await readSuite(project, name, checkCatalogue);
    problems.push(...read.problems);
    if (!read.suite) continue;
    suites.set(name, await criteriaOf(project, read.suite));
    const prompt = promptOf(read.suite);
    if (prompt !== undefined && !Object.hasOwn(project.config.prompts, prompt))
      addRole(prompt, `suite ${name}`);
  }
  const { baselines, blesses } = await readBaselines(project, problems);
  const prompts = await readPrompts(project, roles);
  return { snapshot: { prompts, suites, gate: gateOf(project), baselines, blesses }, problems };
}

async function readPrompts(
  project: Project,
  roles: ReadonlyMap<string, string[]>,
): Promise<Map<string, GuardedPrompt>> {
  const globs = project.config.guard.prompts ?? defaultPromptGlobs;
  const found = await glob([...globs], { cwd: project.root, expandDirectories: false });
  const prompts = new Map<string, GuardedPrompt>();
  for (const file of [...new Set([...found, ...roles.keys()])].sort()) {
    const { text } = await readTextFile(path.resolve(project.root, file), file);
    if (text !== undefined)
      prompts.set(file, { hash: sha256(normaliseText(text)), roles: roles.get(file) ?? [] });
  }
  return prompts;
}

async function criteriaOf(project: Project, suite: Suite): Promise<SuiteCriteria> {
  const scenarios = new Map<string, Map<string, string>>();
  for (const scenario of suite.scenarios) {
    scenarios.set(
      scenario.id,
      new Map(scenario.checks.map((spec) => [spec.id, checkHash(spec, suite.folder)])),
    );
  }
  const { judge } = suite;
  if (!judge) return { scenarios };
  const model = project.config.models[judge.model] ?? judge.model;
  const textOf = async (...file: string[]) =>
    (await readTextFile(path.join(project.root, ...file), judge.prompt)).text;
  // A prompt that comes with evalrun is not changed by a commit of the project.
  const prompt = (await textOf('judges', `${judge.prompt}.md`)) ?? judge.prompt;
  const [provider = ''] = model.split(':', 1);
  const { api, baseURL } = project.config.providers[provider] ?? {};
  const answers =
    provider === 'simulated'
      ? await textOf('simulated', `${model.slice(provider.length + 1)}.yaml`)
      : [api, baseURL];
  return { scenarios, judge: contentHash({ model, answers, prompt, verdicts: judge.verdicts }) };
}

/** What a run's gate goes by where neither flags nor environment say otherwise, by setting. */
function gateOf({ config }: Project): Map<string, string> {
  const gate = gateSettings(resolveRunSettings({ flags: {}, env: {}, config }), config.gate);
  return new Map(
    Object.entries(gate).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.join(', ')
        : typeof value === 'object'
          ? `warn ${value.warn}, fail ${value.fail}`
          : String(value),
    ]),
  );
}

async function readBaselines(
  { root, config }: Project,
  problems: Problem[],
): Promise<Pick<GuardSnapshot, 'baselines' | 'blesses'>> {
  const baselines = new Map<string, Map<string, BaselineMeaning>>();
  const blesses: RecordedBless[] = [];
  const folder = path.resolve(root, config.baselines);
  const entries: string[] = await readdir(folder, { recursive: true }).catch(() => []);
  for (const entry of entries.filter((name) => name.endsWith('.yaml')).sort()) {
    const file = shownPath(root, path.join(folder, entry));
    const { text } = await readTextFile(path.join(folder, entry), file);
    if (text === undefined) continue;
    try {
      const { scenarios } = await parseBaseline(text, file);
      const expected = new Map<string, BaselineMeaning>();
      for (const [scenario, { checks, history = [] }] of Object.entries(scenarios)) {
        for (const [check, { verdict, hash }] of Object.entries(checks))
          expected.set(`${scenario}/${check}`, { verdict, hash });
        for (const entry of history) {
          if (entry.how !== 'blessed') continue;
          const { check, reason = '', prompt } = entry;
          const name = `${scenario}/${check}`;
          const key = contentHash([file, name, entry]);
          blesses.push({ file, name, reason, key, ...(prompt !== undefined && { prompt }) });
        }
      }
      baselines.set(file, expected);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  return { baselines, blesses };
}
