import { compareEvidence } from '../../compare/compare.js';
import { confirm } from '../../compare/confirm.js';
import { evidenceOf } from '../../compare/evidence.js';
import { knownText } from '../../compare/known.js';
import type { Evidence } from '../../compare/types.js';
import type { GateSettings } from '../../project/gate-settings.js';
import type { RunPlace } from '../../run/runs.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { pastRun } from './past-run.js';

export interface ComparedRunOptions {
  base: Evidence;
  /** The condition of the run that is held against it. */
  candidate: string;
  gate: GateSettings;
  /** Scenarios with a simulated user are compared although the conditions differ. */
  simulatedUsers?: boolean;
}

/** A run of the past for the screens, held against a base that is not the one it was made with. */
export function comparedRun(place: RunPlace, options: ComparedRunOptions, io: CommandIo): AppRun {
  const { base, candidate, gate, simulatedUsers = false } = options;
  const known = base.kind === 'baseline' ? knownText(base) : undefined;
  return {
    ...pastRun(place, io),
    compare: (tally) =>
      confirm(compareEvidence(base, evidenceOf(tally, candidate), gate, { simulatedUsers }), gate),
    ...(known !== undefined && { knownTrials: known }),
    async openCompareDesk(tally) {
      const { compareDeskOf } = await import('./compare-desk.js');
      return compareDeskOf(tally, () => place.folder, io, candidate);
    },
  };
}
