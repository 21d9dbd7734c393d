/** What a terminal says of itself. */
export interface TerminalAnswers {
  /** It knows the alternate screen, DEC's mode 1049; undefined where it does not say. */
  hasAlternateScreen?: boolean;
  /** Cells that the text took that was drawn; undefined where it does not say. */
  cells?: number;
}

type Input = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause' | 'setRawMode' | 'isRaw'>;

/** Whether mode 1049 is known (DECRQM), and what every terminal answers (DA1), so that nobody waits for one that is silent. */
const questions = '\x1b[?1049$p\x1b[c';
const askCursor = '\x1b[6n';
const eraseLine = '\r\x1b[K';

/**
 * Asks a terminal what it can do: draws `text` on an empty line, asks where the cursor is then, takes the text away again,
 * and waits for the answers, at most `limitMs`. Keys that are pressed meanwhile are lost, but for Ctrl+C.
 */
export async function askTerminal(
  stdin: Input,
  stdout: Pick<NodeJS.WriteStream, 'write'>,
  { text, limitMs }: { text: string; limitMs: number },
): Promise<TerminalAnswers> {
  let heard = '';
  const wasRaw = stdin.isRaw;
  return await new Promise<TerminalAnswers>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stdin.off('data', onData);
      stdin.pause();
      try {
        stdin.setRawMode(wasRaw);
      } catch {
        // The terminal is gone, and its mode with it.
      }
      // In raw mode the terminal makes no signal of it.
      if (heard.includes('\x03')) process.kill(process.pid, 'SIGINT');
      resolve(readAnswers(heard));
    };
    const onData = (data: Buffer | string) => {
      heard += data;
      if (heard.includes('\x03') || /\x1b\[\?[\d;]*c/.test(heard)) end();
    };
    const timer = setTimeout(end, limitMs);
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
    stdout.write(`\r${text}${askCursor}${eraseLine}${questions}`);
  });
}

function readAnswers(heard: string): TerminalAnswers {
  const [, mode] = /\x1b\[\?1049;(\d)\$y/.exec(heard) ?? [];
  const [, column] = /\x1b\[\d+;(\d+)R/.exec(heard) ?? [];
  return {
    // 1 and 2: set and reset; 0: not known; 3 and 4: always so, which cannot be left.
    ...(mode !== undefined && { hasAlternateScreen: mode === '1' || mode === '2' }),
    ...(column !== undefined && { cells: Number(column) - 1 }),
  };
}
