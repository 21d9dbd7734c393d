import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAndConfirm } from '../../source/commands/shared/confirm-run.js';
import { judgeRun } from '../../source/compare/judge-run.js';
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

const scenarios = ['broken', 'unlucky', 'sound'].map((id) =>
  scenario(id, ['hello'], [patternCheck('agrees', 'yes')]),
);

/** Its candidate is broken in one scenario, and in another only its first trials fail. */
const candidate = targetThat(({ scenario: id, seed }) => {
  if (id === 'broken') return reply('no');
  const isEarly = id === 'unlucky' && early.has(seed);
  return reply(isEarly ? 'no' : 'yes');
});
const early = new Set<string>();
const base = targetThat(() => reply('yes'));

const conditions: RunParts['conditions'] = [
  { condition: condition('a', 'v2'), target: candidate },
  { condition: condition('b', 'v1'), target: base },
];
const judging = { gate: defaultGate };

function options(folder: string, observed: ReturnType<typeof observe>) {
  return {
    ...runOptions(folder, observed, { scenarios }),
    conditions,
    repeat: 3,
    base: { kind: 'condition' as const, condition: 'b' },
    gate: defaultGate,
  };
}

/** A run with its confirmation, from start to end. */
async function confirmedRun() {
  const logs = await temporaryFolder();
  const observed = observe();
  const run = await startRun(options(logs, observed));
  for (let repeat = 1; repeat <= 3; repeat++) early.add(seedOf(repeat));
  await runAndConfirm(run, observed.keeper, judging);
  await run.close();
  return { run, observed, judgement: judgeRun(tallyOf(observed), judging) };
}

function seedOf(repeat: number): string {
  return trialSeed('7', 'tiny', 'unlucky', repeat);
}

describe('a run with suspects', () => {
  it('runs them again on both sides, and only what holds blocks', async () => {
    const { observed, judgement } = await confirmedRun();
    const extended = eventsOf(observed, 'plan-extended');
    expect(extended.map(({ scenario: id, condition: on, confirms }) => [id, on, confirms])).toEqual([
      ['broken', 'a', true],
      ['broken', 'b', true],
      ['unlucky', 'a', true],
      ['unlucky', 'b', true],
    ]);
    const proofs = judgement.comparison?.changes.map(({ scenario: id, proof }) => [id, proof]);
    expect(proofs).toEqual([
      ['broken', 'confirmed'],
      ['unlucky', 'not-confirmed'],
    ]);
    expect(judgement.decision).toMatchObject({ exitCode: 1, verdict: 'fail' });
    expect(judgement.decision.blocking?.map((one) => one.scenario)).toEqual(['broken']);
  });

  it('ends the same wherever it was killed while it confirmed', async () => {
    const { run, judgement } = await confirmedRun();
    const journal = await readFile(path.join(run.folder, journalFile), 'utf8');
    const lines = journal.split('\n');
    const first = lines.findIndex((line) => line.includes('"run-finished"'));
    for (let keep = first; keep < lines.length; keep += 3) {
      const folder = path.join(await temporaryFolder(), run.runId);
      await mkdir(folder);
      await writeFile(path.join(folder, journalFile), `${lines.slice(0, keep).join('\n')}\n{"half`);
      const observed = observe();
      const again = await resumeRun({ ...options(folder, observed), folder });
      await runAndConfirm(again, observed.keeper, judging);
      await again.close();
      const resumed = judgeRun(tallyOf(observed), judging);
      expect(resumed.decision).toEqual(judgement.decision);
      expect(resumed.comparison?.changes).toEqual(judgement.comparison?.changes);
    }
  });

  it('runs nothing again where the gate does not confirm, or nothing could block', async () => {
    for (const gate of [
      { ...defaultGate, confirm: false },
      { ...defaultGate, failOn: ['tokens' as const] },
    ]) {
      const observed = observe();
      const run = await startRun({ ...options(await temporaryFolder(), observed), gate });
      await runAndConfirm(run, observed.keeper, { gate });
      await run.close();
      expect(eventsOf(observed, 'plan-extended')).toEqual([]);
    }
  });
});
