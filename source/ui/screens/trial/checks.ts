import { makeVisible } from '../../../base/text.js';
import { wrapToWidth } from '../../../base/width.js';
import type { CheckResult, CheckVerdict } from '../../../grade/types.js';
import { formatShare } from '../../../report/format.js';
import type { PlannedScenario } from '../../../run/planned.js';
import type { TrialRecord } from '../../../run/types.js';
import type { CheckCounts } from '../../../tally/types.js';
import { rateText } from '../../rate.js';
import { type Segment, segment } from '../../segments.js';
import type { Glyphs } from '../../theme.js';
import type { Tone } from '../../tone.js';

/** A sentence beside the reason of a check. */
export interface ReasonNote {
  text: string;
  tone: Tone;
}

/** One check of the trial that is open, graded or not. */
export interface CheckItem {
  id: string;
  planned: PlannedScenario['checks'][number] | undefined;
  result: CheckResult | undefined;
  /** It counts in no verdict. */
  isQuarantined: boolean;
}

/** The checks of the plan in its order, then results that the plan does not know. */
export function checkItems(
  scenario: PlannedScenario,
  record: TrialRecord | undefined,
  isQuarantined: (check: string) => boolean,
): CheckItem[] {
  const results = new Map((record?.results ?? []).map((result) => [result.checkId, result]));
  const planned = scenario.checks.map((check) => ({
    id: check.id,
    planned: check,
    result: results.get(check.id),
    isQuarantined: isQuarantined(check.id),
  }));
  const known = new Set(scenario.checks.map(({ id }) => id));
  const others = (record?.results ?? [])
    .filter(({ checkId }) => !known.has(checkId))
    .map((result) => ({ id: result.checkId, planned: undefined, result, isQuarantined: false }));
  return [...planned, ...others];
}

const badness: Record<CheckVerdict, number> = { fail: 3, warn: 2, unknown: 1, pass: 0 };

/** Position of the check that most needs reading: the first of the worst, those that count first. 0 when nothing is graded. */
export function worstCheck(items: readonly CheckItem[]): number {
  let worst = 0;
  let most = 0;
  items.forEach(({ result, isQuarantined }, index) => {
    const weight = isQuarantined ? 0.1 : 1;
    const bad = result ? weight * badness[result.verdict] : 0;
    if (bad > most) [worst, most] = [index, bad];
  });
  return worst;
}

/** Mark, tone and score of a check, for its line in the list. */
export function checkLook(item: CheckItem, glyphs: Glyphs): { mark: string; tone: Tone; score: string } {
  const { result } = item;
  if (!result) return { mark: glyphs.waiting, tone: 'waiting', score: '' };
  const marks = {
    pass: glyphs.checkPass,
    warn: glyphs.warn,
    fail: glyphs.checkFail,
    unknown: glyphs.unknown,
  };
  const mark = marks[result.verdict];
  const score = scoreText(result);
  if (!item.isQuarantined) return { mark, tone: result.verdict, score };
  return { mark, tone: 'faint', score: [score, 'quarantined'].filter((part) => part !== '').join('  ') };
}

function scoreText({ score, axes }: CheckResult): string {
  if (score !== undefined) return `score ${score}/5`;
  const shares = Object.values(axes ?? {});
  if (shares.length === 0) return '';
  return formatShare(shares.reduce((sum, share) => sum + share, 0) / shares.length);
}

/**
 * What is to be said about a check: its reason, what the judge said, how it did over all trials, what it is. Made
 * visible, wrapped.
 */
export function reasonLines(
  item: CheckItem | undefined,
  ungraded: string,
  /** Of the check under the trial's condition. */
  counts: CheckCounts | undefined,
  width: number,
  /** How far its judge can be trusted, and what people said of this verdict. */
  notes: readonly ReasonNote[] = [],
): Segment[][] {
  if (!item) return [[segment('this scenario has no checks', 'faint')]];
  const lines: Segment[][] = [];
  const add = (raw: string, tone: Tone = 'plain') => {
    for (const text of wrapToWidth(makeVisible(raw, { keepNewlines: true }), width))
      lines.push([segment(text, tone)]);
  };
  const { result, planned } = item;
  if (!result) add(ungraded, 'faint');
  else {
    add(result.reason === '' ? result.verdict : result.reason);
    addDetails(result, add);
  }
  for (const { text, tone } of notes) add(text, tone);
  const overall = counts && rateText(counts);
  if (overall) add(`over all trials: ${overall.rate}, ${overall.interval}`);
  const kind = result?.kind ?? planned?.kind;
  const type = result?.type ?? planned?.type;
  const traits = [
    type !== undefined && `${kind} check of type ${type}`,
    planned?.absolute && 'one violation is a defect',
    planned?.axis !== undefined && `axis ${planned.axis}`,
  ].filter((trait) => typeof trait === 'string');
  lines.push([]);
  add(traits.join(' · '), 'faint');
  return lines;
}

function addDetails(result: CheckResult, add: (raw: string, tone?: Tone) => void): void {
  const { judge, axes } = result;
  if (judge) {
    if (judge.reason !== '' && !result.reason.includes(judge.reason)) add(judge.reason);
    const said = judge.score !== undefined ? `score ${judge.score} of 5` : passWord(judge.pass);
    add(`${judge.model}  ${judge.prompt}${said === '' ? '' : `  ${said}`}`, 'faint');
    if (judge.raw !== undefined) add(`answered: ${judge.raw}`, 'faint');
    judge.verdicts?.forEach((one, index) => {
      const value = one.score !== undefined ? `${one.score} of 5` : passWord(one.pass) || 'unknown';
      const cached = one.cached ? ', from the cache' : '';
      const why = one.reason === judge.reason ? '' : `: ${one.reason}`;
      add(`verdict ${index + 1}: ${value}${cached}${why}`, 'faint');
    });
    if (judge.cached && !judge.verdicts) add('the verdict came from the cache', 'faint');
  }
  for (const [axis, share] of Object.entries(axes ?? {})) add(`${axis}: ${formatShare(share)} right`);
}

function passWord(pass: boolean | undefined): string {
  return pass === undefined ? '' : pass ? 'says pass' : 'says fail';
}

/** The same as `reasonLines` for the clipboard: one text. */
export function reasonText(item: CheckItem): string {
  const { result } = item;
  if (!result) return `${item.id}: not graded`;
  const judge = result.judge ? `\n${result.judge.model} ${result.judge.prompt}: ${result.judge.reason}` : '';
  return makeVisible(`${item.id}: ${result.verdict}: ${result.reason}${judge}`, { keepNewlines: true });
}
