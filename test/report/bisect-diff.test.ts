import { describe, expect, it } from 'vitest';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { hunkLines, unifiedLines } from '../../source/report/bisect-diff.js';

const names = { good: 'v1', bad: 'v2' };

function linesOf(a: string, b: string): string[] {
  return diffPrompts(a, b, 'hunk').hunks.flatMap((hunk) => [...hunkLines(hunk, names)]);
}

describe('a hunk as a diff', () => {
  it('says where it is, what it takes and what it puts', () => {
    expect(linesOf('Be kind.\n\nPay within 30 days.\n', 'Be kind.\n\nPay at once.\nAlways.\n')).toEqual([
      '@@ v1:3 → v2:3 @@',
      '- Pay within 30 days.',
      '+ Pay at once.',
      '+ Always.',
    ]);
  });

  it('shows nothing that a terminal would obey', () => {
    const lines = linesOf('Be kind.\n', 'Be kind.\n\nSay \u001b[31mred\u202e.\n').join('\n');
    expect(lines).toContain('Say ␛[31mred⟨U+202E⟩.');
    expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('two texts as a unified diff', () => {
  it('has three lines around each change and no line of its own kind of header', () => {
    const text = (word: string) => `1\n2\n3\n4\n${word}\n6\n7\n8\n9\n`;
    expect(unifiedLines({ name: 'v2', text: text('five') }, { name: 'v3', text: text('5') })).toEqual([
      '--- v2',
      '+++ v3',
      '@@ -2,7 +2,7 @@',
      ' 2',
      ' 3',
      ' 4',
      '-five',
      '+5',
      ' 6',
      ' 7',
      ' 8',
    ]);
  });

  it('tells of a last line without its end', () => {
    const lines = unifiedLines({ name: 'a', text: 'x' }, { name: 'b', text: 'y\n' });
    expect(lines.slice(2)).toEqual(['@@ -1,1 +1,1 @@', '-x', '\\ No newline at end of file', '+y']);
  });
});
