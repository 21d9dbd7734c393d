import type { Json } from '../../base/json.js';
import { jsonMistake, parseUnambiguous } from '../../base/json-text.js';
import type { Secrets } from '../../project/known-secrets.js';
import { excerpt } from '../product/excerpt.js';
import { type AgentReply, type ReplyProgress, TargetError } from '../types.js';
import { type Collector, createCollector, type Heard } from './collect.js';
import { readEvents, StreamError } from './events.js';
import type { Answer } from './exchange.js';
import { isWebPage, readBytes, readJson } from './json-answer.js';
import { AnswerMistake, type SendPicks } from './picks.js';

export interface ReadReplyOptions {
  picks: SendPicks;
  secrets: Secrets;
  onProgress: (progress: ReplyProgress) => void;
}

/** Characters of a stream that are kept to be quoted. */
const keptStart = 4096;

/** Reads the answer to a message: one JSON document. Throws TargetError. */
export async function readJsonReply(answer: Answer, options: ReadReplyOptions): Promise<AgentReply> {
  const { value, text } = await readJson(answer, options.secrets);
  const collector = createCollector(options.picks);
  return explaining(answer, options.secrets, text, () => {
    tell(collector.take(value), options.onProgress);
    return collector.finish();
  });
}

/** Reads the answer to a message: server-sent events with JSON data. Throws TargetError. */
export async function readStreamedReply(answer: Answer, options: ReadReplyOptions): Promise<AgentReply> {
  const { label, status, mediaType } = answer;
  const { secrets, onProgress } = options;
  if (mediaType !== 'text/event-stream') {
    const text = (await readBytes(answer)).toString('utf8');
    const type = mediaType === '' ? 'no content type' : excerpt(mediaType, secrets, 60);
    const start = excerpt(text, secrets);
    throw new TargetError(
      isWebPage(mediaType, text) ? 'network' : 'other',
      `${label}: answered ${status} with ${type} in the place of text/event-stream: ${start}`,
    );
  }
  const collector = createCollector(options.picks);
  let start = '';
  try {
    for await (const event of readEvents(answer.bytes())) {
      if (start.length < keptStart) start += `${event.data.slice(0, keptStart)} `;
      // The mark by which several providers end a stream. Whether the connection ends as well does not matter.
      if (event.data.trim() === '[DONE]') break;
      if (event.type === 'error') {
        throw new TargetError(
          'other',
          `${label}: the stream reports an error: ${excerpt(event.data, secrets)}`,
        );
      }
      const read = parseEvent(event.data);
      if ('mistake' in read) {
        // Signs of life are no data.
        if (/^(ping|heartbeat|keep-?alive)$/.test(event.type)) continue;
        if (event.isOpen) throw new StreamError('the stream was cut in the middle of an event');
        throw new TargetError('other', `${label}: an event ${read.mistake}: ${excerpt(event.data, secrets)}`);
      }
      tell(
        explaining(answer, secrets, event.data, () => collector.take(read.value)),
        onProgress,
      );
    }
  } catch (error) {
    if (error instanceof StreamError) throw new TargetError('network', `${label}: ${error.message}`);
    throw error;
  }
  return finishStream(answer, secrets, start, collector);
}

function finishStream(answer: Answer, secrets: Secrets, start: string, collector: Collector): AgentReply {
  if (start === '') throw new TargetError('network', `${answer.label}: the stream ended without an event`);
  return explaining(answer, secrets, start, () => collector.finish());
}

function parseEvent(data: string): { value: Json } | { mistake: string } {
  try {
    return { value: parseUnambiguous(data) };
  } catch (error) {
    return { mistake: jsonMistake(error) };
  }
}

function tell({ text, tools }: Heard, onProgress: (progress: ReplyProgress) => void): void {
  for (const name of tools) onProgress({ type: 'tool', name });
  if (text !== undefined) onProgress({ type: 'text', text });
}

/** Turns an AnswerMistake into the trial's error, with the start of what was answered. */
function explaining<T>({ label }: Answer, secrets: Secrets, text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AnswerMistake)) throw error;
    const message = excerpt(error.message, secrets, 400);
    throw new TargetError('other', `${label}: ${message}; the answer starts: ${excerpt(text, secrets)}`);
  }
}
