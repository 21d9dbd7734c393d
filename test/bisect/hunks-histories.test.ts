import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../../source/base/random.js';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { expectLaws } from './laws.js';

const root = join(import.meta.dirname, '../..');
const fixtures = join(root, 'test/fixtures/prompt-histories');
/** Many more real prompts, where they lie beside the project. */
const beside = join(root, '../shared/data/prompt-histories');

/** Each version of a prompt with the next one, and the first with the last. */
function pairsIn(folder: string): { name: string; a: string; b: string }[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const files = readdirSync(join(folder, name)).filter((file) => /^\d.*\.(?:md|j2|py)$/.test(file));
    const read = (file: string) => readFileSync(join(folder, name, file), 'utf8');
    const pairs = files.slice(1).map((file, at) => [files[at] ?? file, file] as const);
    const [first, last] = [files[0], files.at(-1)];
    if (first !== undefined && last !== undefined && files.length > 2) pairs.push([first, last]);
    return pairs.map(([old, fresh]) => ({ name: `${name} ${old} ${fresh}`, a: read(old), b: read(fresh) }));
  });
}

function choicesFor(name: string, count: number): boolean[][] {
  const random = createRandom(name.length);
  return Array.from({ length: count }, () => Array.from({ length: 13 }, () => random.next() < 0.5));
}

test.each(pairsIn(fixtures))(
  '$name: every allowed set of hunks is exact, and with CRLF',
  ({ name, a, b }) => {
    expectLaws(a, b, choicesFor(name, 4));
    expectLaws(b, a, choicesFor(name, 2));
    expectLaws(a.replaceAll('\n', '\r\n'), b.trimEnd(), choicesFor(name, 2));
  },
);

test.skipIf(!existsSync(beside))(
  'all histories that lie beside the project: every allowed set is exact',
  () => {
    const pairs = pairsIn(beside);
    expect(pairs.length).toBeGreaterThan(40);
    for (const { name, a, b } of pairs) expectLaws(a, b, choicesFor(name, 2));
  },
  60_000,
);

/** The moves between two versions of a real prompt. */
function movesIn(folder: string, a: string, b: string) {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const moved = diffPrompts(read(a), read(b)).hunks.filter((hunk) => hunk.kind === 'moved');
  return moved.map(({ lineA, lineB, title }) => ({ lineA, lineB, title }));
}

test('a section of a real prompt that goes elsewhere is one move', () => {
  const text = readFileSync(join(fixtures, 'pydantic-ai-skill', '2026-08-11_de3eaf32cc.md'), 'utf8');
  const [head = '', first = '', second = '', ...rest] = text.split(/^(?=## )/m);
  const { hunks } = diffPrompts(text, [head, second, first, ...rest].join(''));
  expect(hunks.map(({ kind }) => kind)).toEqual(['moved']);
});

test.skipIf(!existsSync(beside))('so is a rule, as its authors moved it', () => {
  const folder = join(beside, 'gemini-cli');
  expect(movesIn(folder, '055_2026-02-26_39938000a9.md', '072_2026-07-31_f47d6c6f7a.md')).toEqual([
    { lineA: 51, lineB: 52, title: expect.stringContaining('Explain Before Acting') },
  ]);
});

test.skipIf(!existsSync(beside))('a paragraph is one move, with what was edited inside apart', () => {
  const folder = join(beside, 'agentv-agents-md');
  expect(movesIn(folder, '2026-04-13_5e1c00317d.md', '2026-05-26_062164f58f.md')).toEqual([
    { lineA: 377, lineB: 468, title: expect.stringContaining('Update project roadmap') },
  ]);
});

test('the tags that a real prompt put around new rules are one hunk, which each of the rules needs', () => {
  const read = (file: string) => readFileSync(join(fixtures, 'openhands', file), 'utf8');
  const { hunks } = diffPrompts(read('2025-02-27_6b1a937024.j2'), read('2025-03-08_a4908f9a75.j2'), 'line');
  const tags = hunks.find((hunk) => hunk.newText.includes('<CODE_QUALITY>'));
  expect(tags?.newText.trim()).toBe('<CODE_QUALITY>\n</CODE_QUALITY>');
  const rules = hunks.filter((hunk) => tags !== undefined && hunk.needs.includes(tags.id));
  expect(rules.map((rule) => rule.lineB)).toEqual([20, 21, 22, 23]);
});
