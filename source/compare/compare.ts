import type { GateSettings } from '../project/gate-settings.js';
import { compareAxes } from './axes.js';
import { checkDifferences, scenarioDifferences } from './comparable.js';
import { sideDifferences } from './differences.js';
import { type CriterionPair, directionOf, strictStanding } from './direction.js';
import { falseRedRate } from './false-red.js';
import { believedRates } from './fit-rates.js';
import { leaveOutQuarantined } from './quarantined.js';
import { compareScores } from './score.js';
import { compareSigns, type ScenarioRates } from './sign.js';
import { compareTokens } from './tokens.js';
import type {
  CheckEvidence,
  Comparison,
  CriterionChange,
  CriterionKey,
  Evidence,
  ScenarioEvidence,
} from './types.js';

export interface CompareOptions {
  /** Scenarios with a simulated user are compared although the conditions differ; the comparison is confounded. */
  simulatedUsers?: boolean;
}

interface ComparedPair extends CriterionPair {
  scenario: string;
}

/** What is gathered while the criteria are gone through. */
interface Findings {
  changes: CriterionChange[];
  pairs: ComparedPair[];
  scenarios: ScenarioRates[];
  same: number;
  stillFailing: CriterionKey[];
  simulated: string[];
}

/**
 * Two sides, criterion by criterion. Nothing is compared that was not asked the same way on both sides: where what is
 * asked differs the change says what of it. Evidence that is tainted or incomplete compares to nothing, and `refused`
 * says so. What is quarantined in the candidate is named and left out. What is proved of a change for the worse is for
 * `confirm` to say.
 */
export function compareEvidence(
  from: Evidence,
  to: Evidence,
  settings: GateSettings,
  options: CompareOptions = {},
): Comparison {
  const { base, candidate, quarantined } = leaveOutQuarantined(from, to);
  const refused = refusals(base, candidate, options);
  const found: Findings = { changes: [], pairs: [], scenarios: [], same: 0, stillFailing: [], simulated: [] };
  if (refused.length === 0) {
    for (const scenario of candidate.scenarios.values())
      compareScenario({ base, candidate, settings, options }, scenario, found);
    const left = options.simulatedUsers ? [] : found.simulated;
    for (const scenario of base.scenarios.values())
      if (!left.includes(scenario.id)) addGone(scenario, candidate, found.changes);
  }
  const { changes, same, stillFailing, pairs, simulated } = found;
  return {
    ...(refused.length > 0 && { refused }),
    base: withoutScenarios(base),
    candidate: withoutScenarios(candidate),
    differences: sideDifferences(base, candidate),
    changes,
    same,
    sign: compareSigns(found.scenarios),
    score: compareScores(pairs.filter(({ to }) => to.kind === 'judged')),
    axes: compareAxes(pairs),
    tokens:
      refused.length > 0
        ? { notComparable: 'nothing was compared', level: 'ok' }
        : compareTokens(base, candidate, settings),
    stillFailing,
    ...(quarantined.length > 0 && { quarantined }),
    ...(simulated.length > 0 && {
      simulatedUsers: { scenarios: simulated, isCompared: options.simulatedUsers === true },
    }),
    ...(!settings.confirm && refused.length === 0 && { falseRed: falseRedOf(pairs, settings) }),
  };
}

interface Sides {
  base: Evidence;
  candidate: Evidence;
  settings: GateSettings;
  options: CompareOptions;
}

function compareScenario(sides: Sides, to: ScenarioEvidence, found: Findings): void {
  const { base, candidate, options } = sides;
  const from = base.scenarios.get(to.id);
  if (!from) {
    for (const check of to.checks.values()) found.changes.push(change(to.id, 'new', undefined, check));
    return;
  }
  if (isConfounded(sides, from, to)) {
    found.simulated.push(to.id);
    if (!options.simulatedUsers) return;
  }
  const why = scenarioDifferences([base, from], [candidate, to]);
  const rates: ScenarioRates = { from: { passed: 0, of: 0 }, to: { passed: 0, of: 0 } };
  const kinds = { from: base.kind, to: candidate.kind };
  for (const check of to.checks.values()) {
    const known = from.checks.get(check.id);
    if (known) compareCheck(sides, { scenario: to.id, from: known, to: check, kinds, why, rates }, found);
    else found.changes.push(change(to.id, 'new', undefined, check));
  }
  found.scenarios.push(rates);
}

