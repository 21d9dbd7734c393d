import path from 'node:path';
import { addToConfig, type ConfigEntry } from '../../../project/config-edit.js';
import {
  commandSuite,
  httpSuite,
  keepsInstructions,
  moduleSuite,
  promptSuite,
  remembersTheName,
  samplePrompt,
  saysHello,
  simulatedModel,
  simulatedSuite,
} from './texts.js';

/** What is to be tested. Paths are relative to the root of the project, with slashes. */
export type Product =
  | { kind: 'prompt' }
  | { kind: 'http'; baseURL: string; path: string }
  | { kind: 'command'; command: string[] }
  | { kind: 'module'; file: string };

/** What a person has chosen. */
export interface Choice {
  /** A name of a suite that the project does not have. */
  suite: string;
  product: Product;
  /** The prompt: one of the project, with its text, or none yet. */
  prompt: { path: string; text: string } | undefined;
  /** A suite of the same conversations on the simulated model, where the product is not a prompt. */
  isWithSimulated: boolean;
}

/** What of the project a scaffold has to fit into. */
export interface Surroundings {
  projectName: string;
  folders: { suites: string; simulated: string };
  models: Readonly<Record<string, string>>;
  /** By name, the path of what is deployed. */
  prompts: Readonly<Record<string, string>>;
  /** The text of `.evalrc.json`; undefined where there is none. */
  config: string | undefined;
  /** Folder of the JSON schemas, from the root; undefined where the project has them at no place that stays. */
  schemas: string | undefined;
}

export interface PlannedFile {
  /** From the root, with slashes. */
  path: string;
  text: string;
}

export interface Scaffold {
  /** New files. */
  files: PlannedFile[];
  /** The config as it is to be; undefined: as it is. */
  config: { text: string; isNew: boolean } | undefined;
  /** Files that are used as they are. */
  left: string[];
  /** The suite that runs without a key; undefined where none was wanted. */
  simulated: string | undefined;
  suites: string[];
  /** Name of the model in the config that stands for the agent. */
  model: string;
}

/** Everything that `evalrun init` writes, for one choice. Pure: what of it can be written is found when it is. */
export function planScaffold(choice: Choice, around: Surroundings): Scaffold {
  const { suite, product, isWithSimulated } = choice;
  const { suites, simulated } = around.folders;
  const isPrompt = product.kind === 'prompt';
  const needsModel = isPrompt || isWithSimulated;
  const prompt = choice.prompt ?? { path: `prompts/${suite}/v1.md`, text: samplePrompt };
  const isPromptNew = choice.prompt === undefined;
  const needsPrompt = needsModel || choice.prompt !== undefined;
  const promptName = nameOfPrompt(prompt.path, suite, around.prompts);
  const model = nameOfModel(suite, around.models);
  const ownFolder = `${suites}/${suite}`;
  const names = { suite, prompt: promptName, model };
  const head = (folder: string, schema: string) => schemaLine(around.schemas, folder, schema);

  const files: PlannedFile[] = [];
  const add = (file: string, schema: string | undefined, text: string) =>
    files.push({
      path: file,
      text: schema === undefined ? text : head(path.posix.dirname(file), schema) + text,
    });
  if (needsPrompt && isPromptNew) add(prompt.path, undefined, prompt.text);
  add(`${ownFolder}/suite.yaml`, 'suite', ownSuite(choice, names, ownFolder));
  add(`${ownFolder}/scenarios/says-hello.yaml`, 'scenario', saysHello);
  add(`${ownFolder}/scenarios/remembers-the-name.yaml`, 'scenario', remembersTheName);
  add(
    `${ownFolder}/scenarios/keeps-its-instructions.yaml`,
    'scenario',
    keepsInstructions(isPrompt || choice.prompt ? firstPhrase(prompt.text) : undefined),
  );
  const simulatedName = isPrompt ? suite : `${suite}-simulated`;
  if (!isPrompt && isWithSimulated)
    add(
      `${suites}/${simulatedName}/suite.yaml`,
      'suite',
      simulatedSuite({ ...names, simulated: simulatedName }),
    );
  if (needsModel) add(`${simulated}/${suite}.yaml`, 'simulated', simulatedModel(suite));

  return {
    files,
    config: planConfig(around, [
      ...(needsModel ? [{ section: 'models', key: model, value: `simulated:${suite}` }] : []),
      ...(needsPrompt && around.prompts[promptName] === undefined
        ? [{ section: 'prompts', key: promptName, value: { deployed: prompt.path } }]
        : []),
    ]),
    left: isPromptNew ? [] : [prompt.path],
    simulated: needsModel ? simulatedName : undefined,
    suites: !isPrompt && isWithSimulated ? [simulatedName, suite] : [suite],
    model,
  };
}

function ownSuite(
  { product, prompt }: Choice,
  names: { suite: string; prompt: string; model: string },
  folder: string,
): string {
  const toRoot = path.posix.relative(`/${folder}`, '/');
  const promptName = prompt && names.prompt;
  switch (product.kind) {
    case 'prompt':
      return promptSuite(names);
    case 'http':
      return httpSuite(names.suite, product, promptName);
    case 'command':
      return commandSuite(names.suite, product.command, toRoot, promptName);
    case 'module':
      return moduleSuite(names.suite, path.posix.join(toRoot, product.file), promptName);
  }
}

function planConfig(
  { config, projectName, schemas }: Surroundings,
  entries: readonly ConfigEntry[],
): Scaffold['config'] {
  if (config !== undefined)
    return entries.length === 0 ? undefined : { text: addToConfig(config, entries), isNew: false };
  const first = {
    ...(schemas !== undefined && { $schema: `./${schemas}/config.json` }),
    project: projectName,
  };
  return { text: addToConfig(`${JSON.stringify(first, null, 2)}\n`, entries), isNew: true };
}

/** A prompt that the config names already keeps its name. */
function nameOfPrompt(file: string, suite: string, known: Surroundings['prompts']): string {
  const named = Object.entries(known).find(([, deployed]) => path.posix.normalize(deployed) === file);
  return named?.[0] ?? free(suite, (name) => Object.hasOwn(known, name));
}

/** `agent` where the project has no model of that name; what it has stays. */
function nameOfModel(suite: string, known: Surroundings['models']): string {
  return Object.hasOwn(known, 'agent') ? free(suite, (name) => Object.hasOwn(known, name)) : 'agent';
}

/** The name, or the first `name-2`, `name-3`, … that is not taken. */
export function free(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function schemaLine(schemas: string | undefined, folder: string, name: string): string {
  if (schemas === undefined) return '';
  return `# yaml-language-server: $schema=${path.posix.relative(folder, schemas)}/${name}.json\n`;
}

/** Words of a prompt that nobody says by chance: six to ten of its first long line; undefined where there is none. */
export function firstPhrase(prompt: string): string | undefined {
  for (const line of prompt.split('\n')) {
    const words = /[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+){5,9}/u.exec(line)?.[0];
    if (words !== undefined) return words;
  }
  return undefined;
}

/** A name for a suite, of letters, digits and hyphens; undefined where nothing is left of the text. */
export function suiteNameOf(text: string): string | undefined {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? undefined : name;
}
