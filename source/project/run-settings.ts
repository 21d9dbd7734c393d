import { InputError, type Problem } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import type { WrittenConfig } from './config-schema.js';
import { defaultGate, type FailOn, failOnNames } from './gate-settings.js';
import { looksLikeSecret, redactSecrets } from './secrets.js';

/** Who gave a setting its value, strongest first. `config` is `.evalrc.json`. */
export type SettingSource = 'flag' | 'environment' | 'suite' | 'config' | 'default';

export interface Setting<T> {
  value: T;
  from: SettingSource;
}

/** How a run is made, whatever is tested. */
export interface RunSettings {
  /** Trials of every scenario under every condition, at least 1. */
  repeat: Setting<number>;
  /** Trials in flight at once, at least 1. */
  concurrency: Setting<number>;
  /** Hard limit of one trial's conversation, in seconds. */
  trialTimeoutSeconds: Setting<number>;
  /** How often a trial that could not be run is tried in all, at least 1. */
  attempts: Setting<number>;
  /** Share of trials, 0 to 1, that must have been run and graded for a verdict to be possible. */
  minCoverage: Setting<number>;
  /** What fails the gate. */
  failOn: Setting<FailOn[]>;
  /** Suspects are re-run before anything goes red. */
  confirm: Setting<boolean>;
  /** Seed of all draws; undefined: the run makes one up. */
  seed: Setting<string | undefined>;
}

type SettingName = keyof RunSettings;

/** Values as they come: flags and environment variables are texts. */
export type RawRunSettings = { [name in SettingName]?: string | number | undefined };

interface SettingRule<T> {
  flag: string;
  variable: string;
  fallback: T;
  /** What would be right, for the message. */
  wanted: string;
  parse(raw: string | number): T | undefined;
  /** What else the message about a value that makes no sense says. */
  hint?(raw: string | number): string;
}

function isFailOn(name: string): name is FailOn {
  return failOnNames.some((known) => known === name);
}

/** Decimal numbers only: `0x10` and `1e3` are typing mistakes more often than meant. */
function parseNumber(raw: string | number): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined;
  return /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : undefined;
}

function wholeNumber(least: number, most: number): Pick<SettingRule<number>, 'wanted' | 'parse'> {
  return {
    wanted: `a whole number from ${least} to ${most}`,
    parse(raw) {
      const value = parseNumber(raw);
      return value !== undefined && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined;
    },
  };
}

const rules: { [name in SettingName]: SettingRule<RunSettings[name]['value']> } = {
  repeat: { flag: '--repeat', variable: 'EVALRUN_REPEAT', fallback: 3, ...wholeNumber(1, 1000) },
  concurrency: {
    flag: '--concurrency',
    variable: 'EVALRUN_CONCURRENCY',
    fallback: 8,
    ...wholeNumber(1, 1000),
  },
  trialTimeoutSeconds: {
    flag: '--trial-timeout',
    variable: 'EVALRUN_TRIAL_TIMEOUT_SECONDS',
    fallback: 180,
    wanted: 'a number of seconds above 0, at most 86400',
    parse(raw) {
      const value = parseNumber(raw);
      return value !== undefined && value > 0 && value <= 86_400 ? value : undefined;
    },
  },
  attempts: { flag: '--attempts', variable: 'EVALRUN_ATTEMPTS', fallback: 4, ...wholeNumber(1, 100) },
  minCoverage: {
    flag: '--min-coverage',
    variable: 'EVALRUN_MIN_COVERAGE',
    fallback: defaultGate.minCoverage,
    wanted: 'a share from 0 to 1',
    parse(raw) {
      const value = parseNumber(raw);
      return value !== undefined && value <= 1 && value >= 0 ? value : undefined;
    },
  },
  failOn: {
    flag: '--fail-on',
    variable: 'EVALRUN_FAIL_ON',
    fallback: defaultGate.failOn,
    wanted: `a list of ${failOnNames.join(', ')}, as in "hard-criteria,score-drop"`,
    parse(raw) {
      const names = String(raw)
        .split(',')
        .map((name) => name.trim());
      return names.every(isFailOn) ? [...new Set(names)] : undefined;
    },
    hint(raw) {
      const strange = String(raw)
        .split(',')
        .map((name) => name.trim())
        .find((name) => !isFailOn(name));
      const near = strange === undefined ? undefined : nearest(strange, failOnNames);
      return near === undefined ? '' : `; did you mean ${quote(near)}?`;
    },
  },
  confirm: {
    flag: '--no-confirm',
    variable: 'EVALRUN_CONFIRM',
    fallback: defaultGate.confirm,
    wanted: 'true or false',
    parse(raw) {
      const word = String(raw).trim();
      return word === 'true' ? true : word === 'false' ? false : undefined;
    },
  },
  seed: {
    flag: '--seed',
    variable: 'EVALRUN_SEED',
    fallback: undefined,
    wanted: 'a text that is not empty, and no key: it is kept with the run',
    parse(raw) {
      const seed = String(raw).trim();
      return seed === '' || looksLikeSecret(seed) ? undefined : seed;
    },
  },
};

