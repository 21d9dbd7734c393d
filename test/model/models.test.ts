import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModel, parseModelReference } from '../../source/model/models.js';
import { createFakeClock } from './fake-clock.js';
import { ask } from './simulated/make.js';

let simulatedFolder = '';

beforeAll(async () => {
  simulatedFolder = await mkdtemp(join(tmpdir(), 'evalrun-simulated-'));
  const behaviours = (name: string) => `name: ${name}\notherwise: {steps: [{say: "I am ${name}."}]}\n`;
  await writeFile(join(simulatedFolder, 'support-agent.yaml'), behaviours('support-agent'));
  await writeFile(join(simulatedFolder, 'judge.yaml'), behaviours('judge'));
  await writeFile(join(simulatedFolder, 'broken.yaml'), 'name: other\nrules: 7\n');
  await writeFile(join(simulatedFolder, 'notes.md'), 'not a model');
});

afterAll(() => rm(simulatedFolder, { recursive: true }));

const open = (reference: string, env: Record<string, string> = { EVALRUN_SIMULATED_LATENCY: '0' }) =>
  openModel(reference, { simulatedFolder, clock: createFakeClock(), env });

describe('opening a model', () => {
  it('gives a model that is called as it was asked for', async () => {
    const model = await open('simulated:support-agent');
    expect(model.name).toBe('simulated:support-agent');
    expect((await ask(model, 'hi')).text).toBe('I am support-agent.');
  });

  it('names the form of a reference, the known providers, and the models that there are', async () => {
    await expect(open('support-agent')).rejects.toThrow(
      '"support-agent" names no model; write provider:model',
    );
    await expect(open('simulate:judge')).rejects.toThrow('did you mean "simulated"?');
    await expect(open('acme:judge')).rejects.toThrow('known providers: "simulated"');
    await expect(open('simulated:suport-agent')).rejects.toThrow('did you mean "support-agent"?');
    await expect(open('simulated:x')).rejects.toThrow(
      'known simulated models: "broken", "judge" and "support-agent"',
    );
  });

  it('leaves the folder by no name', async () => {
    await expect(open('simulated:../judge')).rejects.toThrow('there is no simulated model "../judge"');
  });

  it('says that there are none where the folder is missing', async () => {
    const options = { simulatedFolder: join(simulatedFolder, 'none'), clock: createFakeClock(), env: {} };
    await expect(openModel('simulated:judge', options)).rejects.toThrow('there are no simulated models');
  });

  it('reports the mistakes of its file, and a latency that is no number, with exit code 2', async () => {
    await expect(open('simulated:broken')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/\/broken\.yaml:1:7: the name must be that of the file, "broken"/),
    });
    await expect(open('simulated:judge', { EVALRUN_SIMULATED_LATENCY: 'slow' })).rejects.toMatchObject({
      exitCode: 2,
    });
  });
});

it('a reference is split at its first colon, since names of models hold colons too', () => {
  expect(parseModelReference('local:llama3:8b')).toEqual({ provider: 'local', model: 'llama3:8b' });
  for (const none of ['', 'agent', ':x', 'x:']) expect(parseModelReference(none)).toBeUndefined();
});
