import { addUsage, type ChatModel, noUsage, type StopReason, type Usage } from '../../model/types.js';
import type { AskJudge } from '../types.js';
import { type ReadAnswer, readAnswer } from './answer.js';
import { buildQuestion } from './question.js';

/** Output tokens of one answer: a sentence and a number, with room for a model that thinks aloud. */
const answerTokens = 1000;

const reminder =
  'Your last answer could not be read. Answer with one complete JSON object and nothing else, on the scale that is asked for.';

/**
 * A judge that gives one verdict a question. An answer that cannot be read is asked for once more; if that cannot be
 * read either, the verdict has neither `score` nor `pass`, and `raw` holds the last answer as it came.
 * Tokens of both requests are counted. Throws ModelError, and the signal's reason when aborted.
 */
export function createJudge(options: { model: ChatModel; promptName: string; promptText: string }): AskJudge {
  const { model, promptName, promptText } = options;
  return async (question) => {
    const text = buildQuestion(question);
    const ask = (message: string, seed: string, maxTokens: number) =>
      readToEnd(model, {
        system: promptText,
        messages: [{ role: 'user', text: message }],
        tools: [],
        temperature: 0,
        maxTokens,
        seed,
        ...(question.signal && { signal: question.signal }),
      });
    let answer = await ask(text, question.seed, answerTokens);
    let usage = answer.usage;
    let read = understand(answer, question.scale);
    if (read.kind === 'unreadable') {
      question.signal?.throwIfAborted();
      // The same question again, with a seed of its own and twice the room, in case the answer was cut off.
      answer = await ask(`${text}\n\n${reminder}`, `${question.seed}/again`, answerTokens * 2);
      usage = addUsage(usage, answer.usage);
      read = understand(answer, question.scale);
    }
    const about = { model: model.name, prompt: promptName };
    if (read.kind === 'unreadable')
      return {
        verdict: { ...about, reason: `the judge's answer could not be read: ${read.why}`, raw: answer.text },
        usage,
      };
    const value = read.kind === 'score' ? { score: read.score } : { pass: read.pass };
    return { verdict: { ...about, ...value, reason: read.reason }, usage };
  };
}

interface Answer {
  text: string;
  stop: StopReason | undefined;
  usage: Usage;
}

async function readToEnd(model: ChatModel, request: Parameters<ChatModel['stream']>[0]): Promise<Answer> {
  const answer: Answer = { text: '', stop: undefined, usage: noUsage };
  for await (const event of model.stream(request)) {
    if (event.type === 'text') answer.text += event.text;
    if (event.type === 'done') {
      answer.stop = event.stop;
      answer.usage = event.usage;
    }
  }
  return answer;
}

/** An answer that did not end by itself is not believed, even where it looks complete. */
function understand(answer: Answer, scale: 'score' | 'pass-fail'): ReadAnswer {
  switch (answer.stop) {
    case 'end':
      return readAnswer(answer.text, scale);
    case 'cut-off':
      return { kind: 'unreadable', why: 'it was cut off at the token limit' };
    case 'refused':
      return { kind: 'unreadable', why: 'the model refused to answer' };
    case 'tool-calls':
      return { kind: 'unreadable', why: 'it calls a tool instead of answering' };
    default:
      return { kind: 'unreadable', why: 'it broke off' };
  }
}
