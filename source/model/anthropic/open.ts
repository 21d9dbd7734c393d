import type { ChatModel } from '../types.js';
import { type RefusedFields, sendWithout } from '../wire/adjust.js';
import { createWireModel } from '../wire/client.js';
import type { ProviderOptions } from '../wire/options.js';
import { createAnthropicReader } from './answer.js';
import { optionalAnthropicFields, toAnthropicRequest, versionWithTemperature } from './request.js';

/** A model behind Anthropic's messages API. Throws UserError for a key or a base URL that cannot be one. */
export function openAnthropic(options: ProviderOptions): ChatModel {
  const { model, cache = true } = options;
  const refused: RefusedFields = new Set();
  return createWireModel(options, {
    baseURL: 'https://api.anthropic.com',
    authorize: (key) => ({ 'x-api-key': key }),
    async open({ baseURL, fetch, query, timeoutMs }) {
      const [{ Anthropic }, { Stream }] = await Promise.all([
        import('@anthropic-ai/sdk'),
        import('@anthropic-ai/sdk/streaming'),
      ]);
      const client = new Anthropic({
        // Any text keeps the SDK from looking for a key in the environment and in files; the real one is put in by fetch.
        apiKey: 'none',
        webhookKey: null,
        // People write it with and without the version, which the SDK adds.
        baseURL: baseURL.replace(/\/v1$/, ''),
        defaultQuery: query,
        fetch,
        maxRetries: 0,
        timeout: timeoutMs,
        logLevel: 'off',
        openTelemetry: false,
      });
      return {
        // Not `messages.create`: that one prints to the console about models that will be retired.
        send: (request, signal) =>
          sendWithout(request, optionalAnthropicFields, refused, (without) => {
            const body = toAnthropicRequest(request, model, { cache, refused: without });
            const headers =
              body.temperature === undefined ? {} : { 'anthropic-version': versionWithTemperature };
            return client
              .post('/v1/messages', { body, headers, stream: true, signal, timeout: timeoutMs })
              .asResponse();
          }),
        decode: (response) => Stream.fromSSEResponse<unknown>(response, new AbortController(), client),
        createReader: createAnthropicReader,
      };
    },
  });
}
