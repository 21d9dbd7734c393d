import { expect, test } from 'vitest';
import { sha256 } from '../../source/base/hash.js';
import { compareEnds, wantedOfEnd } from '../../source/bisect/ends.js';

const end = (name: string, text: string) => ({ name, text, sha256: sha256(text) });

test('two versions of a prompt are the ends of a bisect, with what leads from one to the other', () => {
  const ends = compareEnds(end('v14', 'Be warm.\n'), end('v15', 'Be warm.\nBe generous.\n'), 'line');
  expect(ends).toMatchObject({ good: { name: 'v14' }, bad: { name: 'v15' }, diff: { split: 'line' } });
  expect(ends.diff.hunks.map((hunk) => hunk.title)).toEqual(['Be generous.']);
});

test('two versions with the same text are refused by name', () => {
  expect(() => compareEnds(end('v14', 'Be warm.\n'), end('v14@HEAD', 'Be warm.\n'))).toThrow(
    /"v14" and "v14@HEAD" are the same prompt/,
  );
});

test('an end is a version or a path, else a git revision of the same file', () => {
  const file = 'prompts/agent/v15.md';
  expect(wantedOfEnd('v14', file)).toEqual(['v14', 'v14:prompts/agent/v15.md']);
  expect(wantedOfEnd('HEAD~3', file)).toEqual(['HEAD~3', 'HEAD~3:prompts/agent/v15.md']);
  expect(wantedOfEnd('main:prompts/agent/v9.md', file)).toEqual(['main:prompts/agent/v9.md']);
  expect(wantedOfEnd('../other/v2.md', file)).toEqual(['../other/v2.md']);
});