/** Environment variables that set something of a run, for messages and help. */
export const runSettingVariables: readonly string[] = Object.values(rules).map((rule) => rule.variable);

/** The flag and the variable of a setting. */
export function namesOfSetting(name: SettingName): { flag: string; variable: string } {
  return { flag: rules[name].flag, variable: rules[name].variable };
}

/** Everything that may have an opinion, as plain values. */
export interface RunSettingSources {
  /** Not validated: texts as the command line gave them are fine. */
  flags: RawRunSettings;
  env: NodeJS.ProcessEnv;
  /** What suite.yaml says, already validated. */
  suite?: { repeat?: number | undefined } | undefined;
  /** What `.evalrc.json` says, already validated. */
  config: Partial<Pick<WrittenConfig, 'run' | 'gate'>>;
}

/**
 * The value of every setting and who gave it: flag, then environment, then suite, then `.evalrc.json`, then
 * default. An environment variable that is set to nothing counts as not set.
 * Throws InputError with every flag and variable that makes no sense, also where a stronger one wins.
 */
export function resolveRunSettings(sources: RunSettingSources): RunSettings {
  const problems: Problem[] = [];
  const { run, gate } = sources.config;
  const written: RawRunSettings = {
    ...run,
    minCoverage: gate?.minCoverage,
    failOn: gate?.failOn?.join(','),
    ...(gate?.confirm !== undefined && { confirm: String(gate.confirm) }),
  };

  function resolve<N extends SettingName>(name: N): RunSettings[N] {
    const rule: SettingRule<RunSettings[N]['value']> = rules[name];
    const read = (raw: string | number | undefined, where: string) => {
      if (raw === undefined) return undefined;
      const value = rule.parse(raw);
      if (value === undefined) {
        problems.push({
          file: where,
          line: 0,
          column: 0,
          message: `expected ${rule.wanted}, found ${redactSecrets(JSON.stringify(raw))}${rule.hint?.(raw) ?? ''}`,
        });
      }
      return value;
    };
    const variable = sources.env[rule.variable];
    const candidates: [SettingSource, RunSettings[N]['value']][] = [
      ['flag', read(sources.flags[name], rule.flag)],
      ['environment', read(variable === '' ? undefined : variable, rule.variable)],
      ['suite', name === 'repeat' ? read(sources.suite?.repeat, 'suite') : undefined],
      ['config', read(written[name], '.evalrc.json')],
      ['default', rule.fallback],
    ];
    const [from, value] = candidates.find(([, candidate]) => candidate !== undefined) ?? [
      'default',
      rule.fallback,
    ];
    return { value, from } as RunSettings[N];
  }

  const settings: RunSettings = {
    repeat: resolve('repeat'),
    concurrency: resolve('concurrency'),
    trialTimeoutSeconds: resolve('trialTimeoutSeconds'),
    attempts: resolve('attempts'),
    minCoverage: resolve('minCoverage'),
    failOn: resolve('failOn'),
    confirm: resolve('confirm'),
    seed: resolve('seed'),
  };
  if (problems.length > 0) throw new InputError(problems);
  return settings;
}
