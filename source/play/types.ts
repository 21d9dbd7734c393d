import type { AgentReply } from '../target/types.js';

/** One user message and what came back. */
export interface Turn {
  /** From 1. */
  index: number;
  message: string;
  reply: AgentReply;
  /** Milliseconds from sending to the end of the reply. */
  ms: number;
}

/** Why the conversation ended. `no-fixture`: a tool call had no recorded answer, so what comes after is unknown. */
export type TrialEnd =
  | { kind: 'completed' }
  | { kind: 'turn-limit'; maxTurns: number }
  | { kind: 'no-fixture'; tool: string; args: string };

/** One conversation, whole. */
export interface Transcript {
  turns: Turn[];
  end: TrialEnd;
  /** Messages that were planned and not sent. */
  unsent: string[];
}
