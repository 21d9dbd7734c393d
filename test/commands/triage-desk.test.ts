import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadWithFixtures } from '../../source/commands/shared/choose-suite.js';
import { openQuarantineDesk } from '../../source/commands/shared/quarantine-desk.js';
import { openTriageDesk } from '../../source/commands/shared/triage-desk.js';
import { loadProject } from '../../source/project/config.js';
import { findRuns } from '../../source/run/runs.js';
import { type Disagreement, disagreementOf } from '../../source/triage/disagree.js';
import { createIo } from './io.js';
import { tinyProject } from './support.js';

const flaky = { scenario: 'shows-what-cannot-be-seen', check: 'is-plain' };

/** The desk of a suite whose second run of three came out otherwise. */
async function desk(seeds: readonly number[] = [4, 5, 8]) {
  const tiny = tinyProject();
  for (const seed of seeds) await tiny.run(['run', 'tiny', '--seed', String(seed), '--repeat', '1']);
  const { io } = createIo(tiny.folder, { HOME: tiny.folder, EVALRUN_LOGS: tiny.logs });
  const file = path.join(tiny.folder, 'suites/tiny/quarantine.yaml');
  return { ...tiny, file, desk: await openTriageDesk('tiny', io) };
}

const wish = { ...flaky, owner: 'Ada', reason: 'is unsure' };

describe('the triage for the screens', () => {
  it('takes each change back to the text as it was, comments and all', async () => {
    const { desk: one, file } = await desk([]);
    const until = one.proposeEnd();
    const takeBack = await one.quarantine({ ...wish, until });
    const added = readFileSync(file, 'utf8');
    takeBack();
    expect(existsSync(file)).toBe(false);

    const text = added
      .replace('- scenario', '# Ours.\n- scenario')
      .replace('owner: Ada', 'owner: Ada   # asks');
    writeFileSync(file, text);
    for (const change of [
      () => one.extend(flaky, new Date().toISOString().slice(0, 10)),
      () => one.release(flaky),
    ]) {
      const back = await change();
      expect(readFileSync(file, 'utf8')).not.toBe(text);
      back();
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    const late = await one.release(flaky);
    writeFileSync(file, '# somebody else\n');
    expect(late).toThrow('was changed meanwhile');
    expect(readFileSync(file, 'utf8')).toBe('# somebody else\n');
  });

  it('says before anybody is asked why that something cannot be quarantined', async () => {
    const { desk: one } = await desk([]);
    await one.quarantine({ ...wish, until: one.proposeEnd() });
    await expect(one.propose({ scenario: flaky.scenario })).rejects.toThrow('is quarantined already');
    await expect(one.propose({ scenario: 'greets-back' })).rejects.toThrow('at most 1 may be');
  });

  it('speaks of keys to whoever has no flags', async () => {
    const { desk: one } = await desk([]);
    const late = { ...wish, until: '2020-01-01' };
    await expect(one.quarantine(late)).rejects.toThrow(/^2020-01-01 is past$/);
    await one.quarantine({ ...wish, until: one.proposeEnd() });
    await expect(one.extend(flaky, '2020-01-01')).rejects.toThrow(/^2020-01-01 is past$/);
    const again = one.propose({ scenario: flaky.scenario });
    await expect(again).rejects.toThrow(/; on the triage e extends it, r releases it$/);
    await expect(again).rejects.not.toThrow(/--|"quarantine /);
  });

  it('changes nothing but what was looked at, whatever stands in its place by then', async () => {
    const { folder, logs, file } = await desk([]);
    const { io } = createIo(folder, { HOME: folder, EVALRUN_LOGS: logs });
    const project = await loadProject({ cwd: folder, env: io.env });
    const suite = await loadWithFixtures(project, 'tiny', undefined);
    const one = openQuarantineDesk(project, suite, io, { owner: '', until: '', change: '' });
    const [first, second] = ['greets-back', flaky.scenario].map(
      (scenario) =>
        `- {scenario: ${scenario}, check: all, owner: Ada, reason: x, since: 2026-01-01, until: 2026-01-02}\n`,
    );
    writeFileSync(file, `${first}${second}`);
    const meant = { scenario: flaky.scenario };
    const changes = [await one.release(meant), await one.extend(meant, undefined)];
    // Another entry stands now where the one stood that was looked at.
    const text = `${second}${first}`;
    writeFileSync(file, text);
    for (const change of changes)
      await expect(one.write(change)).rejects.toThrow('suites/tiny/quarantine.yaml was changed meanwhile');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('finds the two trials that disagree, and says which run was deleted', async () => {
    const { desk: one, logs } = await desk();
    const { rows } = await one.read();
    const row = rows.find(({ scenario, check }) => scenario === flaky.scenario && check === flaky.check);
    const runs = (row && disagreementOf(row)) as Disagreement;
    const { pass, fail } = await one.openTrials(flaky, runs);
    const said = async (trial: typeof pass) => {
      if ('problem' in trial) throw new Error(trial.problem);
      const { tally, condition, readTrial } = trial.source;
      const cell = tally.rowById.get(flaky.scenario)?.groups[0]?.cells[trial.repeat - 1];
      const record = await readTrial({ ...flaky, condition, repeat: trial.repeat }, cell?.positions ?? []);
      return record.results.find(({ checkId }) => checkId === flaky.check)?.verdict;
    };
    expect([await said(pass), await said(fail)]).toEqual(['pass', 'fail']);

    const placeOf = async (runId: string) => (await findRuns(logs)).find((place) => place.runId === runId);
    rmSync((await placeOf(runs.fail.runId))?.folder ?? '', { recursive: true });
    rmSync((await placeOf(runs.pass.runId))?.journal ?? '');
    expect(await one.openTrials(flaky, runs)).toEqual({
      ...flaky,
      pass: { problem: `the journal of run ${runs.pass.runId} was deleted, and its transcripts with it` },
      fail: { problem: `the run ${runs.fail.runId} was deleted, and its transcripts with it` },
    });
  });

  it('reads suite and quarantine anew each time, and knows where a scenario stands', async () => {
    const { desk: one, file, folder } = await desk([]);
    await one.read();
    const place = one.placeOf('greets-back');
    expect(place?.file).toBe(path.join(folder, 'suites/tiny/scenarios.yaml'));
    expect(readFileSync(place?.file ?? '', 'utf8').split('\n')[(place?.line ?? 0) - 1]).toContain(
      'greets-back',
    );
    expect(one.placeOf('gone')).toBeUndefined();
    writeFileSync(file, '- scenario: [\n');
    await expect(one.read()).rejects.toThrow('suites/tiny/quarantine.yaml:');
    rmSync(file);
    expect((await one.read()).share.scenarios).toBe(0);
  });
});
