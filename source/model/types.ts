import type { Json, JsonObject } from '../base/json.js';
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

/**
 * What a provider wants back, word for word, with the answer that it belongs to: signed thinking, encrypted
 * reasoning. Opaque to everyone but the client that made it; part of no transcript.
 */
export type Carry = Json[];

export type ChatMessage =
  | { role: 'user'; text: string }
  | {
      role: 'assistant';
      text: string;
      toolRequests: ToolRequest[];
      /** The `carry` of the `done` event that ended this answer, unchanged. */
      carry?: Carry;
    }
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
  /**
   * JSON Schema of the answer, which is to be one JSON object of it. A client whose provider can enforce that (a
   * response format, a forced tool) does, and gives the object as text that ends with `end`, however the provider
   * sent it; the others ignore it. Whoever asks reads the answer as strictly as if nothing had been enforced.
   */
  answerSchema?: JsonObject;
  signal?: AbortSignal;
}

/** Why the model stopped. `cut-off`: the token limit. `refused`: a content filter or the provider's refusal. */
export type StopReason = 'end' | 'tool-calls' | 'cut-off' | 'refused';

export type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-request'; request: ToolRequest }
  /**
   * The answer broke off and is asked for again: everything that came before this event is void, and the answer
   * begins anew. Comes only from a model that retries, and only after text or a tool request.
   */
  | { type: 'restart' }
  /** Always the last one. */
  | {
      type: 'done';
      stop: StopReason;
      usage: Usage;
      /**
       * The server did not report all of the usage: what `usage` holds is the least that it can have been, and its
       * zeros mean unknown, not none.
       */
      usageMissing?: true;
      /** Not set: the answer can be sent back from its text and tool requests alone. */
      carry?: Carry;
    };

/** A chat model. One request and one stream type for every provider. */
export interface ChatModel {
  /** `provider:model`, as shown and stored. */
  readonly name: string;
  /** Hash of what decides its answers, where that stands in a file of the project. */
  readonly fingerprint?: string;
  /** Throws ModelError, and the signal's reason when aborted. */
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

/** What else is known of a failed request. */
export interface ModelErrorFacts {
  /** The HTTP status, where there was one. */
  status?: number;
  /** Asking again cannot help although the kind suggests it: a certificate that is not trusted, say. */
  permanent?: boolean;
}

/** What a request took that broke off, as far as it was reported. */
export interface SpentTokens {
  usage: Usage;
  /** Nobody has told all of it. */
  usageMissing?: true;
}

/** A request that got no answer. Its message is safe to show: no header, no key. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly permanent: boolean;
  /** Set where the answer had begun. */
  spent: SpentTokens | undefined;
  /** The server was reached, and what it answered was no use. */
  hasAnswered = false;
  constructor(kind: ModelErrorKind, message: string, retryAfterMs?: number, facts: ModelErrorFacts = {}) {
    super(message);
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.status = facts.status;
    this.permanent = facts.permanent ?? false;
  }
}

/**
 * How a failure that was not recovered makes a run unusable as evidence; undefined when it only lowers coverage,
 * as an overloaded or unreachable server does.
 */
export function taintOf(kind: ModelErrorKind): 'auth' | 'rate-limit' | undefined {
  return kind === 'auth' || kind === 'rate-limit' ? kind : undefined;
}
