import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../source/base/errors.js';
import { defaultQuarantine } from '../../source/project/quarantine-settings.js';
import type { QuarantineEntry } from '../../source/run/planned.js';
import {
  createQuarantineEditor,
  editedEntries,
  proveEdit,
  type QuarantineEdit,
} from '../../source/triage/quarantine-edit.js';
import { overlaps, parseQuarantine, readQuarantine } from '../../source/triage/quarantine-file.js';
import { quarantineMistakes } from '../../source/triage/quarantine-suite.js';

const now = Date.UTC(2026, 10, 30);
const file = 'suites/shop/quarantine.yaml';

function entry(scenario: string, more: Partial<QuarantineEntry> = {}): QuarantineEntry {
  return {
    scenario,
    owner: 'Ada Lovelace',
    reason: 'the model is unsure',
    since: '2026-11-30',
    until: '2026-12-14',
    evidence: ['20261130-142530-k3fz'],
    ...more,
  };
}

const text = `# Ours.

- scenario: refund
  check: offers-credit # since v15
  owner: Ada Lovelace
  reason: the model is unsure
  since: 2026-11-30
  until: 2026-12-14
  evidence: [20261130-142530-k3fz]

# Asked the team of the backend.
- scenario: order
  check: all
  owner: Bob
  reason: 'times out: often'
  since: 2026-11-20
  until: 2026-12-04
`;

async function mistakesOf(written: string): Promise<string[]> {
  try {
    await parseQuarantine(written, file);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem);
  }
}

describe('a quarantine file', () => {
  it('says what is quarantined, a check or all of a scenario', async () => {
    const { entries } = await parseQuarantine(text, file);
    expect(entries).toEqual([
      entry('refund', { check: 'offers-credit' }),
      {
        scenario: 'order',
        owner: 'Bob',
        reason: 'times out: often',
        since: '2026-11-20',
        until: '2026-12-04',
        evidence: [],
      },
    ]);
  });

  it('may be missing, empty, or hold nothing but comments', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'evalrun-quarantine-'));
    expect((await readQuarantine({ root: folder }, { folder })).entries).toEqual([]);
    for (const nothing of ['', '\n', '[]\n', '# none\n\n', '---\n# none\n'])
      expect((await parseQuarantine(nothing, file)).entries).toEqual([]);
    // However many lines are empty, what stands below them is read, and at once.
    const empty = '\n'.repeat(5000);
    expect((await parseQuarantine(`# Ours.\n${empty}${text}`, file)).entries).toHaveLength(2);
    expect((await parseQuarantine(`# Ours.\n${empty}`, file)).entries).toEqual([]);
  });

  it('is told what is wrong in it, and where', async () => {
    expect(await mistakesOf('- scenario: [\n')).toEqual([
      expect.stringMatching(/^suites\/shop\/quarantine.yaml:\d/),
    ]);
    expect(await mistakesOf('- scenario: refund\n  chek: all\n')).toEqual(
      expect.arrayContaining([expect.stringMatching(/:2:3: unknown key "chek"; did you mean "check"\?/)]),
    );
    expect(await mistakesOf(text.replace('2026-12-14', 'soon'))).toEqual([
      expect.stringMatching(/:8:10: expected a day, as in 2026-11-30/),
    ]);
    expect(await mistakesOf(text.replace('2026-12-14', '2026-11-31'))).toHaveLength(1);
    expect(await mistakesOf(text.replace('2026-12-14', '2026-11-29'))).toEqual([
      'suites/shop/quarantine.yaml:8:10: it would end before it began on 2026-11-30',
    ]);
    expect(await mistakesOf(text.replace('scenario: order', 'scenario: refund'))).toEqual([
      'suites/shop/quarantine.yaml:12:13: this is quarantined already by the entry of line 3; keep one of them',
    ]);
    expect(await mistakesOf(`<<<<<<< HEAD\n${text}=======\n`)).toEqual([
      'suites/shop/quarantine.yaml:1:1: a merge conflict stands in the file; keep the entries that still hold',
    ]);
    expect(await mistakesOf(`${text}---\n- a\n`)).toEqual([expect.stringContaining('a second document')]);
  });

  it('has to fit its suite, the days ahead and the share', async () => {
    const read = await parseQuarantine(text, file);
    const suite = (ids: string[]) => ({
      name: 'shop',
      folder: 'x',
      scenarios: ids.map((id) => ({ id, checks: [{ id: 'offers-credit' }] })),
    });
    const told = (ids: string[], at = now) =>
      quarantineMistakes(read, suite(ids), defaultQuarantine, at).map(formatProblem);
    const many = Array.from({ length: 20 }, (_, index) => `s${index}`);
    expect(told(['refund', 'order', ...many])).toEqual([]);
    expect(told(['refund', 'orders', ...many])).toEqual([
      `${file}:12:13: "shop" has no scenario "order"; did you mean "orders"?`,
    ]);
    expect(told(['refund', 'order'])).toEqual([
      expect.stringContaining(`${file}:12:13: 2 scenarios of 2 would be`),
    ]);
    expect(told(['refund', 'order', ...many], now - 20 * 86_400_000)).toEqual([
      `${file}:8:10: a quarantine ends at most 30 days ahead, on 2026-12-10; it can be extended then`,
    ]);
  });
});

