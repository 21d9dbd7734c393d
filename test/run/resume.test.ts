import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { ModelError } from '../../source/model/types.js';
import type { JournalPosition, RunEvent } from '../../source/run/events.js';
import { isBeingWritten, lockJournal } from '../../source/run/lock.js';
import { createTrialReader, replayJournal } from '../../source/run/reader.js';
import { type ResumeRunOptions, resumeRun } from '../../source/run/resume.js';
import { journalFile } from '../../source/run/run-folder.js';
import { startRun } from '../../source/run/start.js';
import { readSummary } from '../../source/run/summary.js';
import type { LiveRun } from '../../source/run/types.js';
import type { Scenario } from '../../source/suite/types.js';
import type { Target } from '../../source/target/types.js';
import {
  condition,
  type Observed,
  observe,
  patternCheck,
  reply,
  runOptions,
  scenario,
  seededTarget,
  suiteOf,
  tallyOf,
  targetThat,
  temporaryFolder,
} from './support.js';

const scenarios = [
  scenario('one', ['a', 'b'], [patternCheck('agrees', 'yes'), patternCheck('refuses', 'no')]),
  scenario('two', ['ü']),
];

/** Fails once in a while, always at the same place: the second attempt at a trial goes through. */
function flakyTarget(): Target {
  const seen = new Set<string>();
  return {
    async open(request) {
      const session = await seededTarget.open(request);
      return {
        ...session,
        async send(message, onProgress, signal) {
          if (request.scenario === 'two' && !seen.has(request.seed)) {
            seen.add(request.seed);
            throw new ModelError('overloaded', 'busy', 0);
          }
          return session.send(message, onProgress, signal);
        },
      };
    },
  };
}

function resumeOptions(
  folder: string,
  observed: Observed,
  given: Partial<ResumeRunOptions> = {},
): ResumeRunOptions {
  return {
    folder,
    suite: suiteOf(scenarios),
    conditions: [
      { condition: condition('a', 'v1'), target: flakyTarget() },
      { condition: condition('b', 'v2'), target: seededTarget },
    ],
    concurrency: 2,
    attempts: 3,
    limitMs: 180_000,
    clock: systemClock,
    summariser: observed.keeper,
    ...given,
  };
}

/** What a run found by its journal, without what may differ: times, attempts, and where things stand in the file. */
async function findings(file: string): Promise<unknown> {
  const replay = observe();
  await replayJournal(file, replay.keeper.hear);
  const tally = tallyOf(replay);
  const read = createTrialReader(file);
  const rows = [];
  for (const row of tally.rows) {
    for (const group of row.groups) {
      const cells = [];
      for (const cell of group.cells) {
        const key = { scenario: row.scenario.id, condition: group.condition, repeat: cell.repeat };
        const { turns, results, finished } = await read(key, cell.positions);
        const said = turns.map((turn) => [turn.message, turn.reply.text]);
        cells.push([cell.state, cell.why, said, results, finished?.end, finished?.tokens]);
      }
      rows.push([row.scenario.id, group.condition, group.verdict, group.isPartial, [...group.checks], cells]);
    }
  }
  const { total, done, running, errors } = tally.trials;
  return {
    rows,
    trials: [total, done, running, errors],
    state: tally.state,
    tokens: tally.tokens,
    verdicts: tally.verdicts,
  };
}

async function finish(run: LiveRun): Promise<void> {
  await run.start();
  await run.close();
}

/** A run with two conditions, an added trial and retried errors, unbroken. */
async function unbrokenRun(
  folder: string,
): Promise<{ file: string; found: unknown; positions: JournalPosition[] }> {
  const observed = observe();
  const { conditions } = resumeOptions(folder, observed);
  const run = await startRun(
    runOptions(folder, observed, { scenarios, conditions, repeat: 2, concurrency: 2 }),
  );
  run.addTrials('two', 1);
  await finish(run);
  const file = path.join(run.folder, journalFile);
  const positions = observed.messages.flatMap(({ position }) => (position ? [position] : []));
  return { file, found: await findings(file), positions };
}

