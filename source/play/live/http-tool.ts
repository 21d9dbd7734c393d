import type { JsonObject } from '../../base/json.js';
import type { HttpCall } from '../../suite/target-specs.js';
import { templateNames } from '../../suite/target-templates.js';
import type { LiveTool } from '../../suite/types.js';
import { prepareCall } from '../../target/http/call.js';
import { connectionError, statusError } from '../../target/http/failures.js';
import { isWebPage } from '../../target/http/json-answer.js';
import { excerpt } from '../../target/product/excerpt.js';
import { TargetError } from '../../target/types.js';
import type { AskTool, LiveContext } from './ask.js';
import { largestResult, readResult } from './result.js';

/** Characters of an error that the agent gets to read. */
const longestError = 8000;

/**
 * A tool behind a URL. Its result is what a status of success comes with; of the others, 401, 403, 407, 408, 429 and
 * 5xx say that nobody could ask the tool, and are a TargetError, and the rest is an error for the agent to read.
 * Throws UserError for environment variables that are not set.
 */
export function prepareHttpTool(
  name: string,
  tool: Extract<LiveTool, { kind: 'http' }>,
  context: LiveContext,
): AskTool {
  const { env, clock, secrets } = context;
  const hasBody = tool.method !== 'GET' && tool.method !== 'DELETE';
  const request: HttpCall = { method: tool.method, path: tool.url, headers: tool.headers };
  if (hasBody) request.body = '{{args}}';
  const base = { href: '', authorization: undefined };
  const call = prepareCall(`live.${name}`, request, { base, baseVariables: [], headers: {}, env, secrets });
  const inUrl = templateNames(tool.url).flatMap((known) => /^args\.(.+)$/.exec(known)?.[1] ?? []);

  return async ({ args, values, signal }) => {
    const mistake = inUrl.map((key) => argumentMistake(key, args)).find((found) => found !== undefined);
    if (mistake !== undefined) return { error: mistake };
    const filled = call.fill((known) => {
      if (known === 'args') return args;
      const key = /^args\.(.+)$/.exec(known)?.[1];
      if (key === undefined) return values(known);
      return Object.hasOwn(args, key) ? args[key] : undefined;
    });
    if (!hasBody) addQuery(filled.url, args, inUrl);
    const answer = await ask(filled);
    return typeof answer === 'string' ? readResult(answer) : answer;

    async function ask({ url, headers, body }: typeof filled): Promise<string | { error: string }> {
      if (!headers.has('accept')) headers.set('accept', 'application/json, */*;q=0.1');
      const limit = new AbortController();
      const done = new AbortController();
      clock.wait(tool.timeoutSeconds * 1000, done.signal).then(
        () =>
          limit.abort(
            new TargetError(
              'network',
              `${call.label}: no whole answer within ${tool.timeoutSeconds} seconds`,
            ),
          ),
        () => {},
      );
      try {
        const response = await context.fetch(url, {
          method: tool.method,
          headers,
          ...(body !== undefined && { body }),
          // Another address would be sent the headers with their keys.
          redirect: 'manual',
          signal: AbortSignal.any([signal, limit.signal]),
        });
        return judge(response, secrets.redact(await readText(response)));
      } catch (error) {
        if (error instanceof TargetError) throw error;
        if (signal.aborted) throw signal.reason;
        if (limit.signal.aborted) throw limit.signal.reason;
        throw connectionError(call.label, error, undefined);
      } finally {
        done.abort();
      }
    }
  };

  async function readText(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > largestResult)
        throw new TargetError('other', `${call.label}: answered with more than ${largestResult} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  function judge(response: Response, text: string): string | { error: string } {
    const { status, headers } = response;
    if (response.ok) {
      const mediaType = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      if (!isWebPage(mediaType, text)) return text;
      const page = excerpt(text, secrets);
      throw new TargetError(
        'network',
        `${call.label}: answered with a web page in the place of a result: ${page}`,
      );
    }
    if (status >= 300 && status < 400) {
      throw new TargetError(
        'other',
        `${call.label}: answered ${status}, a redirect, which is not followed; name the address that it leads to`,
      );
    }
    const isOfTheTool = status < 500 && ![401, 403, 407, 408, 429].includes(status);
    if (isOfTheTool) return { error: `answered ${status}: ${text.trim().slice(0, longestError)}` };
    const body = excerpt(text, secrets);
    throw statusError({
      label: call.label,
      status,
      headers,
      body,
      variables: call.variables,
      now: clock.now(),
    });
  }
}

/** Why an argument cannot stand in a URL: what the agent gets to read, for it wrote it. */
function argumentMistake(key: string, args: JsonObject): string | undefined {
  const value = Object.hasOwn(args, key) ? args[key] : undefined;
  if (value === undefined || value === null || value === '') return `the argument "${key}" is missing`;
  return value === '.' || value === '..' ? `the argument "${key}" cannot be "${value}"` : undefined;
}

/** Arguments that the URL does not name stand in its query: texts as they are, all else as JSON. */
function addQuery(url: URL, args: JsonObject, named: readonly string[]): void {
  for (const [key, value] of Object.entries(args)) {
    if (named.includes(key)) continue;
    url.searchParams.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
}
