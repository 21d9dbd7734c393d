import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, conversation, conversationOf, grade, mistakesOf, unanswered } from './transcripts.js';

const refunded = conversation(
  [call('get_order', { id: 7 }), 'I found your order.'],
  [call('refund_order', { id: 7, amount: 45.5, reason: 'late' }), 'Refunded.'],
);

describe('tool_called', () => {
  it('passes when the tool was called, and points at the call', () => {
    expect(grade(refunded, 'tool_called', { tool: 'refund_order' })).toEqual({
      verdict: 'pass',
      reason: 'refund_order was called once in turn 2',
      evidence: [{ turn: 2, part: 0 }],
    });
  });

  it('says which tools were called instead when the tool never was', () => {
    expect(grade(refunded, 'tool_called', { tool: 'get_plan' })).toMatchObject({
      verdict: 'fail',
      reason: 'get_plan was never called; called instead: get_order, refund_order',
    });
    expect(grade(conversation('Hello.'), 'tool_called', { tool: 'get_plan' })).toMatchObject({
      verdict: 'fail',
      reason: 'get_plan was never called; no tool was called',
    });
  });

  it('needs only the arguments that are given, whatever else the call has', () => {
    expect(grade(refunded, 'tool_called', { tool: 'refund_order', args: { amount: 45.5 } }).verdict).toBe(
      'pass',
    );
  });

  it('names the first argument that differs, and quotes the call', () => {
    expect(grade(refunded, 'tool_called', { tool: 'refund_order', args: { id: 7, amount: 12 } })).toEqual({
      verdict: 'fail',
      reason:
        'refund_order was called with other arguments: amount: expected 12, saw 45.5; last call: refund_order({"id":7,"amount":45.5,"reason":"late"})',
      evidence: [{ turn: 2, part: 0 }],
    });
  });

  it('tells a number from the same number as a text', () => {
    const outcome = grade(refunded, 'tool_called', { tool: 'get_order', args: { id: '7' } });
    expect(outcome).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('expected "7", saw 7'),
    });
  });

  it('counts only calls whose arguments match', () => {
    const transcript = conversation([call('add', { n: 1 }), call('add', { n: 2 }), call('add', { n: 1 })]);
    expect(grade(transcript, 'tool_called', { tool: 'add', args: { n: 1 }, times: 2 }).verdict).toBe('pass');
    expect(grade(transcript, 'tool_called', { tool: 'add', times: 2 })).toMatchObject({
      verdict: 'fail',
      reason: 'expected 2 calls, add was called 3 times',
    });
    expect(grade(transcript, 'tool_called', { tool: 'add', times: { min: 4 } })).toMatchObject({
      verdict: 'fail',
      reason: 'expected at least 4 calls, add was called 3 times',
    });
    expect(grade(transcript, 'tool_called', { tool: 'add', times: { min: 2, max: 3 } }).verdict).toBe('pass');
  });

  it('needs one call where only an upper limit of calls is given', () => {
    expect(grade(conversation('Hello.'), 'tool_called', { tool: 'add', times: { max: 3 } }).verdict).toBe(
      'fail',
    );
  });

  it('does not count a call that came after the turn by which it was needed', () => {
    expect(grade(refunded, 'tool_called', { tool: 'refund_order', by_turn: 1 })).toMatchObject({
      verdict: 'fail',
      reason: 'refund_order was never called by turn 1; called instead: get_order',
    });
    expect(grade(refunded, 'tool_called', { tool: 'refund_order', by_turn: 2 }).verdict).toBe('pass');
    expect(grade(refunded, 'tool_called', { tool: 'refund_order', by_turn: 9 }).verdict).toBe('pass');
  });

  it('reads only the turns that it is told to read', () => {
    expect(grade(refunded, 'tool_called', { tool: 'get_order' }, { on: 'last' }).verdict).toBe('fail');
    expect(grade(refunded, 'tool_called', { tool: 'get_order' }, { on: 'first' }).verdict).toBe('pass');
    expect(grade(refunded, 'tool_called', { tool: 'get_order' }, { on: { from: 3, to: 3 } })).toMatchObject({
      verdict: 'unknown',
      reason: 'cannot be decided: turn 3 was not played: the conversation had 2 turns',
    });
  });

  it('does not take arguments that are no JSON object for matching ones', () => {
    const transcript = conversation([call('refund_order', '{"amount": 4')]);
    expect(grade(transcript, 'tool_called', { tool: 'refund_order', args: { amount: 4 } })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('no JSON object; last call: refund_order({"amount": 4)'),
    });
    expect(grade(transcript, 'tool_called', { tool: 'refund_order' }).verdict).toBe('pass');
  });

  it('says that the agent ran out of model requests', () => {
    const transcript = conversationOf([{ said: [call('get_order')], stop: 'step-limit' }]);
    expect(grade(transcript, 'tool_called', { tool: 'refund_order' }).reason).toMatch(
      /called instead: get_order \(turn 1 was cut short at the limit of model requests\)$/,
    );
  });

  it('refuses a range of calls that no number is in, and a pattern that RE2 refuses', () => {
    expect(mistakesOf('tool_called', { tool: 'a', times: { min: 3, max: 2 } })).toEqual([
      'times: no number is at least 3 and at most 2',
    ]);
    expect(
      mistakesOf('tool_called', { tool: 'a', args: { to: { pattern: '(' }, tags: [{ any: [] }] } }),
    ).toEqual([
      'args.to.pattern: RE2 refuses this pattern: missing closing ): `(`; close the group with ")"; the character itself is \\(',
      'args.tags.0.any: any needs at least one alternative',
    ]);
  });
});

