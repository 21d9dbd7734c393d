import fc from 'fast-check';

const awkward = [
  '日本語',
  'テ',
  'ｶﾞ',
  '👩‍👩‍👧',
  '❤️',
  '🇩🇪',
  '🇩',
  'e\u0301',
  '\u0301',
  '\u200d',
  '\u202e',
  '\x1b[31m',
  '\t',
  '\n',
  '\r\n',
  '\u0600',
  'ൎ',
  '각',
  '\u1100\u1161',
  '\u1100',
  'नि',
  '\ufe0f',
  '\ud83d',
  '…',
  ' ',
  '  ',
  'word',
  '①',
  '\u{e0041}',
];

/** Texts that are likely to break something: any code point, lone surrogates, and known trouble side by side. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...awkward) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));
