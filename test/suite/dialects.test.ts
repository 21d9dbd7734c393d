import { describe, expect, test } from 'vitest';
import { textOfTurn } from '../../source/suite/turns.js';
import type { Scenario } from '../../source/suite/types.js';
import { load, mistakesOf, suiteText } from './project.js';

/** The same content in YAML, JSON and JSON lines. */
async function inEveryFormat(yaml: string, content: object, ofSuite = ''): Promise<Scenario[]> {
  const files = [
    { 'suites/support/scenarios/a.yaml': yaml },
    { 'suites/support/scenarios/a.json': JSON.stringify(content, null, 2) },
    { 'suites/support/scenarios/a.jsonl': `${JSON.stringify(content)}\n` },
  ];
  const suite = { 'suites/support/suite.yaml': `${suiteText}${ofSuite}` };
  const suites = await Promise.all(files.map((file) => load({ ...suite, ...file })));
  return suites.flatMap((suite) => suite.scenarios);
}

/** All but where it stands. */
function meaning({ place: _, checks, ...scenario }: Scenario) {
  return { ...scenario, checks: checks.map(({ place: __, ...check }) => check) };
}

describe('the shapes met in the wild load as they are', () => {
  test('a scenario with input, criteria and tool_fixtures', async () => {
    const loaded = await inEveryFormat(
      `
id: refund-request-past-window
input: I bought this 45 days ago and I want my money back.
tool_fixtures:
  get_order: {purchase_days_ago: 45, status: delivered}
criteria:
  - {type: tool_called, tool: get_order}
  - {type: pattern_absent, pattern: full refund}
`,
      {
        id: 'refund-request-past-window',
        input: 'I bought this 45 days ago and I want my money back.',
        tool_fixtures: { get_order: { purchase_days_ago: 45, status: 'delivered' } },
        criteria: [
          { type: 'tool_called', tool: 'get_order' },
          { type: 'pattern_absent', pattern: 'full refund' },
        ],
      },
    );
    const plain = await load({
      'suites/support/scenarios/a.yaml': `
id: refund-request-past-window
turns:
  - user: I bought this 45 days ago and I want my money back.
fixtures:
  get_order: {purchase_days_ago: 45, status: delivered}
checks:
  - {type: tool_called, tool: get_order}
  - {type: pattern_absent, pattern: full refund}
`,
    });
    const [canonical] = plain.scenarios.map(meaning);
    expect(loaded.map(meaning)).toEqual([canonical, canonical, canonical]);
  });

  test('an extraction case with message and expected', async () => {
    const loaded = await inEveryFormat(
      `
id: cancel-booking-typo
tags: [typo]
message: plz cancl my booking HT9921
expected:
  action_type: cancel_booking
  noop: false
  fields: {booking: HT9921}
`,
      {
        id: 'cancel-booking-typo',
        tags: ['typo'],
        message: 'plz cancl my booking HT9921',
        expected: { action_type: 'cancel_booking', noop: false, fields: { booking: 'HT9921' } },
      },
    );
    expect(new Set(loaded.map((scenario) => scenario.hash)).size).toBe(1);
    expect(meaning(loaded[0] as Scenario)).toMatchObject({
      id: 'cancel-booking-typo',
      turns: [{ kind: 'fixed', message: 'plz cancl my booking HT9921' }],
      checks: [
        {
          id: 'action-cancel_booking',
          type: 'action',
          args: { action_type: 'cancel_booking', noop: false, fields: { booking: 'HT9921' } },
        },
      ],
    });
  });

  test('an extraction case with several actions, and one that means no action', async () => {
    const { scenarios } = await load({
      'suites/support/scenarios/a.jsonl': [
        '{"id": 1, "message": "both", "expected": {"actions": [{"action_type": "a"}, {"action_type": "b"}]}}',
        '{"id": "empty", "message": "", "expected": {"noop": true}}',
      ].join('\n'),
    });
    expect(scenarios.map(({ id, turns, checks }) => [id, turns.map(textOfTurn), checks[0]?.args])).toEqual([
      ['1', ['both'], { actions: [{ action_type: 'a' }, { action_type: 'b' }] }],
      ['empty', [''], { noop: true }],
    ]);
  });

  test('a persona with profile and messages', async () => {
    const messages = ['I am on the train and I cannot breathe', 'ok', '🙂'];
    const loaded = await inEveryFormat(
      `
id: panic-on-the-train
profile: {name: Rosa, facts: [34 years old, panics in trains]}
messages:
  - I am on the train and I cannot breathe
  - ok
  - 🙂
`,
      {
        id: 'panic-on-the-train',
        profile: { name: 'Rosa', facts: ['34 years old', 'panics in trains'] },
        messages,
      },
    );
    for (const scenario of loaded) {
      expect(scenario.turns).toEqual(messages.map((message) => ({ kind: 'fixed', message })));
      expect(scenario.profile).toEqual({ name: 'Rosa', facts: ['34 years old', 'panics in trains'] });
    }
  });

  test('a persona some of whose messages a model writes', async () => {
    const [inMessages, inTurns] = await inEveryFormat(
      `
id: panic-on-the-train
messages:
  - I cannot breathe
  - simulate: If it suggested breathing, try to engage.
    maxTurns: 2
  - {role: user, content: bye}
`,
      {
        id: 'panic-on-the-train',
        turns: [
          { user: 'I cannot breathe' },
          { simulate: 'If it suggested breathing, try to engage.', maxTurns: 2 },
          { user: 'bye' },
        ],
      },
      'user: {model: agent}\n',
    );
    expect(inMessages?.turns).toEqual([
      { kind: 'fixed', message: 'I cannot breathe' },
      { kind: 'simulated', instruction: 'If it suggested breathing, try to engage.', maxTurns: 2 },
      { kind: 'fixed', message: 'bye' },
    ]);
    expect(inTurns?.hash).toBe(inMessages?.hash);
  });

  test('a profile that is a text, a list, or a map of its own keys', async () => {
    const { scenarios } = await load({
      'suites/support/scenarios/a.yaml': `
- {id: a, message: x, profile: a nurse of 40}
- {id: b, message: x, profile: [a nurse, aged 40]}
- {id: c, message: x, profile: {age: 40, goal: {first: sleep}}}
`,
    });
    expect(scenarios.map(({ profile }) => profile)).toEqual([
      { facts: ['a nurse of 40'] },
      { facts: ['a nurse', 'aged 40'] },
      { facts: [], details: { age: 40, goal: { first: 'sleep' } } },
    ]);
  });

  test('messages of a chat log, as long as the user says them', async () => {
    const { scenarios } = await load({
      'suites/support/scenarios/a.json': '{"id":"a","messages":[{"role":"user","content":"hi"}]}',
    });
    expect(scenarios[0]?.turns).toEqual([{ kind: 'fixed', message: 'hi' }]);
    const mistakes = await mistakesOf({
      'suites/support/scenarios/a.json':
        '{"id":"a","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello!"}]}',
    });
    expect(mistakes).toEqual([
      'suites/support/scenarios/a.json:1:62: messages are what the user says, and this one is by "assistant"; leave it out: the agent answers anew',
    ]);
  });
});

