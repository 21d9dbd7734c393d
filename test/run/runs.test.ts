import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultGate } from '../../source/project/gate-settings.js';
import { createTallyKeeper } from '../../source/report/summary.js';
import { deleteRun } from '../../source/run/delete-run.js';
import { lockJournal } from '../../source/run/lock.js';
import { findRun, findRuns, listRuns, rebuildSummaries } from '../../source/run/runs.js';
import { startRun } from '../../source/run/start.js';
import { observe, runOptions, scenario, temporaryFolder } from './support.js';

const judging = { gate: defaultGate };

/** A logs folder with empty runs of these ids. */
async function logsWith(runs: [suite: string, runId: string][]): Promise<string> {
  const logs = await temporaryFolder();
  for (const [suite, runId] of runs) await mkdir(path.join(logs, suite, runId), { recursive: true });
  return logs;
}

it('a run is deleted with its folder and nothing else, and not while a process writes it', async () => {
  const logs = await logsWith([
    ['one', '20261130-142530-aaaa'],
    ['one', '20261201-090000-bbbb'],
  ]);
  const place = await findRun(logs, '20261130-142530-aaaa');
  await writeFile(place.journal, '');
  const lock = await lockJournal(place.journal);
  await expect(deleteRun(place)).rejects.toThrow('is writing');
  expect(await findRuns(logs)).toHaveLength(2);
  await lock.release();
  await deleteRun(place);
  expect((await findRuns(logs)).map(({ runId }) => runId)).toEqual(['20261201-090000-bbbb']);
});

describe('finding runs', () => {
  const runs: [string, string][] = [
    ['one', '20261130-142530-aaaa'],
    ['two', '20261130-142531-aaaa'],
    ['one', '20261201-090000-bbbb'],
    ['one', 'not-a-run'],
  ];

  it('lists them newest first, whatever their suite, and leaves out other folders', async () => {
    const found = await findRuns(await logsWith(runs));
    expect(found.map(({ suite, runId }) => `${suite}/${runId}`)).toEqual([
      'one/20261201-090000-bbbb',
      'two/20261130-142531-aaaa',
      'one/20261130-142530-aaaa',
    ]);
  });

  it('says of a file in the place of the folder that it cannot be read as one', async () => {
    const file = path.join(await temporaryFolder(), 'logs');
    await writeFile(file, '');
    await expect(findRuns(file)).rejects.toThrow(
      `the runs in ${file} cannot be read (ENOTDIR); is it a folder?`,
    );
  });

  it('passes over a run that was killed as it began when the last is asked for', async () => {
    const logs = await temporaryFolder();
    const runsFolder = path.join(logs, 'tiny');
    const run = await startRun(runOptions(runsFolder, observe(), { scenarios: [scenario('one', ['a'])] }));
    await run.close();
    await mkdir(path.join(runsFolder, '29991231-235959-aaaa'));
    await mkdir(path.join(runsFolder, '29991231-235959-bbbb'));
    await writeFile(path.join(runsFolder, '29991231-235959-bbbb', 'journal.jsonl'), '');
    expect((await findRun(logs, 'last')).runId).toBe(run.runId);
  });

  it('finds one by its id, by a beginning that is enough, and the last', async () => {
    const logs = await logsWith(runs);
    expect((await findRun(logs, '20261130-142530-aaaa')).suite).toBe('one');
    expect((await findRun(logs, '20261130-142531')).suite).toBe('two');
    expect((await findRun(logs, 'last')).runId).toBe('20261201-090000-bbbb');
  });

  it('says which runs begin so where that is not enough, and which there are where none does', async () => {
    const logs = await logsWith(runs);
    await expect(findRun(logs, '20261130')).rejects.toThrow(
      '2 runs begin with "20261130": 20261130-142531-aaaa (two), 20261130-142530-aaaa (one)',
    );
    await expect(findRun(logs, 'x')).rejects.toThrow(
      'no run begins with "x"; the newest are 20261201-090000-bbbb (one)',
    );
    await expect(findRun(logs, '')).rejects.toThrow('no run begins with ""');
    await expect(findRun(path.join(logs, 'none'), 'last')).rejects.toThrow('there are no runs in');
  });
});

describe('summaries', () => {
  async function oneRun() {
    const logs = await temporaryFolder();
    const observed = observe();
    const run = await startRun(
      runOptions(path.join(logs, 'tiny'), observed, { scenarios: [scenario('one', ['a'])] }),
    );
    return { logs, run };
  }

  it('are all that listing reads', async () => {
    const { logs, run } = await oneRun();
    await run.start();
    await run.close();
    const journal = path.join(run.folder, 'journal.jsonl');
    const { size } = await stat(journal);
    // As long as before and not to be read.
    await writeFile(journal, 'x'.repeat(size));
    const [entry] = await listRuns(logs);
    expect(entry).toMatchObject({ runId: run.runId, isRunning: false, summary: { state: 'completed' } });
  });

  it('do not count when the run went on after them', async () => {
    const { logs, run } = await oneRun();
    await run.start();
    await run.close();
    const journal = path.join(run.folder, 'journal.jsonl');
    await writeFile(journal, `${await readFile(journal, 'utf8')}{"type":"run-resumed","at":1}\n`);
    expect((await listRuns(logs))[0]).toMatchObject({ summary: undefined, isRunning: false });
  });

  it('are not there, and not made, while the run is going on', async () => {
    const { logs, run } = await oneRun();
    expect((await listRuns(logs))[0]).toMatchObject({ summary: undefined, isRunning: true });
    const rebuilt = await rebuildSummaries(logs, () => createTallyKeeper(judging));
    expect(rebuilt).toMatchObject({ rebuilt: [], skipped: [{ runId: run.runId }], failed: [] });
    await run.close();
  });

  it('are rebuilt as unfinished for a run that was killed', async () => {
    const { logs, run } = await oneRun();
    await run.start();
    await run.close();
    const journal = path.join(run.folder, 'journal.jsonl');
    const lines = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, `${lines.slice(0, 3).join('\n')}\n{"half`);
    await rebuildSummaries(logs, () => createTallyKeeper(judging));
    const [entry] = await listRuns(logs);
    expect(entry?.summary).toMatchObject({
      state: 'unfinished',
      trials: { total: 2 },
      decision: { verdict: 'interrupted', exitCode: 130 },
    });
  });
});
