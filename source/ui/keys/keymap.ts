import { bisectKeys } from '../screens/bisect/keys.js';
import { compareKeys } from '../screens/compare/keys.js';
import { gridKeys } from '../screens/grid/keys.js';
import { helpKeys } from '../screens/help/keys.js';
import { historyKeys } from '../screens/history/keys.js';
import { homeKeys } from '../screens/home/keys.js';
import { promptsKeys } from '../screens/prompts/keys.js';
import { reviewKeys } from '../screens/review/keys.js';
import { sidesKeys } from '../screens/sides/keys.js';
import { triageKeys } from '../screens/triage/keys.js';
import { trialKeys } from '../screens/trial/keys.js';
import { watchKeys } from '../screens/watch/keys.js';
import type { ScreenName } from '../state.js';
import type { Binding } from './binding.js';
import { everywhereKeys } from './everywhere.js';

/** Where keys are heard. */
export type KeyPlace = ScreenName | 'everywhere';

/**
 * Every key of the app. The footer, the help screen and the key list of the readme are drawn from this table, and
 * the dispatcher goes by it: a key that is not here does not exist.
 */
export const keymap = {
  grid: gridKeys,
  trial: trialKeys,
  compare: compareKeys,
  sides: sidesKeys,
  bisect: bisectKeys,
  prompts: promptsKeys,
  watch: watchKeys,
  review: reviewKeys,
  history: historyKeys,
  home: homeKeys,
  triage: triageKeys,
  help: helpKeys,
  everywhere: everywhereKeys,
} as const satisfies Record<KeyPlace, readonly Binding[]>;

export type ActionName = (typeof keymap)[KeyPlace][number]['action'];

/** A row of the table, seen without its literal types. */
export interface KeyBinding extends Binding {
  action: ActionName;
}

const bindings: Record<KeyPlace, readonly KeyBinding[]> = keymap;

/** The keys of a screen in the order of the table: its own, then those of every screen that it does not take itself. */
export function bindingsOf(screen: ScreenName): KeyBinding[] {
  const own = bindings[screen];
  const taken = new Set(own.flatMap(({ keys }) => keys));
  return [...own, ...bindings.everywhere.filter(({ keys }) => !keys.some((key) => taken.has(key)))];
}

/** What a key does on a screen; undefined for a key that does nothing there. */
export function findBinding(screen: ScreenName, key: string): KeyBinding | undefined {
  return bindingsOf(screen).find(({ keys }) => keys.includes(key));
}

/** Whether keys do the same on all screens. */
export function isEverywhere(binding: KeyBinding): boolean {
  return bindings.everywhere.includes(binding);
}