describe('changing a quarantine file', () => {
  it('adds at the end, extends a day, and releases with the comment above, and touches nothing else', async () => {
    const edit = await createQuarantineEditor();
    const added = edit(text, { kind: 'add', entry: entry('greeting', { reason: 'says: "hi" #1' }) });
    expect(added).toBe(`${text}- scenario: greeting
  check: all
  owner: Ada Lovelace
  reason: 'says: "hi" #1'
  since: 2026-11-30
  until: 2026-12-14
  evidence: [20261130-142530-k3fz]
`);
    expect(edit(text, { kind: 'extend', index: 0, until: '2026-12-28' })).toBe(
      text.replace('2026-12-14', '2026-12-28'),
    );
    const [first = ''] = text.split('\n# Asked');
    expect(edit(text, { kind: 'release', index: 1 })).toBe(`${first}\n`);
    expect(edit(text, { kind: 'release', index: 0 })).toBe(
      `# Ours.\n\n${text.slice(text.indexOf('\n# Asked'))}`,
    );
    expect(edit(added, { kind: 'release', index: 2 })).toBe(text);
  });

  it('begins a file that is missing with what it is', async () => {
    const edit = await createQuarantineEditor();
    const made = edit('', { kind: 'add', entry: entry('refund') });
    expect(made).toMatch(/^# What flips without a change.*\n#.*\n- scenario: refund\n/);
    expect(edit('# Ours.\n[]\n', { kind: 'add', entry: entry('refund') })).toMatch(
      /^# Ours.\n- scenario: refund\n/,
    );
  });

  const day = fc
    .integer({ min: 0, max: 60 })
    .map((days) => new Date(now + days * 86_400_000).toISOString().slice(0, 10));
  const word = fc
    .oneof(
      fc.constantFrom(
        'refund',
        'null',
        '- x',
        '#1',
        'a: b',
        "it's",
        '返金',
        '2026-11-30',
        '{x}',
        '123',
        ' x ',
      ),
      fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    )
    .filter((text) => !/[\p{Cc}\p{Surrogate}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text));
  const entries = fc
    .array(
      fc.record({
        scenario: word,
        check: fc.option(
          word.filter((check) => check !== 'all'),
          { nil: undefined },
        ),
        owner: word,
        reason: word,
        days: fc.tuple(day, day).map((days) => days.sort()),
        evidence: fc.array(fc.constantFrom('20261130-142530-k3fz', '20261201-142530-abcd'), { maxLength: 2 }),
      }),
      { maxLength: 5 },
    )
    .map((all) =>
      all.map(
        ({ check, days: [since, until], ...rest }): QuarantineEntry => ({
          ...rest,
          ...(check !== undefined && { check }),
          since,
          until,
        }),
      ),
    )
    .map((all) => all.filter((one, index) => all.findIndex((other) => overlaps(one, other)) === index));

  it('does what it says, and keeps every comment and the order, whatever is written', async () => {
    const edit = await createQuarantineEditor();
    await fc.assert(
      fc.asyncProperty(
        entries,
        entries,
        fc.array(fc.record({ kind: fc.constantFrom('add', 'release', 'extend'), at: fc.nat(), until: day })),
        fc.boolean(),
        async (begin, more, steps, isWindows) => {
          let written = begin.reduce(
            (sum, one, index) => `${edit(sum, { kind: 'add', entry: one })}\n# Comment ${index}.\n\n`,
            '# Ours.\n\n',
          );
          if (isWindows) written = written.replaceAll('\n', '\r\n');
          let known = (await parseQuarantine(written, file)).entries;
          expect(known).toEqual(begin);
          const waiting = more.filter((one) => !begin.some((other) => overlaps(one, other)));
          for (const { kind, at, until } of steps) {
            const index = at % Math.max(1, known.length);
            const next = kind === 'add' ? waiting.shift() : known[index];
            if (!next || (kind === 'extend' && until < next.since)) continue;
            const step: QuarantineEdit =
              kind === 'add'
                ? { kind, entry: next }
                : kind === 'extend'
                  ? { kind, index, until }
                  : { kind, index };
            const before = written;
            written = edit(written, step);
            await proveEdit(known, written, step, file);
            known = editedEntries(known, step);
            // Lines of others stay, in their order: what is left of the old text is the new text without what was added.
            const lost = diffArrays(before.split('\n'), written.split('\n'))
              .filter(({ removed }) => removed)
              .reduce((sum, { value }) => sum + value.length, 0);
            const size = step.kind === 'release' ? 9 : step.kind === 'extend' ? 1 : 0;
            expect(lost).toBeLessThanOrEqual(size);
            expect(written).toContain('# Ours.');
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of a list in brackets keeps its entries and comments', async () => {
    const edit = await createQuarantineEditor();
    const flow = `# Ours.\n[{scenario: refund, check: all, owner: Ada, reason: flips, since: 2026-11-30, until: 2026-12-14}]\n`;
    const { entries: before } = await parseQuarantine(flow, file);
    for (const step of [
      { kind: 'add', entry: entry('order') },
      { kind: 'extend', index: 0, until: '2026-12-20' },
      { kind: 'release', index: 0 },
    ] satisfies QuarantineEdit[]) {
      const changed = edit(flow, step);
      await proveEdit(before, changed, step, file);
      expect(changed).toContain('# Ours.');
    }
  });

  it('is refused where the text that came out says something else', async () => {
    await expect(proveEdit([], 'no list', { kind: 'add', entry: entry('refund') }, file)).rejects.toThrow(
      'suites/shop/quarantine.yaml is written in a way that cannot be changed safely; change it by hand',
    );
  });

  it('reads what a project has', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'evalrun-quarantine-'));
    const folder = path.join(root, 'suites', 'shop');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'quarantine.yaml'), '- 1\n');
    await expect(readQuarantine({ root }, { folder })).rejects.toMatchObject({
      problems: [{ file, line: 1, column: 3 }],
    });
  });
});
