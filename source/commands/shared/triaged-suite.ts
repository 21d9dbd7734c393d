import type { TriagedSuite } from '../../ui/types.js';
import type { CommandIo } from '../io.js';

/** A suite for the screens of the triage. What it takes is loaded when it is opened. */
export function triagedSuite(
  suite: string,
  io: CommandIo,
  runAgain: (suite: string, scenario: string, io: CommandIo) => ReturnType<TriagedSuite['runAgain']>,
): TriagedSuite {
  return {
    suite,
    open: async () => (await import('./triage-desk.js')).openTriageDesk(suite, io),
    runAgain: (scenario) => runAgain(suite, scenario, io),
  };
}
