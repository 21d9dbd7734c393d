import type { Secrets } from '../../project/known-secrets.js';
import { redactSecrets } from '../../project/secrets.js';

/** What a product said beside its replies: the last lines of it, bounded. */
export interface SessionLog {
  add(line: string): void;
  /** The lines that are kept, oldest first, without secrets. */
  lines(): string[];
  /** The same as one text; when some were dropped, its first line says how many. */
  read(): string;
}

const mostLines = 40;
const shownCharacters = 400;
/** Kept of a line until it is read: more than is shown, so that no half of a secret is. */
const keptCharacters = 4096;

/** An empty log. */
export function createSessionLog(secrets: Secrets): SessionLog {
  const kept: string[] = [];
  let dropped = 0;

  function show(line: string): string {
    const safe = redactSecrets(secrets.redact(line));
    return safe.length > shownCharacters ? `${safe.slice(0, shownCharacters - 1)}…` : safe;
  }

  return {
    add(line) {
      kept.push(line.slice(0, keptCharacters));
      if (kept.length > mostLines) {
        kept.shift();
        dropped++;
      }
    },
    lines: () => kept.map(show),
    read: () =>
      [...(dropped > 0 ? [`(${dropped} earlier lines dropped)`] : []), ...kept.map(show)].join('\n'),
  };
}
