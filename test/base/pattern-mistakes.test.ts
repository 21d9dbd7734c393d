import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { parseDocuments } from '../../source/base/document.js';
import { toPlain } from '../../source/base/nodes.js';
import { explainRefusal, findControlCharacter } from '../../source/base/pattern-mistakes.js';

function refusal(pattern: string): string {
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    return explainRefusal(pattern, error);
  }
  throw new Error(`RE2 takes ${pattern}`);
}

test.each([
  ['(?<a', '(?P<name>…)'],
  ['(?P<a b)x', '(?P<name>…)'],
  ['(?<!a)b', 'look-around'],
  ['a(?=b)', 'look-around'],
  ['(a)\\1', 'back-references'],
  ['(?P<a>x)(?P=a)', 'back-references'],
  ['a++', 'possessive'],
  ['(?x) a', '(?x)'],
  ['(?i', 'as in (?i)'],
  ['done\\Z', '\\z'],
  ['\\u2014', '\\x{2014}'],
  ['*refund', 'the character itself is written \\*'],
  ['[a', 'close the set'],
  ['(a', 'close the group'],
  ['a)', 'no group is open'],
  ['a{1001}', 'at most 1000 times'],
  ['a**', 'repeat a group instead'],
  ['a\\', 'a backslash itself'],
])('what RE2 refuses in %j is answered with what to write', (pattern, hint) => {
  expect(refusal(pattern)).toMatch(/^RE2 refuses this pattern: .+; /u);
  expect(refusal(pattern)).toContain(hint);
});

describe('a pattern in double quotes whose backslash the file has taken', () => {
  const read = async (line: string) => {
    const { documents } = await parseDocuments(line, 'f.yaml', 'yaml');
    return String(documents[0] && toPlain(documents[0]));
  };

  test.each([
    ['"(?i)refund\\b"', 'a backspace (U+0008), which is what \\b means in double quotes'],
    ['"\\fa"', 'a form feed (U+000C)'],
    ['"a\\vb"', 'U+000B'],
    ['"\\a"', 'U+0007'],
    ['"\\0"', 'U+0000'],
    ['"\\e"', 'an escape character (U+001B)'],
    ['"\\P{L}+"', 'a paragraph separator (U+2029), which is what \\P means'],
  ])('%s is a mistake that says how to write it', async (line, what) => {
    const message = findControlCharacter(await read(line)) ?? '';
    expect(message).toContain(what);
    expect(message).toContain('write it in single quotes');
  });

  test.each(["'(?i)refund\\b'", '"(?i)refund\\\\b"', '"one\\ntwo\\tthree"', "'\\x08'"])(
    '%s is none',
    async (line) => {
      expect(findControlCharacter(await read(line))).toBeUndefined();
    },
  );
});
