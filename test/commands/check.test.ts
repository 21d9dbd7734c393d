import { describe, expect, test } from 'vitest';
import { checkCommand } from '../../source/commands/check.js';
import { createFolder, type Files } from '../suite/project.js';
import { createIo } from './io.js';

const config = {
  models: { agent: 'simulated:support', judge: 'simulated:judge' },
  prompts: { support: { deployed: 'prompts/v1.md' } },
};
const simulated = (name: string) => `name: ${name}\notherwise: {steps: [{say: Hello.}]}\n`;

const good: Files = {
  '.evalrc.json': JSON.stringify(config),
  'prompts/v1.md': 'You help customers.\n',
  'simulated/support.yaml': simulated('support'),
  'simulated/judge.yaml': simulated('judge'),
  'suites/support/suite.yaml': `target: {prompt: support, model: agent}
judge: {model: judge}
repeat: 6
checks:
  - {type: pattern_absent, pattern: '(?i)full refund'}
`,
  'suites/support/scenarios/a.yaml': `- {id: a, message: hi, checks: [{type: judge, rubric: is kind}]}
- {id: b, message: ho}
`,
  'suites/actions/suite.yaml': 'target: {prompt: prompts/v1.md, model: agent}\n',
  'suites/actions/scenarios/a.jsonl': '{"id":"x","message":"y","expected":{"noop":true}}\n',
};

const noteOfB =
  'note: 1 scenario has no checks of its own in support, so only those of suites/support/suite.yaml can fail there: "b"\n';

async function check(
  files: Files,
  args: Parameters<typeof checkCommand>[0] = { suites: [] },
  env: NodeJS.ProcessEnv = {},
) {
  const root = await createFolder(files);
  const { io, printed } = createIo(root, { HOME: root, ...env });
  const code = await checkCommand(args, io);
  return { code, text: printed().replaceAll(root, '<root>') };
}

