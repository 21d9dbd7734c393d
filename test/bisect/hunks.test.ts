import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWidth } from '../../source/base/width.js';
import { closeNeeds, goodWith } from '../../source/bisect/candidate.js';
import { candidateText } from '../../source/bisect/candidate-prompt.js';
import type { PromptDiff } from '../../source/bisect/hunk.js';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { composePrompt, dependenciesOf } from '../../source/bisect/hunks-subset.js';

/** What a list shows of the hunks. */
function shown(diff: PromptDiff): string[] {
  return diff.hunks.map((hunk) => `${hunk.kind} ${hunk.lineA} ${hunk.lineB} ${hunk.title}`);
}

function only(diff: PromptDiff, ...at: number[]): string {
  return composePrompt(
    diff,
    new Set(diff.hunks.filter((_, index) => at.includes(index)).map(({ id }) => id)),
  );
}

test('the two shipped versions of the support agent differ in ten hunks, the certificates in the eighth', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, `../../prompts/support-agent/${name}.md`), 'utf8');
  const diff = diffPrompts(read('v14'), read('v15'));
  expect(diff.hunks).toHaveLength(10);
  expect(diff.hunks[7]).toMatchObject({ kind: 'changed', lineA: 59, lineB: 59 });
  expect(diff.hunks[7]?.title).toMatch(/^Once you have confirmed the facts/);
  expect(diff.hunks[7]?.oldText).toContain('but only once the reservation has been changed or cancelled');
});

test('changes with an unchanged line between them are hunks of their own, each with its kind, lines and first words', () => {
  const diff = diffPrompts(
    '# Tone\nBe warm.\nBe brief and calm at all times.\n- Never shout.\nBye.\n',
    '# Tone\nBe warm.\nBe brief and kind at all times.\n- Never shout.\n- Offer **help**.\nBye.\n',
  );
  expect(shown(diff)).toEqual(['changed 3 3 kind at all times.', 'added 5 5 Offer **help**.']);
  expect(shown(diffPrompts('a\n- Never shout at them.\n', 'a\n'))).toEqual([
    'removed 2 2 Never shout at them.',
  ]);
  expect(shown(diffPrompts('Be warm and very brief.\n', 'Be warm.\n'))).toEqual([
    'changed 1 1 without and very brief.',
  ]);
});

test('a title is safe to print and no wider than 60 cells', () => {
  const [hunk] = diffPrompts('', `\u001b[31m red \u202e ${'words without end '.repeat(40)}`).hunks;
  expect(hunk?.title).toMatch(/^␛\[31m red ⟨U\+202E⟩ words/);
  expect(hunk?.title.length).toBeLessThanOrEqual(60);
});

test('a title names what was lost too, where more words were lost than added', () => {
  const title = (old: string, fresh: string) => diffPrompts(old, fresh).hunks[0]?.title;
  expect(
    title(
      'Say how things stand, so that nobody leaves with a wrong idea.\n',
      'Say how things stand. Wish all others a good flight.\n',
    ),
  ).toBe('Wish all others a good flight. − so that nobody leaves with…');
  expect(title('Refund only with an order number.\n', 'Refund quickly.\n')).toBe(
    'quickly. − only with an order number',
  );
  // Words that come again elsewhere, and other words for the same, are not lost.
  expect(title('gold: 1 in one, 2 in two, 3 in three\n', 'one 1 gold, two 2 gold, three 3 gold\n')).toBe(
    'one 1 gold, two 2 gold, three 3 gold',
  );
  expect(title('Look it up in the system.\n', 'Look it up at once.\n')).toBe('at once.');
});

test('a title with what was lost is safe to print and no wider than 60 cells', () => {
  const piece = fc.constantFrom(
    '返金',
    '\u001b[31m',
    '\u202e',
    'word',
    'other',
    '-',
    '1.',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    ',',
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => pieces.join(' '));
  fc.assert(
    fc.property(text, text, (lost, added) => {
      for (const { title } of diffPrompts(`same ${lost} lost of all words\n`, `same ${added}\n`).hunks) {
        expect(textWidth(title)).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/[\u0000-\u001f\u202e]/);
      }
    }),
  );
});

test('a block that moved is one hunk, and an edit inside it is applied wherever the block is', () => {
  const block =
    'Ask for the order number first.\nThen look the order up in the system.\nThank them for waiting.\n';
  const edited = block.replace('in the system', 'at once');
  const rest = 'One rule that stays here.\nAnother rule that stays here.\n';
  const diff = diffPrompts(`${block}${rest}`, `${rest}${edited}`);
  expect(shown(diff)).toEqual([
    'moved 1 3 Ask for the order number first. Then look the order up in…',
    'changed 2 4 at once.',
  ]);
  expect(only(diff, 0)).toBe(`${rest}${block}`);
  expect(only(diff, 1)).toBe(`${edited}${rest}`);
});

test('white space that changed goes with the nearest change of words, and is a hunk only where nothing else differs', () => {
  const diff = diffPrompts('one\ntwo\nthree\nfour\nfive\n', 'one\n\ntwo\nthree \nFOUR\nfive\n\n');
  expect(diff.hunks.map((hunk) => [hunk.title, hunk.lineA, hunk.edits.length])).toEqual([['FOUR', 4, 4]]);
  expect(shown(diffPrompts('one\ntwo\n', 'one\r\n\r\ntwo'))).toEqual(['changed 1 1 one two']);
});

test('a prompt with other line ends differs in the hunks of its words only', () => {
  const old = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const diff = diffPrompts(old, old.replace('two', '2').replace('five', '5').replaceAll('\n', '\r\n'));
  expect(diff.hunks.map((hunk) => hunk.title)).toEqual(['2', '5']);
});

