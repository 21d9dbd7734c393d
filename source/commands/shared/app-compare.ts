import { compareSoFar, type Judging, judgeRun } from '../../compare/judge-run.js';
import { knownText } from '../../compare/known.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';

/**
 * What the screens need to hold a run against its base, and to say what the gate says of it. `judging` and `folder` are asked for each time: of a run that is
 * still being made there is neither.
 */
export function appCompare(
  judging: () => Judging | undefined,
  folder: () => string,
  io: CommandIo,
): Required<Pick<AppRun, 'compare' | 'judge' | 'openCompareDesk'>> & Pick<AppRun, 'knownTrials'> {
  let known: { of: Judging; text: string | undefined } | undefined;
  return {
    compare(tally) {
      const by = judging();
      return by && compareSoFar(tally, by);
    },
    judge(tally) {
      const by = judging();
      // To draw how noisy a suite is takes seconds, in which no key would be heard: that word is told at the end.
      if (!by || tally.started.purpose === 'aa') return undefined;
      return judgeRun(tally, by).decision;
    },
    get knownTrials() {
      const by = judging();
      if (!by?.baseline) return undefined;
      if (known?.of !== by) known = { of: by, text: knownText(by.baseline) };
      return known.text;
    },
    async openCompareDesk(tally) {
      // Reads the project and asks git: not before somebody looks at what changed.
      const { compareDeskOf } = await import('./compare-desk.js');
      return compareDeskOf(tally, folder, io);
    },
  };
}
