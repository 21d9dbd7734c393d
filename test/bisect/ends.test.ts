import { expect, test } from 'vitest';
import { refuseSame, wantedOfEnd } from '../../source/bisect/ends.js';

const end = (name: string, text: string) => ({ name, text });

test('two versions with the same text are refused by name', () => {
  expect(() => refuseSame(end('v14', 'Be warm.\n'), end('v14@HEAD', 'Be warm.\n'))).toThrow(
    /"v14" and "v14@HEAD" are the same prompt/,
  );
  // Where they differ in white space only, that is what is looked into.
  expect(() => refuseSame(end('v14', 'Be warm.\n'), end('v15', 'Be warm.'))).not.toThrow();
});

test('an end is a version or a path, else a git revision of the same file', () => {
  const file = 'prompts/agent/v15.md';
  expect(wantedOfEnd('v14', file)).toEqual(['v14', 'v14:prompts/agent/v15.md']);
  expect(wantedOfEnd('HEAD~3', file)).toEqual(['HEAD~3', 'HEAD~3:prompts/agent/v15.md']);
  expect(wantedOfEnd('main:prompts/agent/v9.md', file)).toEqual(['main:prompts/agent/v9.md']);
  expect(wantedOfEnd('../other/v2.md', file)).toEqual(['../other/v2.md']);
});
