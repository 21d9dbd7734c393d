import { sha256 } from '../../source/base/hash.js';
import { diffPrompts } from '../../source/bisect/hunks.js';
import type { PlannedBisect } from '../../source/run/bisect-events.js';
import { createPlan } from '../../source/run/plan.js';
import type { RunStarted } from '../../source/run/reader.js';
import type { Scenario } from '../../source/suite/types.js';
import { condition, patternCheck, scenario } from '../run/support.js';

/** A prompt of so many rules, each of which B changes, and lines in between that stay. */
export function rulesPrompt(hunks: number, end: 'good' | 'bad'): string {
  const rules = Array.from({ length: hunks }, (_, at) => `Rule ${at + 1} is ${end}.\nLine ${at + 1} stays.`);
  return `You answer questions.\n${rules.join('\n')}\n`;
}

/** What a bisect of two texts is of. */
export function plannedBisect(
  given: Partial<Omit<PlannedBisect, 'good' | 'bad'>> & { good?: string; bad?: string } = {},
): PlannedBisect {
  const { good = rulesPrompt(4, 'good'), bad = rulesPrompt(4, 'bad'), split = 'hunk', ...rest } = given;
  const end = (name: string, text: string) => ({
    name,
    path: `prompts/${name}.md`,
    text,
    sha256: sha256(text),
  });
  return {
    good: end('v1', good),
    bad: end('v2', bad),
    split,
    hunks: diffPrompts(good, bad, split).hunks.map(({ id }) => id),
    watched: [{ scenario: 'refund', check: 'agrees' }],
    strategy: 'auto',
    budget: 200,
    repeats: 6,
    ...rest,
  };
}

/** Three scenarios; the first has two checks. */
export const scenarios: Scenario[] = [
  scenario('refund', ['hi'], [patternCheck('agrees', 'yes'), patternCheck('polite', 'please')]),
  scenario('delay', ['hello']),
  scenario('baggage', ['hey']),
];

/** The first line of the journal of a bisect. */
export function startedBisect(bisect: PlannedBisect, seed = '1'): RunStarted {
  const ends = [
    { ...condition('a', 'v1'), standby: true as const },
    { ...condition('b', 'v2'), standby: true as const },
  ];
  return {
    type: 'run-started',
    version: 1,
    runId: '20261130-120000-aaaa',
    at: 1,
    suite: 'tiny',
    suiteHash: 'x',
    plan: createPlan(scenarios, ends, 1),
    seed,
    concurrency: 2,
    purpose: 'bisect',
    bisect,
    evalrun: '0.0.0',
    node: 'v20',
    command: 'evalrun bisect',
  };
}