describe('a run that was killed', () => {
  it('ends the same once resumed, wherever its journal was cut', { timeout: 120_000 }, async () => {
    const home = await temporaryFolder();
    const { file, found, positions } = await unbrokenRun(path.join(home, 'unbroken'));
    const bytes = await readFile(file);
    const kinds = new Set(
      bytes
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    );
    expect(kinds).toContain('trial-errored');
    expect(kinds).toContain('plan-extended');

    // Every byte of the last lines, and every line end before: a cut within a line is like the cut before it.
    const from = positions.at(-10)?.offset ?? 0;
    const cuts = positions.slice(2, -10).map(({ offset }) => offset);
    for (let cut = from; cut <= bytes.length; cut++) cuts.push(cut);
    expect(cuts.length).toBeGreaterThan(1000);

    const broken: unknown[] = [];
    const cutAndResume = async (cut: number) => {
      const folder = path.join(home, `cut-${cut}`);
      await mkdir(folder);
      await writeFile(path.join(folder, journalFile), bytes.subarray(0, cut));
      await finish(await resumeRun(resumeOptions(folder, observe())));
      const resumed = await findings(path.join(folder, journalFile)).catch(String);
      if (JSON.stringify(resumed) !== JSON.stringify(found)) broken.push({ cut, resumed });
    };
    for (let next = 0; next < cuts.length; next += 16)
      await Promise.all(cuts.slice(next, next + 16).map(cutAndResume));
    expect(broken.slice(0, 1)).toEqual([]);
  });

  it('says in its journal where it went on, and keeps what had ended', async () => {
    const home = await temporaryFolder();
    const { file, positions } = await unbrokenRun(home);
    const half = positions[Math.floor(positions.length / 2)]?.offset ?? 0;
    const bytes = (await readFile(file)).subarray(0, half);
    await writeFile(file, Buffer.concat([bytes, Buffer.from('{"type":"turn-fini')]));
    await finish(await resumeRun(resumeOptions(path.dirname(file), observe())));
    const after = await readFile(file);
    expect(after.subarray(0, half).equals(bytes)).toBe(true);
    expect(JSON.parse(after.subarray(half).toString('utf8').split('\n')[0] ?? '')).toMatchObject({
      type: 'run-resumed',
    });
    const events: RunEvent[] = [];
    await replayJournal(file, ({ event }) => events.push(event));
    const ended = events.flatMap((event) =>
      event.type === 'trial-finished' ? [JSON.stringify(event.trial)] : [],
    );
    expect(new Set(ended).size).toBe(ended.length);
    expect((await readSummary(path.dirname(file)))?.state).toBe('completed');
  });

  it('is refused where somebody else went on with it after its journal was read', async () => {
    const { file, positions } = await unbrokenRun(await temporaryFolder());
    const folder = path.dirname(file);
    await writeFile(file, (await readFile(file)).subarray(0, positions[5]?.offset));
    const { bytes: readTo } = await replayJournal(file, () => {});
    const stale = () => resumeRun(resumeOptions(folder, observe(), { readTo }));
    await finish(await stale());
    const after = await readFile(file);
    await expect(stale()).rejects.toThrow('in the meantime; resume it again');
    expect((await readFile(file)).equals(after)).toBe(true);
    const { bytes } = await replayJournal(file, () => {});
    await finish(await resumeRun(resumeOptions(folder, observe(), { readTo: bytes })));
  });

  it('has no summary while it goes on', async () => {
    const home = await temporaryFolder();
    const { file, positions } = await unbrokenRun(home);
    const folder = path.dirname(file);
    await writeFile(file, (await readFile(file)).subarray(0, positions[5]?.offset));
    expect(await readSummary(folder)).toBeDefined();
    const run = await resumeRun(resumeOptions(folder, observe()));
    expect(await readSummary(folder)).toBeUndefined();
    await finish(run);
  });

  it('changes nothing when it had been completed', async () => {
    const { file } = await unbrokenRun(await temporaryFolder());
    const before = await readFile(file);
    const observed = observe();
    await finish(await resumeRun(resumeOptions(path.dirname(file), observed)));
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(tallyOf(observed).state).toBe('completed');
  });

  it('counts the attempts that had failed before', async () => {
    const home = await temporaryFolder();
    const tiny = [scenario('one', ['a'])];
    const target = targetThat(() => {
      throw new ModelError('overloaded', 'busy', 0);
    });
    const given = { conditions: [{ condition: condition('a', 'v1'), target }], attempts: 4 };
    const first = observe();
    const run = await startRun(runOptions(home, first, { scenarios: tiny, repeat: 1, ...given }));
    run.subscribe(({ event }) => {
      if (event.type === 'trial-errored' && event.attempt === 2) run.stop();
    });
    await finish(run);
    const second = observe();
    await finish(await resumeRun(resumeOptions(run.folder, second, { suite: suiteOf(tiny), ...given })));
    const attempts = second.messages.flatMap(({ event }) =>
      event.type === 'trial-errored' ? [event.attempt] : [],
    );
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(tallyOf(second).trials).toMatchObject({ done: 1, errors: 1 });
  });
});

