import { graphemes } from '../../base/width.js';

/**
 * One key as the person pressed it. `name`: a grapheme (`n`, `?`, `日`) or a word (`up`, `pagedown`, `enter`,
 * `escape`, `tab`, `backspace`, `delete`, `f1`), with `ctrl+`, `alt+` and `shift+` before it in this order. Escape and
 * a letter in one piece are two keys: no key of the app is pressed with alt, and a slow line glues keys together.
 * `paste` is what came from the clipboard in one piece.
 */
export interface KeyPress {
  name: string;
  /** What the key writes into a text field; empty for keys that write nothing. */
  text: string;
}

/** Takes what stdin gives, in any cut, and tells keys. */
export interface KeyReader {
  read(chunk: string): void;
  /** Whether an escape sequence has begun and not ended: a caller that hears nothing more for a while calls `flush`. */
  readonly isWaiting: boolean;
  /** Takes what has begun for what it is: a lone Escape is the Escape key, half a sequence is nothing. */
  flush(): void;
}

const letters: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'clear',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  Z: 'shift+tab',
  M: 'enter',
};
const numbers: Record<string, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const controls: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x00': 'ctrl+space',
};

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
const mostPasted = 20_000;

/** Sequences that may be cut off at the end of a chunk. */
const begun = /^\x1b(?:\[(?:\[?|[0-9;:<=>?]*[ -/]*|M[\s\S]{0,2})|O|[\]PX^_](?:(?!\x07|\x1b\\)[\s\S])*)?$/;
const csi = /^\x1b\[([0-9;:<=>?]*)[ -/]*([@-~])/;
/** OSC, DCS and the like: what a terminal answers to questions that we did not ask. */
const answer = /^\x1b[\]PX^_](?:(?!\x07|\x1b\\)[\s\S])*(?:\x07|\x1b\\)/;

export function createKeyReader(onKey: (key: KeyPress) => void): KeyReader {
  let rest = '';
  let pasted: string | undefined;

  function press(name: string, text = ''): void {
    onKey({ name, text });
  }

  /** Reads one sequence that starts with Escape off the front of `rest`; false when it is not all there yet. */
  function readEscape(): boolean {
    if (rest.startsWith(pasteStart)) {
      pasted = '';
      rest = rest.slice(pasteStart.length);
      return true;
    }
    if (begun.test(rest)) return false;
    const length = sequenceLength(rest);
    const sequence = rest.slice(0, length);
    rest = rest.slice(length);
    const name = sequenceName(sequence);
    if (name !== undefined) press(name);
    return true;
  }

  function readPaste(): boolean {
    const all = `${pasted ?? ''}${rest}`;
    const at = all.indexOf(pasteEnd);
    if (at < 0) {
      // A paste whose end never comes must not grow for ever; its last characters may be half of the end mark.
      pasted = all.length > 2 * mostPasted ? all.slice(0, mostPasted) + all.slice(-pasteEnd.length) : all;
      rest = '';
      return false;
    }
    press('paste', all.slice(0, Math.min(at, mostPasted)));
    pasted = undefined;
    rest = all.slice(at + pasteEnd.length);
    return true;
  }

  function readPlain(): void {
    const at = rest.indexOf('\x1b');
    const plain = at < 0 ? rest : rest.slice(0, at);
    rest = rest.slice(plain.length);
    // A carriage return and a line feed are one grapheme, and two keys.
    for (const piece of plain.split(/([\x00-\x1f\x7f])/)) {
      const name = controlName(piece);
      if (name !== undefined) press(name);
      else for (const grapheme of graphemes(piece)) press(grapheme, grapheme);
    }
  }

  return {
    read(chunk) {
      rest += chunk;
      while (rest !== '') {
        if (pasted !== undefined) {
          if (!readPaste()) return;
        } else if (rest.startsWith('\x1b')) {
          if (!readEscape()) return;
        } else readPlain();
      }
    },
    get isWaiting() {
      return rest !== '' && pasted === undefined;
    },
    flush() {
      if (pasted !== undefined || rest === '') return;
      const left = rest;
      rest = '';
      if (left === '\x1b') press('escape');
      else if (left === '\x1b[' || left === '\x1bO' || left === '\x1b]') {
        press('escape');
        press(left.slice(1), left.slice(1));
      }
    },
  };
}

function controlName(piece: string): string | undefined {
  const named = controls[piece];
  if (named !== undefined) return named;
  const code = piece.charCodeAt(0);
  return piece.length === 1 && code >= 1 && code <= 26 ? `ctrl+${String.fromCharCode(code + 96)}` : undefined;
}

/** UTF-16 units of the sequence at the front of a text that starts with Escape. */
function sequenceLength(text: string): number {
  // Reports of an old mouse are three bytes of anything; keys of the Linux console are two brackets and a letter.
  if (text.startsWith('\x1b[M')) return 6;
  if (text.startsWith('\x1b[[')) return 4;
  if (text.startsWith('\x1bO')) return 3;
  const match = csi.exec(text) ?? answer.exec(text);
  if (match) return match[0].length;
  // Escape alone; what follows is a key of its own.
  return 1;
}

/** Name of the key that a sequence stands for; undefined for a mouse, focus, an answer, or a key nobody knows. */
function sequenceName(sequence: string): string | undefined {
  if (sequence === '\x1b') return 'escape';
  if (sequence.startsWith('\x1b[[') || sequence.startsWith('\x1b[M')) return undefined;
  if (sequence.startsWith('\x1bO')) return letters[sequence.slice(2)];
  const match = csi.exec(sequence);
  return match ? csiName(match[1] ?? '', match[2] ?? '') : undefined;
}

function csiName(parameters: string, final: string): string | undefined {
  if (/[<=>?]/.test(parameters)) return undefined;
  const [first = '', modifiers = ''] = parameters.split(';');
  const name = final === '~' ? numbers[first] : letters[final];
  if (name === undefined || final === 'M') return undefined;
  // 1 is none; then bits: 1 shift, 2 alt, 4 ctrl.
  const bits = Math.max(0, (Number.parseInt(modifiers, 10) || 1) - 1);
  return `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}${name}`;
}
