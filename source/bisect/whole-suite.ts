import type { PassRate } from '../base/statistics.js';
import { type Candidate, goodEnd } from './candidate.js';
import type { BisectRecord } from './record.js';
import type { RecordedCell } from './recorded-trials.js';

/** Trials of a scenario that failed on the narrowed prompt, and on the good one beside it: one alone is no evidence. */
const trialsOfAFailing = 3;

/** What one scenario that is not watched showed on the narrowed prompt. `of`: graded trials. */
export interface SuiteStanding extends PassRate {
  scenario: string;
  /** All that were run. */
  run: number;
  /** Of one that failed: the same under the good prompt, for it may have failed before as well. `run` as above. */
  good?: PassRate & { run: number };
}

/** What is to be run next of the rest of the suite. */
export interface SuiteRound {
  candidate: Candidate;
  scenarios: string[];
}

/** What the rest of the suite showed on a narrowed prompt, a scenario each in the order of the plan; none where all are watched. */
export function suiteStandings(record: BisectRecord, narrowed: Candidate): SuiteStanding[] {
  const watched = new Set(record.watched().map(({ scenario }) => scenario));
  const counts = countsOn(record, narrowed);
  const before = countsOn(record, goodEnd(narrowed.length));
  return record.started.plan.scenarios
    .filter(({ id }) => !watched.has(id))
    .map(({ id: scenario }) => {
      const standing = { scenario, ...counts(scenario) };
      return isFailing(standing) ? { ...standing, good: before(scenario) } : standing;
    });
}

/**
 * The scenarios that are to be run next: each once on the narrowed prompt, those that failed up to three times, and then
 * those as often on the good one. Undefined when all of that is done.
 */
export function nextRound(standings: readonly SuiteStanding[], narrowed: Candidate): SuiteRound | undefined {
  const fresh = standings.filter(({ run }) => run === 0);
  const failing = standings.filter((one) => isFailing(one) && one.run < trialsOfAFailing);
  const before = standings.filter(({ good }) => good && good.run < trialsOfAFailing);
  const rounds = [
    { candidate: narrowed, of: fresh },
    { candidate: narrowed, of: failing },
    { candidate: goodEnd(narrowed.length), of: before },
  ];
  const next = rounds.find(({ of }) => of.length > 0);
  return next && { candidate: next.candidate, scenarios: next.of.map(({ scenario }) => scenario) };
}

function isFailing({ passed, of }: PassRate): boolean {
  return passed < of;
}

/** Counts the trials of the rest of the suite on a candidate. */
function countsOn(
  record: BisectRecord,
  candidate: Candidate,
): (scenario: string) => PassRate & { run: number } {
  const cells = record.trials
    .filter((trial) => trial.purpose.kind === 'suite' && trial.candidate === candidate)
    .flatMap((trial) => trial.cells);
  return (scenario) => {
    const run = cells.filter(({ key }) => key.scenario === scenario);
    const graded = run.map(verdictOf).filter((verdict) => verdict !== undefined);
    return { passed: graded.filter((isPass) => isPass).length, of: graded.length, run: run.length };
  };
}

/** Undefined where nobody could say. */
function verdictOf({ state, checks }: RecordedCell): boolean | undefined {
  if (state !== 'ended') return undefined;
  const verdicts = [...checks.values()];
  if (verdicts.includes('fail')) return false;
  return verdicts.length === 0 || verdicts.includes('unknown') ? undefined : true;
}
