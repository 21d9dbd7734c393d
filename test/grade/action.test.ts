import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../source/base/json.js';
import { compareActions, isPartOf } from '../../source/grade/action-compare.js';
import { assign } from '../../source/grade/assign.js';
import { call, conversation, conversationOf, grade, mistakesOf, unanswered } from './transcripts.js';

function gradeReply(reply: unknown, args: JsonObject) {
  return grade(conversation(JSON.stringify(reply)), 'action', args);
}

const twoIntents = {
  noop: false,
  actions: [
    { action_type: 'freeze_card', fields: { card: 'ends in 4410' } },
    { action_type: 'order_card', fields: { card: 'new', express: true } },
  ],
};

describe('action from a JSON reply', () => {
  it('passes on type and fields that are there, whatever their value', () => {
    expect(
      gradeReply(twoIntents, {
        actions: [{ action_type: 'order_card', fields: { express: false } }, { action_type: 'freeze_card' }],
      }),
    ).toEqual({
      verdict: 'pass',
      reason: 'saw freeze_card({"card":"ends in 4410"}), order_card({"card":"new","express":true})',
      axes: { noop: 1, action_type: 1, fields: 1 },
      evidence: [{ turn: 1, part: 0 }],
    });
  });

  it('reads one action that the reply itself is', () => {
    const reply = { action_type: 'cancel', noop: false, fields: { booking: 'HT9921', room: null } };
    expect(gradeReply(reply, { action_type: 'cancel', fields: { booking: 'x' } }).verdict).toBe('pass');
    expect(gradeReply(reply, { action_type: 'cancel', fields: { booking: 'x', room: 'y' } })).toMatchObject({
      verdict: 'fail',
      reason: 'cancel: room is missing',
      axes: { noop: 1, action_type: 1, fields: 0.5 },
    });
  });

  it('compares values as written, or without their written form, when it is asked to', () => {
    const reply = { action_type: 'transfer', fields: { amount: '$1,200', on: 'May 20, 2024', to: 'ROSA' } };
    const fields = { amount: 1200, on: '2024-05-20', to: 'Rosa' };
    expect(gradeReply(reply, { action_type: 'transfer', fields, match: 'normalised' }).verdict).toBe('pass');
    expect(gradeReply(reply, { action_type: 'transfer', fields, match: 'exact' })).toMatchObject({
      verdict: 'fail',
      reason:
        'transfer: amount: expected 1200, saw "$1,200", on: expected "2024-05-20", saw "May 20, 2024", to: expected "Rosa", saw "ROSA"',
      axes: { noop: 1, action_type: 1, fields: 0 },
    });
    expect(
      gradeReply(reply, {
        action_type: 'transfer',
        fields: { to: { any: ['Rosa', 'ROSA'] } },
        match: 'exact',
      }).verdict,
    ).toBe('pass');
  });

  it('does not want a field that is expected as null', () => {
    const reply = { action_type: 'transfer', fields: { to: 'Rosa', note: '' } };
    expect(gradeReply(reply, { action_type: 'transfer', fields: { note: null, on: null } }).verdict).toBe(
      'pass',
    );
    expect(gradeReply(reply, { action_type: 'transfer', fields: { to: null } })).toMatchObject({
      verdict: 'fail',
      reason: 'transfer: to: expected null, saw "Rosa"',
    });
  });

  it('names what is missing and what is too much, and gives each axis its share', () => {
    expect(
      gradeReply(twoIntents, {
        actions: [
          { action_type: 'freeze_card', fields: { card: 1 } },
          { action_type: 'close_account', fields: { reason: 1 } },
        ],
      }),
    ).toMatchObject({
      verdict: 'fail',
      reason:
        'expected close_account, which is missing; saw order_card({"card":"new","express":true}), which is not expected',
      axes: { noop: 1, action_type: 0.5, fields: 0.5 },
    });
    expect(gradeReply(twoIntents, { action_type: 'freeze_card' })).toMatchObject({
      verdict: 'fail',
      axes: { noop: 1, action_type: 0.5 },
    });
  });

  it('shows what was seen when an action is missing and nothing stands in its place', () => {
    const reply = { actions: [{ action_type: 'freeze_card' }] };
    const actions = [{ action_type: 'order_card' }, { action_type: 'freeze_card' }];
    expect(gradeReply(reply, { actions }).reason).toBe(
      'expected order_card, which is missing; saw freeze_card({})',
    );
  });

  it('takes a no-op for what it is', () => {
    for (const reply of [
      { noop: true, actions: [] },
      { noop: true },
      { actions: [] },
      { action_type: null, noop: true, fields: {} },
    ])
      expect(gradeReply(reply, { noop: true })).toMatchObject({ verdict: 'pass', axes: { noop: 1 } });
    expect(gradeReply(twoIntents, { noop: true })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^expected no action, saw freeze_card/),
      axes: { noop: 0 },
    });
    expect(
      gradeReply({ noop: true, actions: [] }, { action_type: 'freeze_card', fields: { card: 1 } }),
    ).toMatchObject({
      verdict: 'fail',
      reason: 'expected freeze_card, which is missing; saw no action',
      axes: { noop: 0, action_type: 0, fields: 0 },
    });
  });

  it('does not take an empty object for a no-op, nor a reply that contradicts itself', () => {
    expect(gradeReply({}, { noop: true })).toMatchObject({
      verdict: 'fail',
      reason: 'expected no action, saw a reply that names neither an action nor a no-op',
    });
    expect(gradeReply({ noop: false, actions: [] }, { noop: true }).verdict).toBe('fail');
    expect(gradeReply({ ...twoIntents, noop: true }, { noop: true }).verdict).toBe('fail');
    expect(
      gradeReply({ action_type: 'freeze_card', noop: true }, { action_type: 'freeze_card' }),
    ).toMatchObject({
      verdict: 'fail',
      reason: 'saw a no-op and yet freeze_card({})',
      axes: { noop: 0, action_type: 1 },
    });
  });

  it('is wrong on every axis when the reply is no JSON or has none', () => {
    expect(
      grade(conversation('I froze it.'), 'action', { action_type: 'freeze_card', fields: { card: 1 } }),
    ).toMatchObject({
      verdict: 'fail',
      reason: 'expected a reply in JSON, saw "I froze it."',
      axes: { noop: 0, action_type: 0, fields: 0 },
    });
    const cutOff = conversationOf([{ said: ['{"actions": [{"action_ty'], stop: 'cut-off' }]);
    expect(grade(cutOff, 'action', { noop: true })).toMatchObject({ verdict: 'fail', axes: { noop: 0 } });
  });

  it('finds things where the paths say', () => {
    const reply = { result: { intents: [{ name: 'freeze', slots: { card: 1 } }] } };
    const paths = { several: '$.result.intents[*]', action_type: '$.name', fields: '$.slots' };
    expect(
      gradeReply(reply, { action_type: 'freeze', fields: { card: 1 }, match: 'exact', paths }).verdict,
    ).toBe('pass');
  });

  it('accepts any action where none is named', () => {
    expect(gradeReply(twoIntents, { noop: false }).verdict).toBe('pass');
    expect(gradeReply({ noop: true }, { noop: false }).verdict).toBe('fail');
  });

  it('survives replies of every shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (reply) => {
        const outcome = gradeReply(
          { actions: reply, noop: reply, action_type: reply, fields: reply },
          {
            action_type: 'freeze_card',
            fields: { card: 1 },
          },
        );
        expect(outcome.verdict).toBe('fail');
        expect(gradeReply(reply, { action_type: 'freeze_card' }).verdict).toBe('fail');
      }),
    );
  });
});

