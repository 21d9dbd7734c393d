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
  test('says calmly how much it read when nothing is wrong', async () => {
    expect(await check(good)).toEqual({ code: 0, text: '2 suites, 3 scenarios, 4 checks: no mistakes\n' });
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
      /^logs +\S+evalrun-test-\S+ +default \(the user's data folder\)$/m,
      /^models\.agent +simulated:support +\.evalrc\.json$/m,
      /^prompts\.support\.deployed +prompts\/v1\.md +\.evalrc\.json$/m,
      /^repeat +3 +default$/m,
      /^concurrency +2 +\.evalrc\.json$/m,
      /^attempts +2 +environment EVALRUN_ATTEMPTS$/m,
      /^seed +made up by each run +default$/m,
      /^repeat in support +6 +suites\/support\/suite\.yaml$/m,
      /^note: EVALRUN_REPAET sets nothing; did you mean EVALRUN_REPEAT\?$/m,
      /\n\n2 suites, 3 scenarios, 4 checks: no mistakes\n$/,
    ]) {
      expect(text).toMatch(row);
    }
  });

  test('shows no suite as overriding what the environment says', async () => {
    const { text } = await check(good, { suites: [], showConfig: true }, { EVALRUN_REPEAT: '2' });
    expect(text).toMatch(/^repeat +2 +environment EVALRUN_REPEAT$/m);
    expect(text).not.toContain('repeat in support');
  });
});
