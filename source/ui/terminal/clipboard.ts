import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';

/** Terminals drop longer sequences without a word; 74,994 bytes of base64 is what the strictest common one takes. */
const mostBase64 = 74_994;

/** Asks the terminal to put a text on the clipboard (OSC 52); undefined when it is too long for that. */
export function clipboardSequence(text: string): string | undefined {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  return encoded.length > mostBase64 ? undefined : `\x1b]52;c;${encoded}\x07`;
}

let folder: string | undefined;

/** Writes a text to a file in a folder that only this person reads, one a process, and gives its path. Throws what writing throws. */
export function writeCopy(text: string, name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'evalrun-'));
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/**
 * Copies a text both ways, since no terminal tells whether it took what was sent: to a file, and to the clipboard with
 * `send` when it is short enough. Gives what to tell the person; the path comes first, for it is the part that is sure.
 */
export function copyText(text: string, name: string, send: (sequence: string) => void): string {
  const sequence = clipboardSequence(text);
  if (sequence !== undefined) send(sequence);
  const sent =
    sequence === undefined ? 'too long for the clipboard' : "sent to the terminal's clipboard (OSC 52)";
  try {
    return `in ${writeCopy(text, name)}; ${sent}`;
  } catch (error) {
    return `${sent}; no file: ${messageOf(error)}`;
  }
}
