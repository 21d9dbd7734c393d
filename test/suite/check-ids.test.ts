import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCheckId } from '../../source/suite/check-ids.js';
import { load, mistakesOf } from './project.js';

describe('a made-up id', () => {
  test.each([
    ['tool_called', 'get_order', 'tool_called-get_order'],
    ['pattern_absent', '(?i)\\bfull refund\\b', 'pattern_absent-i-bfull-refund-b'],
    [
      'judge',
      'Offers store credit or an exception path. Does not promise money back.',
      'judge-offers-store-credit-or-an-exception-path-does',
    ],
    ['keywords_present', 'café Ünïcode 退款', 'keywords_present-café-ünïcode-退款'],
    ['keywords_present', '🙂 !!', 'keywords_present'],
    ['action', '', 'action'],
    ['pattern_absent', 'x'.repeat(60), `pattern_absent-${'x'.repeat(48)}`],
  ])('of %s %j is %s', (type, argument, id) => {
    expect(makeCheckId(type, argument)).toBe(id);
  });

  test('is the same for texts that only look different to a computer', () => {
    expect(makeCheckId('judge', 'caf\u00e9')).toBe(makeCheckId('judge', 'cafe\u0301'));
  });
});

const checks = [
  '{type: tool_called, tool: get_order}',
  '{type: tool_called, tool: get_order, args: {id: 1}}',
  '{type: tool_called, tool: get_order, on: 1}',
  '{type: pattern_absent, pattern: refund}',
  '{type: pattern_absent, pattern: Refund!}',
  '{type: tool_called, tool: other, id: tool_called-get_order}',
  '{id: mine, type: keywords_present, words: [sorry]}',
];

async function loadWith(list: readonly string[], suiteChecks: readonly string[] = []) {
  const { scenarios } = await load({
    'suites/support/suite.yaml': `target: {prompt: support, model: agent}\nchecks: [${suiteChecks.join(', ')}]\n`,
    'suites/support/scenarios/a.yaml': `id: a\nmessage: x\nchecks: [${list.join(', ')}]\n`,
  });
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return scenario;
}

test('ids and the hash of a scenario do not depend on the order of its checks', async () => {
  const inOrder = await loadWith(checks);
  const idsByContent = (scenario: typeof inOrder) =>
    new Map(scenario.checks.map(({ id, place: _, ...rest }) => [JSON.stringify(rest), id]));
  expect(new Set(inOrder.checks.map(({ id }) => id)).size).toBe(checks.length);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(checks, { minLength: checks.length }),
      fc.nat(checks.length),
      async (shuffled, cut) => {
        const scenario = await loadWith(shuffled.slice(cut), shuffled.slice(0, cut));
        expect(idsByContent(scenario)).toEqual(idsByContent(inOrder));
        expect(scenario.hash).toBe(inOrder.hash);
      },
    ),
    { numRuns: 25 },
  );
});

test('ids that are not ambiguous stay plain, ambiguous ones all get a piece of their content hash', async () => {
  const { checks: specs } = await loadWith(checks.slice(0, 2).concat(checks.slice(6)));
  expect(specs.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^tool_called-get_order-[0-9a-f]{6}$/),
    expect.stringMatching(/^tool_called-get_order-[0-9a-f]{6}$/),
    'mine',
  ]);
});

test('two checks that are the same name both places, written defaults included', async () => {
  const mistakes = await mistakesOf({
    'suites/support/scenarios/a.yaml': `id: a
message: x
checks:
  - {type: pattern_absent, pattern: refund}
  - {type: pattern_absent, pattern: refund, on: replies, absolute: true}
`,
  });
  expect(mistakes).toEqual([
    'suites/support/scenarios/a.yaml:5:5: this check is the same as the one at suites/support/scenarios/a.yaml:4:5; keep one',
  ]);
});

test('a check that the suite has already is named with its place in the suite', async () => {
  const mistakes = await mistakesOf({
    'suites/support/suite.yaml':
      'target: {prompt: support, model: agent}\nchecks: [{type: tool_called, tool: t}]\n',
    'suites/support/scenarios/a.yaml': 'id: a\nmessage: x\nchecks: [{type: tool_called, tool: t}]\n',
  });
  expect(mistakes).toEqual([
    'suites/support/scenarios/a.yaml:3:10: this check is the same as the one at suites/support/suite.yaml:2:10; keep one',
  ]);
});

test('an id that is given twice names both places', async () => {
  const mistakes = await mistakesOf({
    'suites/support/scenarios/a.yaml': `id: a
message: x
checks:
  - {id: c, type: tool_called, tool: t}
  - {id: c, type: tool_called, tool: u}
`,
  });
  expect(mistakes).toEqual([
    'suites/support/scenarios/a.yaml:5:10: check id "c" is given twice, first at suites/support/scenarios/a.yaml:4:10; give one of them another',
  ]);
});

describe('the hash of a scenario', () => {
  const base = 'id: a\nmessage: x\nchecks: [{type: tool_called, tool: t}]\n';
  const hashOf = async (text: string) =>
    (await load({ 'suites/support/scenarios/a.yaml': text })).scenarios[0]?.hash;

  test.each([
    ['the message', base.replace('message: x', 'message: y')],
    ['a tenant', `${base}tenant: acme\n`],
    ['a variable', `${base}variables: {a: 1}\n`],
    ['a profile', `${base}profile: {name: Rosa}\n`],
    ['a history', `${base}history: []\n`],
    ['a fixture', `${base}fixtures: {t: 1}\n`],
    ['an argument', base.replace('tool: t', 'tool: t, times: 2')],
    ['the turns that are read', base.replace('tool: t', 'tool: t, on: last')],
    ['an axis', base.replace('tool: t', 'tool: t, axis: routing')],
    ['being absolute', base.replace('tool: t', 'tool: t, absolute: true')],
  ])('changes with %s', async (_what, text) => {
    expect(await hashOf(text)).not.toBe(await hashOf(base));
  });

  test.each([
    ['the id', base.replace('id: a', 'id: b')],
    ['the id of a check', base.replace('tool: t', 'tool: t, id: c')],
    ['tags, source and origin', `${base}tags: [x]\nsource: real\norigin: here\n`],
    ['comments and layout', `# hello\n\n${base}\n\n`],
    ['a default that is written', base.replace('tool: t', 'tool: t, times: 1, absolute: false')],
  ])('does not change with %s', async (_what, text) => {
    expect(await hashOf(text)).toBe(await hashOf(base));
  });
});
