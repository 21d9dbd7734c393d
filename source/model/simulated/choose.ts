import { createRandom } from '../../base/random.js';
import type { ChatMessage } from '../types.js';
import type { Alternative, Behaviour, SimulatedBehaviours, Step } from './behaviours.js';
import { holds, type TextView, type TurnState } from './conditions.js';
import { readSections } from './sections.js';

/** Where a request stands: the state of its turn, the user messages so far, and which request of the turn it is. */
export interface ConversationState extends TurnState {
  userMessages: readonly string[];
  /** From 0: model requests of this turn that were answered before. */
  step: number;
}

/** Reads a conversation as far as rules may look: everything up to and including the last user message. */
export function readConversation(
  system: string,
  messages: readonly ChatMessage[],
  view: (text: string) => TextView,
): ConversationState {
  const userMessages: string[] = [];
  const called = new Set<string>();
  let calledInTurn: string[] = [];
  let step = 0;
  for (const message of messages) {
    if (message.role === 'user') {
      userMessages.push(message.text);
      for (const tool of calledInTurn) called.add(tool);
      calledInTurn = [];
      step = 0;
    } else if (message.role === 'assistant') {
      step++;
      for (const request of message.toolRequests) calledInTurn.push(request.name);
    }
  }
  const user = view(userMessages.at(-1) ?? '');
  let conversation: TextView | undefined;
  let sections: Map<string, string> | undefined;
  return {
    prompt: view(system),
    user,
    userMessages,
    turn: userMessages.length,
    called,
    step,
    conversation() {
      conversation ??= view(userMessages.join('\n'));
      return conversation;
    },
    section(name) {
      sections ??= readSections(user.text);
      const section = sections.get(name);
      return section === undefined ? undefined : view(section);
    },
  };
}

/** The behaviours that may answer, best first: rules that hold, then replays, then `otherwise`. */
function* candidates(behaviours: SimulatedBehaviours, state: ConversationState): Generator<Behaviour> {
  for (const rule of behaviours.rules) if (holds(rule.when, state)) yield rule;
  let node: SimulatedBehaviours['replays'] | undefined = behaviours.replays;
  for (const message of state.userMessages) node = node?.next.get(message);
  if (node !== undefined) yield* node.behaviours;
  yield behaviours.otherwise;
}

function draw(
  alternatives: readonly Alternative[],
  ...seed: readonly (string | number)[]
): Alternative | undefined {
  if (alternatives.length < 2) return alternatives[0];
  const sum = alternatives.reduce((total, { weight }) => total + weight, 0);
  let rest = createRandom(...seed).next() * sum;
  for (const alternative of alternatives) {
    rest -= alternative.weight;
    if (rest < 0) return alternative;
  }
  // Only rounding leads here.
  return alternatives.at(-1);
}

const silence: Step = { say: '', calls: [] };

/**
 * What the model answers to a request. The draw hangs on the seed, the text of the system prompt and the
 * behaviour alone: the same in every order, and drawn anew for every edit of the prompt. A behaviour none of
 * whose alternatives holds is passed over. After its last step a turn ends in silence.
 */
export function chooseStep(
  behaviours: SimulatedBehaviours,
  state: ConversationState,
  seed: string,
  systemSha256: string,
): Step {
  for (const behaviour of candidates(behaviours, state)) {
    const possible = behaviour.alternatives.filter(({ when }) => when === undefined || holds(when, state));
    const drawn = draw(possible, seed, systemSha256, behaviour.id);
    if (drawn !== undefined) return drawn.steps[state.step] ?? silence;
  }
  return silence;
}