describe('what is not resumed', () => {
  async function stoppedRun(say = () => reply('yes')): Promise<string> {
    const home = await temporaryFolder();
    const observed = observe();
    const { conditions } = resumeOptions(home, observed);
    const given = { scenarios, conditions: conditions.map((each) => ({ ...each, target: targetThat(say) })) };
    const run = await startRun(runOptions(home, observed, given));
    run.subscribe(({ event }) => {
      if (event.type === 'trial-finished') run.stop();
    });
    await finish(run);
    return run.folder;
  }

  const edited: Scenario[] = [scenario('one', ['something else'])];

  it('a run whose suite changed: names every scenario and condition that did', async () => {
    const folder = await stoppedRun();
    const changed = { ...condition('a', 'v1'), promptSha256: 'other', hash: 'other' };
    const attempt = resumeRun(
      resumeOptions(folder, observe(), {
        suite: { ...suiteOf(edited), limits: { maxTurns: 3 } },
        conditions: [{ condition: changed, target: seededTarget }],
      }),
    );
    await expect(attempt).rejects.toThrow('cannot go on, for what it tests has changed since');
    const message = await attempt.catch((error: Error) => error.message);
    expect(message).toContain('suite tiny: its tools, settings or limits changed');
    expect(message).toContain('scenario one: it changed');
    expect(message).toContain('scenario two: it is gone');
    expect(message).toContain('condition v1 on simulated:tiny: the text of prompts/v1.md changed');
    expect(message).toContain('condition v2 on simulated:tiny: it is gone');
    // Nothing was touched: with the old files it goes on.
    await finish(await resumeRun(resumeOptions(folder, observe())));
  });

  it('a run whose checks swapped their ids, or are called otherwise, though they check the same', async () => {
    const folder = await stoppedRun();
    const rename = (names: Record<string, string>) =>
      scenarios.map((each) => ({
        ...each,
        checks: each.checks.map((check) => ({ ...check, id: names[check.id] ?? check.id })),
      }));
    for (const names of [{ agrees: 'refuses', refuses: 'agrees' }, { agrees: 'consents' }]) {
      const attempt = resumeRun(resumeOptions(folder, observe(), { suite: suiteOf(rename(names)) }));
      await expect(attempt).rejects.toThrow('scenario one: check agrees is called otherwise');
    }
    await finish(await resumeRun(resumeOptions(folder, observe())));
  });

  it('a run of which the file of a model changed', async () => {
    const home = await temporaryFolder();
    const observed = observe();
    const sources = { 'simulated:tiny': 'then', 'module product.ts': 'same' };
    const { conditions } = resumeOptions(home, observed);
    const run = await startRun(runOptions(home, observed, { scenarios, conditions, sources }));
    run.subscribe(({ event }) => {
      if (event.type === 'trial-finished') run.stop();
    });
    await finish(run);
    const changed = { ...sources, 'simulated:tiny': 'now' };
    await expect(resumeRun(resumeOptions(run.folder, observe(), { sources: changed }))).rejects.toThrow(
      'the file of simulated:tiny changed',
    );
    await finish(await resumeRun(resumeOptions(run.folder, observe(), { sources })));
  });

  it('a tainted run: it can never be evidence', async () => {
    const folder = await stoppedRun(() => {
      throw new ModelError('auth', 'no key');
    });
    await expect(resumeRun(resumeOptions(folder, observe()))).rejects.toThrow(
      'is tainted (auth: one: no key)',
    );
  });

  it('a run that another process writes', async () => {
    const folder = await stoppedRun();
    const lock = await lockJournal(path.join(folder, journalFile));
    await expect(resumeRun(resumeOptions(folder, observe()))).rejects.toThrow('another evalrun (process');
    await lock.release();
    await finish(await resumeRun(resumeOptions(folder, observe())));
  });
});