function compareCheck(
  { base, candidate, settings }: Sides,
  criterion: {
    scenario: string;
    from: CheckEvidence;
    to: CheckEvidence;
    kinds: CriterionPair['kinds'];
    why: readonly string[];
    rates: ScenarioRates;
  },
  found: Findings,
): void {
  const { scenario, from, to, kinds, rates } = criterion;
  const different = checkDifferences([base, from], [candidate, to]);
  if (criterion.why.length > 0 || different.length > 0) {
    const why = [...criterion.why, ...different];
    found.changes.push({ ...change(scenario, 'not-comparable', from, to), why });
    return;
  }
  const pair = { scenario, from, to, kinds };
  found.pairs.push(pair);
  addRate(rates.from, from);
  addRate(rates.to, to);
  const direction = directionOf(pair, settings);
  if (direction === 'not-comparable') {
    const isBase = strictStanding(from, base.kind, settings) === 'unknown';
    const ungraded = `not graded well enough in the ${isBase ? 'base' : 'candidate'}`;
    found.changes.push({ ...change(scenario, direction, from, to), why: [ungraded] });
    return;
  }
  if (direction) found.changes.push(change(scenario, direction, from, to));
  else found.same++;
  if (
    strictStanding(from, kinds.from, settings) === 'fail' &&
    strictStanding(to, kinds.to, settings) === 'fail'
  )
    found.stillFailing.push({ scenario, check: to.id });
}

function addGone(scenario: ScenarioEvidence, candidate: Evidence, changes: CriterionChange[]): void {
  const still = candidate.scenarios.get(scenario.id);
  for (const check of scenario.checks.values()) {
    if (!still?.checks.has(check.id)) changes.push(change(scenario.id, 'gone', check, undefined));
  }
}

function change(
  scenario: string,
  direction: CriterionChange['direction'],
  from: CheckEvidence | undefined,
  to: CheckEvidence | undefined,
): CriterionChange {
  const { id: check, kind, absolute } = to ?? from ?? { id: '', kind: 'hard', absolute: false };
  return { scenario, check, kind, absolute, direction, ...(from && { from }), ...(to && { to }) };
}

/** What differs between two conditions may be the simulated user's doing; of the same condition twice nothing is. */
function isConfounded(
  { base, candidate }: Pick<Sides, 'base' | 'candidate'>,
  from: ScenarioEvidence,
  to: ScenarioEvidence,
): boolean {
  const isSimulated = from.isSimulatedUser === true || to.isSimulatedUser === true;
  return isSimulated && base.condition.hash !== candidate.condition.hash;
}

function refusals(base: Evidence, candidate: Evidence, options: CompareOptions): string[] {
  const reasons: string[] = [];
  if (base.suite !== candidate.suite)
    reasons.push(`the base is of the suite ${base.suite}, the candidate of ${candidate.suite}`);
  for (const [side, evidence] of [
    ['base', base],
    ['candidate', candidate],
  ] as const) {
    if (evidence.taints.length > 0)
      reasons.push(`the ${side} is tainted and no evidence (${evidence.taints.join('; ')})`);
    if (!evidence.isComplete) reasons.push(`the ${side} is incomplete: not all of its trials were run`);
  }
  if (reasons.length > 0) return reasons;
  let shared = 0;
  let confounded = 0;
  for (const to of candidate.scenarios.values()) {
    const from = base.scenarios.get(to.id);
    if (!from) continue;
    shared++;
    if (isConfounded({ base, candidate }, from, to)) confounded++;
  }
  if (shared === 0 && candidate.scenarios.size > 0) return ['the two sides have no scenario in common'];
  if (shared > 0 && confounded === shared && !options.simulatedUsers)
    return ['a simulated user speaks in every scenario: what differs may be its doing'];
  return [];
}

function falseRedOf(pairs: readonly ComparedPair[], settings: GateSettings): number {
  const hard = pairs.filter(({ from, to }) => to.kind === 'hard' && from.of > 0);
  const believed = believedRates(hard.map(({ from, to }) => ({ absolute: to.absolute, seen: from })));
  // What failed before blocks nothing, and is believed in all the same: it is part of what the suite does.
  const couldBlock = hard.filter(
    ({ from, kinds }) =>
      from.passed === from.of || strictStanding(from, kinds.from, { ...settings, confirm: true }) !== 'fail',
  );
  return falseRedRate(couldBlock.map(({ from, to }) => ({ from, to, believed: believed(to.absolute) })));
}

function addRate(sum: { passed: number; of: number }, { passed, of }: CheckEvidence): void {
  sum.passed += passed;
  sum.of += of;
}

function withoutScenarios({ scenarios: _, ...side }: Evidence): Omit<Evidence, 'scenarios'> {
  return side;
}
