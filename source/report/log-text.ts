import { textForLocale } from '../base/ascii.js';
import { withoutCommands } from '../base/ci-commands.js';

/** Variables that CI engines set, one of which every engine does that takes lines of a log for commands. */
const engineVariables = ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

/** What a line for a person goes through before it is written: the locale, and in CI no line is a command. */
export function textForLog(env: NodeJS.ProcessEnv): (line: string) => string {
  const forLocale = textForLocale(env);
  const isCi = engineVariables.some((name) => (env[name] ?? '') !== '');
  return isCi ? (line) => withoutCommands(forLocale(line)) : forLocale;
}
