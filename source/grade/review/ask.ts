import { addUsage, type ChatModel, noUsage, type Usage } from '../../model/types.js';
import type { Transcript } from '../../play/types.js';
import { fenceSections, type Section, sectionsOf } from '../judge/question.js';
import { type ReadReview, readReview, reviewSchema } from './answer.js';
import type { TranscriptReview } from './types.js';

export interface ReviewQuestion {
  model: ChatModel;
  prompt: { name: string; text: string; sha256: string };
  transcript: Transcript;
  /** What is true in this case, as far as the scenario says it. */
  facts: readonly string[];
  seed: string;
  signal?: AbortSignal;
  /** Hears which turn, from 1, the answer has come to. */
  onTurn?: (turn: number) => void;
}

/** Output tokens of a review, and for each of its turns. */
const tokensOfReview = 1000;
const tokensOfTurn = 300;

/**
 * Has the reviewer read a conversation. An answer that cannot be read is asked for once more; if that cannot be read
 * either the review says so, and holds it. Throws ModelError, and the signal's reason when aborted.
 */
export async function askReview(
  question: ReviewQuestion,
): Promise<{ review: TranscriptReview; usage: Usage }> {
  const { model, prompt, transcript, facts, seed } = question;
  const count = transcript.turns.length;
  // The judge's way to write a conversation: nothing in it can pass for a speaker or close its section.
  const conversation = sectionsOf({ task: { kind: 'refusal' }, transcript, on: 'replies' }).filter(
    ([name]) => name === 'transcript',
  );
  const sections: Section[] = [
    ['task', `review of ${count === 1 ? '1 turn' : `${count} turns`}`],
    ...(facts.length > 0 ? [['fact', facts.map((fact) => `- ${fact}`).join('\n')] satisfies Section] : []),
    ...conversation,
  ];
  const text = fenceSections(sections, seed);
  const about = { model: model.name, prompt: prompt.name, promptSha256: prompt.sha256 };
  let usage = noUsage;
  let raw = '';
  let read: ReadReview = { why: 'nobody was asked' };
  for (const again of [false, true]) {
    const answer = await readToEnd(question, again ? `${text}\n\n${reminder}` : text, again);
    usage = addUsage(usage, answer.usage);
    raw = answer.text;
    read = answer.isWhole ? readReview(raw, count) : { why: 'it was cut off or refused' };
    if ('turns' in read) return { review: { ...about, ...read }, usage };
  }
  const why = 'why' in read ? read.why : '';
  return { review: { ...about, turns: [], summary: '', unread: { why, raw } }, usage };
}

const reminder =
  'Your last answer could not be read. Answer with one complete JSON object and nothing else, with an entry for every turn.';

async function readToEnd(
  { model, prompt, transcript, seed, signal, onTurn }: ReviewQuestion,
  text: string,
  again: boolean,
): Promise<{ text: string; isWhole: boolean; usage: Usage }> {
  const answer = { text: '', isWhole: false, usage: noUsage };
  const room = tokensOfReview + tokensOfTurn * transcript.turns.length;
  const stream = model.stream({
    system: prompt.text,
    messages: [{ role: 'user', text }],
    tools: [],
    temperature: 0,
    maxTokens: again ? room * 2 : room,
    seed: again ? `${seed}/again` : seed,
    answerSchema: reviewSchema,
    ...(signal && { signal }),
  });
  for await (const event of stream) {
    if (event.type === 'text') {
      answer.text += event.text;
      const turn = turnsBegun(answer.text);
      if (turn > 0) onTurn?.(turn);
    }
    // What came before is void.
    if (event.type === 'restart') answer.text = '';
    if (event.type === 'done') {
      answer.isWhole = event.stop === 'end';
      answer.usage = event.usage;
    }
  }
  return answer;
}

/** Entries of turns in an answer that is not complete yet. */
function turnsBegun(answer: string): number {
  return answer.match(/"turn"\s*:/g)?.length ?? 0;
}
