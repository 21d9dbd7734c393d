import { describe, expect, it } from 'vitest';
import { InputError } from '../../../source/base/errors.js';
import { parseBehaviours } from '../../../source/model/simulated/load.js';

async function mistakesOf(text: string, name = 'agent'): Promise<string[]> {
  try {
    await parseBehaviours(text, { file: 'simulated/agent.yaml', name });
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const place = 'simulated/agent.yaml';

describe('a file of behaviours', () => {
  it('needs a name and what is said otherwise, and has defaults for the rest', async () => {
    const text = 'name: agent\notherwise: {steps: [{say: "?"}]}\n';
    expect(await parseBehaviours(text, { file: place, name: 'agent' })).toMatchObject({
      name: 'agent',
      latency: { firstTokenMs: 250, wordMs: 14 },
      cache: { minTokens: 1024, ttlSeconds: 300 },
      rules: [],
    });
    expect(await mistakesOf('about: nothing else\n')).toEqual([
      `${place}:1:1: missing key "name": expected a text`,
      `${place}:1:1: missing key "otherwise": expected a map of keys`,
    ]);
  });

  it('takes Windows line ends, a byte order mark and anchors', async () => {
    const text = [
      '\ufeffname: agent',
      'rules:',
      '  - {id: a, when: &first {turn: 1}, steps: [{say: "a"}]}',
      '  - {id: b, when: *first, steps: [{say: "b"}]}',
      'otherwise: {steps: [{say: "{# data #}"}]}',
    ].join('\r\n');
    const { rules, otherwise } = await parseBehaviours(text, { file: place, name: 'agent' });
    expect(rules.map(({ when }) => when.turn)).toEqual([
      { min: 1, max: 1 },
      { min: 1, max: 1 },
    ]);
    expect(otherwise.alternatives[0]?.steps[0]?.say).toBe('{# data #}');
  });

  it('reports all of its mistakes at once, each at its place, in the order of the file', async () => {
    const text = `name: agnet
lattency: {firstTokenMs: 1}
cache: {minTokens: -1}
rules:
  - id: a
    when: {user: {matches: '(refund'}}
    steps: [{say: 1}]
  - id: a
    when: {}
    steps: [{say: "x"}, {call: t}]
    do: [{steps: [{call: t, calls: [{call: u}]}]}]
  - id: b c
    when: {user: {hs: x}, turn: {min: 3, max: 2}}
    steps: [{}]
  - id: otherwise
    when: {prompt: {}, section: {"a b": {has: x}}, called: []}
    steps: [{say: x, args: {}}]
replays:
  - id: r
    turns:
      - user: hi
otherwise:
  do: [{weight: 0, when: {turn: 1}, steps: []}]
`;
    expect(await mistakesOf(text)).toMatchInlineSnapshot(`
      [
        "simulated/agent.yaml:1:7: the name must be that of the file, "agent"",
        "simulated/agent.yaml:2:1: unknown key "lattency"; did you mean "latency"?",
        "simulated/agent.yaml:3:20: expected a number of at least 0, found the number -1",
        "simulated/agent.yaml:6:28: RE2 refuses this pattern: missing closing ): \`(refund\`; close the group with ")"; the character itself is \\(",
        "simulated/agent.yaml:7:19: expected a text, found the number 1; put it in quotes",
        "simulated/agent.yaml:8:5: give exactly one of steps (always done) and do (alternatives to draw from)",
        "simulated/agent.yaml:8:9: the id "a" is used twice; ids name draws and must be unique",
        "simulated/agent.yaml:9:11: the conditions are empty and always hold; what answers everything else is \`otherwise\`",
        "simulated/agent.yaml:10:13: a step that calls no tool ends the turn; the steps after it are never reached",
        "simulated/agent.yaml:11:29: give call for one tool or calls for several, not both",
        "simulated/agent.yaml:12:9: expected an id of letters, digits, ".", "_" and "-"",
        "simulated/agent.yaml:13:19: unknown key "hs"; known keys: "has", "lacks", "matches" and "is"",
        "simulated/agent.yaml:13:33: no number of user messages is at least 3 and at most 2",
        "simulated/agent.yaml:14:13: the step does nothing; give say, call or calls",
        "simulated/agent.yaml:15:9: the id "otherwise" is taken by the part of that name",
        "simulated/agent.yaml:16:20: the condition asks for nothing; give at least one of has, lacks, matches, is",
        "simulated/agent.yaml:16:34: no section can be named "a b"; a tag is letters, digits, "-" and "_"",
        "simulated/agent.yaml:16:60: expected a list of at least 1 item, found an empty list",
        "simulated/agent.yaml:17:22: args belong to a call",
        "simulated/agent.yaml:21:9: give exactly one of steps (always done) and do (alternatives to draw from)",
        "simulated/agent.yaml:23:7: one alternative must have no conditions, so that there is always something to answer",
        "simulated/agent.yaml:23:17: expected a number of more than 0, found the number 0",
        "simulated/agent.yaml:23:44: expected a list of at least 1 item, found an empty list",
      ]
    `);
  });

  it('names the pattern that does not compile, and what RE2 does not have', async () => {
    const text = `name: agent
rules:
  - {id: a, when: {user: {matches: [ok, '(?<=a)b']}}, do: [{when: {user: {matches: '\\1'}}, steps: [{say: x}]}]}
otherwise: {steps: [{say: "?"}]}
`;
    expect(await mistakesOf(text)).toMatchInlineSnapshot(`
      [
        "simulated/agent.yaml:3:41: RE2 refuses this pattern: invalid named capture: \`(?<=a)b\`; RE2 has no look-around: use two patterns instead",
        "simulated/agent.yaml:3:84: RE2 refuses this pattern: invalid escape sequence: \`\\1\`; RE2 has no back-references",
      ]
    `);
  });

  it('that is no YAML, is empty or holds two documents is a mistake at its place', async () => {
    const whole = 'name: agent\notherwise: {steps: [{say: "?"}]}\n';
    expect(await mistakesOf('')).toEqual([
      `${place}: the file is empty; write something in it, or delete it`,
    ]);
    expect((await mistakesOf('name: [agent\n'))[0]).toMatch(/^simulated\/agent\.yaml:\d+:\d+: /);
    expect(await mistakesOf(`${whole}---\n${whole}`)).toEqual([
      `${place}:4:1: a second document starts here; a file describes one simulated model`,
    ]);
    expect((await mistakesOf('- a list\n'))[0]).toBe(`${place}:1:1: expected a map of keys, found a list`);
  });
});
