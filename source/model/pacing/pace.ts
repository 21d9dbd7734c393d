import { type ChatModel, type ChatRequest, ModelError } from '../types.js';
import { isOverload } from '../wire/overload.js';
import type { Outcome, Pacer } from './pacer.js';

/** A model whose requests wait for their turn at the account and tell it how they ended. */
export function withPacing(model: ChatModel, pacer: Pacer): ChatModel {
  return {
    name: model.name,
    async *stream(request) {
      const permit = await pacer.acquire(expectedTokens(request), request.signal);
      let outcome: Outcome = { kind: 'failed' };
      try {
        for await (const event of model.stream(request)) {
          if (event.type === 'done') {
            const { usage, usageMissing } = event;
            outcome = { kind: 'answered', ...(usageMissing ? {} : { tokens: usage.input + usage.output }) };
          }
          yield event;
        }
      } catch (error) {
        if (isRefusal(error)) outcome = { kind: 'refused', ...retryAfter(error) };
        throw error;
      } finally {
        permit.release(outcome);
      }
    },
  };
}

/** Whether a failure says that there is too much at once, rather than that something broke. */
function isRefusal(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  return error.kind === 'rate-limit' || (error.kind === 'overloaded' && isOverload(error.status));
}

function retryAfter({ retryAfterMs }: ModelError): { retryAfterMs?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/**
 * What a request is expected to take, for budgets alone: four characters a token, and all of the output that it may
 * have, as providers reckon beforehand. It is corrected by the usage of the answer.
 */
function expectedTokens({ system, messages, tools, maxTokens }: ChatRequest): number {
  let characters = system.length + JSON.stringify(tools).length;
  for (const message of messages) {
    if (message.role === 'tool') characters += message.content.length;
    else characters += message.text.length;
    if (message.role === 'assistant' && message.toolRequests.length > 0) {
      characters += JSON.stringify(message.toolRequests).length;
    }
  }
  return Math.ceil(characters / 4) + maxTokens;
}