describe('the lock of a journal', () => {
  async function journal(): Promise<string> {
    const file = path.join(await temporaryFolder(), journalFile);
    await copyFile(new URL(import.meta.url), file);
    return file;
  }

  it('is held by one at a time', async () => {
    const file = await journal();
    expect(await isBeingWritten(file)).toBe(false);
    const attempts = await Promise.allSettled([1, 2, 3, 4].map(() => lockJournal(file)));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await isBeingWritten(file)).toBe(true);
    const [held] = attempts.filter((attempt) => attempt.status === 'fulfilled');
    await held?.value.release();
    expect(await isBeingWritten(file)).toBe(false);
    await (await lockJournal(file)).release();
  });

  it.each([
    ['a process that is dead', { pid: 2 ** 22 + 1, host: 'here', startTicks: '5' }],
    ['a process whose number another one has now', { pid: process.pid, host: 'here', startTicks: '1' }],
  ])('is taken over at once from %s', async (_name, holder) => {
    const file = await journal();
    const { hostname } = await import('node:os');
    await writeFile(`${file}.lock`, JSON.stringify({ ...holder, host: hostname() }));
    expect(await isBeingWritten(file)).toBe(false);
    const lock = await lockJournal(file);
    expect(await isBeingWritten(file)).toBe(true);
    await lock.release();
  });

  it.runIf(process.platform === 'linux')(
    'is taken over from a process that has ended and that its parent took no note of',
    async () => {
      const file = await journal();
      const { hostname } = await import('node:os');
      // The shell becomes a program that never asks how its children ended.
      const parent = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60']);
      onTestFinished(() => {
        parent.kill('SIGKILL');
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(String(line).trim());
      const stat = () => readFile(`/proc/${pid}/stat`, 'utf8');
      await expect.poll(stat).toContain(') Z ');
      const startTicks = (await stat()).split(') ')[1]?.split(' ')[19];
      await writeFile(`${file}.lock`, JSON.stringify({ pid, host: hostname(), startTicks }));
      expect(await isBeingWritten(file)).toBe(false);
    },
  );

  it('is not taken from another machine, and the message says what to do', async () => {
    const file = await journal();
    await writeFile(`${file}.lock`, JSON.stringify({ pid: 1, host: 'some-other-host' }));
    await expect(lockJournal(file)).rejects.toThrow(
      `process 1 on some-other-host) is writing ${file}; if that process is gone, delete ${file}.lock`,
    );
  });

  it('is taken over when it was cut off by a crash', async () => {
    const file = await journal();
    await writeFile(`${file}.lock`, '{"pid":');
    await (await lockJournal(file)).release();
  });
});
