import fc from 'fast-check';
import { expect, test } from 'vitest';
import { badWithout, closeNeeds, goodWith } from '../../source/bisect/candidate.js';
import { candidateText } from '../../source/bisect/candidate-prompt.js';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { composePrompt, dependenciesOf } from '../../source/bisect/hunks-subset.js';
import { chooseAllowed, expectLaws } from './laws.js';
import { choice, twoPrompts } from './texts.js';

test('any two prompts: no hunks give A, all give B, every allowed set the exact composition, however finely cut', () => {
  fc.assert(
    fc.property(twoPrompts, fc.array(choice, { minLength: 2, maxLength: 3 }), ({ a, b }, choices) =>
      expectLaws(a, b, choices),
    ),
    { numRuns: 250 },
  );
});

test('any two texts at all: no hunks give A and all give B', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  fc.assert(
    fc.property(text, text, fc.constantFrom('hunk', 'line', 'sentence'), (a, b, split) => {
      const diff = diffPrompts(a, b, split);
      expect(composePrompt(diff, new Set())).toBe(a);
      expect(composePrompt(diff, new Set(diff.hunks.map((hunk) => hunk.id)))).toBe(b);
    }),
    { numRuns: 500 },
  );
});

test('hunks taken with what they need, or left out with what needs them, give the prompt of their set', () => {
  fc.assert(
    fc.property(twoPrompts, choice, ({ a, b }, wanted) => {
      const diff = diffPrompts(a, b, 'sentence');
      const needs = closeNeeds(diff.hunks.length, dependenciesOf(diff));
      const chosen = [...diff.hunks.keys()].filter((at) => wanted[at % wanted.length]);
      const taken = goodWith(chosen, needs);
      expect(candidateText(diff, taken)).toBe(composePrompt(diff, chooseAllowed(diff, wanted)));
      const left = badWithout(chosen, needs);
      for (const at of chosen) expect(left[at]).toBe('0');
      // Throws for a set in which something lacks what it needs.
      expect(candidateText(diff, left)).toBeTypeOf('string');
      expect(candidateText(diff, badWithout([...diff.hunks.keys()], needs))).toBe(a);
    }),
    { numRuns: 200 },
  );
});

test('a set that lacks what one of its hunks needs gives no prompt, and every other set gives one', () => {
  fc.assert(
    fc.property(twoPrompts, choice, ({ a, b }, wanted) => {
      const diff = diffPrompts(a, b, 'line');
      const subset = new Set(diff.hunks.filter((_, at) => wanted[at % wanted.length]).map((hunk) => hunk.id));
      const compose = () => composePrompt(diff, subset);
      const lacks = diff.hunks.some(
        ({ id, needs }) => subset.has(id) && needs.some((one) => !subset.has(one)),
      );
      if (lacks) expect(compose).toThrow(/needs hunk/);
      else expect(compose()).toBeTypeOf('string');
    }),
  );
});

test('no two hunks need each other', () => {
  fc.assert(
    fc.property(twoPrompts, ({ a, b }) => {
      const diff = diffPrompts(a, b, 'sentence');
      expect(() => closeNeeds(diff.hunks.length, dependenciesOf(diff))).not.toThrow();
    }),
    { numRuns: 200 },
  );
});
