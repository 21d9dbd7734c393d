// A product that turns messages into actions, as JSON lines on standard input and output. Nothing but Node.
// Rules in the place of a model; whether it takes several actions from one message depends on its prompt.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const intents = [
  ['set_reminder', /\bremind me to (?<what>.+?)(?: at (?<time>\d{1,2}(?::\d{2})?))?(?= and |[.!]|$)/gi],
  ['send_message', /\b(?:tell|text) (?<to>[A-Z]\w+) (?:that )?(?<what>.+?)(?= and |[.!]|$)/gi],
  ['add_item', /\b(?:add|put) (?<what>.+?) (?:to|on) (?:the |my )?(?<list>\w+) list\b/gi],
];

function findActions(message) {
  const found = intents.flatMap(([type, pattern]) =>
    [...message.matchAll(pattern)].map((match) => ({
      at: match.index,
      action_type: type,
      fields: Object.fromEntries(Object.entries(match.groups).filter(([, value]) => value !== undefined)),
    })),
  );
  return found.sort((a, b) => a.at - b.at).map(({ action_type, fields }) => ({ action_type, fields }));
}

/** Whether this account is one of the few on which the model of this product gives nothing, and it says its default. */
function fallsBack(account) {
  return createHash('sha256').update(account).digest()[0] < 8;
}

function openSession({ account, prompt, variables }) {
  return {
    // Where it is started by hand there is no variable, and the prompt comes with the session.
    takesSeveral: /several actions/i.test(process.env.EVALRUN_PROMPT ?? prompt?.text ?? ''),
    locale: variables?.locale ?? 'en',
    isDefault: fallsBack(account),
  };
}

function answer({ takesSeveral, locale, isDefault }, message) {
  const all = isDefault ? [] : findActions(message);
  const actions = takesSeveral ? all : all.slice(0, 1);
  return {
    reply: JSON.stringify({ noop: actions.length === 0, actions }),
    signals: { locale, found: all.length },
    model: 'actions-rules-1',
    version: '0.9.1',
    usage: { input: message.split(/\s+/).length, output: 4 * actions.length + 2 },
    fallback: isDefault,
  };
}

const sessions = new Map();
const methods = {
  open(params, id) {
    sessions.set(id, openSession(params));
    return { session: id };
  },
  send({ session, message }) {
    return answer(sessions.get(session), message);
  },
  close({ session }) {
    sessions.delete(session);
    return {};
  },
};

// Ends by itself at the end of the input.
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id, result: methods[method](params, id) })}\n`);
});
