import type { FailOn } from '../project/gate-settings.js';
import { criterionId } from '../run/change-classes.js';
import { type Blocking, isOneSided, pText, tokenText, wordsOf } from './blocking.js';
import { expiredWords } from './quarantine-words.js';
import type { Comparison, CriterionChange, CriterionKey } from './types.js';

/** What each name of `failOn` is called when it blocks, and whether its criteria are counted. */
const blockingWords: { [name in FailOn]: (count: number, uncompared: number) => string } = {
  'hard-criteria': (count) => (count === 1 ? '1 hard criterion fails' : `${count} hard criteria fail`),
  'score-drop': (count, uncompared) =>
    [
      count > uncompared && 'judged scores dropped',
      uncompared > 0 && `${uncompared} judged ${uncompared === 1 ? 'criterion fails' : 'criteria fail'}`,
    ]
      .filter((part) => part !== false)
      .join(', '),
  regression: (count) => (count === 1 ? '1 regression' : `${count} regressions`),
  drift: (count) => (count === 1 ? '1 drift' : `${count} drifts`),
  'axis-drop': (count) => (count === 1 ? '1 axis dropped' : `${count} axes dropped`),
  tokens: () => 'tokens are over their limit',
  unknown: (count) => (count === 1 ? '1 criterion is unknown' : `${count} criteria are unknown`),
  'quarantine-expired': (count) => expiredWords(count),
};

/** The headline of a run that was compared; own words only. */
export function comparedHeadline(
  verdict: 'pass' | 'fail',
  comparison: Comparison,
  blocking: readonly Blocking[],
  suspects: readonly CriterionChange[],
): string {
  const side = comparison.base.kind === 'baseline' ? 'the baseline' : 'the base';
  if (verdict === 'fail') {
    const names = [...new Set(blocking.map(({ by }) => by))];
    const parts = names.map((name) => {
      const own = blocking.filter(({ by }) => by === name);
      return blockingWords[name](own.length, own.filter(({ isUncompared }) => isUncompared).length);
    });
    return `FAIL: ${parts.join(', ')} against ${side}`;
  }
  const same = comparison.differences.length === 0 ? ', which is of the same condition' : '';
  return `PASS: nothing blocks against ${side}${same} (${foundText(comparison, suspects)})`;
}

/** The headline where nothing was to block: the second of two models against the first. */
export function ungatedHeadline(comparison: Comparison): string {
  return `MEASURED: the second model against the first, and nothing was to block (${foundText(comparison)})`;
}

/** What became of the criteria, in counts. */
function foundText(comparison: Comparison, suspects?: readonly CriterionChange[]): string {
  const count = (...directions: CriterionChange['direction'][]) =>
    comparison.changes.filter(({ direction }) => directions.includes(direction)).length;
  const drifts = comparison.changes.filter(
    (change) => change.direction === 'drift' && suspects?.includes(change) !== true,
  ).length;
  // Where something can block, what is worse is blocking, a suspect, or was not confirmed and is none.
  const regressions = suspects ? 0 : count('regression');
  const suspected = suspects?.length ?? 0;
  const parts = [
    `${comparison.same} as before`,
    suspected > 0 && (suspected === 1 ? '1 suspect' : `${suspected} suspects`),
    regressions > 0 && `${regressions} worse`,
    drifts > 0 && `${drifts} drifted`,
    count('fixed') > 0 && `${count('fixed')} fixed`,
    count('better') > 0 && `${count('better')} better`,
    count('new') > 0 && `${count('new')} new`,
    count('gone') > 0 && `${count('gone')} gone`,
    count('not-comparable') > 0 && `${count('not-comparable')} not comparable`,
  ].filter((part) => part !== false);
  return parts.join(', ');
}

