import { describe, expect, it } from 'vitest';
import type { Json } from '../../source/base/json.js';
import type { HttpSend } from '../../source/suite/target-specs.js';
import { createCollector } from '../../source/target/http/collect.js';
import { compilePick } from '../../source/target/http/pick.js';
import { compileSendPicks } from '../../source/target/http/picks.js';

type Paths = Omit<HttpSend, 'method' | 'path'>;

/** The reply that one answer gives. */
function replyOf(answer: Json, paths: Paths = {}) {
  const send: HttpSend = { method: 'POST', path: '/', reply: '$.reply', ...paths };
  const collector = createCollector(compileSendPicks(send));
  collector.take(answer);
  return collector.finish();
}

describe('a JSONPath', () => {
  it('finds the same whether it is followed step by step or queried', () => {
    const document = { a: [{ 'b c': 1 }, { 'b c': [null] }], length: 9 };
    for (const [path, found] of [
      ['$', [document]],
      ["$.a[0]['b c']", [1]],
      ["$['a'][-1]['b c'][0]", [null]],
      ['$.a[5]', []],
      ['$.a.length', []],
      ['$.toString', []],
      ['$.a[*]["b c"]', [1, [null]]],
      ['$..[0]', [{ 'b c': 1 }, null]],
      ['$.a[?@["b c"] == 1]', [{ 'b c': 1 }]],
    ] as [string, Json[]][]) {
      expect(compilePick(path, 'send.reply').from(document), path).toEqual(found);
    }
  });

  it('that cannot be read names its key', () => {
    expect(() => compilePick('$.a[', 'send.reply')).toThrow('send.reply: "$.a[" is not a JSONPath');
  });
});

describe('the reply', () => {
  it('of several messages keeps them apart', () => {
    const reply = replyOf(
      { messages: [{ text: 'One.' }, { text: '' }, { text: 'Two.' }] },
      { reply: '$.messages[*].text' },
    );
    expect(reply.text).toBe('One.\n\nTwo.');
    expect(reply.parts).toHaveLength(2);
  });

  it('that is no text is its JSON, so that checks on fields can read it', () => {
    expect(replyOf({ action: 'cancel', fields: { id: 7 } }, { reply: '$' }).text).toBe(
      '{"action":"cancel","fields":{"id":7}}',
    );
  });

  it('that is empty is a reply; one that is null is none', () => {
    expect(replyOf({ reply: '' }).text).toBe('');
    expect(() => replyOf({ reply: null })).toThrow('reply: $.reply finds nothing');
  });
});

describe('tool calls', () => {
  it.each<[string, Json, object]>([
    ['name and args', { name: 'f', args: { a: 1 }, result: [] }, { args: { a: 1 }, result: [] }],
    ['JSON in a text', { tool: 'f', arguments: '{"a":1}', output: null }, { args: { a: 1 }, result: null }],
    [
      'the OpenAI shape',
      { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
      { args: {} },
    ],
    ['the Anthropic shape', { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } }, { args: { a: 1 } }],
    ['broken arguments', { name: 'f', arguments: '{"a":' }, { args: '{"a":' }],
    ['an error', { toolName: 'f', error: { code: 5 }, result: null }, { args: {}, error: '{"code":5}' }],
  ])('are read from %s', (_, call, expected) => {
    const [part] = replyOf({ reply: 'ok', calls: [call] }, { toolCalls: '$.calls' }).parts;
    expect(part).toEqual({ kind: 'tool', call: { name: 'f', from: 'product', ...expected } });
  });

  it('may be named by a path to the list or to each one', () => {
    const answer = { reply: 'ok', steps: [{ call: { name: 'f' } }, { call: { name: 'g' } }] };
    const names = replyOf(answer, { toolCalls: '$.steps[*].call' }).parts.map(
      (part) => part.kind === 'tool' && part.call.name,
    );
    expect(names).toEqual(['f', 'g', false]);
  });

  it('that cannot be understood are named by their place', () => {
    const read = () =>
      replyOf({ reply: 'ok', calls: [{ name: 'f' }, { arguments: {} }] }, { toolCalls: '$.calls' });
    expect(read).toThrow('toolCalls[1].name ($.calls): expected the name of the tool');
  });
});

describe('usage', () => {
  it('adds up counts that are reported apart', () => {
    const answer = {
      reply: 'ok',
      usage: {
        input_tokens: 12,
        cache_read_input_tokens: 4000,
        cache_creation_input_tokens: 100,
        output_tokens: 9,
      },
    };
    const usage = {
      input: "$.usage['input_tokens','cache_read_input_tokens','cache_creation_input_tokens']",
      output: '$.usage.output_tokens',
      cacheRead: '$.usage.cache_read_input_tokens',
      cacheWrite: '$.usage.cache_creation_input_tokens',
    };
    expect(replyOf(answer, { usage }).usage).toEqual({
      input: 4112,
      output: 9,
      cacheRead: 4000,
      cacheWrite: 100,
    });
  });

  it('in which more was cached than was input is refused: cached tokens must be part of the input', () => {
    const usage = { input: '$.in', cacheRead: '$.cached' };
    expect(() => replyOf({ reply: 'ok', in: 12, cached: 4000 }, { usage })).toThrow(
      'usage.input ($.in): expected all input tokens, those from the cache included, found 12 of which 4000 were',
    );
  });

  it('that lacks what went in or what came out is marked as incomplete', () => {
    const usage = { input: '$.in', output: '$.out' };
    expect(replyOf({ reply: 'ok', in: 5 }, { usage })).toMatchObject({
      usage: { input: 5 },
      usageMissing: true,
    });
    expect(replyOf({ reply: 'ok' }).usageMissing).toBe(true);
    expect(replyOf({ reply: 'ok', in: 5, out: 0 }, { usage })).not.toHaveProperty('usageMissing');
  });

  it('that is no number of tokens is refused, and none at all is no tokens', () => {
    expect(() => replyOf({ reply: 'ok', in: '12' }, { usage: { input: '$.in' } })).toThrow(
      'usage.input: $.in finds the text "12", expected a number of tokens',
    );
    expect(replyOf({ reply: 'ok', in: null }, { usage: { input: '$.in' } }).usage.input).toBe(0);
  });
});

describe('what else an answer says', () => {
  it('is taken as it is: signals of any kind, a numbered version, flags', () => {
    const answer = { reply: 'ok', topics: ['a', 'b'], none: null, build: 7, over: true, defaults: false };
    const paths: Paths = {
      signals: { topics: '$.topics[*]', none: '$.none', absent: '$.absent' },
      version: '$.build',
      ended: '$.over',
      fallback: '$.defaults',
    };
    expect(replyOf(answer, paths)).toMatchObject({ version: '7', ended: true, fallback: false });
    expect(replyOf(answer, paths).signals).toEqual({ topics: ['a', 'b'], none: null });
  });

  it('is refused where it is of another kind, with the key and what was found', () => {
    expect(() => replyOf({ reply: 'ok', over: 'yes' }, { ended: '$.over' })).toThrow(
      'ended: $.over finds the text "yes", expected true or false',
    );
    expect(() => replyOf({ reply: 'ok', quick: [7] }, { suggestions: '$.quick' })).toThrow(
      'suggestions: $.quick finds 7',
    );
    expect(() => replyOf({ reply: 'ok', model: {} }, { model: '$.model' })).toThrow(
      'model: $.model finds an object',
    );
  });
});