describe('tool_called after a call that no fixture answered', () => {
  const brokenOff = conversation(
    [call('get_order', { id: 7 }), 'Let me see.'],
    [unanswered('get_policy', { topic: 'refunds' })],
  );

  it('still passes for a tool that was called, the unanswered one included', () => {
    expect(grade(brokenOff, 'tool_called', { tool: 'get_order' }).verdict).toBe('pass');
    expect(grade(brokenOff, 'tool_called', { tool: 'get_policy', args: { topic: 'refunds' } }).verdict).toBe(
      'pass',
    );
  });

  it('is unknown for a tool that was not called, and names the call and its arguments', () => {
    expect(grade(brokenOff, 'tool_called', { tool: 'refund_order' })).toEqual({
      verdict: 'unknown',
      reason:
        'cannot be decided: the trial ended at get_policy({"topic":"refunds"}), which no fixture answers',
    });
  });

  it('fails when the turn by which the call was needed had been played to its end', () => {
    expect(grade(brokenOff, 'tool_called', { tool: 'refund_order', by_turn: 1 }).verdict).toBe('fail');
    expect(grade(brokenOff, 'tool_called', { tool: 'refund_order', by_turn: 2 }).verdict).toBe('unknown');
  });

  it('is unknown for a number of calls that could still grow, and fails for one that is passed', () => {
    const twice = conversation([call('add'), call('add')], [unanswered('get_policy')]);
    expect(grade(twice, 'tool_called', { tool: 'add', times: 2 }).verdict).toBe('unknown');
    expect(grade(twice, 'tool_called', { tool: 'add', times: 1 }).verdict).toBe('fail');
    expect(grade(twice, 'tool_called', { tool: 'add', times: { min: 2 } }).verdict).toBe('pass');
  });
});

