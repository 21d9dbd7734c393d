import type { RunTally } from '../tally/types.js';
import type { AttributionReport } from './attribute.js';
import { attributedHeadline, attributedReasons, confirmed } from './attribute-words.js';
import type { Blocking } from './blocking.js';
import type { NoiseFloor } from './noise-floor.js';
import { noiseLine, noisyLines } from './noise-words.js';

/** What a run is judged by that is for something else than a verdict on its candidate. */
export interface Purposes {
  /** Of two conditions that are to be told apart. */
  attribution?: AttributionReport;
  /** Of the same condition twice. */
  noise?: NoiseFloor;
}

/** What such a run comes to. */
export interface Finding {
  verdict: 'pass' | 'fail' | 'measured' | 'none';
  /** The headline; without a verdict, why there is none. */
  line: string;
  reasons: string[];
  blocking?: Blocking[];
}

/** What a clean and complete run with a purpose of its own comes to; undefined for others. */
export function findingOf(tally: RunTally, { noise, attribution }: Purposes): Finding | undefined {
  if (noise) return noiseFinding(tally, noise);
  return attribution && attributionFinding(attribution);
}

function noiseFinding({ started, trials }: RunTally, noise: NoiseFloor): Finding {
  const { checks, flipped } = noise;
  if (checks === 0) return { verdict: 'none', line: 'no check was graded in both runs', reasons: [] };
  const { runId, at } = started;
  return {
    verdict: 'measured',
    line: `MEASURED: ${flipped} of ${checks} ${checks === 1 ? 'check' : 'checks'} flipped between two runs of the same condition`,
    reasons: [...noisyLines(noise), noiseLine({ runId, at, trials: trials.total, ...noise }, { at })],
  };
}

function attributionFinding(report: AttributionReport): Finding {
  if (report.refused) return { verdict: 'none', line: 'nothing can be attributed', reasons: report.refused };
  const reasons = attributedReasons(report);
  const line = attributedHeadline(report);
  const worse = confirmed(report, 'worse');
  if (worse.length > 0) return { verdict: 'fail', line, reasons, blocking: worse.map(blockingOf) };
  const isGraded = report.same > 0 || report.checks.some(({ attribution }) => attribution !== 'ungraded');
  if (!isGraded) return { verdict: 'none', line: 'nothing could be compared', reasons };
  const unsettled = report.checks.filter(
    ({ attribution, direction }) => attribution === 'attributed' && direction === 'worse',
  );
  if (unsettled.length === 0) return { verdict: 'pass', line, reasons };
  const what = unsettled.length === 1 ? '1 criterion' : `${unsettled.length} criteria`;
  return { verdict: 'none', line: `${what} looked worse under b and could not be confirmed`, reasons };
}

function blockingOf({ scenario, check }: { scenario: string; check: string }): Blocking {
  const text = `${scenario} / ${check}: confirmed worse under b than under a`;
  return { by: 'regression', scenario, check, text };
}
