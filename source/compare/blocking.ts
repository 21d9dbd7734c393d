import type { PassRate } from '../base/statistics.js';
import type { FailOn, GateSettings } from '../project/gate-settings.js';
import type { PlannedScenario } from '../run/planned.js';
import type { CellGroup } from '../tally/types.js';
import { checkVerdict } from '../tally/verdict.js';
import { standingOf, strictStanding } from './direction.js';
import { blockersOf, hasMeanDropped, ruleOf } from './rules.js';
import type { Comparison, CriterionChange, CriterionKey } from './types.js';

/** One thing that makes the gate fail. */
export interface Blocking extends Partial<CriterionKey> {
  /** By which name of `failOn`. */
  by: FailOn;
  /** One line. Holds text from files: to be made safe before printing. */
  text: string;
  /** It fails and has nothing to be compared with. */
  isUncompared?: true;
}

/** The groups of what is tested, one a scenario. */
export type TestedGroups = readonly { scenario: PlannedScenario; group: CellGroup }[];

/**
 * Everything that blocks, each criterion once, by the first name of `failOn` that it falls under. A change for the worse
 * blocks when it is proved, or as it falls where nothing is confirmed. A criterion that has nothing to be compared with,
 * because it is new, was changed or was not graded before, or has another judge, blocks when it fails. One that failed
 * before and still does blocks nothing, a judged one under another judge included.
 */
export function findBlocking(
  comparison: Comparison,
  tested: TestedGroups,
  settings: GateSettings,
): Blocking[] {
  const isOn = (name: FailOn) => settings.failOn.includes(name);
  const blocking: Blocking[] = [];
  for (const change of comparison.changes) {
    const by = blockedBy(change, comparison, settings);
    if (by === undefined) continue;
    const { scenario, check } = change;
    const uncompared = isOneSided(change) && { isUncompared: true as const };
    blocking.push({ by, scenario, check, text: `${scenario} / ${check}: ${wordsOf(change)}`, ...uncompared });
  }
  blocking.push(...failingUncompared(comparison, tested).filter(({ by }) => isOn(by)));
  const { score } = comparison;
  const isMeanProved = score?.proof === 'confirmed' || !settings.confirm;
  if (isOn('score-drop') && score && isMeanProved && hasMeanDropped(score, settings)) {
    const { from, to } = score.pooled ?? score;
    const text = `the mean judged score fell from ${points(from)} to ${points(to)} over ${score.cases} cases, by more than ${settings.meanDrop}`;
    blocking.push({ by: 'score-drop', text });
  }
  if (isOn('axis-drop')) {
    for (const { axis, drop } of comparison.axes) {
      if (drop > settings.axisDrop + 1e-9)
        blocking.push({ by: 'axis-drop', text: `axis ${axis} fell by ${percentPoints(drop)}` });
    }
  }
  if (isOn('tokens') && comparison.tokens.level === 'fail')
    blocking.push({ by: 'tokens', text: tokenText(comparison) });
  if (isOn('unknown')) blocking.push(...ungraded(tested));
  return blocking;
}

/** The name of `failOn` that a change blocks by; undefined: it does not block. */
function blockedBy(
  change: CriterionChange,
  comparison: Comparison,
  settings: GateSettings,
): FailOn | undefined {
  const { kind, from, to, proof } = change;
  if (isOneSided(change)) {
    if (!to || strictStanding(to, comparison.candidate.kind, settings) !== 'fail') return undefined;
    if (kind === 'hard') return named('hard-criteria', settings);
    // The judge may be stricter, and the criterion as unmet as it was.
    const hasFailedBefore = from !== undefined && standingOf(from, comparison.base.kind) === 'fail';
    return hasFailedBefore ? undefined : named('score-drop', settings);
  }
  const rule = ruleOf(change, comparison, settings);
  if (!rule) return undefined;
  const isProved = proof === 'violation' || proof === 'confirmed' || rule === 'warning' || !settings.confirm;
  return isProved ? blockersOf(change, rule).find((name) => settings.failOn.includes(name)) : undefined;
}

/** Whether a criterion of the candidate has nothing to be compared with. */
export function isOneSided({ direction }: CriterionChange): boolean {
  return direction === 'new' || direction === 'not-comparable';
}

function named(name: FailOn, { failOn }: GateSettings): FailOn | undefined {
  return failOn.includes(name) ? name : undefined;
}

/** Failing criteria of scenarios that are not compared for their simulated user: they have no base. */
function failingUncompared({ simulatedUsers }: Comparison, tested: TestedGroups): Blocking[] {
  if (!simulatedUsers || simulatedUsers.isCompared) return [];
  const left = new Set(simulatedUsers.scenarios);
  return tested
    .filter(({ scenario }) => left.has(scenario.id))
    .flatMap(({ scenario: { id: scenario, checks }, group }) =>
      checks.flatMap(({ id: check, kind, absolute }) => {
        const counts = group.checks.get(check);
        const isFailing = counts && (checkVerdict(counts) === 'fail' || (absolute && counts.fail > 0));
        if (!isFailing) return [];
        const text = `${scenario} / ${check}: fails, and is not compared: a simulated user speaks`;
        const by = kind === 'hard' ? ('hard-criteria' as const) : ('score-drop' as const);
        return [{ by, scenario, check, text, isUncompared: true as const }];
      }),
    );
}

/** Criteria that could not be graded well enough, whatever they would turn out to be. */
function ungraded(tested: TestedGroups): Blocking[] {
  return tested.flatMap(({ scenario: { id: scenario }, group }) =>
    [...group.checks].flatMap(([check, counts]) =>
      checkVerdict(counts) === 'unknown'
        ? [{ by: 'unknown' as const, scenario, check, text: `${scenario} / ${check}: could not be graded` }]
        : [],
    ),
  );
}

/** What happened to a criterion, in own words. */
export function wordsOf({ direction, kind, from, to, proof, p, why }: CriterionChange): string {
  const count = (side?: PassRate) => (side ? `${side.passed}/${side.of}` : 'nothing');
  const score = (side?: { score?: number }) =>
    side?.score === undefined ? '' : ` (score ${points(side.score)})`;
  const sides = `${count(from)}${score(from)} → ${count(to)}${score(to)}`;
  if (direction === 'new') return `new, and fails ${count(to)}`;
  if (direction === 'not-comparable') return `fails ${count(to)}, with no base (${(why ?? []).join(', ')})`;
  const rerun = to?.fresh ? `, re-run ${count(to.fresh)}${score(to.fresh)}` : '';
  const chance = p === undefined || proof === 'violation' ? '' : `, p ${pText(p)}`;
  const what = proof === 'violation' && kind === 'hard' ? 'violated' : direction;
  return `${what}, ${sides}${rerun}${chance}`;
}

/** `0.034`, `<0.001`: never zero, which no test can show. */
export function pText(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

/** Input tokens and cache hit rate against the base. */
export function tokenText({ tokens: { inputRatio, hitRate } }: Comparison): string {
  const parts = [
    inputRatio !== undefined && `input tokens a trial ×${inputRatio.toFixed(2)}`,
    hitRate !== undefined && `cache hit rate ${percent(hitRate.from)} → ${percent(hitRate.to)}`,
  ];
  return `tokens: ${parts.filter((part) => part !== false).join(', ')}`;
}

function points(score: number): string {
  return String(Math.round(score * 100) / 100);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function percentPoints(share: number): string {
  return `${Math.round(share * 1000) / 10} points`;
}
