// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { z } from 'zod';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { headerNameMistake, literalKeyMistake } from './http-mistakes.js';
import { isTemplateName, sessionNames, templateNames } from './target-templates.js';
import type { LiveTool } from './types.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Keys of one of the two forms that the other one does not have. */
const commandKeys = ['cwd', 'env'] as const;
const urlKeys = ['method', 'headers'] as const;

/**
 * How a tool is called for real: `{command: [program, …]}` or `{url: …}`. One object with every key, so that a
 * mistyped one is answered with the nearest of all.
 */
export const liveToolSchema = z
  .strictObject({
    command: z
      .array(z.string(), { error: 'expected a list, the program and its arguments: there is no shell' })
      .min(1)
      .exactOptional()
      .describe('Program and arguments. It reads the arguments of the call as JSON and prints the result.'),
    cwd: z.string().min(1).exactOptional().describe('Folder that it runs in, from the folder of the suite.'),
    env: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('Variables added to its environment; ${NAME} is taken from yours.'),
    url: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        'Where the tool is; ${NAME} is taken from the environment, {{args.x}} from the call. What is left of the arguments is sent as JSON, with GET and DELETE in the query.',
      ),
    method: z.enum(methods).exactOptional().describe('POST if not given.'),
    headers: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('${NAME} is taken from the environment.'),
    timeoutSeconds: z.number().positive().max(600).default(30).describe('Seconds that one call may take.'),
  })
  .transform((raw, context): LiveTool => {
    const report = (message: string, path: (string | number)[] = []) => {
      context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    };
    // Of a mistyped key everything is said already.
    if (context.issues.length > 0) return z.NEVER;
    const { command, url, timeoutSeconds } = raw;
    if (command === undefined && url === undefined) return report('expected {command: […]} or {url: …}');
    if (command !== undefined && url !== undefined)
      return report('a tool is called by "command" or by "url", not by both', ['url']);
    const stray = (command === undefined ? commandKeys : urlKeys).find((key) => raw[key] !== undefined);
    if (stray !== undefined)
      return report(`"${stray}" belongs to "${command === undefined ? 'command' : 'url'}"`, [stray]);
    if (command !== undefined) {
      const { cwd = '.', env = {} } = raw;
      if (command[0] === '') return report('the program has no name', ['command', 0]);
      for (const [name, value] of Object.entries(env)) {
        const mistake = literalKeyMistake(value);
        if (mistake !== undefined) return report(mistake, ['env', name]);
      }
      return { kind: 'command', command, cwd, env, timeoutSeconds };
    }
    const { url: address = '', method = 'POST', headers = {} } = raw;
    if (!/^(?:https?:\/\/|\$\{)/.test(address))
      return report(`${quote(address)} is not an http or https URL`, ['url']);
    const inUrl = literalKeyMistake(address) ?? templateMistake(address);
    if (inUrl !== undefined) return report(inUrl, ['url']);
    for (const [name, text] of Object.entries(headers)) {
      const mistake = headerNameMistake(name) ?? literalKeyMistake(text) ?? templateMistake(text);
      if (mistake !== undefined) return report(mistake, ['headers', name]);
    }
    return { kind: 'http', url: address, method, headers, timeoutSeconds };
  })
  .describe('How the tool is called with --live-tools.');

function templateMistake(text: string): string | undefined {
  const isKnown = (name: string) => /^args\.\S+$/.test(name) || isTemplateName(name, []);
  const unknown = templateNames(text).find((name) => !isKnown(name));
  if (unknown === undefined) return undefined;
  const known = ['args.NAME', 'variables.NAME', ...sessionNames];
  return `there is no value named ${quote(unknown)}; ${suggest(unknown, known, 'names')}`;
}
