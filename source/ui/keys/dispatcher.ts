import type { AppModel } from '../model.js';
import { topScreen } from '../state.js';
import { isTooSmall } from '../terminal/size.js';
import { actions } from './actions.js';
import { keyFacts } from './facts.js';
import { pressInField } from './fields.js';
import type { KeyPress } from './key-reader.js';
import { findBinding, isEverywhere } from './keymap.js';

/**
 * Gives a key to whom it belongs: the field that is open, else the screen on top. Ctrl+C, Ctrl+Z and Ctrl+L are
 * heard everywhere. A key that can do nothing now says why.
 */
export function dispatch(model: AppModel, key: KeyPress): void {
  const { field, message, size, over } = model.state;
  const { name } = topScreen(model.state);
  const binding = findBinding(name, key.name);
  if (message) model.set({ message: undefined });
  const isForAll = binding !== undefined && isEverywhere(binding) && key.text === '';
  if (field && !isForAll) {
    pressInField(model, field, key);
    return;
  }
  // What cannot be seen is not worked on blindly; leaving is always possible.
  if (!binding || (isTooSmall(size) && !isForAll && !(binding.action === 'quit' && over.length === 0)))
    return;
  const reason = binding.disabled?.(keyFacts(model));
  if (reason !== undefined) model.say(reason);
  else actions[binding.action](model, key);
}
