import type { Json } from '../../base/json.js';
import type { ChatEvent, StopReason, ToolRequest } from '../types.js';
import type { AnswerReader } from '../wire/client.js';
import { BrokenAnswer } from '../wire/complaint.js';
import { countAt, listAt, objectAt, readToolArguments, textAt } from '../wire/reading.js';
import { metered, readAnthropicUsage } from '../wire/usage.js';
import { writtenAt } from '../wire/written.js';
import { toToolInput } from './request.js';

/** A content block as far as it has come. */
interface Block {
  type: string;
  id: string;
  name: string;
  /** Text, thinking, or the JSON of a tool's input. */
  written: string;
  signature: string;
  isClosed: boolean;
}

/**
 * Reads an answer of the messages API. It is whole once it has a stop reason: the official API ends with
 * `message_stop`, some servers that imitate it do not. Thinking is no part of the text.
 */
export function createAnthropicReader(): AnswerReader {
  const blocks = new Map<number, Block>();
  const usages: unknown[] = [];
  let stopReason = '';
  let explanation = '';
  let hasText = false;
  let isWhole = false;

  function open(index: number, block: unknown): ChatEvent[] {
    const type = textAt(block, 'type');
    const opened: Block = {
      type,
      id: textAt(block, 'id'),
      name: textAt(block, 'name'),
      written: '',
      signature: textAt(block, 'signature') || textAt(block, 'data'),
      isClosed: false,
    };
    blocks.set(index, opened);
    if (type === 'text') return write(opened, writtenAt(block, 'text'));
    if (type === 'thinking') return write(opened, textAt(block, 'thinking'));
    const input = objectAt(block, 'input');
    // A stream opens with {} and writes the input in pieces; a server that does not stream gives it here.
    return input !== undefined && Object.keys(input).length > 0 ? write(opened, JSON.stringify(input)) : [];
  }

  function write(block: Block, piece: string): ChatEvent[] {
    if (piece === '') return [];
    block.written += piece;
    if (block.type !== 'text') return [];
    hasText = true;
    return [{ type: 'text', text: piece }];
  }

  function change(block: Block | undefined, delta: unknown): ChatEvent[] {
    if (block === undefined)
      throw new BrokenAnswer('the model wrote into a content block that it never began');
    switch (textAt(delta, 'type')) {
      case 'text_delta':
        return write(block, writtenAt(delta, 'text'));
      case 'input_json_delta':
        return write(block, textAt(delta, 'partial_json'));
      case 'thinking_delta':
        return write(block, textAt(delta, 'thinking'));
      case 'signature_delta':
        block.signature += textAt(delta, 'signature');
        return [];
      default:
        return [];
    }
  }

  function close(block: Block | undefined): ChatEvent[] {
    if (block === undefined || block.isClosed) return [];
    block.isClosed = true;
    return block.type === 'tool_use' ? [{ type: 'tool-request', request: toRequest(block) }] : [];
  }

  function end(delta: unknown): void {
    stopReason = textAt(delta, 'stop_reason') || stopReason;
    explanation = textAt(objectAt(delta, 'stop_details'), 'explanation') || explanation;
  }

  return {
    get isWhole() {
      return isWhole;
    },
    get usage() {
      return usages.some((report) => report !== undefined) ? readAnthropicUsage(usages) : undefined;
    },
    take(event) {
      const index = countAt(event, 'index') ?? blocks.size - 1;
      switch (textAt(event, 'type')) {
        case 'message_start':
          usages.push(objectAt(objectAt(event, 'message'), 'usage'));
          return [];
        case 'content_block_start':
          return open(countAt(event, 'index') ?? blocks.size, objectAt(event, 'content_block'));
        case 'content_block_delta':
          return change(blocks.get(index), objectAt(event, 'delta'));
        case 'content_block_stop':
          return close(blocks.get(index));
        case 'message_delta':
          usages.push(objectAt(event, 'usage'));
          end(objectAt(event, 'delta'));
          return [];
        case 'message_stop':
          isWhole = true;
          return [];
        default:
          return [];
      }
    },
    takeWhole(body) {
      if (textAt(body, 'type') !== 'message') throw new BrokenAnswer('the answer is no message');
      usages.push(objectAt(body, 'usage'));
      end(body);
      isWhole = true;
      return listAt(body, 'content').flatMap((block, index) => [
        ...open(index, block),
        ...close(blocks.get(index)),
      ]);
    },
    finish() {
      if (!isWhole && stopReason === '') return undefined;
      const events = [...blocks.values()].flatMap(close);
      if (stopReason === 'refusal' && !hasText && explanation !== '')
        events.push({ type: 'text', text: explanation });
      events.push({
        type: 'done',
        stop: toStop(stopReason, [...blocks.values()]),
        ...metered(readAnthropicUsage(usages), usages),
        ...carryOf([...blocks.values()]),
      });
      return events;
    },
  };
}

function toRequest({ id, name, written }: Block): ToolRequest {
  return { id, name, args: readToolArguments(written) };
}

function toStop(reason: string, blocks: readonly Block[]): StopReason {
  if (reason === 'refusal') return 'refused';
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'cut-off';
  return blocks.some(({ type }) => type === 'tool_use') ? 'tool-calls' : 'end';
}

/** The blocks as they have to be sent back, where there is thinking among them: it is signed together with its place. */
function carryOf(blocks: readonly Block[]): { carry?: Json[] } {
  const carry = blocks.flatMap((block): Json[] => {
    const { type, written, signature } = block;
    if (type === 'thinking') return signature === '' ? [] : [{ type, thinking: written, signature }];
    if (type === 'redacted_thinking') return [{ type, data: signature }];
    if (type === 'text') return written.trim() === '' ? [] : [{ type, text: written }];
    const { id, name, args } = toRequest(block);
    return type === 'tool_use' ? [{ type, id, name, input: toToolInput(args) }] : [];
  });
  const isSigned = blocks.some(({ type, signature }) => /thinking$/.test(type) && signature !== '');
  return isSigned ? { carry } : {};
}
