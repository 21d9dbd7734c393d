import { expect, it } from 'vitest';
import { elsewhereLines } from '../../source/bisect/elsewhere-words.js';
import type { PlannedBisect, PlannedElsewhere } from '../../source/run/bisect-events.js';
import { plannedScenario, runStarted } from '../tally/support.js';

const end = (name: string) => ({ name, path: `prompts/it's/${name}.md`, text: name, sha256: name });

function linesOf(
  kind: 'not-the-prompt' | 'good-fails-too' | 'inconclusive',
  elsewhere?: Partial<PlannedElsewhere>,
): string[] {
  const planned: PlannedBisect = {
    good: end('v1'),
    bad: end('v2'),
    split: 'hunk',
    hunks: ['h'],
    watched: [{ scenario: 'one', check: 'c' }, { scenario: 'one' }],
    strategy: 'auto',
    budget: 20,
    repeats: 6,
    ...(elsewhere && {
      of: 'RED',
      elsewhere: { base: 'BASE', kind: 'baseline', differences: [], ...elsewhere },
    }),
  };
  const finding = kind === 'inconclusive' ? { kind, why: 'budget' as const } : { kind, belief: 0.97 };
  return elsewhereLines({ started: runStarted([plannedScenario('one')]), planned }, finding);
}

const again = `evalrun run tiny --candidate 'prompts/it'\\''s/v1.md' --no-baseline --scenario one`;

it('names each difference and the line that shows the good prompt under what is set today', () => {
  const differences = [
    { part: 'model', from: 'a', to: 'b' },
    { part: 'tuning $.days', from: '30', to: `[${'1,'.repeat(50)}1]` },
  ];
  const [model, tuning, next, ...more] = linesOf('good-fails-too', { differences });
  expect(model).toBe('differs too between the baseline (run BASE) and run RED: model a → b');
  expect(tuning).toMatch(/: tuning \$\.days 30 → \[1,1,.*…$/);
  expect(next).toBe(`next: ${again} shows v1 under what is set today; put back what differs one by one`);
  expect(more).toEqual([]);
});

it('names another step where only the grading is another one', () => {
  const differences = [{ part: 'judge prompt', from: 'default@1', to: 'default@2' }];
  expect(linesOf('not-the-prompt', { differences }).at(-1)).toBe(
    'next: evalrun regrade BASE grades what passed by the checks and the judge of today',
  );
});

it('says that nothing differs, what it cannot know, and what is left then', () => {
  expect(linesOf('not-the-prompt', { kind: 'run', base: 'RED' })).toEqual([
    'nothing else that is recorded differs between v1 in the same run and run RED',
    'next: what is not recorded: the model behind its name, data behind the product; or it was chance: evalrun run tiny --aa says how often that happens',
  ]);
  const lines = linesOf('good-fails-too', { isPartial: true });
  expect(lines[1]).toBe('the journal of run BASE is gone: tuning values and files of then are not known');
  expect(lines[2]).toContain(again);
});

it('says that it is not known where no run was looked into, and nothing where the prompt did it or might have', () => {
  expect(linesOf('not-the-prompt')).toEqual([
    expect.stringMatching(/^what else differs .* is not known: model,/),
  ]);
  expect(linesOf('inconclusive', {})).toEqual([]);
});
