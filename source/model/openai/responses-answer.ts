import type { Json } from '../../base/json.js';
import type { ChatEvent, StopReason } from '../types.js';
import type { AnswerReader } from '../wire/client.js';
import { BrokenAnswer, ServerComplaint } from '../wire/complaint.js';
import { listAt, objectAt, readToolArguments, textAt } from '../wire/reading.js';
import { metered, readOpenAiUsage } from '../wire/usage.js';
import { writtenAt } from '../wire/written.js';

/**
 * Reads an answer of the responses API. It is whole with the event that holds the whole response; what the stream
 * left out is taken from there. Reasoning is no part of the text.
 */
export function createResponsesReader(idPrefix: string): AnswerReader {
  const requested = new Set<string>();
  let final: unknown;
  let hasText = false;
  let hasRefused = false;

  function write(text: string): ChatEvent[] {
    if (text === '') return [];
    hasText = true;
    return [{ type: 'text', text }];
  }

  function request(item: unknown): ChatEvent[] {
    if (textAt(item, 'type') !== 'function_call') return [];
    const name = textAt(item, 'name');
    const given = textAt(item, 'call_id') || textAt(item, 'id');
    if (requested.has(given)) return [];
    if (name === '') throw new BrokenAnswer('the model called a tool without naming it');
    const id = given || `${idPrefix}-${requested.size + 1}`;
    requested.add(id);
    return [
      { type: 'tool-request', request: { id, name, args: readToolArguments(textAt(item, 'arguments')) } },
    ];
  }

  /** A response from beginning to end: all of it for a server that does not stream, else what is still missing. */
  function takeOutput(): ChatEvent[] {
    const didStreamText = hasText;
    return listAt(final, 'output').flatMap((item) => {
      if (textAt(item, 'type') !== 'message') return request(item);
      return listAt(item, 'content').flatMap((part) => {
        const refusal = textAt(part, 'refusal');
        if (refusal !== '') hasRefused = true;
        return didStreamText ? [] : write(writtenAt(part, 'text') || refusal);
      });
    });
  }

  return {
    get isWhole() {
      return final !== undefined;
    },
    get usage() {
      const report = objectAt(final, 'usage');
      return report === undefined ? undefined : readOpenAiUsage(report);
    },
    take(event) {
      switch (textAt(event, 'type')) {
        case 'response.output_text.delta':
          return write(writtenAt(event, 'delta'));
        case 'response.refusal.delta':
          hasRefused = true;
          return write(textAt(event, 'delta'));
        case 'response.output_item.done':
          return request(objectAt(event, 'item'));
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
        case 'response.cancelled':
          final = objectAt(event, 'response') ?? {};
          return [];
        case 'error':
          throw new ServerComplaint(event);
        default:
          return [];
      }
    },
    takeWhole(body) {
      if (textAt(body, 'object') !== 'response' && listAt(body, 'output').length === 0) {
        throw new BrokenAnswer('the answer is no response');
      }
      final = body;
      return [];
    },
    finish() {
      if (final === undefined) return undefined;
      const status = textAt(final, 'status');
      const isFiltered = reasonOf(final) === 'content_filter';
      if (status === 'failed' || status === 'cancelled') {
        throw new ServerComplaint(objectAt(final, 'error') ?? { message: `the response is ${status}` });
      }
      const rest = takeOutput();
      return [
        ...rest,
        {
          type: 'done',
          stop: isFiltered || hasRefused ? 'refused' : toStop(status, requested.size > 0),
          ...metered(readOpenAiUsage(objectAt(final, 'usage')), [objectAt(final, 'usage')]),
          ...carryOf(final),
        },
      ];
    },
  };
}

function reasonOf(response: unknown): string {
  return textAt(objectAt(response, 'incomplete_details'), 'reason');
}

function toStop(status: string, hasCalls: boolean): StopReason {
  if (status === 'incomplete') return 'cut-off';
  return hasCalls ? 'tool-calls' : 'end';
}

/** All items as they came, where there is reasoning among them that can be sent back. */
function carryOf(response: unknown): { carry?: Json[] } {
  const items = listAt(response, 'output');
  const canCarry = items.some(
    (item) => textAt(item, 'type') === 'reasoning' && textAt(item, 'encrypted_content') !== '',
  );
  return canCarry ? { carry: items as Json[] } : {};
}
