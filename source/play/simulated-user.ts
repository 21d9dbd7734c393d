import { makeVisible } from '../base/text.js';
import {
  addUsage,
  type ChatMessage,
  type ChatModel,
  ModelError,
  noUsage,
  type Usage,
} from '../model/types.js';
import { redactSecrets } from '../project/secrets.js';
import type { Profile, SimulatedTurn } from '../suite/types.js';
import type { AgentReply } from '../target/types.js';
import { renderUserPrompt, simulatedUserPrompt } from './simulated-user-prompt.js';
import type { Turn } from './types.js';
import { type RawAnswer, readUserAnswer, type UserSays, userAnswerSchema } from './user-answer.js';

/** Where a conversation stands when the user is to speak. */
export interface UserRequest {
  profile: Profile | undefined;
  turn: SimulatedTurn;
  /** Messages that the user has sent in this turn. */
  sent: number;
  /** The conversation so far, fixed messages included. */
  conversation: readonly Turn[];
  /** Names the draw. */
  seed: string;
  signal: AbortSignal;
}

/** What the user says, and what it took. */
export type UserAnswer = UserSays & {
  /** Of all requests that it took. */
  usage: Usage;
  /** The provider reported no tokens for some of them. */
  usageMissing?: true;
  /** What was wrong with the first answer, where a second one was asked for. */
  askedAgain?: string;
};

/** Plays the user of a scenario. */
export interface SimulatedUser {
  /** `provider:model`, as shown and stored. */
  readonly model: string;
  /** `name@N` of the text that it is told. */
  readonly prompt: string;
  /** Throws ModelError, kind `bad-answer` when nothing could be sent after asking twice; the signal's reason. */
  speak(request: UserRequest): Promise<UserAnswer>;
}

/** Output tokens of one answer: a message is short, but a model that thinks first thinks within them. */
const maxTokens = 4096;

/** What stands in the place of an agent's message before there is one: a conversation begins with the other side. */
const opening = '(The conversation begins. The agent is waiting for what you say.)';

/** A reply as the user gets to see it: its text and its quick replies, nothing of its tools. */
function shownReply({ text, suggestions = [] }: AgentReply): string {
  const said = text.trim() === '' ? '(The agent said nothing.)' : text;
  if (suggestions.length === 0) return said;
  return `${said}\n\n(Quick replies that are offered: ${suggestions.map((one) => JSON.stringify(one)).join(', ')})`;
}

/** The conversation from the user's side: the agent's replies come in, the user's own messages went out. */
function fromTheUsersSide(conversation: readonly Turn[]): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: 'user', text: opening }];
  for (const { message, reply } of conversation) {
    const own = JSON.stringify({ message, done: false });
    messages.push({ role: 'assistant', text: own, toolRequests: [] });
    messages.push({ role: 'user', text: shownReply(reply) });
  }
  return messages;
}

/**
 * A user that a chat model plays. It is asked for one message at a time and gets to see what the agent said in
 * between, so it can neither speak twice in a row nor hear itself. An answer that cannot be sent is asked for once
 * more; a second one ends the trial in an error, for what the user did not say is nothing that the agent did.
 */
export function createSimulatedUser({ model }: { model: ChatModel }): SimulatedUser {
  async function ask(request: UserRequest, system: string, messages: ChatMessage[], seed: string) {
    const answer: RawAnswer = { text: '', stop: 'end', calledTool: false };
    let usage = noUsage;
    let isUsageMissing = false;
    let isDone = false;
    const { signal } = request;
    const stream = model.stream({
      system,
      messages,
      tools: [],
      maxTokens,
      seed,
      answerSchema: userAnswerSchema,
      signal,
    });
    for await (const event of stream) {
      switch (event.type) {
        case 'text':
          answer.text += event.text;
          break;
        case 'tool-request':
          answer.calledTool = true;
          break;
        case 'restart':
          answer.text = '';
          answer.calledTool = false;
          break;
        case 'done':
          isDone = true;
          answer.stop = event.stop;
          usage = event.usage;
          isUsageMissing = event.usageMissing ?? false;
          break;
      }
    }
    if (!isDone) throw new ModelError('bad-answer', `the answer of ${model.name} broke off in the middle`);
    return { answer, usage, isUsageMissing };
  }

  async function speak(request: UserRequest): Promise<UserAnswer> {
    const { profile, turn, sent, conversation, seed } = request;
    const system = renderUserPrompt(profile, turn, turn.maxTurns - sent);
    const messages = fromTheUsersSide(conversation);
    const lastReply = conversation.at(-1)?.reply.text;

    const first = await ask(request, system, messages, seed);
    const says = readUserAnswer(first.answer, lastReply);
    if (!('mistake' in says)) return { ...says, ...tokensOf(first) };

    const again: ChatMessage[] = [
      ...messages,
      { role: 'assistant', text: first.answer.text.trim() || '(nothing)', toolRequests: [] },
      { role: 'user', text: correction(says.mistake) },
    ];
    const second = await ask(request, system, again, `${seed}/again`);
    const saysNow = readUserAnswer(second.answer, lastReply);
    if ('mistake' in saysNow) throw notSendable(saysNow.mistake, second.answer.text);
    return { ...saysNow, ...tokensOf(first, second), askedAgain: says.mistake };
  }

  function notSendable(mistake: string, text: string): ModelError {
    const said = makeVisible(redactSecrets(text.slice(0, 4000)).replace(/\s+/g, ' ').trim());
    const shown = Array.from(said).slice(0, 200).join('');
    return new ModelError(
      'bad-answer',
      `${model.name} gave no message that could be sent, asked twice: ${mistake}; it answered: ${shown || '(nothing)'}`,
    );
  }

  return {
    model: model.name,
    prompt: simulatedUserPrompt.name,
    async speak(request) {
      try {
        return await speak(request);
      } catch (error) {
        throw error instanceof ModelError ? ofTheUser(error) : error;
      }
    },
  };
}

function correction(mistake: string): string {
  return `(This could not be sent: ${mistake}. Say it again, as the person alone, with one JSON object {"message": …, "done": …} and nothing else.)`;
}

function tokensOf(
  ...answers: readonly { usage: Usage; isUsageMissing: boolean }[]
): Pick<UserAnswer, 'usage' | 'usageMissing'> {
  const usage = answers.reduce((sum, answer) => addUsage(sum, answer.usage), noUsage);
  return answers.some(({ isUsageMissing }) => isUsageMissing) ? { usage, usageMissing: true } : { usage };
}

/** The same error, which says that it is not the agent's. */
function ofTheUser({ kind, message, retryAfterMs, status, permanent }: ModelError): ModelError {
  const facts = { ...(status !== undefined && { status }), permanent };
  return new ModelError(kind, `the simulated user: ${message}`, retryAfterMs, facts);
}
