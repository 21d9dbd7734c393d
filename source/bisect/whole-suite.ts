import type { BisectRecord } from './record.js';
import type { RecordedCell } from './recorded-trials.js';

/** Trials of a scenario that failed on the narrowed prompt: one alone is no evidence. */
const trialsOfAFailing = 3;

/** What one scenario that is not watched showed on the narrowed prompt. */
export interface SuiteStanding {
  scenario: string;
  passed: number;
  /** Graded trials. */
  of: number;
  /** All that were run. */
  run: number;
}

/** What the whole suite showed on a condition, a scenario each in the order of the plan, watched ones left out. */
export function suiteStandings(
  record: BisectRecord,
  scenarios: readonly string[],
  condition: string | undefined,
): SuiteStanding[] {
  const watched = new Set(record.watched().map(({ scenario }) => scenario));
  const cells = record.trials
    .filter(({ purpose, condition: of }) => purpose.kind === 'suite' && of === condition)
    .flatMap((trial) => trial.cells);
  return scenarios
    .filter((scenario) => !watched.has(scenario))
    .map((scenario) => {
      const run = cells.filter(({ key }) => key.scenario === scenario);
      const graded = run.map(verdictOf).filter((verdict) => verdict !== undefined);
      return {
        scenario,
        passed: graded.filter((isPass) => isPass).length,
        of: graded.length,
        run: run.length,
      };
    });
}

/** The scenarios that are to be run next on the narrowed prompt: each once, those that failed up to three times. */
export function suiteLeft(standings: readonly SuiteStanding[]): string[] {
  const fresh = standings.filter(({ run }) => run === 0);
  const failing = standings.filter(({ passed, of, run }) => passed < of && run < trialsOfAFailing);
  return (fresh.length > 0 ? fresh : failing).map(({ scenario }) => scenario);
}

/** Undefined where nobody could say. */
function verdictOf({ state, checks }: RecordedCell): boolean | undefined {
  if (state !== 'ended') return undefined;
  const verdicts = [...checks.values()];
  if (verdicts.includes('fail')) return false;
  return verdicts.length === 0 || verdicts.includes('unknown') ? undefined : true;
}
