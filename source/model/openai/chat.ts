import type { ChatModel } from '../types.js';
import { type RefusedFields, sendWithout } from '../wire/adjust.js';
import { createWireModel } from '../wire/client.js';
import type { ProviderOptions } from '../wire/options.js';
import { createChatReader } from './chat-answer.js';
import { optionalChatFields, toChatRequest } from './chat-request.js';
import { authorizeBearer, loadOpenAi, openAiBaseURL } from './client.js';

/**
 * A model behind the chat completions API, OpenAI's own or that of a compatible server (`baseURL`). Caching is the
 * server's own affair there. Throws UserError for a key or a base URL that cannot be one.
 */
export function openOpenAiChat(options: ProviderOptions): ChatModel {
  const { model, baseURL = openAiBaseURL } = options;
  const isOpenAi = URL.canParse(baseURL) && new URL(baseURL).host === new URL(openAiBaseURL).host;
  const refused: RefusedFields = new Set();
  return createWireModel(options, {
    baseURL: openAiBaseURL,
    authorize: authorizeBearer,
    async open(context) {
      const { client, decode } = await loadOpenAi(context);
      return {
        send: (request, signal) =>
          sendWithout(request, optionalChatFields(isOpenAi), refused, (without) =>
            client.chat.completions
              .create(toChatRequest(request, model, { isOpenAi, refused: without }), { signal })
              .asResponse(),
          ),
        decode,
        // Unique in the conversation: no two requests of it have the same number of messages.
        createReader: ({ messages }) => createChatReader(`call-${messages.length}`),
      };
    },
  });
}
