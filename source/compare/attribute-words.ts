import type { PassRate } from '../base/statistics.js';
import type { AttributedCheck, Attribution, AttributionReport } from './attribute.js';
import { pText } from './blocking.js';

/** Checks of one kind that are named; the others are counted. */
const mostNamed = 20;

/** What was found of two conditions, in counts and own words. */
export function attributedHeadline(report: AttributionReport): string {
  const worse = confirmed(report, 'worse').length;
  const found = [
    `${report.same} the same`,
    ...[
      [confirmed(report, 'better').length, 'better'],
      [count(report, 'attributed'), 'attributed and not re-run'],
      [count(report, 'noise'), 'noise'],
      [count(report, 'ungraded'), 'not graded'],
      [report.notComparable.length, 'not comparable'],
    ].flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`])),
  ].join(', ');
  if (worse === 0) return `PASS: nothing is confirmed worse under b than under a (${found})`;
  return `FAIL: ${worse === 1 ? '1 criterion is' : `${worse} criteria are`} confirmed worse under b than under a (${found})`;
}

/** What the headline rests on, one line a check that is not the same under both; holds text from files. */
export function attributedReasons(report: AttributionReport): string[] {
  const { checks, flips, notComparable } = report;
  const of = (attribution: Attribution) => checks.filter((one) => one.attribution === attribution);
  const other = notComparable.map(
    ({ scenario, check, why }) => `not comparable: ${scenario} / ${check}: ${why.join(', ')}`,
  );
  return [
    ...bounded(confirmed(report, 'worse').map((one) => line('confirmed worse', one))),
    ...bounded(confirmed(report, 'better').map((one) => line('confirmed better', one))),
    ...bounded(of('attributed').map((one) => line(`attributed, ${one.direction}`, one))),
    ...bounded(of('noise').map((one) => line('noise', one))),
    ...bounded(of('ungraded').map((one) => line('not graded well enough', one))),
    ...bounded(other),
    `A/A flips on the way: a ${flipped(flips.from)}, b ${flipped(flips.to)}`,
  ];
}

/** Criteria that the re-run confirmed in one direction. */
export function confirmed(report: AttributionReport, direction: 'worse' | 'better'): AttributedCheck[] {
  return report.checks.filter((one) => one.attribution === 'confirmed' && one.direction === direction);
}

function count({ checks }: AttributionReport, attribution: Attribution): number {
  return checks.filter((one) => one.attribution === attribution).length;
}

function line(what: string, { scenario, check, from, to, p }: AttributedCheck): string {
  const rerun =
    from.fresh?.of && to.fresh?.of ? `, re-run ${rateText(from.fresh)} → ${rateText(to.fresh)}` : '';
  const chance = p === undefined ? '' : `, p ${pText(p)}`;
  return `${what}: ${scenario} / ${check}: ${rateText(from)} → ${rateText(to)}${rerun}${chance}`;
}

function rateText({ passed, of }: PassRate): string {
  return `${passed}/${of}`;
}

function flipped({ flipped: number, of }: { flipped: number; of: number }): string {
  return `${number} of ${of} checks`;
}

function bounded(lines: readonly string[]): string[] {
  const more = lines.length - mostNamed;
  return more > 0 ? [...lines.slice(0, mostNamed), `and ${more} more like this`] : [...lines];
}
