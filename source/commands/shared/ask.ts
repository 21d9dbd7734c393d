import { createInterface } from 'node:readline/promises';
import { UserError } from '../../base/errors.js';
import { makeVisible } from '../../base/text.js';
import type { CommandIo } from '../io.js';
import { isInteractive } from './terminal.js';

/**
 * Whether a person agrees to what is about to be done: who said `--yes` does, whoever sits at a terminal is asked, and
 * where nobody can be asked `otherwise` says what was not done, and how it is.
 */
export async function agreed(
  { yes }: { yes?: boolean | undefined },
  question: string,
  otherwise: string,
  io: CommandIo,
): Promise<boolean> {
  if (yes === true) return true;
  if (isInteractive(io)) return askYes(question, io);
  io.stderr.write(`evalrun: ${otherwise}\n`);
  return false;
}

/** A question that is answered with yes or no; an end of the input, and anything else, is no. */
async function askYes(question: string, io: CommandIo): Promise<boolean> {
  const asker = createAsker(io);
  try {
    return /^y(es)?$/i.test(await asker.line(`${question} [y/N] `));
  } catch (error) {
    if (error instanceof NobodyAnswers) return false;
    throw error;
  } finally {
    asker.close();
  }
}

/** The person has left (Ctrl+C), or the input is at its end. */
export class NobodyAnswers extends UserError {
  constructor() {
    super('', 130);
    this.name = 'NobodyAnswers';
  }
}

/** Several questions, one after another. Each throws NobodyAnswers. */
export interface Asker {
  /** What was written on the line, without white space around it. */
  line(question: string): Promise<string>;
  /** As `line`, with an answer for an empty line, and asked again until `mistakeIn` finds none. */
  text(question: string, usual: string, mistakeIn?: (answer: string) => string | undefined): Promise<string>;
  /** The index of one of several choices, the first being the usual one. */
  choice(question: string, choices: readonly string[]): Promise<number>;
  /** Yes unless the answer is no. */
  yes(question: string): Promise<boolean>;
  close(): void;
}

/** Questions on standard error, so that results stay alone on the other stream. */
export function createAsker({ stdin, stderr }: CommandIo): Asker {
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new NobodyAnswers()));
  });
  closed.catch(() => {});
  const say = (text: string) => stderr.write(`${makeVisible(text)}\n`);

  const asker: Asker = {
    async line(question) {
      // Closing rejects both: the second rejection must not stay unheard.
      const answer = lines.question(makeVisible(question, { keepNewlines: true }));
      answer.catch(() => {});
      // Whoever left between two questions has left: the second is refused then, which is no answer.
      return (await Promise.race([closed, answer])).trim();
    },
    async text(question, usual, mistakeIn = () => undefined) {
      for (;;) {
        const answer = (await asker.line(`${question}${usual === '' ? '' : ` [${usual}]`} `)) || usual;
        const mistake = answer === '' ? 'something has to be said here' : mistakeIn(answer);
        if (mistake === undefined) return answer;
        say(mistake);
      }
    },
    async choice(question, choices) {
      say(question);
      for (const [index, choice] of choices.entries()) say(`  ${index + 1}  ${choice}`);
      const wanted = (answer: string) => (/^\d+$/.test(answer) ? Number(answer) - 1 : -1);
      const answer = await asker.text('which one?', '1', (text) =>
        choices[wanted(text)] === undefined ? `a number from 1 to ${choices.length}` : undefined,
      );
      return wanted(answer);
    },
    async yes(question) {
      return !/^no?$/i.test(await asker.line(`${question} [Y/n] `));
    },
    close: () => lines.close(),
  };
  return asker;
}
