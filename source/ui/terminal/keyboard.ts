import { StringDecoder } from 'node:string_decoder';
import { createKeyReader, type KeyPress } from '../keys/key-reader.js';

/** The one reader of stdin: Ink is given an input that never says anything. */
export interface Keyboard {
  /** Switches the terminal to raw input and listens. */
  start(): void;
  /** Back to cooked input. Safe to call more than once. */
  stop(): void;
}

/** A terminal sends a sequence in one piece or nearly so; what follows Escape later than this was another key. */
const escapeMs = 40;

/** `onKey` hears each key; `onKeys` is called once after all keys of one chunk, so that a burst is painted once. */
export function createKeyboard(
  stdin: NodeJS.ReadStream,
  onKey: (key: KeyPress) => void,
  onKeys: () => void,
  onEnd: () => void,
): Keyboard {
  const decoder = new StringDecoder('utf8');
  const reader = createKeyReader(onKey);
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;

  const onData = (chunk: Buffer | string) => {
    clearTimeout(timer);
    reader.read(typeof chunk === 'string' ? chunk : decoder.write(chunk));
    if (reader.isWaiting) {
      timer = setTimeout(() => {
        reader.flush();
        onKeys();
      }, escapeMs);
    }
    onKeys();
  };

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      stdin.setRawMode?.(true);
      stdin.on('data', onData);
      stdin.on('end', onEnd);
      stdin.ref?.();
      stdin.resume();
    },
    stop() {
      if (!isStarted) return;
      isStarted = false;
      clearTimeout(timer);
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      stdin.pause();
      stdin.unref?.();
      try {
        stdin.setRawMode?.(false);
      } catch {
        // The terminal is gone, and its mode with it.
      }
    },
  };
}
