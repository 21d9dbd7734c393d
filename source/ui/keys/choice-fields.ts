import type { AppModel } from '../model.js';
import { giveOverride, writeNarrowed } from '../screens/bisect/actions.js';
import { bisectOf } from '../screens/bisect/opening.js';
import type { Field } from '../state.js';

/** Questions on a bisect that one key answers. */
export type ChoiceField = Extract<Field, { kind: 'override' | 'write' | 'bisect' }>;

export function isChoice(field: Field): field is ChoiceField {
  return field.kind === 'override' || field.kind === 'write' || field.kind === 'bisect';
}

/** Keys that are no answer change nothing. */
export function answerChoice(model: AppModel, field: ChoiceField, key: string): void {
  const close = () => model.set({ field: undefined });
  if (key === 'escape' || (field.kind !== 'override' && (key === 'n' || key === 'N' || key === 'q'))) close();
  else if (field.kind === 'override' && (key === 'g' || key === 'i')) {
    close();
    giveOverride(model, field.hunk, key === 'g' ? 'guilty' : 'innocent');
  } else if (field.kind !== 'override' && (key === 'y' || key === 'Y')) {
    close();
    if (field.kind === 'write') writeNarrowed(model);
    else bisectOf(model, field.watched);
  }
}