describe('action from tool calls', () => {
  const args = { from: 'tool', action_type: 'get_user', fields: { id: { any: [7, '7'] } }, match: 'exact' };

  it('passes on the one right call, and fails on each single change of it', () => {
    expect(grade(conversation([call('get_user', { id: 7 })]), 'action', args).verdict).toBe('pass');
    const wrong = {
      'another tool': [call('get_usr', { id: 7 })],
      'another argument': [call('get_user', { id: 8 })],
      'a call too many': [call('get_user', { id: 7 }), call('get_user', { id: 7 })],
      'an argument that is missing': [call('get_user')],
      'arguments that are no object': [call('get_user', '{"id": 7')],
      'no call': ['I looked it up.'],
    };
    for (const [what, said] of Object.entries(wrong))
      expect(grade(conversation(said), 'action', args).verdict, what).toBe('fail');
  });

  it('is a no-op when no tool was called, but not when nothing came back', () => {
    expect(grade(conversation('Which one?'), 'action', { from: 'tool', noop: true })).toMatchObject({
      verdict: 'pass',
      reason: 'saw no action',
      axes: { noop: 1 },
    });
    expect(grade(conversation(''), 'action', { from: 'tool', noop: true }).verdict).toBe('unknown');
    expect(grade(conversation([call('get_user')]), 'action', { from: 'tool', noop: true })).toMatchObject({
      verdict: 'fail',
      evidence: [{ turn: 1, part: 0 }],
    });
  });

  it('keeps a wrong call wrong when a fixture is missing, and is else unknown', () => {
    const brokenOff = conversation([unanswered('get_user', { id: 7 })]);
    expect(grade(brokenOff, 'action', args).verdict).toBe('unknown');
    expect(grade(brokenOff, 'action', { ...args, fields: { id: 8 } }).verdict).toBe('fail');
    expect(grade(brokenOff, 'action', { from: 'tool', noop: true }).verdict).toBe('fail');
    expect(grade(brokenOff, 'action', { from: 'tool', noop: false }).verdict).toBe('pass');
    expect(grade(brokenOff, 'action', { action_type: 'get_user' }).verdict).toBe('unknown');
  });

  it('that was seen is not undone by a later reply in which nothing came back', () => {
    const transcript = conversation([call('get_user')], '');
    expect(grade(transcript, 'action', { from: 'tool', noop: false }).verdict).toBe('pass');
    expect(grade(transcript, 'action', { from: 'tool', noop: true }).verdict).toBe('fail');
    expect(grade(transcript, 'action', { from: 'tool', action_type: 'get_user' }).verdict).toBe('unknown');
  });
});

