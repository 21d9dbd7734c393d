import { nearest } from '../base/nearest.js';
import { listed } from '../base/quote.js';
import { runSettingVariables } from './run-settings.js';

/** Variables that a person sets and that are no setting of a run. */
export const otherVariables = {
  logs: 'EVALRUN_LOGS',
  simulatedLatency: 'EVALRUN_SIMULATED_LATENCY',
  plainWriter: 'EVALRUN_PLAIN_WRITER',
} as const;

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

/** A sentence about each variable that was probably meant for evalrun and sets nothing, sorted by name. */
export function findStrayVariables(env: NodeJS.ProcessEnv): string[] {
  const known = [...knownVariables, ...toldToCommands];
  return Object.keys(env)
    .filter((name) => /^EVALRUN_/i.test(name) && !known.includes(name))
    .sort()
    .map((name) => {
      const near = nearest(name, known);
      const hint = near === undefined ? `variables are ${listed(knownVariables)}` : `did you mean ${near}?`;
      return `${name} sets nothing; ${hint}`;
    });
}
