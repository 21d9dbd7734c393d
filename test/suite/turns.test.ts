import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSimulatedUser, mostTurns, textOfTurn } from '../../source/suite/turns.js';
import type { PlannedTurn, Scenario } from '../../source/suite/types.js';
import { load, mistakesOf, suiteText } from './project.js';

const suite = { 'suites/support/suite.yaml': `${suiteText}user: {model: agent}\n` };
const at = 'suites/support/scenarios/a.yaml';

async function loadOne(scenario: string): Promise<Scenario> {
  const { scenarios } = await load({ ...suite, [at]: `id: refund\n${scenario}` });
  const [first] = scenarios;
  if (first === undefined) throw new Error('the scenario is gone');
  return first;
}

describe('a turn', () => {
  test('is a message, or an instruction for a model that plays the user', async () => {
    const { turns } = await loadOne(`
turns:
  - user: I want my money back.
  - simulate: If the agent offered store credit, ask how long it is valid. Otherwise insist once more.
    maxTurns: 2
    goal: knows how long the credit is valid
  - simulate: Say goodbye.
`);
    expect(turns).toEqual([
      { kind: 'fixed', message: 'I want my money back.' },
      {
        kind: 'simulated',
        instruction:
          'If the agent offered store credit, ask how long it is valid. Otherwise insist once more.',
        goal: 'knows how long the credit is valid',
        maxTurns: 2,
      },
      { kind: 'simulated', instruction: 'Say goodbye.', maxTurns: 1 },
    ]);
    expect(mostTurns(turns)).toBe(4);
    expect(turns.map(textOfTurn)).toEqual([
      'I want my money back.',
      'If the agent offered store credit, ask how long it is valid. Otherwise insist once more.',
      'Say goodbye.',
    ]);
  });

  test('marks its scenario where a model plays it', async () => {
    expect(isSimulatedUser(await loadOne('message: hi\n'))).toBe(false);
    expect(isSimulatedUser(await loadOne('turns: [{user: hi}, {simulate: insist}]\n'))).toBe(true);
  });

  test('counts with as many messages as it may have, when a check names a turn', async () => {
    const scenario = (turn: number) =>
      `id: a\nturns: [{user: hi}, {simulate: insist, maxTurns: 3}]\nchecks: [{type: tool_called, tool: x, on: ${turn}}]\n`;
    expect(await mistakesOf({ ...suite, [at]: scenario(4) })).toEqual([]);
    expect(await mistakesOf({ ...suite, [at]: scenario(5) })).toEqual([
      `${at}:3:43: "on" names turn 5, and the scenario has 4 turns`,
    ]);
  });

  test.each([
    ['{simulate: " "}', /:2:20: expected an instruction for the user, found an empty text/],
    ['{simulate: x, goal: ""}', /:2:29: expected what the user is after/],
    ['{simulate: x, maxTurns: 0}', /:2:33: expected a whole number from 1 to 100/],
    ['{simulate: x, maxTurns: 101}', /:2:33: expected a whole number from 1 to 100/],
    ['{simulate: x, maxTurn: 2}', /:2:23: unknown key "maxTurn"; did you mean "maxTurns"\?/],
    ['{user: x, simulate: y}', /:2:29: a turn has "user" or "simulate", not both/],
  ])('%s is a mistake at its place', async (turn, expected) => {
    const mistakes = await mistakesOf({ ...suite, [at]: `id: a\nturns: [${turn}]\n` });
    expect(mistakes).toEqual([expect.stringMatching(expected)]);
  });
});

describe('a persona', () => {
  test('may say what the person does not know, which is no detail of it', async () => {
    const { profile } = await loadOne(
      'message: hi\nprofile: {name: Rosa, facts: [bought 45 days ago], unknown: the order number, mood: angry}\n',
    );
    expect(profile).toEqual({
      name: 'Rosa',
      facts: ['bought 45 days ago'],
      unknown: ['the order number'],
      details: { mood: 'angry' },
    });
  });
});

test('whatever of a simulated turn decides what is said is part of the hash of its scenario', async () => {
  const turn = fc.oneof(
    fc.record({ user: fc.constantFrom('a', 'b') }),
    fc.record(
      {
        simulate: fc.constantFrom('a', 'b'),
        goal: fc.constantFrom('a', 'b'),
        maxTurns: fc.constantFrom(1, 2),
      },
      { requiredKeys: ['simulate'] },
    ),
  );
  const planned = async (turns: object[]): Promise<[PlannedTurn[], string]> => {
    const scenario = await loadOne(`turns: ${JSON.stringify(turns)}\n`);
    return [scenario.turns, scenario.hash];
  };
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 2 }), turn, async (turns, other) => {
      const [first, firstHash] = await planned(turns);
      const [second, secondHash] = await planned([...turns.slice(1), other]);
      const isSame = JSON.stringify(first) === JSON.stringify(second);
      expect(secondHash === firstHash).toBe(isSame);
    }),
    { numRuns: 25 },
  );
}, 30_000);
