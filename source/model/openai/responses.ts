import type { ChatModel } from '../types.js';
import { type RefusedFields, sendWithout } from '../wire/adjust.js';
import { createWireModel } from '../wire/client.js';
import type { ProviderOptions } from '../wire/options.js';
import { authorizeBearer, loadOpenAi, openAiBaseURL } from './client.js';
import { createResponsesReader } from './responses-answer.js';
import { optionalResponseFields, toResponsesRequest } from './responses-request.js';

/**
 * A model behind OpenAI's responses API, or a server that imitates it (`baseURL`). Throws UserError for a key or a
 * base URL that cannot be one.
 */
export function openOpenAiResponses(options: ProviderOptions): ChatModel {
  const { model } = options;
  const refused: RefusedFields = new Set();
  return createWireModel(options, {
    baseURL: openAiBaseURL,
    authorize: authorizeBearer,
    async open(context) {
      const { client, decode } = await loadOpenAi(context);
      return {
        send: (request, signal) =>
          sendWithout(request, optionalResponseFields, refused, (without) =>
            client.responses.create(toResponsesRequest(request, model, without), { signal }).asResponse(),
          ),
        decode,
        createReader: ({ messages }) => createResponsesReader(`call-${messages.length}`),
      };
    },
  });
}
