import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooDeep, jsonMistake, parseJsonText, parseUnambiguous } from '../../source/base/json-text.js';
import { createToolCallAssembler } from '../../source/model/openai/tool-calls.js';
import { createInputMeter } from '../../source/model/simulated/input-meter.js';
import { readToolArguments } from '../../source/model/wire/reading.js';
import { readResult } from '../../source/play/live/result.js';
import { readMessage } from '../../source/target/command/messages.js';
import { readToolCalls } from '../../source/target/product/tool-calls.js';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deep = `{"a":${nested(20_000)}}`;

describe('JSON from outside', () => {
  it('is read down to two hundred levels, and refused below them however deep it goes', () => {
    expect(parseJsonText('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] });
    expect(JSON.stringify(parseJsonText(nested(200)))).toBe(nested(200));
    for (const levels of [202, 100_000])
      expect(() => parseJsonText(nested(levels))).toThrow('nested deeper than 200 levels');
  });

  it('may be wide', () => {
    expect(isTooDeep(Array.from({ length: 300_000 }, () => [1]))).toBe(false);
  });
});

describe('what is nested too deeply', () => {
  it('stays text as the arguments of a tool, which can be counted and sent back', () => {
    const args = readToolArguments(deep);
    expect(args).toBe(deep);
    const measure = createInputMeter((text) => text.length);
    const messages = [{ role: 'assistant' as const, text: '', toolRequests: [{ id: '1', name: 'f', args }] }];
    expect(measure({ system: '', tools: [], messages } as never).input).toBeGreaterThan(deep.length);
    expect(readToolCalls([{ name: 'f', args: deep }])).toMatchObject([{ args: deep }]);
  });

  it('is a broken answer where a server sends the arguments as an object', () => {
    const piece = { id: '1', function: { name: 'f', arguments: JSON.parse(deep) } };
    expect(() => createToolCallAssembler('x').take(piece)).toThrow('too deeply');
  });

  it('is the text of a tool that is called for real', () => {
    expect(readResult(deep)).toEqual({ result: deep });
  });

  it('is named as a mistake of a command', () => {
    expect(readMessage(`{"id":1,"result":${nested(20_000)}}`)).toEqual({
      mistake: 'that is nested deeper than 200 levels',
    });
    expect(readMessage('{')).toEqual({ mistake: 'that is not JSON' });
  });
});

describe('JSON in which what was meant is to be beyond doubt', () => {
  it('names no member of an object twice, at whatever depth and however the name is written', () => {
    for (const text of [
      '{"reply": "no", "reply": "OK"}',
      '[1, {"a": {"b": [], "c": 1, "b": 2}}]',
      '{"a": 1, "\\u0061": 2}',
      '{"a": "x\\",{", "b": {"a": 1}, "a": 2}',
    ]) {
      const error = tryTo(() => parseUnambiguous(text));
      expect(error).toBeInstanceOf(SyntaxError);
      expect(jsonMistake(error)).toMatch(/^names "(reply|a|b)" twice in one object$/);
    }
  });

  it('is read in time in proportion to it, also where a text has millions of escapes', () => {
    const started = performance.now();
    expect(parseUnambiguous(JSON.stringify({ a: '"\\'.repeat(500_000), b: 1 }))).toMatchObject({ b: 1 });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('is read as any other, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseUnambiguous(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

function tryTo(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
