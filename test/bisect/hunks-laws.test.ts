import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { composePrompt, isAllowed, withHunk, withoutHunk } from '../../source/bisect/hunks-subset.js';
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

test('hunks taken one after another in any order come to the same prompt, and every step of it is allowed', () => {
  fc.assert(
    fc.property(twoPrompts, choice, fc.infiniteStream(fc.nat()), ({ a, b }, wanted, order) => {
      const diff = diffPrompts(a, b, 'sentence');
      const subset = chooseAllowed(diff, wanted);
      const shuffled = [...subset]
        .map((id) => ({ id, at: order.next().value ?? 0 }))
        .sort((one, other) => one.at - other.at);
      let taken = new Set<string>();
      for (const { id } of shuffled) {
        taken = withHunk(diff, taken, id);
        expect(isAllowed(diff, taken)).toBe(true);
      }
      expect(taken).toEqual(subset);
      for (const { id } of shuffled) {
        taken = withoutHunk(diff, taken, id);
        expect(taken.has(id)).toBe(false);
        expect(isAllowed(diff, taken)).toBe(true);
      }
      expect(taken.size).toBe(0);
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
      if (isAllowed(diff, subset)) expect(compose()).toBeTypeOf('string');
      else expect(compose).toThrow(/needs hunk/);
    }),
  );
});

test('no two hunks need each other', () => {
  fc.assert(
    fc.property(twoPrompts, ({ a, b }) => {
      const diff = diffPrompts(a, b, 'sentence');
      for (const hunk of diff.hunks) {
        for (const needed of hunk.needs) expect(withHunk(diff, new Set(), needed).has(hunk.id)).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
});