describe('evalrun check', () => {
  test('says which folders among the suites are none, where all suites are asked for', async () => {
    const files = { ...good, 'suites/refunds/suit.yaml': 'target: {}\n', 'suites/.cache/x': '' };
    expect((await check(files)).text).toBe(
      `2 suites, 3 scenarios, 4 checks: no mistakes\nnote: suites/refunds is no suite: it has no suite.yaml\n${noteOfB}`,
    );
    expect((await check(files, { suites: ['actions'] })).text).not.toContain('refunds');
  });

  test('says calmly how much it read when nothing is wrong', async () => {
    expect(await check(good)).toEqual({
      code: 0,
      text: `2 suites, 3 scenarios, 4 checks: no mistakes\n${noteOfB}`,
    });
    expect(await check(good, { suites: ['actions'] })).toEqual({
      code: 0,
      text: '1 suite, 1 scenario, 1 check: no mistakes\n',
    });
  });

  test('reports the mistakes of config, suites, scenarios, simulated models and environment together', async () => {
    const { code, text } = await check(
      {
        ...good,
        '.evalrc.json': JSON.stringify(
          {
            ...config,
            prompts: { support: { deployed: 'prompts/v1.md', candidate: 'prompts/v2.md' } },
            gates: {},
          },
          null,
          1,
        ),
        'simulated/support.yaml': 'name: support\nrulse: []\notherwise: {steps: [{say: Hello.}]}\n',
        'suites/support/scenarios/b.yaml': 'id: c\nmessge: x\n',
        'suites/actions/scenarios/a.jsonl': '{"id":"x","message":"y","expectd":{"noop":true}}\n',
      },
      { suites: [] },
      { EVALRUN_REPEAT: 'many' },
    );
    expect(code).toBe(2);
    for (const expected of [
      /^\.evalrc\.json:\d+:\d+: unknown key "gates"; did you mean "gate"\?$/m,
      /^\.evalrc\.json:\d+:\d+: prompt "support \(candidate\)": there is no file prompts\/v2\.md; in prompts there is v1\.md$/m,
      /^simulated\/support\.yaml:2:1: unknown key "rulse"; did you mean "rules"\?$/m,
      /^suites\/support\/scenarios\/b\.yaml:2:1: unknown key "messge"; did you mean "message"\?$/m,
      /^suites\/actions\/scenarios\/a\.jsonl:1:25: unknown key "expectd"; did you mean "expected"\?$/m,
      /^EVALRUN_REPEAT: expected a whole number from 1 to 1000, found "many"$/m,
      /\n\n6 mistakes in 5 files\n$/,
    ]) {
      expect(text).toMatch(expected);
    }
  });

  test('answers a suite that is not there, and still reads the others', async () => {
    const { code, text } = await check(good, { suites: ['suport', 'actions'] });
    expect(code).toBe(2);
    expect(text).toBe('there is no suite "suport"; did you mean "support"?\n\n1 mistake\n');
  });

  test('says so when there are no suites at all', async () => {
    const { code, text } = await check({ '.evalrc.json': '{}' });
    expect(code).toBe(2);
    expect(text).toMatch(/^there are no suites in "suites"; a suite is a folder in it with a suite\.yaml\n/);
  });

  test('points out scenarios in which nothing can fail', async () => {
    const { code, text } = await check({ ...good, 'suites/actions/scenarios/b.yaml': 'id: z\nmessage: x\n' });
    expect(code).toBe(0);
    expect(text).toContain('note: 1 scenario has no checks in actions, so nothing can fail there: "z"\n');
  });

  test('a model that is not there is named at its place: in the config, or in the suite that says it itself', async () => {
    const models = { ...config.models, agent: 'simulated:suport' };
    const inConfig = await check(
      { ...good, '.evalrc.json': JSON.stringify({ ...config, models }, null, 1) },
      { suites: ['actions'] },
    );
    expect(inConfig.code).toBe(2);
    expect(inConfig.text).toMatch(
      /^\.evalrc\.json:3:12: there is no simulated model "suport".+did you mean "support"\?$/m,
    );

    const inSuite = await check({
      ...good,
      'suites/support/suite.yaml':
        'target: {prompt: support, model: agent}\njudge: {model: simulated:jduge, prompt: nobody@1}\nuser: {model: nowhere:x}\n',
    });
    expect(inSuite.text).toMatch(/^suites\/support\/suite\.yaml:2:16: there is no simulated model "jduge"/m);
    expect(inSuite.text).toMatch(/^suites\/support\/suite\.yaml:2:41: .*nobody@1/m);
    expect(inSuite.text).toMatch(
      /^suites\/support\/suite\.yaml:3:15: .*provider that is not known: "nowhere"/m,
    );
    expect(inSuite.text).toMatch(/\n\n3 mistakes\n$/);
  });

  test('a pattern whose \\b the double quotes have taken is a mistake, in checks and in simulated models', async () => {
    const { code, text } = await check({
      ...good,
      'suites/support/scenarios/b.yaml': `id: c
message: x
checks:
  - {type: pattern_present, pattern: "(?i)refund you in full\\b"}
  - {type: tool_called, tool: t, args: {id: {pattern: "\\bW1"}}}
  - {type: judge, rubric: is kind, min_score: nine}
`,
      'simulated/support.yaml': `name: support
rules:
  - {id: a, when: {user: {matches: "\\brefund"}}, steps: [{say: Yes.}]}
otherwise: {steps: [{say: Hello.}]}
`,
    });
    expect(code).toBe(2);
    const hint =
      'the pattern holds a backspace (U+0008), which is what \\b means in double quotes; write it in single quotes, or double the backslash';
    expect(text).toContain(`suites/support/scenarios/b.yaml:4:38: ${hint}`);
    expect(text).toContain(`suites/support/scenarios/b.yaml:5:55: ${hint}`);
    expect(text).toContain(
      'suites/support/scenarios/b.yaml:6:47: expected a whole number from 1 to 5, found the text "nine"',
    );
    expect(text).toContain(`simulated/support.yaml:3:36: ${hint}`);
  });

  test('names the files beside the scenarios that its glob leaves out', async () => {
    const files = {
      ...good,
      'suites/actions/suite.yaml':
        'target: {prompt: prompts/v1.md, model: agent}\nscenarios: scenarios/*.yaml\n',
      'suites/actions/scenarios/b.yaml':
        'id: z\nmessage: x\nchecks: [{type: json_schema, file: scenarios/reply.json}]\n',
      'suites/actions/scenarios/reply.json': '{"type": "object"}',
      'suites/actions/scenarios/deep/c.yaml': 'id: w\nmessage: x\n',
      'suites/actions/scenarios/notes.txt': 'nothing',
    };
    const notesOf = async (more: Files = {}) =>
      (await check({ ...files, ...more }, { suites: ['actions'] })).text.split('\n').slice(1, -1);
    const note = (file: string) =>
      `note: suites/actions/suite.yaml:2:12: ${file} is not read: the glob "scenarios/*.yaml" does not match it`;
    expect(await notesOf()).toEqual([note('scenarios/a.jsonl'), note('scenarios/deep/c.yaml')]);

    const meant = 'target: {prompt: prompts/v1.md, model: agent}\nscenarios: ';
    expect(await notesOf({ 'suites/actions/suite.yaml': `${meant}scenarios/b.yaml\n` })).toEqual([]);
    expect(
      await notesOf({
        'suites/actions/suite.yaml': `${meant}[scenarios/*.yaml, '!**/*.jsonl', '!scenarios/deep/**']\n`,
      }),
    ).toEqual([]);
    expect(
      await notesOf({
        'suites/actions/suite.yaml': `${meant}'*.yaml'\n`,
        'suites/actions/s.yaml': 'id: s\nmessage: x\nchecks: [{type: pattern_absent, pattern: x}]\n',
        'suites/actions/x.jsonl': '{"id":"x"}',
      }),
    ).toEqual([]);
  });

  test('points out a fixture that looks as if it named a file', async () => {
    const { code, text } = await check(
      {
        ...good,
        'suites/actions/suite.yaml':
          'target: {prompt: prompts/v1.md, model: agent}\nchecks: [{type: pattern_absent, pattern: x}]\n',
        'suites/actions/scenarios/a.jsonl':
          '{"id":"x","message":"y","expected":{"noop":true},"fixtures":{"get_order":{"file":"missing.json"},"list":[{"returns":{"file":"l.yaml"}}],"upload":{"file":"photo.png"},"put":{"file":"a.json","size":3}}}\n',
      },
      { suites: ['actions'] },
    );
    expect(code).toBe(0);
    expect(text.match(/^note: .*$/gm)).toEqual([
      'note: suites/actions/scenarios/a.jsonl:1:74: "get_order" answers with the map {file: missing.json} itself, for no file is read here; write the answer in its place, or as a file of --fixtures',
      expect.stringContaining('"list" answers with the map {file: l.yaml} itself'),
    ]);
  });

  test('a variable that sets nothing is a warning with the nearest one, also of those that are no setting', async () => {
    const { code, text } = await check(
      good,
      { suites: ['actions'] },
      {
        EVALRUN_LOG: '/x',
        EVALRUN_SIMULATED_LATENZY: '0',
        EVALRUN_XYZZY: '1',
        EVALRUN_SCENARIO: 'a',
        EVALRUN_LOGS: '/y',
      },
    );
    expect(code).toBe(0);
    expect(text.match(/^warning: .*$/gm)).toEqual([
      'warning: EVALRUN_LOG sets nothing; did you mean EVALRUN_LOGS?',
      'warning: EVALRUN_SIMULATED_LATENZY sets nothing; did you mean EVALRUN_SIMULATED_LATENCY?',
      expect.stringMatching(
        /^warning: EVALRUN_XYZZY sets nothing; variables are EVALRUN_REPEAT, .+ and EVALRUN_THEME$/,
      ),
    ]);
  });

  test('names checks that the judge prompt says nothing about', async () => {
    const { code, text } = await check({
      ...good,
      'judges/narrow@1.md': 'You grade.\n\n## Task: judge\nSay pass or fail.\n',
      'suites/support/suite.yaml':
        'target: {prompt: support, model: agent}\njudge: {model: judge, prompt: narrow@1}\n',
      'suites/support/scenarios/a.yaml':
        '- id: a\n  message: hi\n  checks:\n    - {type: judge, rubric: is kind}\n    - {type: refusal}\n',
    });
    expect(code).toBe(2);
    expect(text).toContain(
      'suites/support/scenarios/a.yaml:5:7: the judge prompt narrow@1 says nothing of the task "refusal"',
    );
  });

  test('looks for simulated models and judge prompts that a suite names', async () => {
    const { code, text } = await check({
      ...good,
      '.evalrc.json': JSON.stringify({ ...config, models: { ...config.models, agent: 'simulated:suport' } }),
      'suites/support/suite.yaml':
        'target: {prompt: support, model: agent}\njudge: {model: judge, prompt: nobody@1}\n',
    });
    expect(code).toBe(2);
    expect(text).toMatch(/suport/);
    expect(text).toMatch(/nobody@1/);
  });

  test('shows nothing of a file as a terminal would obey it', async () => {
    const { text } = await check({
      ...good,
      'suites/support/scenarios/b\u001b[31m.yaml': '{"\\e[2J": 1}\n',
    });
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text).toContain('[31m.yaml:1:2: unknown key');
  });
});

