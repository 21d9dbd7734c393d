import type { BisectedRun } from '../../report/bisected.js';
import { bisectsOf, type KnownBisect } from '../../run/bisects-of.js';

/** What bisects found that look into the run in `folder`, with the words that they blame; oldest first. */
export async function bisectedRuns(folder: string): Promise<BisectedRun[]> {
  const known = await bisectsOf(folder);
  return Promise.all(known.map(async (bisect) => ({ ...bisect, diff: await diffOf(bisect) })));
}

/** The prompts stand in the first line of the journal. One that cannot be read takes nothing from what was found. */
async function diffOf({ found, journal, good, bad }: KnownBisect): Promise<string[]> {
  if (found?.finding.kind !== 'hunks') return [];
  const { hunks } = found.finding;
  const [{ readRunStarted }, { diffPrompts }, { hunkLines }] = await Promise.all([
    import('../../run/reader.js'),
    import('../../bisect/hunks.js'),
    import('../../report/bisect-diff.js'),
  ]);
  const { bisect } = (await readRunStarted(journal).catch(() => undefined)) ?? {};
  if (!bisect) return [];
  const diff = diffPrompts(bisect.good.text, bisect.bad.text, bisect.split);
  return hunks.flatMap((index) => {
    const hunk = diff.hunks[index];
    return hunk ? [...hunkLines(hunk, { good, bad })] : [];
  });
}
