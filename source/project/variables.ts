import { nearest, suggest } from '../base/nearest.js';
import { listed, quote } from '../base/quote.js';
import { wrapToWidth } from '../base/width.js';
import { runSettingVariables } from './run-settings.js';
import { isThemeName, themeNames } from './settings.js';

/** Variables that a person sets and that are no setting of a run. */
export const otherVariables = {
  logs: 'EVALRUN_LOGS',
  simulatedLatency: 'EVALRUN_SIMULATED_LATENCY',
  plainWriter: 'EVALRUN_PLAIN_WRITER',
  theme: 'EVALRUN_THEME',
} as const;

const settingLines = wrapToWidth(runSettingVariables.join(', '), 51).map((line) =>
  line.padStart(line.length + 29),
);

/** What the help says of variables, in lines of at most 80 cells. */
export const variablesHelp = `
Environment:
  ANTHROPIC_API_KEY          key for models of anthropic:
  OPENAI_API_KEY             key for models of openai: and openai-responses:
                             (other providers: the variable that "keyEnv" names)
  EVALRUN_LOGS               folder that runs are kept in
  EVALRUN_SIMULATED_LATENCY  factor on the waiting of simulated models; 0: none
  EVALRUN_PLAIN_WRITER       when set: whole frames, for terminals that show less
  EVALRUN_THEME              dark, light or none; "evalrun config" keeps one
  settings of a run          weaker than flags, stronger than files:
${settingLines.join('\n')}
  CI                         when set: lines instead of the screen
  NO_COLOR                   when set: no colour`;

/** What evalrun tells the commands that it starts: set where one of them starts evalrun in turn. */
const toldToCommands = [
  'EVALRUN_PROMPT',
  'EVALRUN_PROMPT_FILE',
  'EVALRUN_TOOL',
  'EVALRUN_ACCOUNT',
  'EVALRUN_SCENARIO',
  'EVALRUN_TENANT',
];

/** Every variable that says something to evalrun. */
export const knownVariables: readonly string[] = [...runSettingVariables, ...Object.values(otherVariables)];

/** A sentence about each variable that was probably meant for evalrun and sets nothing, sorted by name; last about a theme that is none. */
export function findStrayVariables(env: NodeJS.ProcessEnv): string[] {
  const known = [...knownVariables, ...toldToCommands];
  const theme = env[otherVariables.theme];
  const noTheme =
    theme === undefined || theme === '' || isThemeName(theme)
      ? []
      : [
          `${otherVariables.theme} sets nothing: ${quote(theme)} is no theme; ${suggest(theme, themeNames, 'themes')}`,
        ];
  const strays = Object.keys(env)
    .filter((name) => /^EVALRUN_/i.test(name) && !known.includes(name))
    .sort()
    .map((name) => {
      const near = nearest(name, known);
      const hint = near === undefined ? `variables are ${listed(knownVariables)}` : `did you mean ${near}?`;
      return `${name} sets nothing; ${hint}`;
    });
  return [...strays, ...noTheme];
}
