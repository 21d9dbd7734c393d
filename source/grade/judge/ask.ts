import { addUsage, type ChatModel, noUsage, type StopReason, type Usage } from '../../model/types.js';
import type { AskJudge, CachedVerdict, JudgeCache, JudgeTask } from '../types.js';
import { type ReadAnswer, readAnswer } from './answer.js';
import { type AnswerForm, answerSchema, formOf } from './form.js';
import { readInstructions } from './instructions.js';
import { fenceSections, sectionsOf } from './question.js';
import { verdictKey } from './verdict-key.js';

/** Output tokens of one answer: a sentence and a number, with room for a model that thinks aloud. */
const answerTokens = 1000;

const reminder =
  'Your last answer could not be read. Answer with one complete JSON object and nothing else, in the form that is asked for.';

/** What a judge is made of. */
export interface JudgeOptions {
  model: ChatModel;
  /** `name@N` */
  promptName: string;
  /** The whole text of the prompt; the instructions for each task are taken from it. */
  promptText: string;
  /** Answers what was asked before. Not used for a simulated judge, whose draws are part of what a seed names. */
  cache?: JudgeCache;
}

/**
 * A judge that gives one verdict a question. An answer that cannot be read is asked for once more; if that cannot be
 * read either, the verdict has none of `score`, `pass` and `answers`, and `raw` holds the last answer as it came.
 * Tokens of both requests are counted. Throws UserError at once for a prompt that cannot be used; the judge throws
 * ModelError, and the signal's reason when aborted.
 */
export function createJudge({ model, promptName, promptText, cache }: JudgeOptions): AskJudge {
  const instructionsByTask = readInstructions(promptName, promptText);
  const usedCache = model.name.startsWith('simulated:') ? undefined : cache;
  const about = { model: model.name, prompt: promptName };

  return async (question) => {
    const { task, seed, signal } = question;
    const instructions = instructionsByTask.get(task.kind);
    if (!instructions) {
      const reason = `the judge prompt ${promptName} has no part for the task "${task.kind}"`;
      return { verdict: { ...about, reason }, usage: noUsage };
    }
    const sections = sectionsOf(question);
    const form = formOf(task);
    const shown = sections.map(([, section]) => section).join('\n');
    const key = usedCache
      ? verdictKey({ model: model.name, prompt: instructions.sha256, sections, form, index: question.index })
      : '';
    const kept = await usedCache?.get(key);
    if (kept) return { verdict: { ...about, ...kept, cached: true }, usage: noUsage };

    const text = fenceSections(sections, seed);
    const ask = (message: string, requestSeed: string, maxTokens: number) =>
      readToEnd(model, {
        system: instructions.text,
        messages: [{ role: 'user', text: message }],
        tools: [],
        temperature: 0,
        maxTokens,
        seed: requestSeed,
        answerSchema: answerSchema(form),
        ...(signal && { signal }),
      });
    let answer = await ask(text, seed, answerTokens);
    let usage = answer.usage;
    let read = understand(answer, form, shown);
    if (read.kind === 'unreadable') {
      signal?.throwIfAborted();
      // The same question again, with a seed of its own and twice the room, in case the answer was cut off.
      answer = await ask(`${text}\n\n${reminder}`, `${seed}/again`, answerTokens * 2);
      usage = addUsage(usage, answer.usage);
      read = understand(answer, form, shown);
    }
    if (read.kind === 'unreadable') {
      const reason = `the judge's answer could not be read: ${read.why}`;
      return { verdict: { ...about, reason, raw: answer.text }, usage };
    }
    const said = verdictOf(task, read);
    await usedCache?.set(key, said);
    return { verdict: { ...about, ...said }, usage };
  };
}

function verdictOf(task: JudgeTask, read: Exclude<ReadAnswer, { kind: 'unreadable' }>): CachedVerdict {
  const { reason } = read;
  if (read.kind === 'score') return { score: read.score, reason };
  const { pass } = read.answers;
  return task.kind === 'judge' && pass !== undefined ? { pass, reason } : { answers: read.answers, reason };
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
    // What came before is void: a verdict that was half written must not stand beside the whole one.
    if (event.type === 'restart') answer.text = '';
    if (event.type === 'done') {
      answer.stop = event.stop;
      answer.usage = event.usage;
    }
  }
  return answer;
}

/** An answer that did not end by itself is not believed, even where it looks complete. */
function understand(answer: Answer, form: AnswerForm, shown: string): ReadAnswer {
  switch (answer.stop) {
    case 'end':
      return readAnswer(answer.text, form, shown);
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
