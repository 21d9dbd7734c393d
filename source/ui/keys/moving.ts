import type { AppModel } from '../model.js';
import type { ScreenName } from '../state.js';
import type { Binding } from './binding.js';

/** What moves a marker or scrolls a text, by the same keys on every screen. */
type Movement = 'down' | 'up' | 'page-down' | 'page-up' | 'start' | 'end';
type MovingAction<Name extends ScreenName> = `${Name}-${Movement}`;
type MovingKey<Name extends ScreenName> = Binding & { action: MovingAction<Name> };

interface MovingOptions extends Pick<Binding, 'disabled'> {
  /** What is moved to. Those that are not said are of a text. */
  words?: Partial<typeof textWords>;
  /** Space is a page down: not where it marks or chooses. */
  pagesBySpace?: boolean;
  /** Of the key that goes down, and by that of all. */
  hint?: Binding['hint'];
}

const textWords = { down: 'one line down', up: 'one line up', start: 'to the start', end: 'to the end' };

/** The keys that move on a screen: one down and one up, then the jumps. Their actions are those of `movingActions`. */
export function movingKeys<Name extends ScreenName>(
  screen: Name,
  { words, pagesBySpace = true, disabled, hint }: MovingOptions = {},
): [MovingKey<Name>, MovingKey<Name>, ...MovingKey<Name>[]] {
  const { down, up, start, end } = { ...textWords, ...words };
  const keyFor = (movement: Movement, keys: readonly string[], description: string): MovingKey<Name> => ({
    action: `${screen}-${movement}`,
    keys,
    description,
    ...(disabled && { disabled }),
  });
  return [
    { ...keyFor('down', ['down', 'j'], down), ...(hint && { hint }) },
    keyFor('up', ['up', 'k'], up),
    keyFor('page-down', pagesBySpace ? ['pagedown', ' '] : ['pagedown'], 'one page down'),
    keyFor('page-up', ['pageup'], 'one page up'),
    keyFor('start', ['g', 'home'], start),
    keyFor('end', ['G', 'end'], end),
  ];
}

/**
 * What the keys of `movingKeys` do. `move` takes rows or lines, down is positive, without end to the ends: it keeps
 * inside itself. `heightOf`: rows or lines on screen, of which a page leaves one in view.
 */
export function movingActions<Name extends ScreenName>(
  screen: Name,
  heightOf: (model: AppModel) => number,
  move: (model: AppModel, steps: number, isJump: boolean) => void,
): Record<MovingAction<Name>, (model: AppModel) => void> {
  const pageOf = (model: AppModel) => Math.max(1, heightOf(model) - 1);
  const actions: Record<Movement, (model: AppModel) => void> = {
    down: (model) => move(model, 1, false),
    up: (model) => move(model, -1, false),
    'page-down': (model) => move(model, pageOf(model), true),
    'page-up': (model) => move(model, -pageOf(model), true),
    start: (model) => move(model, Number.NEGATIVE_INFINITY, true),
    end: (model) => move(model, Number.POSITIVE_INFINITY, true),
  };
  const named = Object.entries(actions).map(([movement, action]) => [`${screen}-${movement}`, action]);
  return Object.fromEntries(named) as Record<MovingAction<Name>, (model: AppModel) => void>;
}
