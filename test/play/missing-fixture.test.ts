import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../source/base/json.js';
import { describeMissingFixture } from '../../source/play/missing-fixture.js';

describe('a missing fixture', () => {
  it('is described as YAML to paste into the scenario', () => {
    expect(
      describeMissingFixture('get_order', { id: 7, email: 'a@example.org', tags: ['x', null], on: true }),
    ).toBe(
      [
        'fixtures:',
        '  get_order:',
        '    - when: {id: 7, email: "a@example.org", tags: ["x", null], "on": true}',
        '      returns: {}',
      ].join('\n'),
    );
    expect(describeMissingFixture('list tickets', {})).toBe(
      'fixtures:\n  "list tickets":\n    - returns: {}',
    );
  });

  it('takes arguments as JSON text too, as transcripts keep them', () => {
    expect(describeMissingFixture('t', '{"id":7}')).toBe(describeMissingFixture('t', { id: 7 }));
    expect(describeMissingFixture('t', 'not json')).toBe(describeMissingFixture('t', {}));
  });

  it('reads back as the fixture that answers the call, whatever the model wrote', () => {
    const args = fc.dictionary(
      fc.string({ minLength: 1, unit: 'binary' }).filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }) as fc.Arbitrary<Json>,
      { minKeys: 1 },
    );
    const tool = fc.string({ minLength: 1, unit: 'binary' }).filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(tool, args, (name, given) => {
        // JSON has no -0.
        const wanted = JSON.parse(JSON.stringify(given)) as Json;
        const text = describeMissingFixture(name, given);
        expect(parse(text)).toEqual({ fixtures: { [name]: [{ when: wanted, returns: {} }] } });
        expect(text.split('\n')).toHaveLength(4);
        // Nothing that a terminal would obey.
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
