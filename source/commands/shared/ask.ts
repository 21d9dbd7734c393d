import { createInterface } from 'node:readline/promises';
import type { CommandIo } from '../io.js';

/** Asks a person a question that is answered with yes or no; an end of the input, and anything else, is no. */
export async function askYes(question: string, { stdin, stderr }: CommandIo): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const closed = new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
    });
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
