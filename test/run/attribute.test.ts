import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../source/base/random.js';
import { runAndConfirm } from '../../source/commands/shared/confirm-run.js';
import { judgeRun } from '../../source/compare/judge-run.js';
import { ModelError } from '../../source/model/types.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import type { RunParts } from '../../source/run/parts.js';
import { trialSeed } from '../../source/run/plan.js';
import { resumeRun } from '../../source/run/resume.js';
import { journalFile } from '../../source/run/run-folder.js';
import { startRun } from '../../source/run/start.js';
import {
  condition,
  eventsOf,
  observe,
  patternCheck,
  reply,
  runOptions,
  scenario,
  tallyOf,
  targetThat,
  temporaryFolder,
} from './support.js';

const scenarios = ['broken', 'cured', 'unlucky', 'flaky', 'sound'].map((id) =>
  scenario(id, ['hello'], [patternCheck('agrees', 'yes')]),
);

/** Repeats of a scenario by the seeds of their trials: the draws of both conditions are the same. */
const seeds = (id: string, repeats: readonly number[]) =>
  new Set(repeats.map((repeat) => trialSeed('7', 'tiny', id, repeat)));
const early = seeds('unlucky', [1, 2]);
const second = seeds('flaky', [2]);

const versionA = targetThat(({ scenario: id, seed }) =>
  reply(id === 'cured' || (id === 'flaky' && second.has(seed)) ? 'no' : 'yes'),
);
const versionB = targetThat(({ scenario: id, seed }) =>
  reply(id === 'broken' || (id === 'unlucky' && early.has(seed)) ? 'no' : 'yes'),
);
const conditions: RunParts['conditions'] = [
  { condition: condition('a', 'v1'), target: versionA },
  { condition: condition('b', 'v2'), target: versionB },
];
const judging = { gate: defaultGate };

function options(folder: string, observed: ReturnType<typeof observe>, of = scenarios) {
  return {
    ...runOptions(folder, observed, { scenarios: of }),
    conditions,
    repeat: 2,
    base: { kind: 'condition' as const, condition: 'a' },
    purpose: 'attribution' as const,
    gate: defaultGate,
  };
}

async function attributed(of = scenarios) {
  const observed = observe();
  const run = await startRun(options(await temporaryFolder(), observed, of));
  await runAndConfirm(run, observed.keeper, judging);
  await run.close();
  return { run, observed, judgement: judgeRun(tallyOf(observed), judging) };
}

describe('an attribution', () => {
  it('runs what is stable and different again, four a side, and confirms what holds', async () => {
    const { observed, judgement } = await attributed();
    expect(
      eventsOf(observed, 'plan-extended').map(({ scenario: id, condition: on, from, to, confirms }) => [
        id,
        on,
        to - from + 1,
        confirms,
      ]),
    ).toEqual([
      ['broken', 'a', 4, true],
      ['broken', 'b', 4, true],
      ['cured', 'a', 4, true],
      ['cured', 'b', 4, true],
      ['unlucky', 'a', 4, true],
      ['unlucky', 'b', 4, true],
    ]);
    expect(
      judgement.attribution?.checks.map(({ scenario: id, attribution, direction }) => [
        id,
        attribution,
        direction,
      ]),
    ).toEqual([
      ['broken', 'confirmed', 'worse'],
      ['cured', 'confirmed', 'better'],
      ['unlucky', 'noise', 'worse'],
      ['flaky', 'noise', undefined],
    ]);
    expect(judgement.decision).toMatchObject({
      exitCode: 1,
      verdict: 'fail',
      headline: 'FAIL: 1 criterion is confirmed worse under b than under a (1 the same, 1 better, 2 noise)',
    });
    expect(judgement.decision.reasons).toContain('A/A flips on the way: a 1 of 5 checks, b 0 of 5 checks');
    expect(judgement.decision.reasons[0]).toBe(
      'confirmed worse: broken / agrees: 2/2 → 0/2, re-run 4/4 → 0/4, p <0.001',
    );
  });

  it('is exit code 0 where nothing is confirmed worse, whatever fails under both', async () => {
    const { judgement } = await attributed(scenarios.filter(({ id }) => id !== 'broken'));
    expect(judgement.decision).toMatchObject({ exitCode: 0, verdict: 'pass' });
    expect(judgement.decision.headline).toMatch(/^PASS: nothing is confirmed worse under b than under a/);
  });

  it('says the same wherever it was killed', async () => {
    const { run, judgement } = await attributed();
    const journal = await readFile(path.join(run.folder, journalFile), 'utf8');
    const lines = journal.split('\n');
    for (let keep = 1; keep < lines.length; keep += 9) {
      const folder = path.join(await temporaryFolder(), run.runId);
      await mkdir(folder);
      await writeFile(path.join(folder, journalFile), `${lines.slice(0, keep).join('\n')}\n{"half`);
      const observed = observe();
      const again = await resumeRun({ ...options(folder, observed), folder });
      await runAndConfirm(again, observed.keeper, judging);
      await again.close();
      const resumed = judgeRun(tallyOf(observed), judging);
      expect(resumed.decision).toEqual(judgement.decision);
    }
  });

  it('is no evidence while it is not complete', async () => {
    const observed = observe();
    const run = await startRun(options(await temporaryFolder(), observed));
    run.stop();
    await run.start();
    await run.close();
    const { decision, attribution } = judgeRun(tallyOf(observed), judging);
    expect(attribution).toBeUndefined();
    expect(decision).toMatchObject({ exitCode: 130, verdict: 'interrupted' });
  });
});

describe('a run of the same condition twice', () => {
  const flaky = targetThat(({ scenario: id, seed }) =>
    reply(id === 'flaky' && createRandom(seed).next() < 0.5 ? 'no' : 'yes'),
  );
  const twice: RunParts['conditions'] = [
    { condition: condition('a', 'v1'), target: flaky },
    { condition: condition('b', 'v1'), target: flaky },
  ];

  async function measured(target = twice) {
    const observed = observe();
    const { base: _, ...rest } = options(await temporaryFolder(), observed);
    const run = await startRun({ ...rest, conditions: target, repeat: 3, purpose: 'aa' });
    await runAndConfirm(run, observed.keeper, judging);
    await run.close();
    return judgeRun(tallyOf(observed), judging);
  }

  it('measures: what flips is named, what it means for the gate is said, and nothing fails', async () => {
    const { decision, noise } = await measured();
    expect(decision).toMatchObject({ exitCode: 0, verdict: 'measured' });
    expect(decision.headline).toMatch(/^MEASURED: \d of 5 checks flipped between two runs/);
    expect(noise?.noisy.map(({ scenario: id }) => id)).toEqual(['flaky']);
    expect(decision.reasons.at(-1)).toMatch(
      /^noise floor \(\d+ \w+, 30 trials\): this gate goes red by chance in .* of runs, and /,
    );
  });

  it('measures nothing where it is tainted', async () => {
    const refused = targetThat(() => {
      throw new ModelError('auth', 'the key is refused');
    });
    const { decision, noise } = await measured(twice.map((one) => ({ ...one, target: refused })));
    expect(noise).toBeUndefined();
    expect(decision.exitCode).toBe(3);
  });
});
