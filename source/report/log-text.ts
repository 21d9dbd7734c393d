import { textForLocale } from '../base/ascii.js';

/**
 * CI engines obey lines of a log: GitHub Actions one that begins with `::name` after any spaces, and `##[name]`
 * anywhere; Azure Pipelines `##vso[name]` anywhere; TeamCity `##teamcity[name]`.
 */
const commandWithin = /##(?=\[|vso\[|teamcity\[)/gi;
const commandAtStart = /^(\s*):(?=:)/;

/** A line of a log that no CI engine takes for a command to it. A space is put in, so that it can be read all the same. */
export function withoutCommands(line: string): string {
  if (!line.includes('::') && !line.includes('##')) return line;
  return line.replace(commandAtStart, '$1: ').replace(commandWithin, '# #');
}

/** Variables that CI engines set, one of which every engine does that takes lines of a log for commands. */
const engineVariables = ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

/** What a line for a person goes through before it is written: the locale, and in CI no line is a command. */
export function textForLog(env: NodeJS.ProcessEnv): (line: string) => string {
  const forLocale = textForLocale(env);
  const isCi = engineVariables.some((name) => (env[name] ?? '') !== '');
  return isCi ? (line) => withoutCommands(forLocale(line)) : forLocale;
}
