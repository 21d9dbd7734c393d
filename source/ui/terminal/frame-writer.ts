import { EventEmitter } from 'node:events';
import { pinColumns } from './pin-columns.js';
import type { Size } from './size.js';

/**
 * Stands between Ink and the terminal. Ink erases its last frame and writes the whole next one; on a terminal
 * that is flicker, some 6 KB a frame, and a wiped scrollback whenever the frame is as tall as the terminal
 * (Ink 6.8). This takes each frame apart and writes only the lines that changed, each at its own place.
 */
export interface FrameWriter {
  /** What Ink is given as its stdout. */
  readonly stream: NodeJS.WriteStream;
  /** Writes the last frame again, whole. For a terminal that somebody else has drawn on. */
  repaint(): void;
  /**
   * Takes the new size. The next frame is written whole; when none comes because the screen looks the same at the
   * new size, the last one is.
   */
  resize(size: Size): void;
  /** Sends a sequence that draws nothing (the clipboard, say) past the frames. */
  pass(sequence: string): void;
  /** Nothing more reaches the terminal. */
  close(): void;
}

/** Erased lines, cleared screens and cursor moves that Ink puts before a frame. */
const erasure = /^(?:\x1b\[(?:\d*[KJGA]|\d*;?\d*H))+/;
/** Writes of Ink that draw nothing: synchronised updates and the cursor, which are ours. */
const control = /^(?:\x1b\[\?(?:2026|25)[hl])*$/;

/** Longer than Ink takes for a frame. */
const resizeMs = 60;

const begin = '\x1b[?2026h';
const end = '\x1b[?2026l';

/** `write` reaches the terminal. Lines below the terminal's last are not written. */
export function createFrameWriter(write: (text: string) => void, first: Size): FrameWriter {
  let size = first;
  let shown: string[] | undefined;
  let frame: string[] = [];
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function draw(): void {
    if (isClosed) return;
    const lines = frame.slice(0, size.rows);
    let changes = shown === undefined ? '\x1b[0m\x1b[2J' : '';
    const before = shown ?? [];
    for (let row = 0; row < Math.max(lines.length, before.length); row++) {
      const line = lines[row] ?? '';
      if (line === (before[row] ?? '')) continue;
      // The line is erased before it is written: erasing to the right of a line that fills the last column
      // would take that column with it.
      changes += `\x1b[${row + 1};1H\x1b[0m\x1b[K${pinColumns(line)}`;
    }
    shown = lines;
    if (changes !== '') write(`${begin}${changes}${end}`);
  }

  function take(text: string): void {
    if (isClosed || control.test(text)) return;
    const body = text.replace(erasure, '');
    // Ink clearing its last frame before it draws another: what is on the screen stays until that one comes.
    if (body === '') return;
    frame = body.split('\n');
    if (frame.at(-1) === '') frame.pop();
    draw();
  }

  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    columns: first.columns,
    rows: first.rows,
    write(text: string | Uint8Array, ...rest: unknown[]): boolean {
      take(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
      const done = rest.at(-1);
      if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    },
  });

  return {
    stream: stream as unknown as NodeJS.WriteStream,
    repaint() {
      shown = undefined;
      draw();
    },
    resize(next) {
      size = next;
      shown = undefined;
      stream.columns = next.columns;
      stream.rows = next.rows;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (shown === undefined) draw();
      }, resizeMs);
    },
    pass(sequence) {
      if (!isClosed) write(sequence);
    },
    close() {
      clearTimeout(timer);
      isClosed = true;
    },
  };
}
