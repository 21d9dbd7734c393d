// A product as a module: a receptionist that books appointments. Loaded as it stands, without a build. Rules in the
// place of a model; how soon it gives up depends on its prompt.
import { freeSlots, type Slot } from './calendar.js';

interface OpenParams {
  account: string;
  prompt?: { text: string };
  profile?: { name?: string };
}

interface Session {
  account: string;
  name: string;
  patience: number;
  offered: Slot[];
  booked: Slot | undefined;
  turns: number;
}

interface Tools {
  onDelta(delta: string): void;
  signal: AbortSignal;
}

const tuning = { patience: 4, slotsOffered: 2 };

export async function open({ account, prompt, profile }: OpenParams) {
  const isHasty = /do not waste time/i.test(prompt?.text ?? '');
  const session: Session = {
    account,
    name: profile?.name ?? 'there',
    patience: isHasty ? 2 : tuning.patience,
    offered: [],
    booked: undefined,
    turns: 0,
  };
  return { session, tuning };
}

/** What is said next, and what was done for it. */
function respond(session: Session, message: string) {
  const chosen = session.offered.find(({ day, time }) => message.includes(day) || message.includes(time));
  if (chosen !== undefined) {
    session.booked = chosen;
    return {
      reply: `Done, ${session.name}: ${chosen.day} at ${chosen.time}. See you then.`,
      toolCalls: [{ name: 'book_slot', args: { ...chosen }, result: 'booked' }],
    };
  }
  if (session.turns > session.patience)
    return { reply: 'I have to end here. Please call us.', toolCalls: [] };
  if (!/\b(appointment|book|come in|slot|when|other|another)\b/i.test(message)) {
    return { reply: 'Would you like to book an appointment?', toolCalls: [] };
  }
  session.offered = freeSlots(session.account, session.turns, tuning.slotsOffered);
  const offers = session.offered.map(({ day, time }) => `${day} at ${time}`).join(' or ');
  return {
    reply: `I can offer ${offers}.`,
    toolCalls: [
      {
        name: 'find_slots',
        args: { count: tuning.slotsOffered },
        result: session.offered.map((slot) => ({ ...slot })),
      },
    ],
  };
}

export async function send(session: Session, message: string, { onDelta, signal }: Tools) {
  session.turns += 1;
  const { reply, toolCalls } = respond(session, message);
  for (const word of reply.match(/\S+\s*/g) ?? []) {
    signal.throwIfAborted();
    onDelta(word);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    reply,
    toolCalls,
    suggestions:
      session.booked === undefined ? session.offered.map(({ day, time }) => `${day} at ${time}`) : [],
    signals: {
      booked: session.booked !== undefined,
      turnsLeft: Math.max(0, session.patience - session.turns),
    },
    model: 'reception-rules-1',
    version: '3.0.2',
    ended: session.booked !== undefined || session.turns > session.patience,
  };
}

export async function close(session: Session) {
  session.offered = [];
}
