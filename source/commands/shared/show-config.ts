import { fitToWidth, textWidth } from '../../base/width.js';
import type { ReadProject } from '../../project/config.js';
import { logsSetting } from '../../project/paths.js';
import { namesOfSetting, type RunSettings, resolveRunSettings } from '../../project/run-settings.js';
import { otherVariables } from '../../project/variables.js';
import type { Suite } from '../../suite/types.js';

export interface SettingRow {
  name: string;
  value: string;
  from: string;
  /** The environment variable that would set it. */
  variable?: string;
}

/**
 * The settings of a project as a table: name, value, who gave it, and the variable that sets it. A suite that overrides one has a row of its
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
  const rows: SettingRow[] = [
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
    variableRow('simulated latency', otherVariables.simulatedLatency, '1', env),
    variableRow('plain writer', otherVariables.plainWriter, 'off', env),
  ];
  return settingTable(rows);
}

function logsRow({ project }: ReadProject, env: NodeJS.ProcessEnv): SettingRow[] {
  const { value, from } = logsSetting(project, env);
  const origin = {
    environment: 'environment',
    config: project.configFile ?? '',
    default: "default (the user's data folder)",
  }[from];
  return [{ name: 'logs', value, from: origin, variable: otherVariables.logs }];
}

/** What nothing but a variable sets. */
function variableRow(name: string, variable: string, fallback: string, env: NodeJS.ProcessEnv): SettingRow {
  const value = env[variable];
  return value === undefined || value === ''
    ? { name, value: fallback, from: 'default', variable }
    : { name, value, from: 'environment', variable };
}

function runRows({ project }: ReadProject, suites: readonly Suite[], env: NodeJS.ProcessEnv): SettingRow[] {
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

function settingRows(settings: RunSettings, suiteFile: string, configFile: string): SettingRow[] {
  return (Object.keys(settings) as (keyof RunSettings)[]).map((name) => {
    const { value, from } = settings[name];
    const { flag, variable } = namesOfSetting(name);
    const origins = {
      flag: `flag ${flag}`,
      environment: 'environment',
      suite: suiteFile,
      config: configFile,
      default: 'default',
    };
    const shown = value === undefined ? 'made up by each run' : String(value);
    return { name, value: shown, from: origins[from], variable };
  });
}

/** Name, value, who gave it, and the variable that would set it, in columns. */
export function settingTable(rows: readonly SettingRow[]): string[] {
  const widest = (part: (row: SettingRow) => string) => Math.max(...rows.map((row) => textWidth(part(row))));
  const names = widest(({ name }) => name);
  const values = widest(({ value }) => value);
  const origins = widest(({ from }) => from);
  return rows.map(({ name, value, from, variable }) => {
    const origin = variable === undefined ? from : `${fitToWidth(from, origins)}  ${variable}`;
    return `${fitToWidth(name, names)}  ${fitToWidth(value, values)}  ${origin}`;
  });
}