/** What a verdict against a base rests on, and what is to be known beside it, one line each; not made safe yet. */
export function comparedReasons(
  comparison: Comparison,
  blocking: readonly Blocking[],
  suspects: readonly CriterionChange[],
): string[] {
  const { stillFailing, score, sign, tokens, falseRed, simulatedUsers } = comparison;
  const blocked = new Set(blocking.map(({ scenario = '', check = '' }) => criterionId({ scenario, check })));
  const isNamed = (criterion: CriterionKey) => blocked.has(criterionId(criterion));
  const newJudged = comparison.changes.filter(
    (change) =>
      isOneSided(change) && change.kind === 'judged' && change.to?.verdict === 'fail' && !isNamed(change),
  );
  const still = stillFailing.filter((criterion) => !isNamed(criterion));
  const isTokenBlocked = blocking.some(({ by }) => by === 'tokens');
  const notes = [
    ...blocking.map(({ by, text }) => `${by}: ${text}`),
    ...suspects.map(suspectLine),
    score?.proof === 'suspect' && `suspect: the mean judged score dropped, ${meanText(score)}`,
    ...newJudged.map((change) => `fails without a base, and does not block: ${keyOf(change)}`),
    still.length > 0 && `failed before and still fails: ${still.map(keyOf).join(', ')}`,
    tokens.level !== 'ok' && !isTokenBlocked && `${tokenText(comparison)}, beyond the threshold`,
    sign.p <= 0.05 &&
      `all in all it got worse: ${sign.worse} scenarios did, ${sign.better} got better (sign test, p ${pText(sign.p)})`,
    falseRed !== undefined && falseRedLine(falseRed),
    simulatedUsers?.isCompared &&
      `confounded: a simulated user speaks in ${simulatedUsers.scenarios.join(', ')}, and what differs may be its doing`,
    simulatedUsers &&
      !simulatedUsers.isCompared &&
      `not compared, for a simulated user speaks: ${simulatedUsers.scenarios.join(', ')}`,
  ];
  return notes.filter((line): line is string => typeof line === 'string');
}

/** Why no criterion could be held against the base, a line each; own words but for parts of conditions. */
export function uncomparedReasons({ changes }: Comparison): string[] {
  const counts = new Map<string, number>();
  for (const { direction, why = [] } of changes) {
    const what = direction === 'not-comparable' ? `not comparable: ${why.join(', ')}` : sideWords[direction];
    if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return Array.from(counts, ([what, count]) => `${count} ${count === 1 ? 'criterion' : 'criteria'} ${what}`);
}

const sideWords: { [direction in CriterionChange['direction']]?: string } = {
  new: 'new, with no base',
  gone: 'gone, of the base alone',
};

function meanText({ pooled, p }: NonNullable<Comparison['score']>): string {
  if (!pooled) return 'and was not re-run';
  return p === undefined
    ? 'and could not be graded again'
    : `and the re-run does not prove it (p ${pText(p)})`;
}

/** What a suspect would need to be settled: trials, if it was run again and they are known, or to be run again at all. */
function suspectLine(change: CriterionChange): string {
  const { needs, to } = change;
  const parts = [
    !to?.fresh && 'it was not run again',
    to?.fresh?.of === 0 && 'its re-run could not be graded',
    needs !== undefined && `${needs} ${needs === 1 ? 'trial' : 'trials'} a side in all would settle it`,
  ].filter((part) => part !== false);
  const settles = parts.length > 0 ? parts.join(', ') : unprovedText(change);
  return `suspect: ${keyOf(change)}: ${wordsOf(change)}; ${settles}`;
}

/** Of a re-run that was graded, where it is not known how many trials would do. */
function unprovedText({ from, to }: CriterionChange): string {
  const isScoreAlone = from?.score !== undefined && to?.score !== undefined && to.verdict !== 'fail';
  return isScoreAlone
    ? 'the re-run does not prove it'
    : 'with the rates as they stand no number of trials that one would run settles it';
}

function keyOf({ scenario, check }: CriterionKey): string {
  return `${scenario} / ${check}`;
}

function falseRedLine(share: number): string {
  return `nothing was confirmed: with nothing changed a gate like this goes red in about ${Math.round(share * 100)} % of runs`;
}
