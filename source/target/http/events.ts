/** One event of a stream. */
export interface ServerEvent {
  /** `message` when the stream names none. */
  type: string;
  /** The lines of its data, joined by line feeds. */
  data: string;
  /** The stream ended before the empty line that ends an event: it may be cut. */
  isOpen: boolean;
}

/** A stream that is not what it should be; the message says how. */
export class StreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StreamError';
  }
}

/** Characters of one event; more is no chat. */
const longestEvent = 16 * 1024 * 1024;

/** Splits text into lines at LF, CR or CRLF, wherever the chunks are cut. Gives what is left of an unended line last. */
async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ line: string; isEnded: boolean }> {
  // Fatal: half a character at the end must not pass as text. A byte order mark at the start is dropped.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: string[] = [];
  let length = 0;
  let afterCarriageReturn = false;
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      const where = bytes === undefined ? 'was cut in the middle of a character' : 'is not UTF-8';
      throw new StreamError(`the stream ${where}`);
    }
  };
  for await (const bytes of chunks) {
    let text = decode(bytes);
    if (text === '') continue;
    if (afterCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    afterCarriageReturn = text === '' ? false : text.endsWith('\r');
    const parts = text.split(/\r\n|\r|\n/);
    for (const part of parts.slice(0, -1)) {
      yield { line: pieces.join('') + part, isEnded: true };
      pieces = [];
      length = 0;
    }
    const rest = parts.at(-1) ?? '';
    pieces.push(rest);
    length += rest.length;
    if (length > longestEvent)
      throw new StreamError(`a line of the stream is longer than ${longestEvent} characters`);
  }
  const last = pieces.join('') + decode();
  if (last !== '') yield { line: last, isEnded: false };
}

/**
 * Reads server-sent events as the HTML standard says: fields by line, comments ignored, data of several lines
 * joined. An event that the stream's end leaves open is given too, marked. Throws StreamError, and whatever
 * `chunks` throws.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let type = '';
  let data: string[] = [];
  let length = 0;
  for await (const { line, isEnded } of readLines(chunks)) {
    if (line === '' && isEnded) {
      if (data.length > 0) yield { type: type || 'message', data: data.join('\n'), isOpen: false };
      type = '';
      data = [];
      length = 0;
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      data.push(value);
      length += value.length;
      if (length > longestEvent)
        throw new StreamError(`an event of the stream is longer than ${longestEvent} characters`);
    } else if (field === 'event') {
      type = value;
    }
  }
  if (data.length > 0) yield { type: type || 'message', data: data.join('\n'), isOpen: true };
}
