import { formatInterval } from '../report/format.js';
import { worstCheck } from '../tally/group.js';
import type { CheckCounts, ScenarioTally } from '../tally/types.js';
import { checkRate, isWorse } from '../tally/verdict.js';

/** How often a check passed, and what that says of how often it would: the same figures as in reports. */
export interface RateText {
  /** `2/3` */
  rate: string;
  /** `0.18–0.96` */
  interval: string;
}

/** The rate of a check over its graded trials; undefined before the first. */
export function rateText(counts: CheckCounts): RateText | undefined {
  const { passed, of } = checkRate(counts);
  return of === 0 ? undefined : { rate: `${passed}/${of}`, interval: intervalText(passed, of) };
}

/** The rate of the check that decides a row: the worst one of its worst group. */
export function rowRate({ groups }: ScenarioTally): (RateText & { checkId: string }) | undefined {
  let worst: ScenarioTally['groups'][number] | undefined;
  for (const group of groups) {
    if (group.verdict && (!worst?.verdict || isWorse(group.verdict, worst.verdict))) worst = group;
  }
  const check = worst && worstCheck(worst);
  const text = check && rateText(check.counts);
  return check && text && { ...text, checkId: check.id };
}

/** Ends of intervals cost a search each, and rows that move are drawn many times a second. */
const intervals = new Map<string, string>();
const mostRemembered = 2000;

function intervalText(passed: number, of: number): string {
  const key = `${passed}/${of}`;
  const known = intervals.get(key);
  if (known !== undefined) return known;
  if (intervals.size >= mostRemembered) intervals.clear();
  const text = formatInterval(passed, of);
  intervals.set(key, text);
  return text;
}
