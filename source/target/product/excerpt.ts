import { makeVisible } from '../../base/text.js';
import type { Secrets } from '../../project/known-secrets.js';
import { redactSecrets } from '../../project/secrets.js';

/** Characters that are looked at for what may be a few hundred in the end. */
const considered = 8192;

/**
 * The start of what a product said, for a message: secrets taken out, those of the target and whatever has the form
 * of a key; on one line, nothing in it that a terminal would obey, at most `most` characters.
 */
export function excerpt(text: string, secrets: Secrets, most = 200): string {
  // Redacted before it is cut to size: half a secret would not be recognised.
  const safe = redactSecrets(secrets.redact(text.slice(0, considered)));
  const folded = Array.from(safe.replace(/\s+/g, ' ').trim());
  // Cut once more when it is visible, for marks are longer than what they stand for.
  const shown = Array.from(makeVisible(folded.slice(0, most + 1).join('')));
  return shown.length > most ? `${shown.slice(0, most - 1).join('')}…` : shown.join('');
}
