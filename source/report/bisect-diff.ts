import { createPatch } from 'diff';
import { makeVisible } from '../base/text.js';
import type { Hunk } from '../bisect/hunk.js';

/** A hunk as a diff from A to B: where it is, what it takes, what it puts. Lines that are safe to print. */
export function* hunkLines(hunk: Hunk, names: { good: string; bad: string }): Generator<string> {
  const { kind, lineA, lineB, oldText, newText } = hunk;
  const from = `${names.good}:${lineA}`;
  const to = `${names.bad}:${lineB}`;
  yield visible(`@@ ${from} → ${to}${kind === 'moved' ? ', moved' : ''} @@`);
  if (kind === 'moved' && oldText === newText) {
    yield* marked('±', newText);
    return;
  }
  yield* marked('-', oldText);
  yield* marked('+', newText);
}

function* marked(mark: string, text: string): Generator<string> {
  if (text === '') return;
  for (const line of visible(text.replace(/\r\n|\r/g, '\n').replace(/\n+$/, '')).split('\n'))
    yield `${mark} ${line}`.trimEnd();
}

/** From one text to another as a unified diff with three lines around each change, each line safe to print. */
export function unifiedLines(
  from: { name: string; text: string },
  to: { name: string; text: string },
): string[] {
  const patch = createPatch('prompt', from.text, to.text, undefined, undefined, { context: 3 });
  const body = patch.slice(patch.indexOf('@@')).replace(/\n$/, '');
  return [`--- ${visible(from.name)}`, `+++ ${visible(to.name)}`, ...visible(body).split('\n')];
}

/** A carriage return at the end of a line is part of how that line ends. */
function visible(text: string): string {
  return makeVisible(text, { keepNewlines: true });
}
