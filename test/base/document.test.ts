import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DataFormat, parseDocuments, readDocuments } from '../../source/base/document.js';
import { formatProblem } from '../../source/base/errors.js';
import { nodeAt, toPlain } from '../../source/base/nodes.js';

async function read(text: string, format: DataFormat = 'yaml') {
  const { documents, problems } = await parseDocuments(text, `f.${format}`, format);
  return { values: documents.map(toPlain), problems: problems.map(formatProblem), documents };
}

async function readBytes(name: string, bytes: Uint8Array | string) {
  const folder = await mkdtemp(join(tmpdir(), 'evalrun-document-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), bytes);
  const { documents, problems } = await readDocuments(join(folder, name), name);
  return { values: documents.map(toPlain), problems: problems.map(formatProblem) };
}

describe('YAML', () => {
  test('is YAML 1.2: no, on and dates are texts', async () => {
    const { values } = await read('a: no\non: 2..5\nd: 2024-05-15\n');
    expect(values).toEqual([{ a: 'no', on: '2..5', d: '2024-05-15' }]);
  });

  test('of a version 1.1 directive is read the same', async () => {
    expect((await read('%YAML 1.1\n---\na: yes\n')).values).toEqual([{ a: 'yes' }]);
  });

  test('keeps template marks, comment marks of templates and dollars in data', async () => {
    const text = `{# no comment #} {{name}} {% if %} \${HOME} $& \\{{x}}`;
    expect((await read(`a: '${text}'\nb: |\n  ${text}\n`)).values).toEqual([{ a: text, b: `${text}\n` }]);
  });

  test('follows anchors and aliases, and what they repeat keeps its place', async () => {
    const { documents, values } = await read('a: &x\n  b: 1\nc: *x\nd: [*x]\n');
    expect(values).toEqual([{ a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] }]);
    const [node] = documents;
    expect(node && nodeAt(node, ['c'])?.at).toEqual({ line: 3, column: 4 });
    expect(node && nodeAt(node, ['c', 'b'])?.at).toEqual({ line: 2, column: 6 });
  });

  test('merges maps: written keys win, then earlier maps', async () => {
    const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 3\nd:\n  "<<": 5\n';
    expect((await read(text)).values[0]).toMatchObject({ c: { x: 3, y: 1, z: 2 }, d: { '<<': 5 } });
  });

  test('refuses aliases that would fill the memory, at the alias that goes too far', async () => {
    const lines = ['l0: &l0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++) {
      lines.push(
        `l${i}: &l${i} [${Array(10)
          .fill(`*l${i - 1}`)
          .join(', ')}]`,
      );
    }
    const { values, problems } = await read(lines.join('\n'));
    expect(values).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^f\.yaml:6:\d+: aliases repeat more than 250000 values/);
  });

  test('names an alias without an anchor, and one inside of its own anchor', async () => {
    expect((await read('a: *bold\n')).problems).toEqual([
      'f.yaml:1:4: *bold repeats &bold, which is not above it; if this is meant as text, put it in quotes',
    ]);
    expect((await read('a: &x [*x]\n')).problems).toEqual([
      'f.yaml:1:8: *x stands inside of &x, so it would never end',
    ]);
  });

  test('names both places of a key that is given twice, and goes on', async () => {
    const { values, problems } = await read('a: 1\nb: 2\na: 3\nb: 4\n');
    expect(problems).toEqual([
      'f.yaml:3:1: key "a" is given twice, first at 1:1; keep one',
      'f.yaml:4:1: key "b" is given twice, first at 2:1; keep one',
    ]);
    expect(values).toEqual([{ a: 1, b: 2 }]);
  });

  test('takes keys as they are written', async () => {
    expect((await read('1.0: a\n007: b\ntrue: c\n')).values).toEqual([{ '1.0': 'a', '007': 'b', true: 'c' }]);
    expect((await read('? [a]\n: c\n')).problems).toEqual([
      'f.yaml:1:3: a key must be a text; put it in quotes, or add what is missing before the colon',
    ]);
    const proto = (await read('__proto__: {a: 1}\n')).values[0];
    expect(JSON.stringify(proto)).toBe('{"__proto__":{"a":1}}');
  });

  test.each([
    ['a:\n\tb: 1\n', 'f.yaml:2:1: a tab is used for indentation; YAML takes spaces only'],
    ['x: 1\na: "foo\nb: c\n', 'f.yaml:2:4: the quotes that open here are never closed'],
    ['a: foo: bar\n', /^f\.yaml:1:4: a second "key: value" stands inside of this value/],
    ['a: @foo\n', 'f.yaml:1:4: a text cannot begin with "@" unless it stands in quotes'],
    ['a: 1\nfoo\nb: 2\n', /^f\.yaml:2:1: expected "key: value" here: a colon is missing/],
    ["a: 'it's'\n", /^f\.yaml:1:8: nothing may follow the value, found "s'"/],
    ['a: "\\q"\n', /^f\.yaml:1:5: \\q is no escape in double quotes/],
    [
      'a: !important\n',
      'f.yaml:1:4: the tag "!important" is not known; if it is meant as text, put it in quotes',
    ],
    ['a: "x\u0000y"\n', /^f\.yaml:1:6: the control character \\u0000 stands in the file/],
    ['a: "\\ud800"\n', /^f\.yaml:1:4: the escape \\ud800 is half of a surrogate pair/],
    ['a: 12345678901234567890\n', /^f\.yaml:1:4: 12345678901234567890 has more digits than a number keeps/],
    [
      'a: where is my order #W123?\n',
      'f.yaml:1:4: the text ends before "#W123?", which YAML takes for a comment; put the text in quotes, or a space after the "#"',
    ],
    ['a: .inf\n', /^f\.yaml:1:4: \.inf is no number that JSON can hold/],
  ])('explains the mistake in %j at its place', async (text, expected) => {
    const { problems } = await read(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test.each([
    'a: text # a comment\n',
    'a: 5 #five\n',
    'a: "text" #comment\n',
    'a: b#c\n',
    'a: |\n  b #c\n',
    'a: x\n#comment\nb: y\n',
    'a: x\n  #comment\nb: y\n',
  ])('a comment in %j is one', async (text) => {
    expect((await read(text)).problems).toEqual([]);
  });

  test('reports one mistake a line, and those of several lines', async () => {
    const { problems } = await read('a: b: c\nd: 1\ne: @x\n');
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual(['f.yaml:1:4', 'f.yaml:3:4']);
  });

  test('reads several documents, and of those with a mistake only the others', async () => {
    const { values, problems } = await read('a: 1\n---\nb: @x\n---\nc: 3\n---\n');
    expect(values).toEqual([{ a: 1 }, { c: 3 }]);
    expect(problems).toHaveLength(1);
  });

  test.each(['yaml', 'json'] as const)(
    'of %s refuses a key that would be dropped without a word',
    async (format) => {
      expect((await read('{"a": {"__proto__": 1}}', format)).problems).toEqual([
        `f.${format}:1:8: "__proto__" cannot be a key: JavaScript keeps it for itself`,
      ]);
    },
  );

  test('nested without end is refused, not a crash', async () => {
    const { problems } = await read(`${'['.repeat(5000)}\n`);
    expect(problems).toEqual([expect.stringMatching(/^f\.yaml:1:\d+: nested deeper than 200 levels$/)]);
    for (const text of [
      '- '.repeat(20_000),
      '{a: '.repeat(20_000),
      `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    ])
      expect((await read(text)).problems).toEqual([expect.stringContaining('nested deeper than 200 levels')]);
    const { problems: deep } = await read(`${'['.repeat(300)}${']'.repeat(300)}\n`);
    expect(deep).toEqual(['f.yaml:1:202: nested deeper than 200 levels']);
  });

  test.each(['', '\n\n', '# only a comment\n', '---\n', '\ufeff'])('%j is an empty file', async (text) => {
    expect((await read(text)).problems).toEqual([
      'f.yaml: the file is empty; write something in it, or delete it',
    ]);
  });
});

describe('JSON', () => {
  test('any JSON value is read as JSON.parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), fc.nat(4), async (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // The one name that is refused.
        fc.pre(!text.includes('"__proto__":'));
        const { values, problems } = await read(text, 'json');
        expect(problems).toEqual([]);
        expect(values).toEqual([JSON.parse(text)]);
      }),
    );
  });

  test('what JSON.parse refuses is a mistake, and what it takes is none', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'true',
      'nul',
      ' ',
      '"',
      '\\',
      "'",
      'e1',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const text = pieces.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const { values, problems } = await read(text, 'json');
        const others = problems.filter((problem) => !problem.includes('given twice'));
        expect(others.length === 0 && values.length === 1).toBe(isJson);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['{"a": 1,}', 'f.json:1:8: JSON has no comma before "}"'],
    ['{\n  "a": 1\n  "b": 2}', 'f.json:3:3: expected "," or "}", found "\\""'],
    ["{'a': 1}", 'f.json:1:2: expected a key in double quotes, found "\'"'],
    ['{"a": yes}', 'f.json:1:7: "yes" is no value of JSON; a text stands in double quotes'],
    ['{"a": 1} // b', 'f.json:1:10: expected the end of the text, found "/"'],
    ['// b\n{}', 'f.json:1:1: JSON has no comments'],
    ['{"a": "b\nc"}', 'f.json:1:9: a text goes over the end of the line; write \\n in it'],
    ['{"a": "b', 'f.json:1:7: this text has no closing double quote'],
    ['{"a": "\\x"}', 'f.json:1:8: this is no escape of JSON; a backslash itself is written \\\\'],
    ['{"a": "\u0007"}', 'f.json:1:8: a control character stands in a text; write it as \\u0007'],
    ['{"a": 1, "a": 2}', 'f.json:1:10: key "a" is given twice, first at 1:2; keep one'],
    ['{"a": 9007199254740993}', /^f\.json:1:7: 9007199254740993 has more digits than a number keeps/],
    ['{"a": 1e999}', /^f\.json:1:7: 1e999 is no number that JSON can hold/],
    [`${'['.repeat(250)}${']'.repeat(250)}`, 'f.json:1:202: nested deeper than 200 levels'],
  ])('explains the mistake in %j at its place', async (text, expected) => {
    const { problems } = await read(text, 'json');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test('of one bad line among JSON lines only that line is lost', async () => {
    const { values, problems } = await read('{"a": 1}\n\n{"a": }\n{"a": 3, "a": 4}\n{"a": 5}', 'jsonl');
    expect(values).toEqual([{ a: 1 }, { a: 3 }, { a: 5 }]);
    expect(problems).toEqual([
      'f.jsonl:3:7: expected a value, found "}"',
      'f.jsonl:4:10: key "a" is given twice, first at 4:2; keep one',
    ]);
  });
});

describe('line ends and byte order marks', () => {
  const line = fc.constantFrom(
    'a: x',
    'b: "q\\r\\n"',
    'c: |',
    '  block',
    '  more',
    '',
    'd: >-',
    '  folded',
    'e: [1,',
    '  2]',
    'f: "over',
    '  lines"',
    '@bad',
  );
  test('a YAML file loads the same, mistakes included, however its lines end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (lines, hasMark) => {
          const plain = await read(lines.join('\n'));
          const other = await read(`${hasMark ? '\ufeff' : ''}${lines.join('\r\n')}`);
          expect(other.values).toEqual(plain.values);
          expect(other.problems).toEqual(plain.problems);
        },
      ),
    );
  });

  test('a JSON line ends before its carriage return', async () => {
    expect((await read('\ufeff{"a": 1}\r\n{"a": "x\\r"}\r\n', 'jsonl')).values).toEqual([
      { a: 1 },
      { a: 'x\r' },
    ]);
  });

  test('a block scalar has no carriage return unless it is written as an escape', async () => {
    const { values } = await read('a: |\r\n  one\r\n  two\r\nb: "x\\ry"\r\n');
    expect(values).toEqual([{ a: 'one\ntwo\n', b: 'x\ry' }]);
  });
});

describe('files', () => {
  test('names the offset of the first byte that is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('id: ä\nb: '), Buffer.from([0xe9, 0x74, 0x0a])]);
    expect((await readBytes('a.yaml', bytes)).problems).toEqual([
      'a.yaml:2:4: the file is not UTF-8: byte 0xE9 at offset 10; save it as UTF-8',
    ]);
  });

  test('finds the offset wherever the byte stands', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.string({ maxLength: 10 }),
        async (before, after) => {
          const start = Buffer.from(before);
          const { problems } = await readBytes(
            'a.json',
            Buffer.concat([start, Buffer.from([0xff]), Buffer.from(after)]),
          );
          expect(problems[0]).toContain(`byte 0xFF at offset ${start.length};`);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a sequence that the end of the file cuts is named where it begins', async () => {
    const { problems } = await readBytes('a.yaml', Buffer.from([0x61, 0xf0, 0x9f, 0x98]));
    expect(problems).toEqual(['a.yaml:1:2: the file is not UTF-8: byte 0xF0 at offset 1; save it as UTF-8']);
  });

  test('says that a file is UTF-16', async () => {
    const { problems } = await readBytes('a.yaml', Buffer.from('\ufeffid: a', 'utf16le'));
    expect(problems).toEqual(['a.yaml:1:1: the file is UTF-16; save it as UTF-8']);
  });

  test('says what is there instead of a file', async () => {
    const problemsOf = async (path: string) => (await readDocuments(path, 'x')).problems.map(formatProblem);
    expect(await problemsOf(join(tmpdir(), 'evalrun-no-such-file.yaml'))).toEqual([
      'x: there is no such file',
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'evalrun-folder.yaml-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'a.yaml'));
    expect(await problemsOf(join(folder, 'a.yaml'))).toEqual(['x: this is a folder; a file was expected']);
    expect(await problemsOf(join(tmpdir(), 'x.toml'))).toEqual([
      'x: the ending does not say the format; name it with one of .yaml, .yml, .json, .jsonl, .ndjson',
    ]);
  });
});
