/** A text that grows up to a limit, and knows what found no place in it. */
export interface Room {
  /** Takes the text whole, or not at all; `kind` is what is then said to be left out, in the plural. */
  add(text: string, kind?: string): boolean;
  text(): string;
  /** `3 criteria that changed, 2 conversations`; empty where everything found its place. */
  leftOut(): string;
}

/** `limit` in UTF-16 units: never fewer than characters. */
export function createRoom(limit: number): Room {
  const pieces: string[] = [];
  const left = new Map<string, number>();
  let used = 0;
  return {
    add(text, kind = 'facts') {
      // What comes after something of its kind that was left out is left out too: the first are the most important.
      if (left.has(kind) || used + text.length > limit) {
        left.set(kind, (left.get(kind) ?? 0) + 1);
        return false;
      }
      used += text.length;
      pieces.push(text);
      return true;
    },
    text: () => pieces.join(''),
    leftOut: () => Array.from(left, ([kind, count]) => `${count} ${kind}`).join(', '),
  };
}
