import type { Secrets } from './secrets.js';

/** What a product said beside its replies: the last lines of it, bounded. */
export interface SessionLog {
  add(line: string): void;
  /** The lines that are kept, oldest first; when some were dropped, the first line says how many. */
  read(): string;
  /** The newest `count` lines. */
  last(count: number): string[];
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
    last: (count) => kept.slice(-count),
  };
}
