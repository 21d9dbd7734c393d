import type { OpenAI } from 'openai';
import type { WireContext } from '../wire/client.js';

export const openAiBaseURL = 'https://api.openai.com/v1';

export function authorizeBearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** The SDK, loaded and set up so that nothing comes from the environment and nothing is asked twice. */
export async function loadOpenAi({ baseURL, fetch, query, timeoutMs }: WireContext): Promise<{
  client: OpenAI;
  decode: (response: Response) => AsyncIterable<unknown>;
}> {
  const [{ OpenAI }, { Stream }] = await Promise.all([import('openai'), import('openai/streaming')]);
  const client = new OpenAI({
    // The SDK wants one; the real one is put in by fetch.
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL,
    defaultQuery: query,
    fetch,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
  });
  return {
    client,
    decode: (response) => Stream.fromSSEResponse<unknown>(response, new AbortController(), client),
  };
}
