import { expect, it } from 'vitest';
import { movingActions } from '../../../source/ui/keys/moving.js';
import { holdApp } from '../model-fixture.js';

/** The steps that each key takes where so many lines are on screen. */
function stepsOf(height: number): Record<string, [steps: number, isJump: boolean]> {
  const { model } = holdApp([]);
  let taken: [number, boolean] = [0, false];
  const actions = movingActions(
    'help',
    () => height,
    (_model, steps, isJump) => {
      taken = [steps, isJump];
    },
  );
  return Object.fromEntries(
    Object.entries(actions).map(([name, act]) => {
      act(model);
      return [name, taken];
    }),
  );
}

it('moves by one, by a page that leaves one line in view, and to the ends', () => {
  expect(stepsOf(12)).toEqual({
    'help-down': [1, false],
    'help-up': [-1, false],
    'help-page-down': [11, true],
    'help-page-up': [-11, true],
    'help-start': [Number.NEGATIVE_INFINITY, true],
    'help-end': [Number.POSITIVE_INFINITY, true],
  });
});

it('moves by a page also where it is one line', () => {
  expect(stepsOf(1)).toMatchObject({ 'help-page-down': [1, true], 'help-page-up': [-1, true] });
});