describe('sets of actions', () => {
  const action = fc.record({
    type: fc.constantFrom('freeze', 'order', 'pay'),
    fields: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 2), { maxKeys: 3 }),
  });
  const actions = fc.array(action, { maxLength: 6 });

  it('compare the same in whichever order they are written', () => {
    fc.assert(
      fc.property(actions, actions, fc.infiniteStream(fc.nat()), (expected, seen, picks) => {
        const shuffled = <T>(items: readonly T[]) =>
          items
            .map((item) => ({ item, rank: picks.next().value ?? 0 }))
            .sort((one, other) => one.rank - other.rank)
            .map(({ item }) => item);
        const inOrder = compareActions(expected, seen, 'exact');
        const inAnother = compareActions(shuffled(expected), shuffled(seen), 'exact');
        expect(inAnother.typeShare).toBe(inOrder.typeShare);
        expect(inAnother.fieldShare).toBe(inOrder.fieldShare);
        expect(inAnother.problems.length === 0).toBe(inOrder.problems.length === 0);
      }),
    );
  });

  it('are equal to themselves, and to nothing with one action less', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 6 }), (set) => {
        expect(compareActions(set, set.toReversed(), 'exact').problems).toEqual([]);
        expect(compareActions(set, set.slice(1), 'exact').problems).not.toEqual([]);
        expect(compareActions(set.slice(1), set, 'exact').problems).not.toEqual([]);
        expect(isPartOf(set.slice(1).reverse(), set, 'exact')).toBe(true);
        expect(isPartOf(set, set.slice(1), 'exact')).toBe(false);
      }),
    );
  });

  it('are paired so that the sum of the gains is the largest there is', () => {
    const table = fc.integer({ min: 1, max: 4 }).chain((rows) =>
      fc.integer({ min: 0, max: 4 }).chain((columns) =>
        fc.array(fc.array(fc.nat({ max: 9 }), { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      ),
    );
    fc.assert(
      fc.property(table, (gains) => {
        const columns = gains[0]?.length ?? 0;
        const gain = (row: number, column: number) => gains[row]?.[column] ?? 0;
        const pairs = assign(gains.length, columns, gain);
        const used = pairs.filter((column) => column !== undefined);
        expect(new Set(used).size).toBe(used.length);
        const sum = pairs.reduce<number>(
          (total, column, row) => total + (column === undefined ? 0 : gain(row, column)),
          0,
        );
        expect(sum).toBe(bestSum(0, new Set(), gains.length, columns, gain));
      }),
    );
  });

  it('can still become complete when a half-right pair would hold more right fields', () => {
    const large = { type: 'pay', fields: { a: 1, b: 1, c: 1, d: 1 } };
    const small = { type: 'pay', fields: { a: 1 } };
    expect(isPartOf([{ type: 'pay', fields: { a: 1, b: 1, c: 1 } }], [large, small], 'exact')).toBe(true);
  });

  it('take no long time to compare with a reply of a thousand actions', () => {
    const seen = Array.from({ length: 1000 }, (_, index) => ({ type: 'pay', fields: { n: index } }));
    const expected = [
      { type: 'pay', fields: { n: 999 } },
      { type: 'pay', fields: { n: 5 } },
    ];
    const start = performance.now();
    expect(compareActions(expected, seen, 'exact')).toMatchObject({ fieldShare: 1, typeShare: 2 / 1000 });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

function bestSum(
  row: number,
  taken: ReadonlySet<number>,
  rows: number,
  columns: number,
  gain: (row: number, column: number) => number,
): number {
  if (row === rows) return 0;
  let best = bestSum(row + 1, taken, rows, columns, gain);
  for (let column = 0; column < columns; column++)
    if (!taken.has(column))
      best = Math.max(
        best,
        gain(row, column) + bestSum(row + 1, new Set([...taken, column]), rows, columns, gain),
      );
  return best;
}

describe('what an action check expects', () => {
  it.each([
    [{}, ': needs noop, action_type, fields or actions: what is expected'],
    [{ action_type: null }, ': needs noop, action_type, fields or actions: what is expected'],
    [{ noop: true, action_type: 'pay' }, 'noop: noop: true expects no action, yet an action is expected too'],
    [{ noop: true, fields: { a: 1 } }, 'noop: noop: true expects no action, yet an action is expected too'],
    [{ noop: false, actions: [] }, 'actions: noop: false expects an action, yet the list is empty'],
    [
      { action_type: 'pay', actions: [{ action_type: 'pay' }] },
      'actions: give either actions, or action_type and fields for one',
    ],
    [{ action_type: 'pay', paths: { noop: 'noop' } }, /^paths\.noop: this is no JSONPath/],
    [
      { action_type: 'pay', match: 'exact', fields: { a: { pattern: '[' } } },
      /^fields\.a\.pattern: RE2 refuses/,
    ],
    [
      { actions: [{ fields: { a: { min: 2, max: 1 } } }], match: 'exact' },
      /^actions\.0\.fields\.a: no number is/,
    ],
  ])('is refused where it makes no sense: %j', (args, mistake) => {
    const mistakes = mistakesOf('action', args);
    expect(mistakes).toEqual([expect.stringMatching(mistake)]);
  });

  it.each([
    { noop: true, action_type: null, fields: {} },
    { actions: [] },
    { action_type: 'pay', fields: {}, noop: false },
  ])('may be written as it is met in the wild: %j', (args) => {
    expect(mistakesOf('action', args)).toEqual([]);
  });
});
