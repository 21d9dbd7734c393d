import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBackend } from './example-backend.js';
import { copyOf, root } from './support.js';

/** Bisects the two prompts of an example with the built program, and gives what it printed. */
async function bisect(suite: string, scenario: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const args = ['bisect', suite, '--scenario', scenario, '--strategy', 'auto', '--seed', '7', '--plain'];
  const { stdout, stderr, code } = await copyOf(path.join(root, 'examples')).start(args, env).finished;
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('a bisect of an example', () => {
  it('finds the words in a prompt that reaches a backend as a field of a request', async () => {
    const printed = await bisect('http-backend', 'panic-on-the-train', await startBackend());
    expect(printed).toContain(
      'FOUND: hunk 2 of 5, Be concise and practical: offer an… − Acknowledge what the…, believed',
    );
    expect(printed).toContain('- Acknowledge what the person feels before anything else.');
    expect(printed).toContain('the rest of the suite on the narrowed prompt, once: 2 of 2 pass');
  }, 120_000);

  it.runIf(hasPython)(
    'finds them where a program reads them from a file',
    async () => {
      const printed = await bisect('python-command', 'past-the-window');
      expect(printed).toContain(
        'FOUND: hunk 3 of 4, be generous when a customer is… − never promise money:…, believed',
      );
      expect(printed).toContain('- After that never promise money');
    },
    120_000,
  );

  it('finds them where a program reads them from a variable', async () => {
    const printed = await bisect('javascript-command', 'two-intents-one-message');
    expect(printed).toContain('FOUND: hunk 2 of 4, the action that they ask for.');
    expect(printed).toContain('- Turn the message of a person into several actions');
  }, 120_000);

  it('takes the model that a product was said to have answered with in the red run', async () => {
    const { run } = copyOf(path.join(root, 'examples'));
    const line = ['run', 'typescript-module', '--candidate', '--baseline', 'v1', '--model', 'gpt-of-then'];
    const red = await run([...line, '--repeat', '3', '--seed', '7', '--plain']);
    expect(red.code, red.stderr).toBe(1);
    const [, runId] = /^run (\S+)/m.exec(red.stdout) ?? [];
    const { stdout } = await run(['bisect', 'typescript-module', '--dry-run']);
    expect(stdout).toContain(`confirmed by run ${runId}`);
    // The same conditions: what they did in that run is known.
    const rate = String.raw`passes \d+ % \(\d+/\d+ in run ${runId}\)`;
    expect(stdout).toMatch(new RegExp(`rates +v1 ${rate}; v2 ${rate}`));
  }, 60_000);

  it('finds them where a module is given them, one copy of it a prompt', async () => {
    const printed = await bisect('typescript-module', 'asks-again');
    expect(printed).toContain(
      'FOUND: hunk 3 of 4, Do not waste time: other people are… − Stay patient: people…, believed',
    );
    expect(printed).toContain('the rest of the suite on the narrowed prompt, once: 1 of 1 pass');
  }, 120_000);
});
