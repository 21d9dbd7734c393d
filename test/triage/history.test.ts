import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultGate } from '../../source/project/gate-settings.js';
import { suiteLogs } from '../../source/project/paths.js';
import { createTallyKeeper } from '../../source/report/summary.js';
import type { KnownSummaries } from '../../source/run/runs.js';
import { startRun } from '../../source/run/start.js';
import { findFlips } from '../../source/triage/flips.js';
import { readRunHistory } from '../../source/triage/history.js';
import { observe, runOptions, scenario, temporaryFolder } from '../run/support.js';

const window = { now: Date.now() + 86_400_000, days: 30 };

function summarise() {
  return createTallyKeeper({ gate: defaultGate });
}

function derivesNothing(): never {
  throw new Error('a summary was derived again');
}

/** A logs folder with so many runs of one scenario, as runs leave them. */
async function logsWith(count: number, suite = 'tiny') {
  const logs = await temporaryFolder();
  const folders: string[] = [];
  for (let run = 0; run < count; run++) {
    const options = runOptions(suiteLogs(logs, suite), observe(), { scenarios: [scenario('one', ['a'])] });
    const made = await startRun({ ...options, summariser: summarise() });
    await made.start();
    await made.close();
    folders.push(made.folder);
  }
  return { logs, folders };
}

describe('the history of runs', () => {
  it('tells of each check what it came to, from the summaries that runs leave', async () => {
    const { logs } = await logsWith(2);
    const { summaries, damaged } = await readRunHistory(logs, 'tiny', derivesNothing);
    expect(damaged).toEqual([]);
    const found = findFlips(summaries, window);
    expect(found).toHaveLength(summaries[0]?.results?.[0]?.scenarios[0]?.checks.length ?? 0);
    expect(found[0]?.results).toHaveLength(2);
    expect(found[0]?.results[0]?.tokens).toBeGreaterThan(0);
    const [one, other] = found[0]?.results ?? [];
    expect([one?.condition, one?.asks]).toEqual([other?.condition, other?.asks]);
  });

  it('is found under whatever name the folder of a suite has', async () => {
    const { logs } = await logsWith(1, 'my: suite');
    expect((await readRunHistory(logs, 'my: suite', derivesNothing)).summaries).toHaveLength(1);
    expect((await readRunHistory(logs, 'tiny', derivesNothing)).summaries).toEqual([]);
  });

  it('derives what a summary of an earlier version lacks from the journal, once', async () => {
    const { logs, folders } = await logsWith(1);
    const file = path.join(folders[0] ?? '', 'summary.json');
    const whole = await readFile(file, 'utf8');
    const { results: _, ...old } = JSON.parse(whole);
    await writeFile(file, JSON.stringify(old));
    expect((await readRunHistory(logs, 'tiny', summarise)).summaries).toEqual([JSON.parse(whole)]);
    expect(await readFile(file, 'utf8')).toBe(whole);
    await readRunHistory(logs, 'tiny', derivesNothing);
  });

  it('names a damaged journal and goes on with the others', async () => {
    const { logs, folders } = await logsWith(2);
    const file = path.join(folders[0] ?? '', 'summary.json');
    const { results: _, ...old } = JSON.parse(await readFile(file, 'utf8'));
    const journal = path.join(folders[0] ?? '', 'journal.jsonl');
    await appendFile(journal, 'no event\n');
    const journalBytes = (await readFile(journal)).length;
    await writeFile(file, JSON.stringify({ ...old, journalBytes }));
    const { summaries, damaged } = await readRunHistory(logs, 'tiny', summarise);
    expect(summaries).toHaveLength(1);
    expect(damaged).toEqual([expect.stringContaining(journal)]);
    // It is nothing to another suite.
    expect(await readRunHistory(logs, 'other', derivesNothing)).toEqual({ summaries: [], damaged: [] });
  });

  it('is right after runs were deleted, although it was read before', async () => {
    const { logs, folders } = await logsWith(3);
    const known: KnownSummaries = new Map();
    await readRunHistory(logs, 'tiny', derivesNothing, known);
    await rm(folders[1] ?? '', { recursive: true });
    const again = await readRunHistory(logs, 'tiny', derivesNothing, known);
    expect(again).toEqual(await readRunHistory(logs, 'tiny', derivesNothing));
    expect(again.summaries).toHaveLength(2);
    expect([...known.keys()]).toHaveLength(2);
  });
});
