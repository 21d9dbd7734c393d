import { makeVisible } from '../../../base/text.js';
import type { QuarantineEntry } from '../../../run/planned.js';
import type { RunTally, Verdict } from '../../../tally/types.js';
import { type Segment, segment } from '../../segments.js';
import type { GateWord } from '../../types.js';
import { isUntouched } from './head.js';

const verdictOrder: readonly Verdict[] = ['pass', 'warn', 'fail', 'unknown', 'error'];

/** How many scenarios stand where, and what makes the run no evidence. Counts of none are faint. */
export function totalsLine(
  tally: RunTally,
  gate: GateWord | undefined,
  later: readonly QuarantineEntry[] = [],
): Segment[] {
  const [taint] = tally.taints;
  if (isUntouched(tally) && !taint) return [];
  const tainted = taint ? [segment(`   tainted, ${taint.kind}: ${makeVisible(taint.message)}`, 'fail')] : [];
  const counts = verdictOrder.flatMap((verdict, index) => {
    const count = tally.verdicts[verdict];
    const isQuiet = count === 0;
    return [
      ...(index > 0 ? [segment('  ')] : []),
      segment(String(count), isQuiet ? 'faint' : verdict),
      segment(` ${verdict}`, isQuiet ? 'faint' : 'plain'),
    ];
  });
  const { quarantined } = tally;
  const apart = quarantined > 0 ? [segment(`  ${quarantined} quarantined`, 'faint')] : [];
  // The verdict of this run was not made without it, and neither are its counts.
  const next = later.length > 0 ? [segment(`  next run: +${later.length} quarantined`, 'accent')] : [];
  const why = redElsewhere(tally, gate);
  const red = why === undefined ? [] : [segment(`  ${makeVisible(why)}`, 'fail')];
  return [...counts, ...apart, ...next, ...red, ...tainted];
}

/** Why the gate is red where no row says so: a quarantine that has expired, say. */
export function redElsewhere({ verdicts }: RunTally, gate: GateWord | undefined): string | undefined {
  return gate?.verdict === 'fail' && verdicts.fail + verdicts.error === 0 ? gate.headline : undefined;
}
