import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../source/base/json.js';
import { compileJsonPath } from '../../../source/base/json-path/compile.js';
import { JsonPathError } from '../../../source/base/json-path/types.js';

interface Case {
  name: string;
  selector: string;
  document?: Json;
  result?: Json[];
  /** Any of these is right: the order of an object's members is free. */
  results?: Json[][];
  invalid_selector?: true;
}

const cases = JSON.parse(
  readFileSync(new URL('fixtures/compliance.json', import.meta.url), 'utf8'),
) as Case[];

describe('the compliance tests of RFC 9535', () => {
  test.each(cases.filter((one) => one.invalid_selector))('$name: $selector is refused', ({ selector }) => {
    expect(() => compileJsonPath(selector)).toThrow(JsonPathError);
  });

  test.each(cases.filter((one) => !one.invalid_selector))(
    '$name: $selector finds what it should',
    ({ selector, document = null, result, results = result ? [result] : [] }) => {
      expect(results).toContainEqual(compileJsonPath(selector).select(document));
    },
  );
});