describe('evalrun check --show-config', () => {
  test('prints each value and where it came from', async () => {
    const { code, text } = await check(
      { ...good, '.evalrc.json': JSON.stringify({ ...config, run: { concurrency: 2 } }) },
      { suites: [], showConfig: true },
      { EVALRUN_ATTEMPTS: '2', EVALRUN_REPAET: '9' },
    );
    expect(code).toBe(0);
    for (const row of [
      /^root +<root> +\.evalrc\.json$/m,
      /^suites +suites +default$/m,
      /^logs +\S+evalrun-test-\S+ +default \(the user's data folder\) +EVALRUN_LOGS$/m,
      /^models\.agent +simulated:support +\.evalrc\.json$/m,
      /^prompts\.support\.deployed +prompts\/v1\.md +\.evalrc\.json$/m,
      /^repeat +3 +default +EVALRUN_REPEAT$/m,
      /^concurrency +2 +\.evalrc\.json +EVALRUN_CONCURRENCY$/m,
      /^trialTimeoutSeconds +180 +default +EVALRUN_TRIAL_TIMEOUT_SECONDS$/m,
      /^attempts +2 +environment +EVALRUN_ATTEMPTS$/m,
      /^minCoverage +0\.95 +default +EVALRUN_MIN_COVERAGE$/m,
      /^seed +made up by each run +default +EVALRUN_SEED$/m,
      /^simulated latency +1 +default +EVALRUN_SIMULATED_LATENCY$/m,
      /^plain writer +off +default +EVALRUN_PLAIN_WRITER$/m,
      /^repeat in support +6 +suites\/support\/suite\.yaml$/m,
      /^warning: EVALRUN_REPAET sets nothing; did you mean EVALRUN_REPEAT\?$/m,
      /\n\n2 suites, 3 scenarios, 4 checks: no mistakes\n/,
    ]) {
      expect(text).toMatch(row);
    }
  });

  test('shows no suite as overriding what the environment says', async () => {
    const { text } = await check(good, { suites: [], showConfig: true }, { EVALRUN_REPEAT: '2' });
    expect(text).toMatch(/^repeat +2 +environment +EVALRUN_REPEAT$/m);
    expect(text).not.toContain('repeat in support');
  });
});
