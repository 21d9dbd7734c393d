import type { JsonObject } from '../base/json.js';
import type { ToolDefinition } from '../suite/types.js';

/**
 * Tokens as the provider reports them, normalised: `input` is all input tokens, of which `cacheRead` and
 * `cacheWrite` are parts.
 */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export const noUsage: Usage = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

/** Share of the input that came from the provider's cache, 0 to 1; undefined without input. */
export function cacheHitRate(usage: Usage): number | undefined {
  return usage.input > 0 ? usage.cacheRead / usage.input : undefined;
}

/** Input in units of an uncached token: (input - cacheRead - cacheWrite) + 0.1 cacheRead + 1.25 cacheWrite. */
export function effectiveInput(usage: Usage): number {
  return usage.input - usage.cacheRead - usage.cacheWrite + 0.1 * usage.cacheRead + 1.25 * usage.cacheWrite;
}

/** A tool call that a model asked for. `args` is what it wrote; a text where that was not a JSON object. */
export interface ToolRequest {
  id: string;
  name: string;
  args: JsonObject | string;
}

export type ChatMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolRequests: ToolRequest[] }
  | { role: 'tool'; toolRequestId: string; name: string; content: string; isError: boolean };

export interface ChatRequest {
  system: string;
  messages: ChatMessage[];
  tools: ToolDefinition[];
  temperature?: number;
  maxTokens: number;
  /**
   * Names the draw. A provider may ignore it; the simulated model draws from it and from nothing else, so the
   * same request with the same seed gets the same answer.
   */
  seed: string;
  signal?: AbortSignal;
}

/** Why the model stopped. `cut-off`: the token limit. `refused`: a content filter or the provider's refusal. */
export type StopReason = 'end' | 'tool-calls' | 'cut-off' | 'refused';

export type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-request'; request: ToolRequest }
  /** Always the last one. */
  | { type: 'done'; stop: StopReason; usage: Usage };

/** A chat model. One request and one stream type for every provider. */
export interface ChatModel {
  /** `provider:model`, as shown and stored. */
  readonly name: string;
  /** Throws ModelError. */
  stream(request: ChatRequest): AsyncIterable<ChatEvent>;
}

export type ModelErrorKind =
  | 'auth'
  | 'rate-limit'
  | 'overloaded'
  | 'not-found'
  | 'too-long'
  | 'bad-request'
  | 'network'
  | 'bad-answer';

/** A request that got no answer. Its message is safe to show: no header, no key. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly retryAfterMs: number | undefined;
  constructor(kind: ModelErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
