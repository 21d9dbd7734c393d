import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tinyProject } from './support.js';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const scenario = 'delay-certificate-keeps-flight';

/** The shipped project with one run of the conversation that its simulated reviewer knows, and of one that it does not. */
async function reviewedProject() {
  const project = tinyProject();
  rmSync(path.join(project.folder, 'suites'), { recursive: true });
  for (const name of ['suites', 'prompts', 'simulated', 'judges', '.evalrc.json'])
    cpSync(path.join(root, name), path.join(project.folder, name), { recursive: true });
  const run = (args: string[]) => project.run(args, { EVALRUN_SIMULATED_LATENCY: '0' });
  const names = ['--scenario', scenario, '--scenario', 'sick-cat-in-emoji'];
  await run(['run', 'support-agent', '--candidate', ...names, '--seed', '7', '--plain']);
  const suite = path.join(project.logs, 'support-agent');
  const saved = () =>
    readFileSync(path.join(suite, readdirSync(suite)[0] ?? '', 'reviews.jsonl'), 'utf8')
      .trim()
      .split('\n');
  return { run, saved };
}

describe('evalrun review --transcript', () => {
  it('says turn by turn what was right, missed and too early, and keeps it beside the run', async () => {
    const { run, saved } = await reviewedProject();
    const args = ['review', '--transcript', '--trial', `${scenario}#1`];
    const { stdout, code } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toContain(`${scenario}   trial 1   read by simulated:reviewer reviewer@1`);
    expect(stdout).toContain('Look at turn 3');
    expect(stdout).toMatch(
      /turn 4 {3}A travel voucher.*\n {2}right {6}Waits for the yes.*\n {2}too early {2}Calls send_certificate/,
    );
    expect(saved()).toHaveLength(1);
    expect(JSON.parse(saved()[0] ?? '')).toMatchObject({
      trial: { scenario, repeat: 1 },
      model: 'simulated:reviewer',
    });
    // Asked again, it comes from there.
    expect((await run(args)).stdout).toBe(stdout);
    expect(saved()).toHaveLength(1);
  });

  it('changes no verdict of the run', async () => {
    const { run } = await reviewedProject();
    const verdicts = async () => JSON.parse((await run(['show', 'last', '--json'])).stdout).runs[0].verdicts;
    const before = await verdicts();
    await run(['review', '--transcript']);
    expect(await verdicts()).toEqual(before);
  });

  it('reads the planned trials that do not pass when none is named, neither what confirmed them nor the base', async () => {
    const { run } = await reviewedProject();
    const [{ scenarios }] = JSON.parse((await run(['show', 'last', '--json'])).stdout).runs;
    const [tried, base] = scenarios[0].conditions;
    expect([tried.trials.length, base.trials.length]).toEqual([9, 9]);
    const read = async (...args: string[]) => {
      const { reviews } = JSON.parse((await run(['review', '--transcript', '--json', ...args])).stdout);
      return reviews.map(({ trial }: { trial: { scenario: string; repeat: number } }) => [
        trial.scenario,
        trial.repeat,
      ]);
    };
    const planned = [1, 2, 3].map((repeat) => [scenario, repeat]);
    expect(await read()).toEqual(planned);
    expect(await read('--trial', scenario)).toEqual(planned);
    expect(await read('--trial', `${scenario}#4`)).toEqual([[scenario, 4]]);
  });

  it('says that an answer could not be read, and asks again another time', async () => {
    const { run, saved } = await reviewedProject();
    const args = ['review', '--transcript', '--trial', 'sick-cat-in-emoji#1'];
    const { stdout, code } = await run(args);
    expect(code).toBe(3);
    expect(stdout).toContain('no review: the answer could not be read: it holds no JSON object');
    await run(args);
    expect(saved()).toHaveLength(2);
  });

  it('names the scenario that was probably meant', async () => {
    const { run } = await reviewedProject();
    const { stderr, code } = await run(['review', '--transcript', '--trial', 'sick-cat-in-emoji-1#1']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "sick-cat-in-emoji"?');
    expect((await run(['review', '--trial', scenario])).stderr).toContain('--trial goes with --transcript');
  });
});
