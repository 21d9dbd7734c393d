import fc from 'fast-check';

const lines = [
  '',
  '',
  '  ',
  '# Refunds',
  '## Tone',
  '- Be warm, calm and to the point today.',
  '- Ask for the order number first of all.',
  '  - Never ask for it more than once, please.',
  '    and go on with the line above it',
  '1. Look the reservation up before you answer.',
  '```',
  '```json',
  '{ "cabin": "economy" }',
  '<RULES>',
  '</RULES>',
  '{% if member %}',
  '{% else %}',
  '{% endif %}',
  'Say so in one sentence. Do not argue with anyone. Offer help, e.g. A callback!',
  'Say so in one sentence. Do not argue with anybody. Wish them well.',
  'Do not argue with anyone.  Say so in one sentence. ',
  '\tSay so in one sentence.',
  '你好。请稍等。谢谢！',
  'Cafe\u0301 👩‍👩‍👧 stays open. \u202eevil\u202c',
  '| cabin | bags |',
] as const;

const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...lines) },
  { weight: 2, arbitrary: fc.nat(30).map((number) => `Line ${number} of what the agent must keep in mind.`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);
const lineEnd = fc.oneof(
  { weight: 8, arbitrary: fc.constant('\n') },
  { weight: 2, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constant('\r') },
);

type Line = readonly [text: string, end: string];

const manyLines: fc.Arbitrary<Line[]> = fc.array(fc.tuple(line, lineEnd), { maxLength: 24 });

/** What somebody does to a prompt: lines come, leave, change their words or space, and blocks move. */
type Change = {
  at: number;
  length: number;
  to: number;
  put: Line[];
  kind: 'replace' | 'move' | 'space' | 'ends';
};

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(24),
  length: fc.nat(5),
  to: fc.nat(24),
  put: fc.array(fc.tuple(line, lineEnd), { maxLength: 4 }),
  kind: fc.constantFrom('replace', 'replace', 'move', 'move', 'space', 'ends'),
});

function apply(old: readonly Line[], { at, length, to, put, kind }: Change): Line[] {
  const result = [...old];
  if (kind === 'ends') return result.map(([text]) => [text, '\r\n']);
  const cut = result.splice(Math.min(at, result.length), length);
  if (kind === 'replace') result.splice(Math.min(at, result.length), 0, ...put);
  else if (kind === 'move') result.splice(Math.min(to, result.length), 0, ...cut);
  else result.splice(Math.min(at, result.length), 0, ...cut.map(([text, end]): Line => [` ${text} `, end]));
  return result;
}

function textOf(list: readonly Line[], isEnded: boolean): string {
  const text = list.map(([words, end]) => words + end).join('');
  return isEnded ? text : text.replace(/(?:\r\n|\r|\n)$/, '');
}

/** Two versions of a prompt, with any line ends, and with or without a last one. */
export const twoPrompts: fc.Arbitrary<{ a: string; b: string }> = fc
  .record({
    old: manyLines,
    changes: fc.array(change, { maxLength: 5 }),
    isOldEnded: fc.boolean(),
    isNewEnded: fc.boolean(),
  })
  .map(({ old, changes, isOldEnded, isNewEnded }) => ({
    a: textOf(old, isOldEnded),
    b: textOf(changes.reduce<Line[]>(apply, old), isNewEnded),
  }));

/** Which of any number of hunks are wanted: seeds a choice that does not depend on how many there are. */
export const choice: fc.Arbitrary<boolean[]> = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
