import { makeVisible } from '../../base/text.js';
import type { Secrets } from './secrets.js';

/**
 * The start of what a product said, for a message: secrets taken out, on one line, nothing in it that a terminal
 * would obey, at most `most` characters.
 */
export function excerpt(text: string, secrets: Secrets, most = 200): string {
  const folded = secrets.redact(text).replace(/\s+/g, ' ').trim();
  // Cut before it is made visible, so that a flood of characters costs nothing; and again after, as marks are longer.
  const shown = Array.from(
    makeVisible(
      Array.from(folded.slice(0, most * 2))
        .slice(0, most + 1)
        .join(''),
    ),
  );
  return shown.length > most ? `${shown.slice(0, most - 1).join('')}…` : shown.join('');
}
