/** A stream that text can be written to without running ahead of it. */
export interface Output {
  /** Resolves once the stream takes more. What is written after the other end has gone is dropped. */
  write(text: string): Promise<void>;
}

export function createOutput(stream: NodeJS.WriteStream): Output {
  return {
    write(text) {
      if (stream.destroyed || stream.write(text)) return Promise.resolve();
      return new Promise((resolve) => {
        const go = () => {
          for (const event of ['drain', 'close', 'error']) stream.off(event, go);
          resolve();
        };
        for (const event of ['drain', 'close', 'error']) stream.on(event, go);
      });
    },
  };
}

/** Writes lines to a stream. */
export async function writeLines(stream: NodeJS.WriteStream, lines: Iterable<string>): Promise<void> {
  const output = createOutput(stream);
  for (const line of lines) await output.write(`${line}\n`);
}
