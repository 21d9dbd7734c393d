import type { Secrets } from './secrets.js';

/** What a product said beside its replies: the last lines of it, bounded. */
export interface SessionLog {
  add(line: string): void;
  /** The same as one text; when some were dropped, its first line says how many. */
  read(): string;
  /** The lines that are kept, oldest first. */
  lines(): readonly string[];
}

export interface SessionLogLimits {
  lines: number;
  charactersPerLine: number;
}

/** An empty log. Secrets are taken out of every line as it is added, then it is cut. */
export function createSessionLog(
  secrets: Secrets,
  { lines: most, charactersPerLine }: SessionLogLimits = { lines: 40, charactersPerLine: 400 },
): SessionLog {
  const kept: string[] = [];
  let dropped = 0;
  return {
    add(line) {
      const safe = secrets.redact(line);
      kept.push(safe.length > charactersPerLine ? `${safe.slice(0, charactersPerLine - 1)}…` : safe);
      if (kept.length > most) {
        kept.shift();
        dropped++;
      }
    },
    read: () => [...(dropped > 0 ? [`(${dropped} earlier lines dropped)`] : []), ...kept].join('\n'),
    lines: () => kept,
  };
}
