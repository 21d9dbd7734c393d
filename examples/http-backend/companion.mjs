// The product: a companion for anxious moments. Rules in the place of a model, so that it runs anywhere and says
// the same to the same account. What it does depends on the text of its prompt, as it would with a model.
import { createHash } from 'node:crypto';

/** What the product is tuned with; a test bench asks for it, so that it grades against the values in force. */
export const tuning = { startDistress: 6, wrapUpAfterTurns: 6, maxTurns: 8, calmAt: 3 };

export const version = '2.3.0';

/** Numbers from 0 to 1 that depend on the account alone. */
function createDraws(account) {
  let state = createHash('sha256').update(account).digest().readUInt32LE(0);
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What the prompt asks for. Unknown wording changes nothing, as with a model that overlooks it. */
function readPrompt(prompt) {
  return {
    acknowledgesFirst: /acknowledge|validate/i.test(prompt),
    offersExerciseAtOnce: /exercise (at once|right away|in the first reply)/i.test(prompt),
    neverWrapsUp: /never end the conversation/i.test(prompt),
  };
}

const categories = [
  ['panic', /\b(panic\w*|can'?t breathe|heart (is )?racing|shaking)\b/i],
  ['sleep', /\b(sleep\w*|awake|insomnia|nightmare\w*)\b/i],
  ['work', /\b(work|boss|deadline|job|presentation)\b/i],
];
const isWorse = /\b(worse|can'?t|panic\w*|unbearable|not helping|doesn'?t help)\b/i;
const isBetter = /\b(better|calmer|helped|thank\w*|easier)\b/i;
const asksHow = /\b(how (do|can|should)|what can i do|technique|exercise)\b/i;

const exercises = {
  panic: 'Let your breath out for longer than you take it in: four counts in, six out.',
  sleep: 'Write down the thought that keeps you awake, then put the paper in another room.',
  work: 'Name the next small step only, and do nothing else for five minutes.',
  other: 'Look around and name five things that you can see.',
};

/** Opens a session. `history` is what the account was loaded with: `{lastDistress, topic}`. */
export function openSession({ id, account, profile, prompt = '', history }) {
  return {
    id,
    name: profile?.name,
    prompt,
    rules: readPrompt(prompt),
    draw: createDraws(account),
    turns: 0,
    distress: history?.lastDistress ?? tuning.startDistress,
    category: history?.topic ?? 'other',
    wasAcknowledged: false,
    words: 0,
    hasEnded: false,
  };
}

function countWords(text) {
  return text.split(/\s+/).filter(Boolean).length;
}

/** Which kind of reply comes next. */
function chooseMove(session, message) {
  const { rules, turns, distress } = session;
  if (turns >= tuning.maxTurns) return 'goodbye';
  if (!rules.neverWrapsUp && (turns > tuning.wrapUpAfterTurns || distress <= tuning.calmAt)) return 'wrap-up';
  if (rules.offersExerciseAtOnce && turns === 1) return 'exercise';
  if (rules.acknowledgesFirst && !session.wasAcknowledged) return 'acknowledge';
  if (asksHow.test(message)) return 'exercise';
  return turns % 2 === 0 ? 'question' : 'acknowledge';
}

/** What a reply does to somebody: being heard calms, most of the time; advice before that does not. */
function changeDistress(session, move, message) {
  let change = isWorse.test(message) ? 1 : isBetter.test(message) ? -1 : 0;
  const draw = session.draw();
  if (move === 'acknowledge' && draw < 0.9) change -= 1;
  if (move === 'exercise') change += session.wasAcknowledged ? -1 : 1;
  if (move === 'acknowledge') session.wasAcknowledged = true;
  session.distress = Math.min(10, Math.max(0, session.distress + change));
}

function say(session, move) {
  const { category, name } = session;
  const you = name === undefined ? '' : `, ${name}`;
  switch (move) {
    case 'acknowledge':
      return `That sounds hard${you}. It makes sense that you feel like this.`;
    case 'exercise':
      return `Let us try something. ${exercises[category]}`;
    case 'question':
      return `What is on your mind right now${you}?`;
    case 'wrap-up':
      return `We have come a good way${you}. What would you like to take with you from today?`;
    default:
      return 'We are at the end of our time. I am here again tomorrow. In an emergency, call your local number.';
  }
}

const quickReplies = {
  acknowledge: ['It started today', 'It has been going on for a while'],
  exercise: ['I tried it', 'That does not help'],
  question: ['My work', 'My sleep', 'Something else'],
  'wrap-up': ['That I am not alone', 'The exercise', 'Nothing'],
  goodbye: [],
};

/** Answers one message. `modelFails`: its own model gave nothing, and it says a sentence that fits everything. */
export function answer(session, message, modelFails) {
  session.turns += 1;
  session.category = categories.find(([, pattern]) => pattern.test(message))?.[0] ?? session.category;
  const move = chooseMove(session, message);
  changeDistress(session, move, message);
  session.hasEnded = move === 'goodbye';
  const reply = modelFails && move !== 'goodbye' ? 'I am listening.' : say(session, move);

  const prompt = countWords(session.prompt);
  const input = prompt + session.words + countWords(message);
  session.words += countWords(message) + countWords(reply);
  const looksUp = move === 'exercise' && !modelFails;
  return {
    reply,
    tools: looksUp
      ? [{ name: 'find_exercise', args: { topic: session.category }, result: exercises[session.category] }]
      : [],
    distress: session.distress,
    category: session.category,
    phase: move === 'wrap-up' || move === 'goodbye' ? 'wrap-up' : 'talk',
    quickReplies: quickReplies[move],
    model: 'companion-rules-1',
    version,
    // All input, of which the prompt comes from the cache from the second turn on.
    usage: {
      input,
      output: countWords(reply),
      cached: session.turns > 1 ? prompt : 0,
      written: session.turns > 1 ? 0 : prompt,
    },
    ended: session.hasEnded,
    usedDefaults: modelFails,
  };
}
