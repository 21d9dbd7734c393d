// TypeScript that no JavaScript engine reads as it is: an enum, and an import of another TypeScript file.
import { greet } from './greeting.js';

enum Mood {
  Calm = 'calm',
}

interface Params {
  account: string;
  history?: { seen?: boolean };
  [name: string]: unknown;
}

class Conversation {
  turns = 0;
  constructor(readonly params: Params) {}
}

export async function open(params: Params) {
  const wasSeen = params.history?.seen === true;
  if (params.history) params.history.seen = true;
  return { session: new Conversation({ ...params, wasSeen }), tuning: { maxTurns: 3 } };
}

export async function send(
  session: Conversation,
  message: string,
  { onDelta }: { onDelta(delta: string): void },
) {
  session.turns++;
  for (const word of greet(message).split(/(?<= )/)) onDelta(word);
  return {
    reply: greet(message),
    toolCalls: [{ name: 'look', args: {}, result: session.turns }],
    signals: { mood: Mood.Calm, params: session.params },
    version: undefined,
    ended: session.turns >= 3,
  };
}

export async function close(session: Conversation) {
  if (session.turns === 0) throw new Error('nothing was said');
}
