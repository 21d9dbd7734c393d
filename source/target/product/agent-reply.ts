import type { Json } from '../../base/json.js';
import { noUsage, type Usage } from '../../model/types.js';
import { mostTokens } from '../../model/wire/reading.js';
import type { AgentReply, ToolCall } from '../types.js';

/** A reply as a product reported it, read and checked. */
export interface ProductReply {
  /** The messages that the user would have read, in order. */
  texts: readonly string[];
  toolCalls?: readonly ToolCall[];
  usage?: Usage;
  /** The usage is there, but not all of it. */
  usageMissing?: true;
  signals?: Record<string, Json>;
  suggestions?: string[];
  model?: string;
  version?: string;
  ended?: boolean;
  fallback?: boolean;
}

/**
 * What a product reports says neither when in a turn it called a tool nor how often it asked a model: calls come
 * before the text, since the text is what they led to, and the turn counts as one step.
 */
export function toAgentReply(reply: ProductReply): AgentReply {
  const { texts, toolCalls = [], usage: reported, model = '', ...rest } = reply;
  // What cannot be was not counted.
  const usage = reported !== undefined && canBe(reported) ? reported : undefined;
  const said = texts.filter((text) => text !== '');
  return {
    parts: [
      ...toolCalls.map((call) => ({ kind: 'tool' as const, call })),
      ...said.map((text) => ({ kind: 'text' as const, text })),
    ],
    text: said.join('\n\n'),
    usage: usage ?? noUsage,
    steps: 1,
    stop: 'end',
    model,
    ...rest,
    ...(usage === undefined && { usageMissing: true as const }),
  };
}

function canBe({ input, output, cacheRead, cacheWrite }: Usage): boolean {
  return Math.max(input, output, cacheRead, cacheWrite) <= mostTokens;
}

/**
 * What is wrong with token counts in which more came from the cache, or was written to it, than was input: then
 * the product counts cached tokens apart. Added up silently they would be right in some turns only.
 */
export function usageMistake(usage: Usage): string | undefined {
  const cached = usage.cacheRead + usage.cacheWrite;
  if (cached <= usage.input) return undefined;
  return `expected all input tokens, those from the cache included, found ${usage.input} of which ${cached} were read from or written to the cache`;
}
