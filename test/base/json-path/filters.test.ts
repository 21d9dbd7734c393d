import { describe, expect, it } from 'vitest';
import type { Json } from '../../../source/base/json.js';
import { compileJsonPath } from '../../../source/base/json-path/compile.js';
import { JsonPathError } from '../../../source/base/json-path/types.js';

function select(path: string, value: Json): Json[] {
  return compileJsonPath(path).select(value);
}

const slow = `${'a'.repeat(50_000)}!`;

describe('a pattern in a filter', () => {
  it('takes time in proportion to the text, whatever the pattern', () => {
    const before = performance.now();
    for (const name of ['match', 'search']) {
      expect(select(`$[?${name}(@.a, '(a+)+$')]`, [{ a: slow }])).toEqual([]);
      expect(select(`$[?${name}(@.a, @.b)]`, [{ a: slow, b: '^(a|a)*$' }])).toEqual([]);
    }
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it('has to match the whole text for match, every alternative of it', () => {
    expect(select("$[?match(@, 'abc|x')]", ['abc', 'abcZ', 'Zx', 'x'])).toEqual(['abc', 'x']);
  });

  it('has dots that stand for no line end, each of them, and for themselves in classes and escapes', () => {
    expect(select("$[?match(@, 'a.b.c')]", ['a-b-c', 'a-b\nc', 'a\rb-c'])).toEqual(['a-b-c']);
    expect(
      select(String.raw`$[?match(@, 'a[.]b\\.c[^]x.]?')]`, ['a.b.c', 'a-b.c', 'a.b-c', 'a.b.c.']),
    ).toEqual(['a.b.c']);
  });

  it('is refused at once where RE2 refuses it', () => {
    expect(() => compileJsonPath("$[?match(@.a, '(?=a)b')]")).toThrow('RE2 has no look-around');
    expect(() => compileJsonPath("$[?search(@.a, 'a)(b')]")).toThrow('RE2 refuses this pattern');
  });

  it('out of the data matches nothing where it is none, and is refused where it is very long', () => {
    expect(select('$[?search(@.a, @.b)]', [{ a: '(', b: '(' }])).toEqual([]);
    expect(() => select('$[?search(@.a, @.b)]', [{ a: 'a', b: 'a'.repeat(1001) }])).toThrow(
      'a pattern out of the data is over 1000 characters long',
    );
  });
});

describe('a filter', () => {
  it('with three conditions wants all of them', () => {
    expect(
      select('$[?@.a && @.b && @.c]', [
        { a: 1, b: 1 },
        { a: 1, b: 1, c: 1 },
      ]),
    ).toEqual([{ a: 1, b: 1, c: 1 }]);
  });

  it('compares what stands at an index', () => {
    expect(select('$[?@[0] == 2]', [[1], [2]])).toEqual([[2]]);
  });

  it('compares with numbers below one', () => {
    expect(select('$[?@ < 0.5]', [0.1, 0.5])).toEqual([0.1]);
    expect(select('$[?@ == 0.1e1]', [1, 0.1])).toEqual([1]);
  });

  it('tells objects apart by their own names alone', () => {
    const pairs = '[{"a":{"toString":{}},"b":{"x":1}},{"a":{"__proto__":{}},"b":{"x":1}}]';
    expect(select('$[?@.a == @.b]', JSON.parse(pairs) as Json)).toEqual([]);
  });

  it.each([
    ['!@.a == 1', 'a comparison that is negated without brackets'],
    ['(@.a) == 1', 'a comparison with what stands in brackets'],
    ['@.a == 1 == 1', 'a comparison of a comparison'],
    ['@.a == -01', 'a number with a zero in front'],
    ['@.a-b', 'a name with a hyphen and no quotes'],
  ])('%s is refused: %s', (condition) => {
    expect(() => compileJsonPath(`$[?${condition}]`)).toThrow(JsonPathError);
  });

  it('counts characters, not units', () => {
    expect(select('$[?length(@) == 1]', ['😀', 'ab', 'é'])).toEqual(['😀', 'é']);
  });

  it('orders texts by their characters, not units', () => {
    expect(select("$[?@ > '\uffee']", ['😀', 'a'])).toEqual(['😀']);
  });

  it('compares values however deep they are nested', () => {
    const deep = () => {
      let value: Json = 1;
      for (let depth = 0; depth < 20_000; depth++) value = [value];
      return value;
    };
    expect(select('$[?@.a == @.b]', [{ a: deep(), b: deep() }])).toHaveLength(1);
  });

  it('that is nested without end is refused', () => {
    expect(() => compileJsonPath(`$[?${'('.repeat(5000)}@.a${')'.repeat(5000)}]`)).toThrow('50 deep');
    expect(() => compileJsonPath(`$[?${'length('.repeat(5000)}@.a${')'.repeat(5000)} == 1]`)).toThrow(
      '50 deep',
    );
    expect(() => compileJsonPath(`$${'[?@'.repeat(5000)}${']'.repeat(5000)}`)).toThrow('50 deep');
  });

  it('that names an unknown function says which there are', () => {
    expect(() => compileJsonPath('$[?lenght(@) == 1]')).toThrow(
      'there is no function lenght; there are length, count, value, match, search',
    );
  });
});

describe('a path', () => {
  const numbers = (length: number): Json => Array.from({ length }, (_, at) => at);

  it('that looks at more than a run has time for is given up with a reason', () => {
    expect(() => select('$[?count($[?@ >= 0]) > 5000]', numbers(4000))).toThrow('looks at too many values');
  });

  it('is given up as well where the time goes into comparing long lists and reading long texts', () => {
    const lists = { a: numbers(3000), b: numbers(3000), c: numbers(3000) };
    expect(() => select('$.a[?$.b == $.c]', lists)).toThrow('looks at too many values');
    const text = 'x'.repeat(100_000);
    const texts = { a: numbers(1000), s: `${text}a`, t: `${text}b` };
    expect(() => select('$.a[?$.s < $.t]', texts)).toThrow('looks at too many values');
    expect(() => select('$.a[?length($.s) > 1]', texts)).toThrow('looks at too many values');
    expect(() => select("$.a[?search($.s, 'y')]", texts)).toThrow('looks at too many values');
    const patterns = Array.from({ length: 6000 }, (_, at) => `a${at}`);
    expect(() => select("$[?search('a', @)]", patterns)).toThrow('looks at too many values');
  });
});
