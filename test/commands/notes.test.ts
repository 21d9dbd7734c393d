import path from 'node:path';
import { expect, test } from 'vitest';
import { attributeCommand } from '../../source/commands/attribute.js';
import { runCommand } from '../../source/commands/run.js';
import { createFolder } from '../suite/project.js';
import { createIo } from './io.js';

const fromMachine =
  'warning: EVALRUN_REPAET sets nothing; did you mean EVALRUN_REPEAT?\n' +
  'warning: the key in LOCAL_KEY has fewer than 8 characters, too few to be kept out of replies and reports\n';

/** A project with a file that no glob matches, on a machine with a stray variable and a key that is too short. */
async function openProject() {
  const root = await createFolder({
    '.evalrc.json': JSON.stringify({
      models: { agent: 'simulated:support' },
      prompts: { desk: { deployed: 'prompts/v1.md', candidate: 'prompts/v2.md' } },
      providers: {
        local: { api: 'openai-chat', baseURL: 'http://127.0.0.1:1/v1', keyEnv: 'LOCAL_KEY' },
        gateway: { api: 'openai-chat', baseURL: 'http://127.0.0.1:1/v1', keyEnv: 'GATEWAY_KEY' },
      },
    }),
    'prompts/v1.md': 'You help customers.\n',
    'prompts/v2.md': 'You help customers well.\n',
    'simulated/support.yaml': 'name: support\notherwise: {steps: [{say: Hello.}]}\n',
    'suites/desk/suite.yaml': 'target: {prompt: desk, model: agent}\nscenarios: scenarios/*.yaml\n',
    'suites/desk/scenarios/a.yaml': 'id: a\nmessage: hi\nchecks: [{type: pattern_present, pattern: Hello}]\n',
    'suites/desk/scenarios/b.jsonl': '{"id": "b", "message": "ho"}\n',
  });
  const { io } = createIo(root, {
    HOME: root,
    EVALRUN_LOGS: path.join(root, 'runs'),
    EVALRUN_SIMULATED_LATENCY: '0',
    EVALRUN_REPAET: '9',
    LOCAL_KEY: 'ollama',
    GATEWAY_KEY: 'marked-key-1',
  });
  const told: string[] = [];
  const stderr = { write: (text: string) => told.push(text) > 0 } as NodeJS.WriteStream;
  return { io: { ...io, stderr }, told };
}

test('a run without a screen tells on standard error of files that are not read variables that set nothing and keys that are too short', async () => {
  const { io, told } = await openProject();
  expect(await runCommand({ suites: ['desk'], dryRun: true, line: [] }, io)).toBe(0);
  expect(told.join('')).toBe(
    'note: suites/desk/suite.yaml:2:12: scenarios/b.jsonl is not read: the glob "scenarios/*.yaml" does not match it\n' +
      fromMachine,
  );
});

test('so does an attribution, and a run that is taken up again', async () => {
  const { io, told } = await openProject();
  expect(await attributeCommand({ dryRun: true, line: [] }, io)).toBe(0);
  expect(told.join('')).toContain(fromMachine);

  expect(
    await runCommand({ suites: ['desk'], maxTokens: '1', concurrency: '1', plain: true, line: [] }, io),
  ).toBe(130);
  told.length = 0;
  await runCommand({ suites: [], resume: 'last', plain: true, line: [] }, io);
  expect(told.join('')).toContain(fromMachine);
});
