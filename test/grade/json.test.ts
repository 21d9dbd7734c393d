import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, conversation, conversationOf, grade, mistakesOf, unanswered } from './transcripts.js';

const reply = JSON.stringify({
  status: 'open',
  amount: 45,
  note: null,
  blank: ' ',
  items: [
    { id: 1, paid: false },
    { id: 2, paid: true },
  ],
});

describe('field_equals', () => {
  it('passes when one of the selected values is the one', () => {
    expect(grade(conversation(reply), 'field_equals', { path: '$.items[*].paid', value: true })).toEqual({
      verdict: 'pass',
      reason: '$.items[*].paid is true',
      evidence: [{ turn: 1, part: 0 }],
    });
  });

  it('says what was there instead', () => {
    const transcript = conversation(reply);
    expect(grade(transcript, 'field_equals', { path: '$.status', value: 'closed' }).reason).toBe(
      'expected $.status to be "closed", saw "open"',
    );
    expect(grade(transcript, 'field_equals', { path: '$.state', value: 'closed' }).reason).toMatch(
      /^expected \$\.state to be "closed", saw no such field in \{"status":"open"/,
    );
  });

  it('compares objects and arrays whole, and members in any order', () => {
    const transcript = conversation('{"to": {"b": [1, 2], "a": 1}}');
    expect(grade(transcript, 'field_equals', { path: '$.to', value: { a: 1, b: [1, 2] } }).verdict).toBe(
      'pass',
    );
    expect(grade(transcript, 'field_equals', { path: '$.to', value: { a: 1 } }).verdict).toBe('fail');
    expect(grade(transcript, 'field_equals', { path: '$.to', value: { a: 1, b: [2, 1] } }).verdict).toBe(
      'fail',
    );
  });

  it('tells a number from its text, unless the written form does not count', () => {
    const transcript = conversation(reply);
    expect(grade(transcript, 'field_equals', { path: '$.amount', value: '45' }).verdict).toBe('fail');
    expect(
      grade(transcript, 'field_equals', { path: '$.amount', value: '$45.00', match: 'normalised' }).verdict,
    ).toBe('pass');
  });

  it('can expect null, which is not the same as nothing', () => {
    expect(grade(conversation(reply), 'field_equals', { path: '$.note', value: null }).verdict).toBe('pass');
    expect(grade(conversation(reply), 'field_equals', { path: '$.nothing', value: null }).verdict).toBe(
      'fail',
    );
  });

  it('reads the last reply that is JSON', () => {
    const transcript = conversation('{"n": 1}', '{"n": 2}', 'That is all.');
    expect(grade(transcript, 'field_equals', { path: '$.n', value: 2 })).toMatchObject({
      verdict: 'pass',
      evidence: [{ turn: 2, part: 0 }],
    });
    expect(grade(transcript, 'field_equals', { path: '$.n', value: 1 }, { on: 'first' }).verdict).toBe(
      'pass',
    );
  });

  it.each([
    ['in a code fence', '```json\n{"n": 2}\n```'],
    ['in white space', ' \n{"n": 2}\n\n'],
  ])('reads JSON that stands %s', (_where, text) => {
    expect(grade(conversation(text), 'field_equals', { path: '$.n', value: 2 }).verdict).toBe('pass');
  });

  it('reads what was said after the last tool call', () => {
    const transcript = conversation(['Let me look.', call('get_order'), '{"n": 2}']);
    expect(grade(transcript, 'field_equals', { path: '$.n', value: 2 })).toMatchObject({
      verdict: 'pass',
      evidence: [{ turn: 1, part: 2 }],
    });
  });

  it.each([
    ['prose', 'Here it is: {"n": 2}'],
    ['single quotes', "{'n': 2}"],
    ['an empty reply', ''],
  ])('takes %s for no JSON, and quotes it', (_what, text) => {
    expect(grade(conversation(text), 'field_equals', { path: '$.n', value: 2 })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^expected a reply in JSON, saw /),
    });
  });

  it('fails on JSON that the token limit cut off, and says so', () => {
    const transcript = conversationOf([{ said: ['{"n": 2, "text": "and th'], stop: 'cut-off' }]);
    expect(grade(transcript, 'field_equals', { path: '$.n', value: 2 })).toMatchObject({
      verdict: 'fail',
      reason:
        'expected a reply in JSON, saw "{"n": 2, "text": "and th" (turn 1 was cut off at the token limit)',
    });
  });

  it('is unknown after a call without a fixture: the last JSON reply was still to come', () => {
    const brokenOff = conversation('{"n": 2}', [unanswered('get_order')]);
    expect(grade(brokenOff, 'field_equals', { path: '$.n', value: 2 }).verdict).toBe('unknown');
    expect(grade(brokenOff, 'field_equals', { path: '$.n', value: 2 }, { on: 'first' }).verdict).toBe('pass');
  });

  it('refuses a path that is no JSONPath', () => {
    expect(mistakesOf('field_equals', { path: 'status', value: 1 })[0]).toMatch(
      /^path: this is no JSONPath: expected "\$".*; a path begins with \$, as in \$\.status$/,
    );
    expect(mistakesOf('field_present', { path: '$.a[' })[0]).toMatch(/^path: this is no JSONPath/);
  });
});

