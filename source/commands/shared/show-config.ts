import { nearest } from '../../base/nearest.js';
import { fitToWidth, textWidth } from '../../base/width.js';
import type { ReadProject } from '../../project/config.js';
import { logsSetting } from '../../project/paths.js';
import {
  namesOfSetting,
  type RunSettings,
  resolveRunSettings,
  runSettingVariables,
} from '../../project/run-settings.js';
import type { Suite } from '../../suite/types.js';

interface Row {
  name: string;
  value: string;
  from: string;
}

const otherVariables = ['EVALRUN_LOGS', 'EVALRUN_SIMULATED_LATENCY'];

/**
 * The settings of a project as a table: name, value, and who gave it. A suite that overrides one has a row of its
 * own. Settings that make no sense are left out: they are among the mistakes.
 */
export function describeSettings(
  read: ReadProject,
  suites: readonly Suite[],
  env: NodeJS.ProcessEnv,
): string[] {
  const { project, given } = read;
  const { config } = project;
  const file = project.configFile ?? '';
  const fromConfig = (key: string) => (given.has(key) ? file : 'default');
  const rows: Row[] = [
    { name: 'root', value: project.root, from: file === '' ? 'no .evalrc.json above this folder' : file },
    { name: 'project', value: config.project, from: given.has('project') ? file : 'name of the folder' },
    { name: 'suites', value: config.suites, from: fromConfig('suites') },
    { name: 'simulated', value: config.simulated, from: fromConfig('simulated') },
    ...logsRow(read, env),
    ...Object.entries(config.models).map(([name, value]) => ({ name: `models.${name}`, value, from: file })),
    ...Object.entries(config.prompts).flatMap(([name, { deployed, candidate }]) => [
      { name: `prompts.${name}.deployed`, value: deployed, from: file },
      ...(candidate === undefined
        ? []
        : [{ name: `prompts.${name}.candidate`, value: candidate, from: file }]),
    ]),
    ...runRows(read, suites, env),
  ];
  return [...table(rows), ...strayVariables(env)];
}

function logsRow({ project }: ReadProject, env: NodeJS.ProcessEnv): Row[] {
  const { value, from } = logsSetting(project, env);
  const origin = {
    environment: 'environment EVALRUN_LOGS',
    config: project.configFile ?? '',
    default: "default (the user's data folder)",
  }[from];
  return [{ name: 'logs', value, from: origin }];
}

function runRows({ project }: ReadProject, suites: readonly Suite[], env: NodeJS.ProcessEnv): Row[] {
  const { config } = project;
  try {
    const settings = resolveRunSettings({ flags: {}, env, config });
    const rows = settingRows(settings, '', project.configFile ?? '');
    const overridden = suites.flatMap((suite) => {
      const own = resolveRunSettings({ flags: {}, env, config, suite });
      return own.repeat.from === 'suite'
        ? [{ name: `repeat in ${suite.name}`, value: String(own.repeat.value), from: suite.place.file }]
        : [];
    });
    return [...rows, ...overridden];
  } catch {
    return [];
  }
}

function settingRows(settings: RunSettings, suiteFile: string, configFile: string): Row[] {
  return (Object.keys(settings) as (keyof RunSettings)[]).map((name) => {
    const { value, from } = settings[name];
    const { flag, variable } = namesOfSetting(name);
    const origins = {
      flag: `flag ${flag}`,
      environment: `environment ${variable}`,
      suite: suiteFile,
      config: configFile,
      default: 'default',
    };
    return { name, value: value === undefined ? 'made up by each run' : String(value), from: origins[from] };
  });
}

function table(rows: readonly Row[]): string[] {
  const widest = (part: (row: Row) => string) => Math.max(...rows.map((row) => textWidth(part(row))));
  const names = widest(({ name }) => name);
  const values = widest(({ value }) => value);
  return rows.map(
    ({ name, value, from }) => `${fitToWidth(name, names)}  ${fitToWidth(value, values)}  ${from}`,
  );
}

/** Variables that were probably meant for evalrun and set nothing. */
function strayVariables(env: NodeJS.ProcessEnv): string[] {
  const known = [...runSettingVariables, ...otherVariables];
  return Object.keys(env)
    .filter((name) => name.startsWith('EVALRUN_') && !known.includes(name))
    .sort()
    .flatMap((name) => {
      const near = nearest(name, known);
      return near === undefined ? [] : [`note: ${name} sets nothing; did you mean ${near}?`];
    });
}
