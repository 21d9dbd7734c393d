import { sha256 } from '../../base/hash.js';
import type { ToolDefinition } from '../../suite/types.js';
import type { ChatMessage, ChatRequest } from '../types.js';
import type { Prefix } from './prefix-cache.js';
import type { CountTokens } from './tokens.js';

/** A request in tokens. */
export interface RequestMeasure {
  /** Of system prompt, tools and messages, all of them. */
  input: number;
  /** Beginnings that a provider would cache: tools, system prompt, each message before the newest ones. */
  prefixes: Prefix[];
}

/** What a message says to the model, as text: to be counted, and to tell contents apart. */
function messageText(message: ChatMessage): string {
  if (message.role === 'user') return message.text;
  if (message.role === 'tool') return message.content;
  const calls = message.toolRequests.map(({ name, args }) => callText(name, args));
  return [message.text, ...calls].join('\n');
}

/** A tool call as the model wrote it. */
export function callText(name: string, args: unknown): string {
  return `${name} ${typeof args === 'string' ? args : JSON.stringify(args)}`;
}

/**
 * Measures requests. What is new in a request (the messages since the model last spoke) is plain input; all
 * before it is the part that was sent once already, and that the next request of the conversation sends again.
 */
export function createInputMeter(countTokens: CountTokens): (request: ChatRequest) => RequestMeasure {
  // A conversation sends the same message objects again with every request; both memos go with their objects.
  const measuredMessages = new WeakMap<ChatMessage, { before: string; key: string; tokens: number }>();
  const measuredTools = new WeakMap<readonly ToolDefinition[], Prefix>();

  function measureTools(tools: readonly ToolDefinition[]): Prefix {
    const known = measuredTools.get(tools);
    if (known !== undefined) return known;
    const text = tools.length === 0 ? '' : JSON.stringify(tools);
    const measured = { key: sha256(text), tokens: countTokens(text) };
    measuredTools.set(tools, measured);
    return measured;
  }

  function measureMessage(message: ChatMessage, before: string): { key: string; tokens: number } {
    const known = measuredMessages.get(message);
    if (known?.before === before) return known;
    const text = messageText(message);
    const measured = { before, key: sha256(`${before}${message.role}\n${text}`), tokens: countTokens(text) };
    measuredMessages.set(message, measured);
    return measured;
  }

  return ({ system, tools, messages }) => {
    const toolsPrefix = measureTools(tools);
    let tokens = toolsPrefix.tokens + countTokens(system);
    let key = sha256(`${toolsPrefix.key}${system}`);
    const prefixes: Prefix[] = [toolsPrefix, { key, tokens }];
    const newest = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
    for (const [at, message] of messages.entries()) {
      const measured = measureMessage(message, key);
      key = measured.key;
      tokens += measured.tokens;
      if (at < newest) prefixes.push({ key, tokens });
    }
    return { input: tokens, prefixes };
  };
}
