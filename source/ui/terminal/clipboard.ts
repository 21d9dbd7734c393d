import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Terminals drop longer sequences without a word; 74,994 bytes of base64 is what the strictest common one takes. */
const mostBase64 = 74_994;

/** Asks the terminal to put a text on the clipboard (OSC 52); undefined when it is too long for that. */
export function clipboardSequence(text: string): string | undefined {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  return encoded.length > mostBase64 ? undefined : `\x1b]52;c;${encoded}\x07`;
}

/** Writes a text that is too long for the clipboard to a file of its own and gives its path. Throws what writing throws. */
export function writeCopy(text: string, name: string): string {
  const file = join(tmpdir(), `evalrun-${process.pid}-${name}`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
