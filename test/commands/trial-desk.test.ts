import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../source/commands/run.js';
import { trialDeskOf } from '../../source/commands/shared/trial-desk.js';
import { showCommand } from '../../source/commands/show.js';
import { createTrialReader } from '../../source/run/reader.js';
import { readRecording } from '../../source/run/recording.js';
import type { RunPlace } from '../../source/run/runs.js';
import { findRuns } from '../../source/run/runs.js';
import { createFolder } from '../suite/project.js';
import { createIo } from './io.js';

const says = (name: string, text: string) => `name: ${name}\notherwise: {steps: [{say: '${text}'}]}\n`;
const review =
  '{"turns": [{"turn": 1, "right": ["Says hello."], "missed": ["No name."], "too_early": []}], "summary": "Fine."}';

/** A project with a finished run of one trial, whose judge says fail. */
async function judgedRun(models: Record<string, string> = { reviewer: 'simulated:reviewer' }) {
  const root = await createFolder({
    '.evalrc.json': JSON.stringify({
      models: { agent: 'simulated:agent', judge: 'simulated:judge', ...models },
    }),
    'prompts/v1.md': 'You help customers.\n',
    'simulated/agent.yaml': says('agent', 'Hello.'),
    'simulated/judge.yaml': says('judge', '{"reason": "It is curt.", "pass": false}'),
    'simulated/reviewer.yaml': says('reviewer', review),
    'suites/s/suite.yaml':
      'target: {prompt: prompts/v1.md, model: agent}\njudge: {model: judge}\nrepeat: 1\n',
    'suites/s/scenarios/a.yaml':
      '{id: a, message: hi, checks: [{id: kind, type: judge, rubric: Is kind.}]}\n',
  });
  const logs = join(root, 'logs');
  const env = { HOME: root, USER: 'ada', EVALRUN_LOGS: logs, EVALRUN_SIMULATED_LATENCY: '0' };
  const { io, printed } = createIo(root, env);
  await runCommand({ suites: ['s'], plain: true, line: [] }, io);
  const [place] = await findRuns(logs);
  const { journal, folder } = place as RunPlace;
  const { started, trials } = await readRecording(journal);
  const [trial] = trials.values();
  if (!trial || 'missing' in trial) throw new Error('the run has no trial');
  const record = await createTrialReader(journal)(trial.key, trial.positions);
  const desk = await trialDeskOf(io, () => folder)(started);
  const [result] = record.results;
  if (!result) throw new Error('nothing was graded');
  const show = async () => {
    const told = createIo(root, env);
    await showCommand({ trial: 'a#1' }, told.io);
    return told.printed();
  };
  return { root, desk, record, result, show, printed, labels: join(root, 'judges/default.labels.yaml') };
}

describe('the desk of a trial', () => {
  test('writes that somebody agrees or not as a label that is not blind, and takes it back', async () => {
    const { desk, record, result, labels, show } = await judgedRun();
    expect(await desk.readLabels()).toEqual([]);
    const given = await desk.label(record, result, false);
    expect(given.expected).toBe('pass');
    const [label] = await desk.readLabels();
    expect(label).toMatchObject({
      by: 'ada',
      isSighted: true,
      expected: { pass: true },
      judged: { pass: false },
      from: { scenario: 'a', check: 'kind', trial: 1 },
    });
    expect(await show()).toContain(
      "judge uncalibrated: all labels were given with the judge's verdict in view",
    );
    await expect(desk.label(record, result, true)).rejects.toThrow(/labelled already in judges.*:\d+: pass/);
    expect(given.takeBack()).toBe(true);
    expect(await desk.readLabels()).toEqual([]);
    await desk.label(record, result, true);
    writeFileSync(labels, readFileSync(labels, 'utf8').replace('by: ada', 'by: bob'));
    expect((await desk.readLabels())[0]).toMatchObject({ by: 'bob', expected: { pass: false } });
  });

  test('does not label a verdict on a rubric that has changed', async () => {
    const { root, desk, record, result } = await judgedRun();
    writeFileSync(
      join(root, 'suites/s/scenarios/a.yaml'),
      '{id: a, message: hi, checks: [{id: kind, type: judge, rubric: Is polite.}]}\n',
    );
    await expect(desk.label(record, result, true)).rejects.toThrow('the check was changed since');
  });

  test('keeps what the reviewer said with the run, and shows it with the trial', async () => {
    const { desk, record, show } = await judgedRun();
    const turns: number[] = [];
    const { signal } = new AbortController();
    await desk.review(record, { signal, onTurn: (turn) => turns.push(turn) });
    expect(turns.at(-1)).toBe(1);
    expect([...(await desk.readReviews()).values()]).toMatchObject([{ summary: 'Fine.' }]);
    const shown = await show();
    expect(shown).toContain('read by simulated:reviewer reviewer@1; part of no verdict');
    expect(shown).toContain('  agent   Hello.\n  right   Says hello.\n  missed  No name.\n');
  });

  test('keeps nothing of a reading that was ended', async () => {
    const { desk, record } = await judgedRun();
    const stop = new AbortController();
    stop.abort(new Error('cancelled'));
    await expect(desk.review(record, { signal: stop.signal, onTurn() {} })).rejects.toThrow('cancelled');
    expect((await desk.readReviews()).size).toBe(0);
  });

  test('says what is missing where no reviewer is named, and where the reviewer is gone', async () => {
    const none = await judgedRun({});
    expect(none.desk.whyNoReviewer).toContain('name a strong one in .evalrc.json');
    const gone = await judgedRun();
    rmSync(join(gone.root, 'simulated/reviewer.yaml'));
    const { signal } = new AbortController();
    await expect(gone.desk.review(gone.record, { signal, onTurn() {} })).rejects.toThrow('reviewer');
  });
});
