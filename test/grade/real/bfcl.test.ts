import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../source/base/json.js';
import { call, conversation, grade } from '../transcripts.js';
import { callOf, expectedArgs, rightArgs, type WantedCall, wrongArgs } from './bfcl.js';
import { acceptedCalls, irrelevances } from './read-data.js';

type Verdicts = Record<string, string>;

/** One answer of an agent: what it calls, then a sentence. */
function answer(...calls: WantedCall[]) {
  return conversation([...calls.map(({ name, args }) => call(name, args)), 'Done.']);
}

/** The wanted call as one check over all calls, and as two checks of tools that both have to pass. */
function gradeCall(name: string, fields: JsonObject, calls: WantedCall[]): Verdicts {
  const transcript = answer(...calls);
  const action = grade(transcript, 'action', {
    from: 'tool',
    match: 'exact',
    action_type: name,
    fields,
  }).verdict;
  const called = grade(transcript, 'tool_called', { tool: name, args: fields, times: 1 }).verdict;
  const alone = grade(transcript, 'tool_order', { tools: [name], exact: true }).verdict;
  return { action, tools: called === 'pass' && alone === 'pass' ? 'pass' : 'fail' };
}

function gradeNoCall(functions: readonly string[], calls: WantedCall[]): Verdicts {
  const transcript = answer(...calls);
  const action = grade(transcript, 'action', { from: 'tool', noop: true }).verdict;
  const each = functions.map((tool) => grade(transcript, 'tool_not_called', { tool }).verdict);
  return { action, tools: each.every((verdict) => verdict === 'pass') ? 'pass' : 'fail' };
}

const allPass = { action: 'pass', tools: 'pass' };
const allFail = { action: 'fail', tools: 'fail' };
const names = [...new Set(acceptedCalls.map((one) => callOf(one).name))];

describe('live_simple of bfcl, 200 calls', () => {
  it('passes every right answer, with and without the arguments that may be left out', () => {
    expect(acceptedCalls).toHaveLength(200);
    for (const one of acceptedCalls) {
      const { name, accepted } = callOf(one);
      for (const full of [true, false]) {
        const right = { name, args: rightArgs(accepted, full) };
        expect(gradeCall(name, expectedArgs(accepted), [right]), one.id).toEqual(allPass);
      }
    }
  });

  it('fails every answer with one mutation', () => {
    const counts: Record<string, number> = {};
    for (const one of acceptedCalls) {
      const { name, accepted } = callOf(one);
      const fields = expectedArgs(accepted);
      const right = { name, args: rightArgs(accepted, true) };
      const another = names.find((other) => other !== name) ?? '';
      const mutants: [string, string, WantedCall[]][] = [
        ['wrong tool', another, [{ ...right, name: another }]],
        ['wrong tool', `${name}_v2`, [{ ...right, name: `${name}_v2` }]],
        ['missing call', '', []],
        ['extra call', 'the same again', [right, right]],
        ['extra call', another, [right, { name: another, args: {} }]],
        ['extra call', `${another} before it`, [{ name: another, args: {} }, right]],
        ...wrongArgs(right.args, accepted).map(({ what, args }): [string, string, WantedCall[]] => [
          'wrong argument',
          what,
          [{ name, args }],
        ]),
      ];
      for (const [kind, what, calls] of mutants) {
        counts[kind] = (counts[kind] ?? 0) + 1;
        expect(gradeCall(name, fields, calls), `${one.id}: ${kind} ${what}`).toEqual(allFail);
      }
    }
    expect(counts).toEqual({
      'wrong tool': 400,
      'missing call': 200,
      'extra call': 600,
      'wrong argument': 1921,
    });
  });
});

describe('live_irrelevance of bfcl, 88 messages in other languages', () => {
  it('passes every answer that calls nothing', () => {
    expect(irrelevances).toHaveLength(88);
    for (const { id, functions } of irrelevances) expect(gradeNoCall(functions, []), id).toEqual(allPass);
  });

  it('fails every answer that calls one of the functions', () => {
    let count = 0;
    for (const { id, functions } of irrelevances)
      for (const name of functions) {
        count++;
        expect(gradeNoCall(functions, [{ name, args: {} }]), id).toEqual(allFail);
      }
    expect(count).toBeGreaterThanOrEqual(88);
  });

  it('says nothing of an answer that is not there', () => {
    for (const { functions } of irrelevances) {
      const transcript = conversation('');
      expect(grade(transcript, 'action', { from: 'tool', noop: true }).verdict).toBe('unknown');
      for (const tool of functions)
        expect(grade(transcript, 'tool_not_called', { tool }).verdict).toBe('unknown');
    }
  });
});
