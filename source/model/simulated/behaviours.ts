import type { RE2JS } from 're2js';
import type { JsonObject } from '../../base/json.js';

/** What must hold of one text. All of it: an empty list asks for nothing. */
export interface TextCondition {
  /** Stand in the text, white space folded on both sides. */
  has: readonly string[];
  /** Stand nowhere in it, white space folded on both sides. */
  lacks: readonly string[];
  /** Found somewhere in the text as it is. */
  matches: readonly RE2JS[];
  /** The whole text, character for character. */
  is: readonly string[];
}

/** What must hold of a conversation, up to and including its last user message. */
export interface Condition {
  /** The system prompt. */
  prompt?: TextCondition;
  /** The last user message. */
  user?: TextCondition;
  /** All user messages so far, joined by line ends. */
  conversation?: TextCondition;
  /** Sections of the last user message; one that is not there fulfils no condition. */
  sections: readonly { name: string; condition: TextCondition }[];
  /** Number of user messages so far, both ends included. */
  turn?: { min: number; max: number };
  /** Tools that were all called before this turn. */
  called: readonly string[];
  /** Tools of which none was called before this turn. */
  notCalled: readonly string[];
}

/** The answer to one model request. */
export interface Step {
  say: string;
  calls: readonly { name: string; args: JsonObject | string }[];
}

/** One thing that the model may do in a turn; step n answers the n-th request of the turn. */
export interface Alternative {
  weight: number;
  when: Condition | undefined;
  steps: readonly Step[];
}

/** What one draw decides between. `id` names the draw. */
export interface Behaviour {
  id: string;
  alternatives: readonly Alternative[];
}

export interface Rule extends Behaviour {
  when: Condition;
}

/** Scripted conversations as a tree: from message to message, with the behaviours that answer there, in file order. */
export interface ReplayNode {
  behaviours: Behaviour[];
  next: Map<string, ReplayNode>;
}

/** One simulated model: what a `simulated/<name>.yaml` says, checked and compiled. */
export interface SimulatedBehaviours {
  name: string;
  about: string;
  /** Of all that decides what it says: not of how fast it speaks and what is said of it. */
  hash: string;
  latency: { firstTokenMs: number; wordMs: number };
  cache: { minTokens: number; ttlSeconds: number };
  rules: readonly Rule[];
  /** Before the first user message. */
  replays: ReplayNode;
  otherwise: Behaviour;
}
