import { describe, expect, test } from 'vitest';
import { InputError } from '../../source/base/errors.js';
import { runCommand } from '../../source/commands/run.js';
import { createFolder } from '../suite/project.js';
import { createIo } from './io.js';

const suite = (strict: boolean) => `target: {prompt: prompts/v1.md, model: agent}
judge: {model: judge, strict: ${strict}}
`;

/** What a dry run says where agent and judge are these models. */
async function plan(agent: string, judge: string, options: { strict?: boolean; vendor?: unknown } = {}) {
  const gateway = { api: 'openai-chat', baseURL: 'http://127.0.0.1:9/v1', vendor: options.vendor };
  const root = await createFolder({
    '.evalrc.json': JSON.stringify({
      models: { agent, judge },
      providers: {
        gateway,
        house: { api: 'openai-chat', baseURL: 'http://127.0.0.1:9/v1', vendor: 'Mistral' },
      },
    }),
    'prompts/v1.md': 'You help customers.\n',
    'suites/s/suite.yaml': suite(options.strict ?? false),
    'suites/s/scenarios/a.yaml': '{id: a, message: hi, checks: [{type: judge, rubric: Is kind.}]}\n',
  });
  const { io, printed } = createIo(root, { HOME: root });
  await runCommand({ suites: ['s'], dryRun: true, line: [] }, io);
  return printed();
}

describe('the vendors of agent and judge', () => {
  test('are named by the config where they are reached through gateways', async () => {
    expect(await plan('gateway:a', 'house:b', { vendor: 'mistral' })).toContain(
      'agent and judge are both of mistral: judges are lenient towards their own kind',
    );
    const byModel = { vendor: { 'anthropic/*': 'anthropic', 'mistral/*': 'mistral' } };
    expect(await plan('gateway:mistral/large', 'house:b', byModel)).toContain('both of mistral');
    expect(await plan('gateway:anthropic/haiku', 'house:b', byModel)).not.toMatch(/vendor|both of/);
  });

  test('are said to be unknown, once, where nobody named one', async () => {
    const printed = await plan('gateway:a', 'house:b');
    const told = printed.split('\n').filter((line) => line.includes('vendor'));
    expect(told).toEqual([
      '  whether agent and judge are of one vendor is not known: say whose gateway:a is with "vendor" of the provider gateway in .evalrc.json',
    ]);
  });

  test('must be known to differ where the suite is strict', async () => {
    const refused = async (vendor?: string) => {
      const error = await plan('gateway:a', 'house:b', { strict: true, vendor }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InputError);
      return (error as InputError).problems[0];
    };
    expect(await refused('mistral')).toMatchObject({ file: 'suites/s/suite.yaml', line: 2 });
    expect((await refused('mistral'))?.message).toContain('both of mistral');
    expect((await refused())?.message).toContain('is not known');
    expect(await plan('gateway:a', 'house:b', { strict: true, vendor: 'alibaba' })).toContain('judge');
  });
});
