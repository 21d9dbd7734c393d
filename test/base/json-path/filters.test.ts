import { describe, expect, it } from 'vitest';
import type { Json } from '../../../source/base/json.js';
import { compileJsonPath } from '../../../source/base/json-path/compile.js';

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
  it('that looks at more than a run has time for is given up with a reason', () => {
    const wide: Json = Array.from({ length: 4000 }, (_, at) => at);
    expect(() => select('$[?count($[?@ >= 0]) > 5000]', wide)).toThrow('looks at too many values');
  });
});