describe('tool_not_called', () => {
  it('fails on a forbidden call, and quotes it', () => {
    expect(
      grade(refunded, 'tool_not_called', { tool: 'refund_order', args: { amount: { min: 40 } } }),
    ).toEqual({
      verdict: 'fail',
      reason:
        'expected no call of refund_order with {"amount":{"min":40}}, saw refund_order({"id":7,"amount":45.5,"reason":"late"}) in turn 2',
      evidence: [{ turn: 2, part: 0 }],
    });
  });

  it('passes when the tool was called with other arguments only', () => {
    expect(
      grade(refunded, 'tool_not_called', { tool: 'refund_order', args: { amount: { min: 100 } } }),
    ).toMatchObject({
      verdict: 'pass',
      reason: 'refund_order was not called with these arguments',
    });
  });

  it('is unknown where a reply is empty', () => {
    expect(grade(conversation('Hello.', ' \n'), 'tool_not_called', { tool: 'refund_order' })).toMatchObject({
      verdict: 'unknown',
      reason: 'cannot be decided: the reply of turn 2 is empty',
    });
    expect(grade(conversation(), 'tool_not_called', { tool: 'refund_order' }).verdict).toBe('unknown');
  });

  it('passes over a turn in which the agent only called other tools', () => {
    expect(
      grade(conversation([call('get_order')]), 'tool_not_called', { tool: 'refund_order' }).verdict,
    ).toBe('pass');
  });

  it('is unknown when it cannot be read what a call was meant to do', () => {
    const transcript = conversation([call('refund_order', '{"amount": 4')]);
    expect(grade(transcript, 'tool_not_called', { tool: 'refund_order', args: { amount: 9 } }).verdict).toBe(
      'unknown',
    );
    expect(grade(transcript, 'tool_not_called', { tool: 'refund_order' }).verdict).toBe('fail');
  });

  it('fails when the call that no fixture answers is itself the forbidden one, and is else unknown', () => {
    const transcript = conversation([unanswered('refund_order', { amount: 45 })]);
    expect(grade(transcript, 'tool_not_called', { tool: 'refund_order' }).verdict).toBe('fail');
    expect(grade(transcript, 'tool_not_called', { tool: 'cancel_order' }).verdict).toBe('unknown');
  });
});

describe('tool_order', () => {
  it('allows other calls between those that are named', () => {
    expect(grade(refunded, 'tool_order', { tools: ['get_order', 'refund_order'] })).toMatchObject({
      verdict: 'pass',
      evidence: [
        { turn: 1, part: 0 },
        { turn: 2, part: 0 },
      ],
    });
  });

  it('says which call is missing after which, and what was called', () => {
    expect(grade(refunded, 'tool_order', { tools: ['refund_order', 'get_order'] })).toMatchObject({
      verdict: 'fail',
      reason:
        'expected refund_order → get_order: get_order was not called after refund_order; saw get_order → refund_order',
    });
  });

  it('allows no other call when it is exact', () => {
    const transcript = conversation([call('a'), call('b'), call('b')]);
    expect(grade(transcript, 'tool_order', { tools: ['a', 'b'], exact: true })).toMatchObject({
      verdict: 'fail',
      reason: 'expected exactly a → b; saw a → b → b',
      evidence: [{ turn: 1, part: 2 }],
    });
    expect(grade(transcript, 'tool_order', { tools: ['a', 'b', 'b', 'c'], exact: true }).verdict).toBe(
      'fail',
    );
    expect(grade(transcript, 'tool_order', { tools: ['a', 'b', 'b'], exact: true }).verdict).toBe('pass');
  });

  it('keeps what is decided when a call had no fixture', () => {
    const transcript = conversation([call('a'), unanswered('b')]);
    expect(grade(transcript, 'tool_order', { tools: ['a', 'b'] }).verdict).toBe('pass');
    expect(grade(transcript, 'tool_order', { tools: ['b', 'a'] }).verdict).toBe('unknown');
    expect(grade(transcript, 'tool_order', { tools: ['a', 'b'], exact: true }).verdict).toBe('unknown');
    expect(grade(transcript, 'tool_order', { tools: ['b', 'a'], exact: true }).verdict).toBe('fail');
  });

  it('passes for every subsequence of the calls, and for no list that is none', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(
        fc.array(names, { maxLength: 8 }),
        fc.array(names, { minLength: 1, maxLength: 5 }),
        (called, wanted) => {
          const verdict = grade(conversation(['Done.', ...called.map((name) => call(name))]), 'tool_order', {
            tools: wanted,
          }).verdict;
          const pattern = new RegExp(wanted.join('.*'));
          expect(verdict).toBe(pattern.test(called.join('')) ? 'pass' : 'fail');
        },
      ),
    );
  });
});
