import { bindingsOf, type KeyBinding } from '../keys/keymap.js';
import { keyLabel, keysLabel } from '../keys/label.js';
import type { KeyFacts } from '../keys/reasons.js';
import { joinFitting, type Line, lineWidth, type Segment, segment } from '../segments.js';
import type { ScreenName } from '../state.js';

/** Keys that move both ways are shown together. */
const pairs: Record<string, readonly string[]> = {
  'next-trial': ['left', 'right'],
  'next-scenario': ['[', ']'],
  'next-new-trial': ['left', 'right'],
  'next-old-trial': ['[', ']'],
  'help-down': ['up', 'down'],
};

/** The most useful keys of a screen that can do something now, as many as fit, and always those to leave and for help. */
export function keyHints(
  screen: ScreenName,
  facts: KeyFacts,
  isAscii: boolean,
  width: number,
  words: (binding: KeyBinding) => string | undefined = ({ hint }) => hint?.words,
): Segment[] {
  const hintFor = (binding: KeyBinding) => {
    const pair = pairs[binding.action];
    const label = pair ? keysLabel(pair, isAscii) : keyLabel(binding.keys[0] ?? '', isAscii);
    return hintOf(label, words(binding) ?? '');
  };
  const useful = bindingsOf(screen)
    .filter((binding) => binding.hint !== undefined && binding.disabled?.(facts) === undefined)
    .sort((a, b) => (a.hint?.rank ?? 0) - (b.hint?.rank ?? 0));
  const fixed = [
    ...useful.filter(isLeaving).map(hintFor),
    ...(screen === 'help' ? [] : [hintOf('?', 'help')]),
  ];
  const gap = 2;
  const room = width - fixed.reduce((sum, hint) => sum + lineWidth(hint) + gap, 0);
  const groups = useful.filter((binding) => !isLeaving(binding)).map(hintFor);
  const hints = joinFitting(groups, room, gap);
  return joinFitting([...(hints.length > 0 ? [hints] : []), ...fixed], width, gap);
}

/** Leaves the first screen: shown last, and always. */
function isLeaving({ action }: KeyBinding): boolean {
  return leaving.has(action);
}

const leaving: ReadonlySet<KeyBinding['action']> = new Set([
  'quit',
  'leave-home',
  'leave-history',
  'leave-bisect',
  'leave-triage',
]);

function hintOf(key: string, words: string): Line {
  return [segment(key, 'key'), segment(` ${words}`, 'faint')];
}
