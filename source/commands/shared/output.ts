import { textWidth, wrapToWidth } from '../../base/width.js';
import { textForLog } from '../../report/log-text.js';

/** A stream that text can be written to without running ahead of it. */
export interface Output {
  /** Resolves once the stream takes more. What is written after the other end has gone is dropped. */
  write(text: string): Promise<void>;
}

export function createOutput(stream: NodeJS.WriteStream): Output {
  /** All that is written until the stream takes more waits for the same. */
  let waiting: Promise<void> | undefined;

  function untilItTakesMore(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        for (const event of ['drain', 'close', 'error']) stream.off(event, go);
        waiting = undefined;
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) stream.on(event, go);
    });
  }

  return {
    write(text) {
      if (stream.destroyed || stream.write(text)) return Promise.resolve();
      waiting ??= untilItTakesMore();
      return waiting;
    },
  };
}

/** Cells that lines of a report go on at when they are wrapped: where their second column begins. */
const hangingIndent = ' '.repeat(9);

/**
 * Writes lines to a stream; on a terminal they break between words. With `env` they are for a person, and in ASCII
 * where the locale has nothing else; no line of them is a command to a CI engine. Data is written as it is.
 */
export async function writeLines(
  stream: NodeJS.WriteStream,
  lines: Iterable<string>,
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  const forLog = env ? textForLog(env) : (text: string) => text;
  const output = createOutput(stream);
  const columns = stream.isTTY && stream.columns > 2 * hangingIndent.length ? stream.columns : undefined;
  for (const line of lines) {
    for (const piece of columns === undefined ? [line] : wrapLine(line, columns))
      await output.write(`${forLog(piece)}\n`);
  }
}

function wrapLine(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line];
  // A path that is longer than a line is left to the terminal: cut by us it could not be copied.
  const room = columns - hangingIndent.length;
  if (line.split(' ').some((word) => textWidth(word) > room)) return [line];
  // The table's own spacing stays as it is in the first piece; what follows is wrapped on its own.
  const [first = '', ...rest] = wrapToWidth(line, columns);
  const tail = wrapToWidth(rest.join(' ').trimStart(), room);
  return [first.trimEnd(), ...tail.map((piece) => hangingIndent + piece.trim())];
}
