import type { Json, JsonObject } from '../base/json.js';
import type { StopReason, Usage } from '../model/types.js';
import type { Profile } from '../suite/types.js';

/** One tool call of the agent and what the tool answered. */
export interface ToolCall {
  name: string;
  /** A text where the model wrote something that is not a JSON object. */
  args: JsonObject | string;
  /** Not set while the call has no answer (a missing fixture ended the trial). */
  result?: Json;
  error?: string;
  /** Where the answer came from. `product`: the product called its own tool and reported it. */
  from: 'fixture' | 'live' | 'product' | 'none';
}

/** What the agent did between one user message and the next, in order. */
export type ReplyPart = { kind: 'text'; text: string } | { kind: 'tool'; call: ToolCall };

/** What came back for one user message. */
export interface AgentReply {
  parts: ReplyPart[];
  /** All text of the turn, parts joined by a blank line: what the user would have read. */
  text: string;
  usage: Usage;
  /** Nobody reported the tokens of a part of the reply: `usage` is less than was used, and zeros mean unknown. */
  usageMissing?: true;
  /** Model requests it took. */
  steps: number;
  /** `step-limit`: maxSteps was reached while the model still asked for tools. */
  stop: StopReason | 'step-limit' | 'no-fixture';
  /** What answered, `provider:model`, or the name that the product gave; empty when nobody said. */
  model: string;
  /** Named values that the product reported with this turn. */
  signals?: Record<string, Json>;
  /** Quick replies that the product offered. */
  suggestions?: string[];
  /** Version of the product, as it reports itself. */
  version?: string;
  /** The product ended the session: nothing more is sent. */
  ended?: boolean;
  /** The product fell back to defaults: taints the run. */
  fallback?: boolean;
}

/**
 * What a target tells while it works on a reply. Never journaled. `text`: all of the text that is being said now,
 * from the reply's last tool call on, so that whoever skips some of them misses nothing.
 */
export type ReplyProgress = { type: 'text'; text: string } | { type: 'tool'; name: string };

/** A call that has no fixture: ends the trial, with no retry and no silent default. */
export class MissingFixtureError extends Error {
  readonly tool: string;
  readonly args: JsonObject | string;
  constructor(tool: string, args: JsonObject | string) {
    super(`no fixture answers ${tool}(${JSON.stringify(args)})`);
    this.name = 'MissingFixtureError';
    this.tool = tool;
    this.args = args;
  }
}

/** What a tool answered. `error`: what the agent reads of a call that failed. `from` not set: a fixture. */
export type ToolAnswer = ({ result: Json } | { error: string }) & { from?: 'live' };

/**
 * Answers a tool call of the agent: from the trial's fixtures, or by the tool itself. Throws MissingFixtureError, and
 * TargetError for a tool that could not be asked; the signal's reason when aborted.
 */
export type CallTool = (
  name: string,
  args: JsonObject,
  signal: AbortSignal,
) => ToolAnswer | Promise<ToolAnswer>;

/** What a trial gives its target when it opens a session. */
export interface SessionRequest {
  /** Names the draws of this trial; the target derives one seed per model request from it. */
  seed: string;
  /** For targets whose tools the bench calls; a product calls its own and ignores this. */
  callTool: CallTool;
  /** An account of its own for every trial; unique in the run. */
  account?: string;
  scenario?: string;
  /** The persona. What it does not know is not for the product. */
  profile?: Profile;
  /** Loaded into the account before the first message. */
  history?: Json;
  /** The prompt version of the condition, so that candidates reach every kind of target. */
  prompt?: { name: string; path: string; text: string };
  tenant?: string;
  variables?: Record<string, string | number | boolean>;
}

/** One conversation with the product. */
export interface Session {
  /**
   * Sends one user message and waits for the whole reply. `onProgress` hears the reply as it streams.
   * A missing fixture gives a reply with `stop: 'no-fixture'`, its parts up to and including the unanswered call.
   * Throws ModelError, and the signal's reason when aborted.
   */
  send(
    message: string,
    onProgress: (progress: ReplyProgress) => void,
    signal: AbortSignal,
  ): Promise<AgentReply>;
  /** Never throws: what went wrong while closing is only noted in `log`. */
  close(): Promise<void>;
  /**
   * What the product said beside its replies (a command's stderr, a close that failed): its last lines, bounded,
   * without secrets. To be kept with the trial; complete after `close`.
   */
  log?(): string;
}

/** What is tested. */
export interface Target {
  open(request: SessionRequest): Promise<Session>;
  /** Accounts are emptied when a session opens, so one may be used again in another run. */
  readonly resetsAccounts?: boolean;
  /**
   * The values that the product is tuned with, asked once before the run. Throws UserError (exit code 3) when
   * they are named and cannot be had.
   */
  tuning?(): Promise<Json | undefined>;
  /** Ends what the target holds between sessions (worker processes). */
  close?(): Promise<void>;
}

/** A product that could not answer. The kinds are those of a trial's error; the message is safe to show. */
export class TargetError extends Error {
  readonly kind: 'auth' | 'rate-limit' | 'fallback' | 'network' | 'other';
  readonly retryAfterMs: number | undefined;
  constructor(kind: TargetError['kind'], message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'TargetError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
