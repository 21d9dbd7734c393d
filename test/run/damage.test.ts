import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../source/model/types.js';
import { replayJournal } from '../../source/run/reader.js';
import { readProgress } from '../../source/run/remaining.js';
import { startRun } from '../../source/run/start.js';
import {
  condition,
  instantClock,
  observe,
  patternCheck,
  reply,
  runOptions,
  scenario,
  seededTarget,
  tallyOf,
  targetThat,
  temporaryFolder,
} from './support.js';

const scenarios = [
  scenario('one', ['a', 'b'], [patternCheck('agrees', 'yes'), patternCheck('refuses', 'no')]),
  scenario('two', ['ü']),
];

let lines: string[] = [];

/** The lines of a run with two conditions, an attempt that failed and an added trial. */
async function wholeRun(): Promise<string[]> {
  const observed = observe();
  let asked = 0;
  const flaky = targetThat(() => {
    if (asked++ === 1) throw new ModelError('overloaded', 'busy', 0);
    return reply('yes');
  });
  const run = await startRun(
    runOptions(await temporaryFolder(), observed, {
      scenarios,
      conditions: [
        { condition: condition('a'), target: flaky },
        { condition: condition('b'), target: seededTarget },
      ],
      clock: instantClock(),
    }),
  );
  run.addTrials('two', 1);
  await run.start();
  await run.close();
  return (await readFile(path.join(run.folder, 'journal.jsonl'), 'utf8')).trimEnd().split('\n');
}

/** What is believed of a journal with these lines: its state and verdicts, or why it is refused. */
async function believed(text: readonly string[]): Promise<string> {
  const file = path.join(await temporaryFolder(), 'journal.jsonl');
  await writeFile(file, text.map((line) => `${line}\n`).join(''));
  const replay = observe();
  try {
    await replayJournal(file, replay.keeper.hear);
  } catch (error) {
    return (error as Error).message.replace(file, 'journal.jsonl');
  }
  const { state, rows, trials, tokens } = tallyOf(replay);
  const cells = rows.map(({ groups }) => groups.map((group) => group.cells.map((cell) => cell.state)));
  return JSON.stringify([state, trials, cells, tokens]);
}

function changed(line: string | undefined, change: (event: Record<string, unknown>) => void): string {
  const event = JSON.parse(line ?? '') as Record<string, unknown>;
  change(event);
  return JSON.stringify(event);
}

beforeEach(async () => {
  if (lines.length === 0) lines = await wholeRun();
});

describe('a damaged journal', () => {
  it('is believed only where it says what the whole one says, whichever line is lost', async () => {
    const whole = await believed(lines);
    expect(whole).toContain('"completed"');
    const refused = [];
    for (const [index, line] of lines.entries()) {
      const found = await believed(lines.toSpliced(index, 1));
      const { type, final } = JSON.parse(line);
      if (type === 'run-finished') expect(found).toContain('["running"');
      // The next attempt says that it failed.
      else if (type === 'trial-errored' && !final) expect(found).toBe(whole);
      else {
        expect(found, `without ${line}`).toMatch(/^journal\.jsonl:\d+: /);
        refused.push(type);
      }
    }
    expect(new Set(refused)).toEqual(
      new Set([
        'run-started',
        'plan-extended',
        'trial-started',
        'turn-finished',
        'check-finished',
        'trial-finished',
      ]),
    );
  });

  it('is believed only where it says what the whole one says, whichever line stands there twice', async () => {
    const whole = await believed(lines);
    for (const [index, line] of lines.entries()) {
      const found = await believed(lines.toSpliced(index, 0, line));
      if (found !== whole) expect(found, `twice ${line}`).toMatch(/^journal\.jsonl:\d+: /);
    }
  });

  it('is refused for lines that are of another run', async () => {
    const at = lines.findIndex((line) => line.includes('"check-finished"'));
    const foreign = (change: (event: { trial: Record<string, unknown>; result: object }) => void) =>
      believed(lines.with(at, changed(lines[at], change as (event: Record<string, unknown>) => void)));
    const place = `journal.jsonl:${at + 1}: the journal is damaged: `;
    expect(await foreign(({ trial }) => Object.assign(trial, { scenario: 'gone' }))).toBe(
      `${place}the plan has no scenario "gone"`,
    );
    expect(await foreign(({ trial }) => Object.assign(trial, { condition: 'z' }))).toBe(
      `${place}the plan has no condition "z"`,
    );
    expect(await foreign(({ trial }) => Object.assign(trial, { repeat: 7 }))).toContain(
      'the plan has no trial 7 of',
    );
    expect(await foreign(({ result }) => Object.assign(result, { checkId: 'gone' }))).toContain(
      'the plan has no hard pattern_present check "gone"',
    );
  });

  it.each<[string, string, (event: Record<string, unknown>) => void]>([
    ['run-started', 'version', (event) => Object.assign(event, { version: 0 })],
    ['run-started', 'plan', (event) => Object.assign(event.plan as object, { repeat: 1e9 })],
    ['run-started', 'plan', (event) => Object.assign(event.plan as object, { repeat: 0.5 })],
    ['run-started', 'plan', (event) => Object.assign(event.plan as object, { scenarios: [null] })],
    ['check-finished', 'result', (event) => Object.assign(event.result as object, { verdict: 'passed' })],
    ['check-finished', 'result', (event) => Object.assign(event, { result: {} })],
    ['turn-finished', 'turn', (event) => Object.assign(event, { turn: { index: 1 } })],
    ['trial-finished', 'tokens', (event) => Object.assign(event, { tokens: {} })],
    ['trial-finished', 'end', (event) => Object.assign(event, { end: { kind: 'maybe' } })],
    ['trial-started', 'attempt', (event) => Object.assign(event, { attempt: -1 })],
    ['plan-extended', 'to', (event) => Object.assign(event, { to: 1e9 })],
    ['run-finished', 'outcome', (event) => Object.assign(event, { outcome: 'passed' })],
  ])('is refused for a %s without a proper %s', async (type, member, change) => {
    const at = lines.findIndex((line) => line.includes(`"type":"${type}"`));
    expect(await believed(lines.with(at, changed(lines[at], change)))).toBe(
      `journal.jsonl:${at + 1}: the journal is damaged here: ${type} without a proper ${member}`,
    );
  });

  it('is refused where the line that taints the run is lost', async () => {
    const observed = observe();
    const run = await startRun(
      runOptions(await temporaryFolder(), observed, {
        scenarios,
        target: targetThat(() => reply('yes', { fallback: true })),
      }),
    );
    await run.start();
    await run.close();
    const text = (await readFile(path.join(run.folder, 'journal.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(await believed(text)).toContain('"completed"');
    const cut = text.slice(
      0,
      text.findIndex((line) => line.includes('"type":"taint"')),
    );
    await writeFile(path.join(run.folder, 'journal.jsonl'), `${cut.join('\n')}\n`);
    const { progress } = await readProgress(path.join(run.folder, 'journal.jsonl'));
    expect(progress.taints).toMatchObject([{ kind: 'fallback' }]);
    expect(await believed(text.filter((line) => !line.includes('"type":"taint"')))).toContain(
      'the line that taints the run (fallback) is lost',
    );
  });
});