describe('field_present', () => {
  it('passes for a value, zero and false included', () => {
    for (const path of ['$.status', '$.amount', '$.items[?@.id == 2]', '$.items[0].paid'])
      expect(grade(conversation(reply), 'field_present', { path }).verdict).toBe('pass');
  });

  it('fails for null, for a blank text and for nothing', () => {
    for (const path of ['$.note', '$.blank', '$.nothing'])
      expect(grade(conversation(reply), 'field_present', { path }).verdict).toBe('fail');
    expect(grade(conversation(reply), 'field_present', { path: '$.note' }).reason).toBe(
      'expected $.note to be there, saw null',
    );
  });
});

describe('json_schema', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer' },
      on: { type: 'string', format: 'date' },
      kind: { enum: ['a', 'b'] },
    },
  };

  it('passes when every reply is valid', () => {
    expect(
      grade(conversation('{"id": 1, "on": "2024-05-20"}', '{"id": 2}'), 'json_schema', { schema }),
    ).toEqual({
      verdict: 'pass',
      reason: 'valid against the schema',
      evidence: [
        { turn: 1, part: 0 },
        { turn: 2, part: 0 },
      ],
    });
  });

  it.each([
    ['{"id": "1"}', '/id must be integer'],
    ['{"on": "2024-05-20"}', "the value must have required property 'id'"],
    ['{"id": 1, "on": "20 May"}', '/on must match format "date"'],
    ['{"id": 1, "extra": 1}', 'the value must NOT have additional properties ("extra")'],
    ['{"id": 1, "kind": "c"}', '/kind must be equal to one of the allowed values (["a","b"])'],
    ['[]', 'the value must be object'],
  ])('fails on %s, because %s', (text, why) => {
    expect(grade(conversation('{"id": 1}', text), 'json_schema', { schema })).toMatchObject({
      verdict: 'fail',
      reason: `expected valid JSON in turn 2, but ${why}; saw "${text}"`,
      evidence: [{ turn: 2, part: 0 }],
    });
  });

  it('fails on a reply that is no JSON, and is unknown on one that is empty', () => {
    expect(grade(conversation('{"id": 1}', 'Sure!'), 'json_schema', { schema }).verdict).toBe('fail');
    expect(grade(conversation('{"id": 1}', ''), 'json_schema', { schema }).verdict).toBe('unknown');
  });

  it('looks only at what the path selects, of which there has to be something', () => {
    const transcript = conversation('{"items": [{"id": 1}, {"id": "2"}]}');
    expect(grade(transcript, 'json_schema', { schema, path: '$.items[0]' }).verdict).toBe('pass');
    expect(grade(transcript, 'json_schema', { schema, path: '$.items[*]' }).verdict).toBe('fail');
    expect(grade(transcript, 'json_schema', { schema, path: '$.things[*]' })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('nothing stands at $.things[*]'),
    });
  });

  it('fails on an invalid reply even where a later call had no fixture, and is else unknown', () => {
    const brokenOff = (first: string) => conversation(first, ['One moment.', unanswered('get_order')]);
    expect(grade(brokenOff('{"id": "1"}'), 'json_schema', { schema }).verdict).toBe('fail');
    expect(grade(brokenOff('{"id": 1}'), 'json_schema', { schema }).verdict).toBe('unknown');
  });

  it('runs patterns of the schema in linear time', () => {
    const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const transcript = conversation(JSON.stringify({ a: `${'a'.repeat(50)}!` }));
    expect(grade(transcript, 'json_schema', { schema: slow }).verdict).toBe('fail');
  });

  it('tells several patterns apart', () => {
    const patterns = {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '^a$' },
        b: { type: 'string', pattern: '^b$' },
        c: { type: 'string', pattern: '^c$' },
      },
    };
    expect(
      grade(conversation('{"a": "a", "b": "b", "c": "c"}'), 'json_schema', { schema: patterns }).verdict,
    ).toBe('pass');
    expect(
      grade(conversation('{"a": "a", "b": "a", "c": "c"}'), 'json_schema', { schema: patterns }).verdict,
    ).toBe('fail');
    expect(
      grade(conversation('{"a": "a", "b": "b", "c": "b"}'), 'json_schema', { schema: patterns }).verdict,
    ).toBe('fail');
  });

  it('takes data of the schema for no pattern, and a property for none either', () => {
    const schema = {
      properties: { pattern: { type: 'string' } },
      default: { pattern: '(' },
      examples: [{ pattern: '(?=' }],
    };
    expect(grade(conversation('{"pattern": "("}'), 'json_schema', { schema }).verdict).toBe('pass');
  });

  it('may have several schemas of one id', () => {
    const transcript = conversation('{"id": 1}');
    expect(grade(transcript, 'json_schema', { schema: { $id: 'order', type: 'object' } }).verdict).toBe(
      'pass',
    );
    expect(grade(transcript, 'json_schema', { schema: { $id: 'order', type: 'array' } }).verdict).toBe(
      'fail',
    );
  });

  const folder = mkdtempSync(join(tmpdir(), 'evalrun-schema-'));
  writeFileSync(join(folder, 'order.json'), JSON.stringify(schema));
  writeFileSync(join(folder, 'list.json'), '[1]');
  writeFileSync(join(folder, 'broken.json'), '{"type": ');
  writeFileSync(join(folder, 'wrong.json'), '{"type": "objct"}');

  it('reads the schema from a file of the suite', () => {
    const options = { suiteFolder: folder };
    expect(grade(conversation('{"id": 1}'), 'json_schema', { file: 'order.json' }, options).verdict).toBe(
      'pass',
    );
    expect(grade(conversation('{"id": "1"}'), 'json_schema', { file: 'order.json' }, options).verdict).toBe(
      'fail',
    );
  });

  it.each([
    [{ schema: { type: 'objct' } }, /^schema\.type: this is no JSON Schema: must be equal to one of/],
    [
      { schema: { properties: { a: { required: 'b' } } } },
      /^schema\.properties\.a\.required: .* must be array$/,
    ],
    [{ schema: { $ref: '#/$defs/order' } }, /^schema: .*can't resolve reference/],
    [{ schema: { $ref: 'https://example.org/order.json' } }, /^schema: .*can't resolve reference/],
    [{ schema: { $ref: '#' } }, /^schema: this is no JSON Schema: it refers to itself without end$/],
    [
      { schema: { properties: { a: { pattern: '^(?=c).$' } } } },
      /^schema\.properties\.a\.pattern: RE2 refuses this pattern: .*look-around/,
    ],
    [
      { schema: { items: [{ patternProperties: { '(a)\\1': {} } }] } },
      /^schema\.items\.0\.patternProperties: RE2 refuses this pattern: .*back-references/,
    ],
    [{ schema: { $async: true } }, /^schema\.\$async: an asynchronous schema cannot be used$/],
    [{ schema: { type: 'object' }, path: 'a' }, /^path: this is no JSONPath/],
    [{ file: 'list.json' }, /^file: "list.json" does not hold a JSON object$/],
    [{ file: 'broken.json' }, /^file: "broken.json" is not JSON: /],
    [{ file: 'wrong.json' }, /^file: "wrong.json": this is no JSON Schema: .*\(at \/type\)$/],
    [{ file: 'gone.json' }, /^file: there is no file "gone.json"/],
    [{}, /^: needs either schema or file$/],
  ])('a suite is told what is wrong with %j', (args, mistake) => {
    const mistakes = mistakesOf('json_schema', args, folder);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(mistake);
  });

  it('holds the text of a format no longer than a second, however long it is', () => {
    const args = { schema: { type: 'array', items: { type: 'string', format: 'url' } } };
    expect(grade(conversation('["https://example.com/a"]'), 'json_schema', args).verdict).toBe('pass');
    const before = performance.now();
    const long = JSON.stringify([`http://${'http://a-'.repeat(100_000)}`]);
    expect(grade(conversation(long), 'json_schema', args).verdict).toBe('fail');
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