test('a last line without an end gets one when another follows it, and never runs into it', () => {
  const added = diffPrompts('one', 'one\ntwo\nthree', 'line');
  expect(added.hunks).toHaveLength(2);
  expect(only(added, 1)).toBe('one\nthree');
  const removed = diffPrompts('one\r\ntwo\r\nthree\r\n', 'one', 'line');
  expect(only(removed, 0)).toMatch(/^one\r\n(?:two|three)\r\n$/);
});

test('paragraphs of one line are cut into sentences, and keep their spaces whichever are taken', () => {
  const old = 'Be warm. Do not argue with the customer. Say goodbye.\n';
  const fresh = 'Smile. Be warm. Do not argue with a customer, e.g. Mr. Smith. Say goodbye. Wave. Leave.\n';
  const diff = diffPrompts(old, fresh, 'sentence');
  expect(diff.hunks.map((hunk) => `${hunk.kind}: ${hunk.newText.trim()}`)).toEqual([
    'added: Smile.',
    'changed: Do not argue with a customer, e.g. Mr. Smith.',
    'added: Wave.',
    'added: Leave.',
  ]);
  expect(only(diff, 0, 3)).toBe('Smile. Be warm. Do not argue with the customer. Say goodbye. Leave.\n');
  expect(only(diff, 1)).toBe('Be warm. Do not argue with a customer, e.g. Mr. Smith. Say goodbye.\n');
  const chinese = diffPrompts('你好。再见。\n', '你好。请稍等。谢谢。再见。\n', 'sentence');
  expect(only(chinese, 1)).toBe('你好。谢谢。再见。\n');
});

test('list items, headings, tables and code fences are whole even where sentences are cut', () => {
  const text = (word: string) =>
    `- Be ${word}. Never shout.\n\n# Be ${word}. Always.\n\n| Be ${word}. | Now. |\n\n\`\`\`\nlet a = ${word};\nlet b = ${word};\n\`\`\`\n`;
  const { hunks } = diffPrompts(text('warm'), text('calm'), 'sentence');
  expect(hunks.map((hunk) => hunk.newText)).toEqual([
    '- Be calm. Never shout.\n',
    '# Be calm. Always.\n',
    '| Be calm. | Now. |\n',
    'let a = calm;\nlet b = calm;\n',
  ]);
});

test('what was added under an added heading or list item needs it, and that which was removed above needs the rest removed', () => {
  const section = '## Refunds\n- Ask for the number.\n  - Never ask twice.\n- Be honest about it.\n';
  const added = diffPrompts('# Agent\n\nEnd.\n', `# Agent\n\n${section}\nEnd.\n`, 'line');
  expect(dependenciesOf(added)).toEqual([[], [0], [1], [0]]);
  const removed = diffPrompts(`# Agent\n\n${section}\nEnd.\n`, '# Agent\n\nEnd.\n', 'line');
  expect(dependenciesOf(removed)).toEqual([[1, 3], [2], [], []]);
  const needs = closeNeeds(removed.hunks.length, dependenciesOf(removed));
  expect(candidateText(removed, goodWith([0], needs))).toBe('# Agent\n\nEnd.\n');
});

test('both marks of a fence or a template block come together, wherever they stand', () => {
  const fence = diffPrompts(
    'Look:\nlet a = 1;\nlet b = 2;\nDone.\n',
    'Look:\n```\nlet a = 1;\nlet b = 2;\n```\nDone.\n',
  );
  expect(fence.hunks.map((hunk) => hunk.newText)).toEqual(['```\n```\n']);
  const block = diffPrompts('One.\nTwo.\n', '{% if gold %}\nOne.\n{% endif %}\nTwo.\n');
  expect(block.hunks).toHaveLength(1);
});

test('a set with a hunk that is not there, or without one that is needed, is refused', () => {
  const diff = diffPrompts('a\n', 'a\n# New\n- item that is new\n', 'line');
  expect(() => composePrompt(diff, new Set(['0000000000']))).toThrow('there is no hunk 0000000000');
  expect(() => only(diff, 1)).toThrow(/needs hunk/);
});

test('the same two prompts give the same hunks with the same ids', () => {
  const [a, b] = ['one\ntwo\nthree\n', 'one\n2\nthree\nfour\n'];
  expect(diffPrompts(a, b)).toEqual(diffPrompts(a, b));
  expect(diffPrompts(a, b).hunks.map((hunk) => hunk.id)).toEqual(
    diffPrompts(a, b, 'line').hunks.map((hunk) => hunk.id),
  );
});

test.each([
  [
    'a rewritten prompt',
    (line: string, at: number) => `${line.split(' ').reverse().join(' ')} anew ${at * 7}`,
  ],
  ['every second line changed', (line: string, at: number) => (at % 2 === 0 ? line : `${line} and so on`)],
  ['the same line again and again', (_: string, at: number) => (at % 3 === 0 ? 'the same' : 'another')],
])('a prompt of 2,000 lines is cut within a second or so: %s', (_, change) => {
  const words = ['refund', 'policy', 'confirm', 'never', 'always', 'ask', 'reply', 'window', 'cabin'];
  const lines = Array.from({ length: 2000 }, (_line, at) =>
    Array.from({ length: 12 }, (_word, word) => words[(at * (word + 3) + word) % words.length]).join(' '),
  );
  const started = process.cpuUsage();
  diffPrompts(lines.join('\n'), lines.map(change).join('\n'), 'sentence');
  // Time of the processor, which other work on the machine does not lengthen much; twice the second that is promised.
  const { user } = process.cpuUsage(started);
  expect(user / 1e6).toBeLessThan(2);
});
