export interface LineReaderOptions {
  /** Bytes of one line. */
  maxBytes: number;
  /** A line without its end; bytes that are not UTF-8 become replacement characters. */
  onLine: (line: string) => void;
  /** Called once for a line that is longer. Without it the line is cut, and what follows of it is dropped. */
  onTooLong?: () => void;
}

/** Splits bytes into lines; a character that is cut between two chunks stays whole. */
export interface LineReader {
  write(chunk: Uint8Array): void;
  /** Gives the rest, when the last line has no end. */
  end(): void;
}

const lineFeed = 0x0a;

export function createLineReader({ maxBytes, onLine, onTooLong }: LineReaderOptions): LineReader {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let isDropping = false;

  function flush(): void {
    const line = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    length = 0;
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  function add(piece: Uint8Array): void {
    if (isDropping) return;
    const isTooLong = length + piece.length > maxBytes;
    const kept = isTooLong ? piece.subarray(0, maxBytes - length) : piece;
    pieces.push(kept);
    length += kept.length;
    if (!isTooLong) return;
    isDropping = true;
    if (onTooLong) {
      pieces = [];
      onTooLong();
    } else {
      flush();
    }
  }

  return {
    write(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
        add(chunk.subarray(from, at));
        if (!isDropping) flush();
        isDropping = false;
        length = 0;
        from = at + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    end() {
      if (!isDropping && length > 0) flush();
    },
  };
}
