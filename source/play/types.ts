import type { Usage } from '../model/types.js';
import type { AgentReply } from '../target/types.js';

/** How a message came about that a model wrote, playing the user. */
export interface SimulatedMessage {
  /** `provider:model` */
  model: string;
  /** Which planned turn of the scenario it belongs to, from 1. */
  plannedTurn: number;
  /** The user had reached its goal, or had nothing left to say in that turn. */
  isDone: boolean;
  /** Tokens that it took to write it. */
  usage: Usage;
  /** The provider reported no tokens for some of them. */
  usageMissing?: true;
  /** What was wrong with the first answer, where a second one was asked for. */
  askedAgain?: string;
}

/** One user message and what came back. */
export interface Turn {
  /** From 1. */
  index: number;
  message: string;
  /** Not set: the message stands in the scenario. */
  simulated?: SimulatedMessage;
  reply: AgentReply;
  /** Milliseconds from sending to the end of the reply. */
  ms: number;
}

/**
 * Why the conversation ended. `completed`: everything was said. `turn-limit`: the suite allows no more messages.
 * `ended`: the product ended the session with its reply to `turn`, whether or not there was more to say.
 * `no-fixture`: a tool call had no recorded answer, so what comes after is unknown; `args` is JSON, for
 * `describeMissingFixture`.
 */
export type TrialEnd =
  | { kind: 'completed' }
  | { kind: 'turn-limit'; maxTurns: number }
  | { kind: 'ended'; turn: number }
  | { kind: 'no-fixture'; tool: string; args: string };

/** One conversation, whole. */
export interface Transcript {
  turns: Turn[];
  end: TrialEnd;
  /** Messages that were planned and not sent; of turns that a model plays, and that were not over, the instruction. */
  unsent: string[];
}
