import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hashCommandFiles } from '../../source/commands/shared/source-files.js';
import { scenario, suiteOf, temporaryFolder } from '../run/support.js';

/** A suite in a project, whose target is this command. */
async function project(command: string[], check?: Record<string, string | string[]>) {
  const root = await temporaryFolder();
  const folder = path.join(root, 'suites');
  mkdirSync(path.join(folder, 'bot'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);
  write('suites/bot/agent.py', 'print("yes")');
  write('suites/bot/agent.json', '{}');
  write('suites/plain.ts', 'export default () => true');
  const place = { file: 'x.yaml', line: 1, column: 1 };
  const checks = check ? [{ id: 'own', type: 'custom', args: check, place }] : [];
  const suite = {
    ...suiteOf([scenario('one', ['hello'], checks)]),
    folder,
    target: { kind: 'command' as const, command, cwd: folder, env: {}, timeoutSeconds: 60 },
  };
  return { hashes: () => hashCommandFiles(root, suite as never, false), write };
}

it('the files that the command of a target names are told by their hashes, and change with what is in them', async () => {
  const { hashes, write } = await project([
    'python3',
    'bot/agent.py',
    '--config=bot/agent.json',
    'bot',
    'serve',
    '',
  ]);
  const before = await hashes();
  expect(Object.keys(before)).toEqual(['command suites/bot/agent.py', 'command suites/bot/agent.json']);
  write('suites/bot/agent.py', 'print("no")');
  const after = await hashes();
  expect(after['command suites/bot/agent.py']).not.toBe(before['command suites/bot/agent.py']);
  expect(after['command suites/bot/agent.json']).toBe(before['command suites/bot/agent.json']);
});

it('files out of the project are not the project’s: a program of the machine may be updated', async () => {
  const { hashes } = await project([process.execPath, '/etc/hosts', '../../outside.py']);
  expect(await hashes()).toEqual({});
});

it('the files of custom checks are told too, of modules and of commands', async () => {
  const module = await project(['true'], { module: 'plain.ts' });
  expect(Object.keys(await module.hashes())).toEqual(['check suites/plain.ts']);
  const command = await project(['true'], { command: ['python3', 'bot/agent.py'] });
  expect(Object.keys(await command.hashes())).toEqual(['check suites/bot/agent.py']);
});