describe('places survive', () => {
  test.each([
    ['id: a\ninput: 5\n', ':2:8: expected a text, found the number 5; put it in quotes'],
    ['id: a\ninput: {query: x}\n', ':2:8: expected a text, found a map'],
    ['id: a\nmessages:\n  - x\n  - 5\n', ':4:5: expected a text, found the number 5; put it in quotes'],
    [
      'id: a\nmessage: x\ncriteria:\n  - {type: tool_called, tol: x}\n',
      ':4:25: unknown key "tol"; did you mean "tool"?',
    ],
    ['id: a\nmessage: x\ncriteria: x\n', ':3:11: expected a list, found the text "x"'],
    ['id: a\nmessage: x\ntool_fixtures: []\n', ':3:16: expected a map of keys, found an empty list'],
    ['id: a\nmessage: x\nexpected:\n  feilds: {}\n', ':4:3: unknown key "feilds"; did you mean "fields"?'],
    [
      'id: a\nmessage: x\nexpected: refund\n',
      ':3:11: expected the action that the agent should take: {action_type, noop, fields}',
    ],
    [
      'id: a\nmessage: x\nexpected: {type: refund}\n',
      ':3:12: unknown key "type"; did you mean "action_type"?',
    ],
    ['id: a\nmesage: x\n', ':2:1: unknown key "mesage"; did you mean "message"?'],
    ['id: a\nmesages: [x]\n', ':2:1: unknown key "mesages"; did you mean "messages"?'],
  ])('of a mistake in %j', async (text, expected) => {
    const mistakes = await mistakesOf({ 'suites/support/scenarios/a.yaml': text });
    expect(mistakes[0]).toBe(`suites/support/scenarios/a.yaml${expected}`);
  });

  test('a check made from expected stands where expected stands', async () => {
    const { scenarios } = await load({
      'suites/support/scenarios/a.yaml': 'id: a\nmessage: x\nexpected: {noop: true}\n',
    });
    expect(scenarios[0]?.checks[0]?.place).toMatchObject({ line: 3, column: 1 });
  });
});

describe('both forms of one thing name both', () => {
  test.each([
    [
      'id: a\nmessage: x\ninput: y\n',
      ':3:1: "input" and "message" (2:1) say the same thing in two forms; keep one',
    ],
    [
      'id: a\nturns: [{user: x}]\nmessages: [y]\n',
      ':3:1: "messages" and "turns" (2:1) say the same thing in two forms; keep one',
    ],
    [
      'id: a\nmessage: x\nchecks: []\ncriteria: []\n',
      ':4:1: "criteria" and "checks" (3:1) say the same thing in two forms; keep one',
    ],
    [
      'id: a\nmessage: x\ntool_fixtures: {}\nfixtures: {}\n',
      ':4:1: "fixtures" and "tool_fixtures" (3:1) say the same thing in two forms; keep one',
    ],
    [
      'id: a\nmessage: x\nexpected: {noop: true}\nchecks: [{type: action, noop: true}]\n',
      ':3:1: "expected" and "checks: {type: action}" (4:10) say the same thing in two forms; keep one',
    ],
  ])('%j', async (text, expected) => {
    const mistakes = await mistakesOf({ 'suites/support/scenarios/a.yaml': text });
    expect(mistakes).toEqual([`suites/support/scenarios/a.yaml${expected}`]);
  });

  test('expected beside checks of other types adds one', async () => {
    const { scenarios } = await load({
      'suites/support/scenarios/a.yaml':
        'id: a\nmessage: x\nexpected: {noop: true}\nchecks: [{type: tool_not_called, tool: t}]\n',
    });
    expect(scenarios[0]?.checks.map(({ id }) => id)).toEqual(['tool_not_called-t', 'action-noop']);
  });
});
