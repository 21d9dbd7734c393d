import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeNeeds, isAllowed } from '../../source/bisect/candidate.js';
import type { Hunk } from '../../source/bisect/hunk.js';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { spentTrials } from '../../source/bisect/session.js';
import type { BisectFinding, HunkSplit, StrategyName } from '../../source/run/bisect-events.js';
import { temporaryFolder } from '../run/support.js';
import { plannedBisect } from './planned.js';
import { beginReal, finishReal, targetWithRate } from './real-run.js';

const histories = path.join(import.meta.dirname, '../fixtures/prompt-histories');

/** Two versions of a real prompt, and the indexes of two hunks that a product is made to be sensitive to. */
interface Pair {
  name: string;
  good: string;
  bad: string;
  split: HunkSplit;
}

const pairs: Pair[] = (
  [
    ['gemini-cli', '009_2025-06-19_04518b52c0.md', '011_2025-07-12_82bde57868.md', 'hunk'],
    ['gemini-cli', '034_2026-02-05_e4c80e6382.md', '035_2026-02-07_9178b31629.md', 'hunk'],
    ['openhands', '2025-02-27_6b1a937024.j2', '2025-03-08_a4908f9a75.j2', 'line'],
    ['pydantic-ai-skill', '2026-05-12_4e9e362a7f.md', '2026-07-22_c7c194d40f.md', 'sentence'],
    ['pydantic-ai-skill', '2026-07-22_c7c194d40f.md', '2026-08-11_de3eaf32cc.md', 'line'],
  ] as const
).map(([folder, old, fresh, split]) => {
  const read = (file: string) => readFileSync(path.join(histories, folder, file), 'utf8');
  return { name: `${folder} ${fresh.slice(0, 10)} by ${split}`, good: read(old), bad: read(fresh), split };
});

/** The words of a hunk that stand in the prompt if and only if it is applied; undefined where it has none. */
function wordsOf({ newText }: Hunk, { good, bad }: Pair): string | undefined {
  const lines = newText.split('\n').map((line) => line.trim());
  const longest = lines.filter((line) => !good.includes(line)).sort((a, b) => b.length - a.length)[0];
  return longest !== undefined && longest.length >= 12 && bad.split(longest).length === 2
    ? longest
    : undefined;
}

/** Two hunks of which neither needs the other: the one a third of the way, the other two thirds. */
function guiltyOf(pair: Pair): { hunk: number; words: string }[] {
  const { hunks } = diffPrompts(pair.good, pair.bad, pair.split);
  const able = hunks.flatMap((hunk, index) => {
    const words = wordsOf(hunk, pair);
    return words === undefined || hunks.some(({ needs }) => needs.includes(hunk.id))
      ? []
      : [{ hunk: index, words }];
  });
  const picked = [able[Math.floor(able.length / 3)], able[Math.floor((2 * able.length) / 3)]];
  return picked.filter((one) => one !== undefined);
}

type Sensitivity = 'one' | 'both' | 'either' | 'nothing';

async function bisect(pair: Pair, sensitivity: Sensitivity, strategy: StrategyName) {
  const guilty = guiltyOf(pair);
  expect(guilty).toHaveLength(2);
  const isBad = (prompt: string) => {
    const [first, second] = guilty.map(({ words }) => prompt.includes(words));
    if (sensitivity === 'one') return first === true;
    if (sensitivity === 'both') return first === true && second === true;
    return sensitivity === 'either' && (first === true || second === true);
  };
  const { good, bad, split } = pair;
  const opened = await beginReal(await temporaryFolder(), {
    planned: plannedBisect({ good, bad, split, strategy }),
    targetOf: targetWithRate((prompt) => (isBad(prompt) ? 0.2 : 0.95)),
  });
  await finishReal(opened);
  const status = opened.driver.status();
  if (status.kind !== 'found') throw new Error(`it ended as ${status.kind}`);
  return { ...opened, guilty: guilty.map(({ hunk }) => hunk), finding: status.found.finding };
}

/** The answers that are right: where both hunks must be there, reverting either is the cure. */
function rightAnswers(sensitivity: Sensitivity, [first = -1, second = -1]: number[]): BisectFinding[] {
  const hunks = (...named: number[]): BisectFinding => ({ kind: 'hunks', hunks: named });
  switch (sensitivity) {
    case 'one':
      return [hunks(first)];
    case 'both':
      return [hunks(first), hunks(second), hunks(first, second)];
    case 'either':
      return [hunks(first, second)];
    case 'nothing':
      return [{ kind: 'not-the-prompt' }];
  }
}

describe.each(pairs)('on a real change, $name', (pair) => {
  it.each(['one', 'both', 'either', 'nothing'] as const)(
    'auto is right about a product that is sensitive to %s of its hunks',
    async (sensitivity) => {
      const { finding, guilty, record } = await bisect(pair, sensitivity, 'auto');
      const { belief: _, ...named } = finding as BisectFinding & { belief?: number };
      expect(rightAnswers(sensitivity, guilty)).toContainEqual(named);
      const session = record.session();
      const needs = closeNeeds(session.hunks, session.dependencies);
      for (const { candidate } of record.trials) expect(isAllowed(candidate, needs)).toBe(true);
      expect(spentTrials(session)).toBeLessThan(200);
    },
    60_000,
  );
});

describe('guided, with nobody who objects, on a real change', () => {
  it.each(['one', 'nothing'] as const)(
    'is right about a product that is sensitive to %s of its hunks',
    async (sensitivity) => {
      const [pair] = pairs;
      if (!pair) throw new Error('no pair');
      const { finding, guilty } = await bisect(pair, sensitivity, 'guided');
      const { belief: _, ...named } = finding as BisectFinding & { belief?: number };
      expect(rightAnswers(sensitivity, guilty)).toContainEqual(named);
    },
  );
});
