import { compareEvidence } from '../../source/compare/compare.js';
import { confirm } from '../../source/compare/confirm.js';
import { sidesSoFar } from '../../source/compare/so-far.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import type { AppRun } from '../../source/ui/types.js';
import { createFakeRun, type FakeRunOptions, fakeCondition } from './fake-run.js';

/** A run of v15 as `a` beside v14 as `b`, which is its base. */
export function comparedRun(options: FakeRunOptions) {
  const fake = createFakeRun({
    conditions: [fakeCondition('a', 'v15'), fakeCondition('b', 'v14')],
    base: { kind: 'condition', condition: 'b' },
    ...options,
  });
  let comparisons = 0;
  const run: AppRun = {
    ...fake.run,
    compare(tally) {
      comparisons++;
      const sides = sidesSoFar(tally, 'b', 'a');
      return confirm(compareEvidence(sides.base, sides.candidate, defaultGate), defaultGate);
    },
  };
  return { ...fake, run, comparisons: () => comparisons };
}

type Fake = Pick<ReturnType<typeof createFakeRun>, 'trial' | 'key'>;
type Verdicts = ('pass' | 'warn' | 'fail' | 'unknown')[];

/** The trials of one scenario, under the base and under the candidate. */
export function played(fake: Fake, scenario: string, base: Verdicts, candidate: Verdicts, reason = ''): void {
  base.forEach((verdict, at) => {
    fake.trial(fake.key(scenario, at + 1, 'b'), verdict, { reply: `old words of ${scenario}` });
  });
  candidate.forEach((verdict, at) => {
    fake.trial(fake.key(scenario, at + 1, 'a'), verdict, { reason, reply: `new words of ${scenario}` });
  });
}
