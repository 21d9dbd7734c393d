import type { Json } from '../../base/json.js';
import { jsonMistake, parseUnambiguous } from '../../base/json-text.js';
import type { Secrets } from '../../project/known-secrets.js';
import { excerpt } from '../product/excerpt.js';
import { TargetError } from '../types.js';
import type { Answer } from './exchange.js';

/** Bytes of one answer; more is no chat. */
const largestAnswer = 16 * 1024 * 1024;

/** Reads a body whole, so that its connection can be used again. Throws TargetError when it is too large. */
export async function readBytes({ label, bytes }: Answer): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes()) {
    length += chunk.length;
    if (length > largestAnswer)
      throw new TargetError('other', `${label}: answered with more than ${largestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(body: Buffer, { label, charset }: Answer): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    throw new TargetError('other', `${label}: answered with bytes that are not ${charset.slice(0, 40)}`);
  }
}

/** Whether a text is a web page: what a proxy, a login wall or a router shows in the place of the product. */
export function isWebPage(mediaType: string, text: string): boolean {
  return mediaType === 'text/html' || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** Reads an answer as JSON. Throws TargetError that shows its start when it is none. */
export async function readJson(answer: Answer, secrets: Secrets): Promise<{ value: Json; text: string }> {
  const { label, status, mediaType } = answer;
  if (mediaType === 'text/event-stream') {
    throw new TargetError(
      'other',
      `${label}: answered ${status} with an event stream; add "stream: sse" to read it`,
    );
  }
  const text = decode(await readBytes(answer), answer);
  if (isWebPage(mediaType, text)) {
    const page = excerpt(text, secrets);
    throw new TargetError(
      'network',
      `${label}: answered ${status} with a web page in the place of JSON: ${page}`,
    );
  }
  if (text.trim() === '') throw new TargetError('other', `${label}: answered ${status} with an empty body`);
  try {
    return { value: parseUnambiguous(text), text };
  } catch (error) {
    const type = mediaType === '' ? '' : ` (${excerpt(mediaType, secrets, 60)})`;
    throw new TargetError(
      'other',
      `${label}: answered ${status} with what ${jsonMistake(error)}${type}: ${excerpt(text, secrets)}`,
    );
  }
}
