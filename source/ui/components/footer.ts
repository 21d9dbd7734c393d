import { bindingsOf, type KeyBinding } from '../keys/keymap.js';
import { keyLabel, keysLabel } from '../keys/label.js';
import type { KeyFacts } from '../keys/reasons.js';
import { joinFitting, type Line, lineWidth, type Segment, segment } from '../segments.js';
import type { ScreenName } from '../state.js';

/** Keys that move both ways are shown together. */
const pairs: Record<string, readonly string[]> = {
  'next-trial': ['left', 'right'],
  'next-scenario': ['[', ']'],
};

/** The most useful keys of a screen that can do something now, as many as fit, and always the one for help. */
export function keyHints(
  screen: ScreenName,
  facts: KeyFacts,
  isAscii: boolean,
  width: number,
  words: (binding: KeyBinding) => string | undefined = ({ hint }) => hint?.words,
): Segment[] {
  const help: Line = screen === 'help' ? [] : hintOf('?', 'help');
  const useful = bindingsOf(screen)
    .filter((binding) => binding.hint !== undefined && binding.disabled?.(facts) === undefined)
    .sort((a, b) => (a.hint?.rank ?? 0) - (b.hint?.rank ?? 0));
  const groups = useful.map((binding) => {
    const pair = pairs[binding.action];
    const label = pair ? keysLabel(pair, isAscii) : keyLabel(binding.keys[0] ?? '', isAscii);
    return hintOf(label, words(binding) ?? '');
  });
  const gap = 2;
  const room = width - (help.length > 0 ? lineWidth(help) + gap : 0);
  const hints = joinFitting(groups, room, gap);
  if (help.length === 0) return hints;
  return hints.length > 0 ? [...hints, segment(' '.repeat(gap)), ...help] : [...help];
}

function hintOf(key: string, words: string): Line {
  return [segment(key, 'key'), segment(` ${words}`, 'faint')];
}
