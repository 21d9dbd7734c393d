import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../source/base/errors.js';
import { listSuites, loadSuite } from '../../source/suite/load.js';
import { createProject, load, mistakesOf, testCatalogue } from './project.js';

const suite = 'suites/support/suite.yaml';
const scenario = 'suites/support/scenarios/a.yaml';
const one = 'id: hello\nturns: [{user: hi}]\n';
const tools = 'tools:\n  - {name: get_order, description: Finds an order.}\n  - {name: cancel_order}\n';
const withTools = 'target: {prompt: support, model: agent, tools: tools.yaml}\n';

describe('a suite', () => {
  test('is loaded with everything that it says', async () => {
    const loaded = await load({
      [suite]: `
name: support
target:
  prompt: support
  model: agent
  tools: tools.yaml
  settings: {temperature: 0.7, maxTokens: 800, maxSteps: 4}
judge: {model: agent, prompt: strict@2}
repeat: 6
limits: {maxTurns: 12}
checks:
  - {type: pattern_absent, pattern: full refund}
scenarios: scenarios/*.yaml
mix: {real: 0.6, rare: 0.4}
`,
      'suites/support/tools.yaml': tools,
      [scenario]: `
id: refund-past-window
tags: [refund, money]
source: incident
origin: ticket 4711
tenant: acme
variables: {plan: standard, seats: 3, trial: true}
profile: {name: Rosa, facts: [bought 45 days ago], mood: angry}
history: {orders: [1]}
turns:
  - user: I want my money back.
  - user: Please!
fixtures:
  get_order: {status: delivered}
  cancel_order: [{when: {id: 1}, returns: ok}, {error: timeout}]
checks:
  - {type: tool_called, tool: get_order, on: 1..2, axis: routing}
  - {id: polite, type: judge, rubric: is polite, on: last, absolute: true}
`,
    });
    expect(loaded).toMatchObject({
      name: 'support',
      target: {
        kind: 'prompt',
        prompt: 'support',
        model: 'agent',
        template: false,
        settings: { temperature: 0.7, maxTokens: 800, maxSteps: 4 },
      },
      judge: { model: 'agent', prompt: 'strict@2' },
      repeat: 6,
      limits: { maxTurns: 12 },
      mix: { real: 0.6, rare: 0.4 },
    });
    expect(loaded.target).toHaveProperty('tools', [
      {
        name: 'get_order',
        description: 'Finds an order.',
        parameters: { type: 'object', properties: {} },
      },
      { name: 'cancel_order', description: '', parameters: { type: 'object', properties: {} } },
    ]);
    const file = 'suites/support/scenarios/a.yaml';
    expect(loaded.scenarios).toEqual([
      {
        id: 'refund-past-window',
        place: { file, line: 2, column: 1 },
        tags: ['refund', 'money'],
        source: 'incident',
        origin: 'ticket 4711',
        tenant: 'acme',
        variables: { plan: 'standard', seats: 3, trial: true },
        profile: { name: 'Rosa', facts: ['bought 45 days ago'], details: { mood: 'angry' } },
        history: { orders: [1] },
        turns: [
          { kind: 'fixed', message: 'I want my money back.' },
          { kind: 'fixed', message: 'Please!' },
        ],
        fixtures: {
          get_order: { kind: 'constant', value: { status: 'delivered' } },
          cancel_order: {
            kind: 'rules',
            rules: [{ when: { id: 1 }, returns: 'ok' }, { error: 'timeout' }],
          },
        },
        checks: [
          {
            id: 'tool_called-get_order',
            type: 'tool_called',
            args: { tool: 'get_order', times: 1 },
            on: { from: 1, to: 2 },
            axis: 'routing',
            place: { file, line: 17, column: 5 },
          },
          {
            id: 'polite',
            type: 'judge',
            args: { rubric: 'is polite' },
            on: 'last',
            absolute: true,
            place: { file, line: 18, column: 5 },
          },
          {
            id: 'pattern_absent-full-refund',
            type: 'pattern_absent',
            args: { pattern: 'full refund' },
            place: { file: suite, line: 12, column: 5 },
          },
        ],
        hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]);
  });

  test('takes scenarios of every format, sorted by file and then by position', async () => {
    const { scenarios } = await load({
      'suites/support/scenarios/b.jsonl': '{"id":"b1","message":"x"}\n{"id":"b2","message":""}\n',
      'suites/support/scenarios/a.json': '[{"id":"a2","message":"x"},{"id":"a1","message":"x"}]',
      'suites/support/scenarios/deep/c.yml': 'id: c1\nmessage: x\n---\n- {id: c2, message: x}\n',
      'suites/support/scenarios/readme.md': 'not one',
    });
    expect(scenarios.map(({ id }) => id)).toEqual(['a2', 'a1', 'b1', 'b2', 'c1', 'c2']);
  });

  test('is found by name, by the path of its folder and by the path of its file', async () => {
    const project = await createProject({ [scenario]: one });
    for (const asked of ['support', 'suites/support', 'suites/support/', 'suites/support/suite.yaml']) {
      expect((await loadSuite(project, asked, testCatalogue)).name).toBe('support');
    }
    expect(await listSuites(project)).toEqual(['support']);
  });

  test('that does not exist is answered with the nearest', async () => {
    const project = await createProject({ [scenario]: one });
    for (const asked of ['suport', './suport/', '../support', '.']) {
      await expect(loadSuite(project, asked, testCatalogue)).rejects.toThrow(/there is no suite/);
    }
    await expect(loadSuite(project, 'suport', testCatalogue)).rejects.toThrow('did you mean "support"?');
  });
});

describe('mistakes', () => {
  test('of all files are reported together, the file of the suite first, with exit code 2', async () => {
    const mistakes = await mistakesOf({
      [suite]: 'target: {prompt: support, modle: agent}\nrepaet: 3\n',
      'suites/support/scenarios/a.yaml': 'id: a\nturns: [{usr: hi}]\n',
      'suites/support/scenarios/b.jsonl': '{"id":"b","message":"x"}\n{"id":"c" "message":"x"}\n',
    });
    expect(mistakes).toEqual([
      'suites/support/suite.yaml:1:27: unknown key "modle"; did you mean "model"?',
      'suites/support/suite.yaml:2:1: unknown key "repaet"; did you mean "repeat"?',
      'suites/support/scenarios/a.yaml:2:10: unknown key "usr"; did you mean "user"?',
      'suites/support/scenarios/b.jsonl:2:11: expected "," or "}", found "\\""',
    ]);
    await expect(load({ [suite]: 'x: 1\n', [scenario]: one })).rejects.toMatchObject({ exitCode: 2 });
    await expect(load({ [suite]: 'x: 1\n', [scenario]: one })).rejects.toThrow(InputError);
  });

  test.each([
    ['', 'suites/support/suite.yaml: the file is empty; write something in it, or delete it'],
    ['- a\n', 'suites/support/suite.yaml:1:1: expected a suite {name, target, scenarios}'],
    [
      'name: other\ntarget: {prompt: support, model: agent}\n',
      /:1:7: the suite is called "other" and its folder "support"/,
    ],
    [
      'target: {prompt: support, model: agnt}\n',
      /:1:34: "agnt" is no name in "models" of \.evalrc\.json.*did you mean "agent"\?/,
    ],
    [
      'target: {prompt: suport, model: agent}\n',
      /:1:18: there is no prompt "suport".*did you mean "support"\?/,
    ],
    [
      'target: {prompt: prompts/v9.md, model: agent}\n',
      /:1:18: there is no prompt "prompts\/v9\.md"; in prompts there is v1\.md/,
    ],
    [
      'target: {prompt: support, model: agent, tools: tols.yaml}\n',
      /:1:48: suites\/support\/tols\.yaml: there is no such file; in suites\/support there are scenarios and suite\.yaml/,
    ],
    ['target: {}\n', /:1:9: a target is one of prompt, http, command or module, and this is none of them/],
    ['target: {htp: {baseURL: x}}\n', /:1:10: unknown key "htp"; did you mean "http"\?/],
    ['target: {model: agent}\n', /:1:9: missing key "prompt"/],
    ['target: {http: {baseURL: http://x}}\n', /:1:16: missing key "send"/],
    [
      'target: {http: {baseURL: http://x, send: {psot: /chat, reply: $.r}}}\n',
      /:1:43: unknown key "psot"; did you mean "post"\?/,
    ],
    [
      'target: {http: {baseURL: http://x, send: {post: /chat, reply: r}}}\n',
      /:1:63: "r" is not a JSONPath: one starts with "\$"/,
    ],
    [
      "target: {http: {baseURL: http://x, send: {post: '/{{accuont}}', reply: $.r}}}\n",
      /:1:49: send has no value named "accuont"; did you mean "account"\?/,
    ],
    [
      'target: {prompt: support, command: [node, x.mjs]}\n',
      /:1:27: a target is exactly one of .*there is "prompt" already; the prompt whose text reaches the product is named beside the target/,
    ],
    [
      'target: {module: a.ts, command: [node, x.mjs]}\n',
      /:1:24: a target is exactly one of prompt, http, command or module, and there is "module" already$/,
    ],
    [
      'target: {module: agnt.ts}\n',
      /:1:18: there is no module suites\/support\/agnt\.ts; in suites\/support there are scenarios and suite\.yaml/,
    ],
    [
      'target: {command: [node], cwd: agents}\n',
      /:1:32: there is no folder suites\/support\/agents; in suites\/support/,
    ],
    ['target: {command: [node], pol: 3}\n', /:1:27: unknown key "pol"; did you mean "pool"\?/],
    [
      'target: {command: [node]}\nprompt: suport\n',
      /:2:9: there is no prompt "suport".*did you mean "support"\?/,
    ],
    [
      'target: {prompt: support, model: agent}\nprompt: support\n',
      /:2:1: the target is a prompt and names it already; leave "prompt" out here/,
    ],
    [
      'target: {prompt: support, model: agent}\nuser: {model: usr}\n',
      /:2:15: "usr" is no name in "models" of \.evalrc\.json/,
    ],
    [
      'target: {prompt: support, model: agent}\njudge: {model: agent, verdicts: 10}\n',
      /:2:33: expected a whole number from 1 to 9/,
    ],
    [
      'target: {prompt: support, model: agent}\ntemplate: true\n',
      /:2:1: unknown key "template"; it belongs under "target"/,
    ],
    [
      'target: {prompt: support, model: agent}\ntests: x.yaml\n',
      /:2:1: unknown key "tests"; here it is called "scenarios"/,
    ],
    [
      'target: {prompt: support, model: agent}\nmix: {real: 0.5}\n',
      /:2:6: the shares of the mix must add up to 1/,
    ],
    [
      'target: {prompt: support, model: agent}\nscenarios: scenarios/*.yml\n',
      /:2:12: no file is named by "scenarios\/\*\.yml" in suites\/support; there is scenarios\/a\.yaml/,
    ],
    [
      'target: {prompt: support, model: agent}\nscenarios: [scenarios/a.yaml, scenarios]\n',
      /:2:31: no file is named by "scenarios" in suites\/support; this is a folder; write "scenarios\/\*\*\/\*\.yaml"/,
    ],
    [
      'target: {prompt: support, model: agent}\n---\ntarget: 1\n',
      /:3:1: a second document; a suite is one document/,
    ],
    [
      'target: {prompt: support, model: agent}\nchecks: [{type: judge, rubric: x}]\n',
      /:2:10: a check of type "judge" asks a judge, and suites\/support\/suite\.yaml names none/,
    ],
  ])('of a suite file: %j', async (text, expected) => {
    const mistakes = await mistakesOf({ [suite]: text, [scenario]: one });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(expected);
  });

  test.each([
    ['', `${scenario}: the file is empty; write something in it, or delete it`],
    ['[]\n', `${scenario}:1:1: the list of scenarios is empty`],
    ['hello\n', /:1:1: expected a scenario \{id, turns, checks\}, found the text "hello"/],
    ['turns: [{user: x}]\n', /:1:1: missing key "id": expected a text or a number/],
    ['id: a\n', /:1:1: missing key "turns"/],
    ['id: a\nturns: []\n', /:2:8: expected a list of at least 1 item/],
    ['id: "a\\nb"\nmessage: x\n', /:1:5: expected an id without control characters/],
    ['id: ""\nmessage: x\n', /^\S+:1:5: expected a text that is not empty[^\n]*$/],
    ['id: __proto__\nmessage: x\n', /:1:5: JavaScript keeps this name for itself/],
    ['id: "  "\nmessage: x\n', /:1:5: expected an id that can be read/],
    ['id: "\\u200b\\u2800"\nmessage: x\n', /:1:5: expected an id that can be read/],
    [
      'id: a\nturns: [{simulate: be angry, maxTurns: 3}]\n',
      /:2:10: "simulate" needs a model that plays the user, and suites\/support\/suite\.yaml names none; add user: \{model: …\} to it/,
    ],
    ['id: a\nturns: [{simulte: be angry}]\n', /:2:10: unknown key "simulte"; did you mean "simulate"\?/],
    ['id: a\nturns: [{}]\n', /:2:9: expected a turn \{user: …\} or \{simulate: …\}/],
    ['id: a\nturns: [{user: x, maxTurns: 2}]\n', /:2:29: "maxTurns" belongs to a turn with "simulate"/],
    ['id: a\nturns: [{user: x, goal: y}]\n', /:2:25: "goal" belongs to a turn with "simulate"/],
    ['id: a\nmessage: x\nvars: {}\n', /:3:1: unknown key "vars"; here it is called "variables"/],
    [
      'id: a\nmessage: x\nchecks:\n  - {type: pattern_absent, pattern: "("}\n',
      /:4:37: the pattern has a "\("/,
    ],
    ['id: a\nmessage: x\nchecks:\n  - {type: regex, value: x}\n', /:4:12: unknown type of check "regex"/],
    [
      'id: a\nmessage: x\nchecks:\n  - {type: tol_called, tool: x}\n',
      /:4:12: unknown type of check "tol_called"; did you mean "tool_called"\?/,
    ],
    ['id: a\nmessage: x\nchecks:\n  - {tool: x}\n', /:4:5: missing key "type"/],
    [
      'id: a\nmessage: x\nchecks:\n  - {type: tool_called, tool: x, args: {price: {tuning: $.n}}}\n',
      /:4:48: a prompt target is tuned with nothing that could be asked for; write the value itself/,
    ],
    [
      'id: a\nmessage: x\nchecks:\n  - {type: tool_called, tool: x, on: 3}\n',
      /:4:38: "on" names turn 3, and the scenario has one turn/,
    ],
    [
      'id: a\nmessage: x\nchecks:\n  - {type: tool_called, tool: x, on: frist}\n',
      /:4:38: expected "replies", "last", "first", the number of a turn, or a range like 2\.\.5/,
    ],
    [
      'id: a\nmessage: x\nchecks:\n  - {type: keywords_present, file: words.txt}\n',
      /:4:36: there is no file suites\/support\/words\.txt/,
    ],
    [
      'id: a\nmessage: x\nfixtures: {get_order: [{returns: 1, error: x}]}\n',
      /:3:37: a rule has "returns" or "error", not both/,
    ],
    [
      'id: a\nmessage: x\nfixtures: {get_order: [{returns: 1}, {retrns: 2}]}\n',
      /:3:39: unknown key "retrns"; did you mean "returns"\? The other items are rules/,
    ],
    [
      'id: a\nmessage: x\nfixtures: {get_order: [{returns: 1, at: 2}]}\n',
      /:3:37: unknown key "at"; a list whose items all have "returns" or "error" is a list of rules/,
    ],
    ['id: a\nmessage: x\nprofile: {fcts: [x]}\n', /:3:11: unknown key "fcts"; did you mean "facts"\?/],
  ])('of a scenario: %j', async (text, expected) => {
    const mistakes = await mistakesOf({ [scenario]: text });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(expected);
  });

  test('a suite without scenarios is one', async () => {
    const mistakes = await mistakesOf({});
    expect(mistakes).toEqual([
      'suites/support/suite.yaml:1:1: no file is named by "scenarios/**/*.{yaml,yml,json,jsonl}" in suites/support; there are no files of scenarios in it',
    ]);
  });

  test('an id that is given twice names both places, across files', async () => {
    const mistakes = await mistakesOf({
      [scenario]: one,
      'suites/support/scenarios/b.jsonl': '{"id":"x","message":"a"}\n{"id":"hello","message":"b"}\n',
    });
    expect(mistakes).toEqual([
      'suites/support/scenarios/b.jsonl:2:7: scenario id "hello" is given twice, first at suites/support/scenarios/a.yaml:1:5; give one of them another',
    ]);
  });

  test('a file that is not UTF-8 is named with the offset, and the others are still read', async () => {
    const mistakes = await mistakesOf({
      [scenario]: Buffer.from('id: caf\xe9\nmessage: x\n', 'latin1'),
      'suites/support/scenarios/b.yaml': 'id: 1\n',
    });
    expect(mistakes).toEqual([
      'suites/support/scenarios/a.yaml:1:8: the file is not UTF-8: byte 0xE9 at offset 7; save it as UTF-8',
      expect.stringContaining('suites/support/scenarios/b.yaml:1:1: missing key "turns"'),
    ]);
  });

  test('a mistake in a check of the suite is said once, not once a scenario', async () => {
    const mistakes = await mistakesOf({
      [suite]: `${withTools}checks:\n  - {type: tool_called, tool: get_oder}\n  - {type: tool_called, tool: get_oder}\n`,
      'suites/support/tools.yaml': tools,
      [scenario]: '- {id: a, message: x}\n- {id: b, message: x}\n',
    });
    expect(mistakes).toEqual([
      'suites/support/suite.yaml:3:31: "get_oder" is no tool of the target; did you mean "get_order"?',
      'suites/support/suite.yaml:4:5: this check is the same as the one at suites/support/suite.yaml:3:5; keep one',
      'suites/support/suite.yaml:4:31: "get_oder" is no tool of the target; did you mean "get_order"?',
    ]);
  });

  test('a fixture of a tool that the target does not have is one', async () => {
    const mistakes = await mistakesOf({
      [suite]: withTools,
      'suites/support/tools.yaml': tools,
      [scenario]: `${one}fixtures: {get_oder: 1}\n`,
    });
    expect(mistakes).toEqual([
      'suites/support/scenarios/a.yaml:3:12: a fixture of "get_oder", which is no tool of the target; did you mean "get_order"?',
    ]);
  });

  describe('arguments of tools', () => {
    const takesId = `tools:
  - name: get_order
    description: reads an order
    parameters: {type: object, properties: {order_id: {type: string}, depth: {type: integer}}}
  - {name: list_orders, description: all of them, parameters: {type: object, properties: {}, additionalProperties: false}}
  - {name: note, description: open, parameters: {type: object, properties: {text: {type: string}}, additionalProperties: true}}
`;
    const mistakesOfScenario = (text: string) =>
      mistakesOf({ [suite]: withTools, 'suites/support/tools.yaml': takesId, [scenario]: `${one}${text}` });

    test('that the tool does not take are a mistake of the check', async () => {
      const check = '{type: tool_called, tool: get_order, args: {order: "A1", depth: {min: 1}}}';
      expect(await mistakesOfScenario(`checks:\n  - ${check}\n`)).toEqual([
        'suites/support/scenarios/a.yaml:4:49: "get_order" takes no argument "order"; known arguments: "order_id" and "depth"',
      ]);
    });

    test('of another type are one: 7 is not "7"', async () => {
      const check = '{type: tool_called, tool: get_order, args: {order_id: 7, depth: "2"}}';
      expect(await mistakesOfScenario(`checks:\n  - ${check}\n`)).toEqual([
        'suites/support/scenarios/a.yaml:4:59: "get_order" takes "order_id" as string, and this is a number: they are never equal',
        'suites/support/scenarios/a.yaml:4:69: "get_order" takes "depth" as integer, and this is a string: they are never equal',
      ]);
    });

    test('of a fixture that answers by them, and of a tool that takes none', async () => {
      const fixtures =
        'fixtures:\n  get_order: [{when: {id: A1}, returns: 1}]\n  list_orders: [{when: {page: 1}, returns: 2}]\n';
      expect(await mistakesOfScenario(fixtures)).toEqual([
        'suites/support/scenarios/a.yaml:4:23: "get_order" takes no argument "id"; known arguments: "order_id" and "depth"',
        'suites/support/scenarios/a.yaml:5:25: "list_orders" takes no arguments',
      ]);
    });

    test('that fit, and those of a tool whose schema allows others, are none', async () => {
      const checks = [
        '{type: tool_called, tool: get_order, args: {order_id: {any: [a, b]}, depth: 2}}',
        '{type: tool_called, tool: note, args: {anything: 1}}',
      ];
      expect(await mistakesOfScenario(`checks:\n${checks.map((one) => `  - ${one}\n`).join('')}`)).toEqual(
        [],
      );
    });
  });

  test('a key in the target is refused and not repeated', async () => {
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    const mistakes = await mistakesOf({
      [suite]: `target: {prompt: support, model: "${key}", apiKey: hunter22}\njudge: {model: agent, prompt: "${key}"}\n`,
      [scenario]: one,
    });
    expect(mistakes).toHaveLength(4);
    expect(mistakes.filter((mistake) => mistake.includes('looks like a key'))).toHaveLength(3);
    expect(mistakes.join('\n')).not.toMatch(/a1B2|hunter/);
  });
});

describe('templates', () => {
  const template = 'target: {prompt: support, model: agent, template: true}\n';

  test('with a name that a scenario has no value for are mistakes at the place in the prompt', async () => {
    const mistakes = await mistakesOf({
      [suite]: template,
      'prompts/v1.md': 'For {{tenant}}.\r\nPlan: {{ variables.plan }}, {{plan}}, {{nothing}}, \\{{text}}\n',
      [scenario]:
        '- {id: a, message: x, tenant: acme, variables: {plan: x}}\n- {id: b, message: x, tenant: acme}\n',
    });
    expect(mistakes).toEqual([
      'prompts/v1.md:2:7: {{variables.plan}} has no value in scenario "b"',
      'prompts/v1.md:2:29: {{plan}} is no name that a scenario gives a value; did you mean {{variables.plan}}?',
      expect.stringMatching(/^prompts\/v1\.md:2:39: \{\{nothing\}\} is no name/),
    ]);
  });

  test('are looked for in the candidate too, and not at all where the suite does not ask', async () => {
    const files = {
      '.evalrc.json': JSON.stringify({
        models: { agent: 'simulated:support' },
        prompts: { support: { deployed: 'prompts/v1.md', candidate: 'prompts/v2.md' } },
      }),
      'prompts/v2.md': '{{oops}}',
      [scenario]: one,
    };
    expect(await mistakesOf(files)).toEqual([]);
    expect(await mistakesOf({ ...files, [suite]: template })).toEqual([
      expect.stringMatching(/^prompts\/v2\.md:1:1: \{\{oops\}\}/),
    ]);
  });
});

test('template marks of other engines in data pass through byte for byte', async () => {
  const text = '{# a #} {{tenant}} {% raw %} <% x %> $1 \\n';
  const { scenarios } = await load({
    [scenario]: `id: a\nturns:\n  - user: '${text}'\nfixtures: {t: '${text}'}\n`,
  });
  expect(scenarios[0]).toMatchObject({
    turns: [{ message: text }],
    fixtures: { t: { kind: 'constant', value: text } },
  });
});

test('a fixture is a list of rules only when every item has returns or error', async () => {
  const { scenarios } = await load({
    [scenario]: `${one}fixtures:
  always: {returns: 1}
  empty: []
  mixed: [{returns: 1}, {id: 2}]
  words: [a, b]
  nothing: null
  rules: [{returns: []}, {when: {}, error: gone}]
`,
  });
  expect(scenarios[0]?.fixtures).toEqual({
    always: { kind: 'constant', value: { returns: 1 } },
    empty: { kind: 'constant', value: [] },
    mixed: { kind: 'constant', value: [{ returns: 1 }, { id: 2 }] },
    words: { kind: 'constant', value: ['a', 'b'] },
    nothing: { kind: 'constant', value: null },
    rules: { kind: 'rules', rules: [{ returns: [] }, { when: {}, error: 'gone' }] },
  });
});

test('a pattern takes neither the suite itself nor its tools, and each file once whatever links reach it', async () => {
  const project = await createProject({
    [suite]:
      'target: {prompt: support, model: agent, tools: tools.yaml}\nscenarios: ["**/*.yaml", "!drafts/**"]\n',
    'suites/support/tools.yaml': tools,
    'suites/support/quarantine.yaml': '[]',
    'suites/support/drafts/a.yaml': 'not: finished\n',
    [scenario]: one,
  });
  await symlink('.', join(project.root, 'suites/support/scenarios/a-loop'));
  await symlink('a.yaml', join(project.root, 'suites/support/scenarios/0.yaml'));
  const { scenarios } = await loadSuite(project, 'support', testCatalogue);
  expect(scenarios.map(({ place }) => place.file)).toEqual([scenario]);
});

test.each(['{type: keywords_present, file: words.txt}', '{type: custom, module: words.txt}'])(
  'the file that %s names is part of the hash of its scenario',
  async (check) => {
    const files = {
      [scenario]: `${one}checks: [${check}]\n`,
      'suites/support/words.txt': 'sorry\n',
    };
    const [first] = (await load(files)).scenarios;
    const [same] = (await load(files)).scenarios;
    const [other] = (await load({ ...files, 'suites/support/words.txt': 'regret\n' })).scenarios;
    expect(first?.hash).toBe(same?.hash);
    expect(other?.hash).not.toBe(first?.hash);
  },
);

test('a check is told the folder of the suite, for the files that it names', async () => {
  const mistakes = await mistakesOf({ [scenario]: `${one}checks: [{type: custom, module: check.ts}]\n` });
  expect(mistakes).toEqual([
    expect.stringMatching(/a\.yaml:3:33: there is no .*suites\/support\/check\.ts for custom$/),
  ]);
});
