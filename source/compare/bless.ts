import { dayOf } from '../base/day.js';
import { contentHash } from '../base/hash.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { expectedBefore } from './baseline-accumulate.js';
import { baselineCheck, expectationOf } from './baseline-check.js';
import type { Expectation } from './baseline-counts.js';
import type { Baseline, BaselineScenario, Superseded } from './baseline-schema.js';
import type { Evidence } from './types.js';

/** Who accepts another expectation of one criterion, and why. */
export interface Blessing {
  scenario: string;
  check: string;
  reason: string;
  by?: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Commit that the project stands at. */
  commit?: string;
}

export interface Blessed {
  baseline: Baseline;
  /** Not set: nothing was expected of it before. */
  from?: Expectation;
  to: Expectation;
}

/** A criterion that cannot be blessed; the message is a sentence for the person who tried. */
export class UnblessableCheck extends Error {}

/**
 * The baseline with what a run shows of one criterion as its expectation. The old one goes into the history of its
 * scenario, with reason, author, date and commit. Nothing else changes. Throws UnblessableCheck.
 */
export function bless(baseline: Baseline, evidence: Evidence, blessing: Blessing): Blessed {
  const { scenario: id, check: name, reason, by, now, commit } = blessing;
  const ran = evidence.scenarios.get(id);
  if (!ran) {
    const hint = suggest(id, [...evidence.scenarios.keys()], 'scenarios');
    throw new UnblessableCheck(`run ${evidence.runId} has no scenario ${quote(id)}; ${hint}`);
  }
  const is = ran.checks.get(name);
  if (!is) {
    const hint = suggest(name, [...ran.checks.keys()], 'checks');
    throw new UnblessableCheck(`scenario ${quote(id)} has no check ${quote(name)}; ${hint}`);
  }
  const to = expectationOf(is);
  if (!to)
    throw new UnblessableCheck(`too few trials of ${id}/${name} could be graded to expect anything of it`);

  const before = baseline.scenarios[id];
  if (before && contentHash(before.parts) !== contentHash(ran.parts)) {
    throw new UnblessableCheck(
      `scenario ${quote(id)} itself has changed, with all of its criteria; run it and save that: evalrun run --scenario ${id}, evalrun baseline save`,
    );
  }
  const condition = contentHash(evidence.condition.parts);
  const own = contentHash(baseline.condition.parts);
  const was = before?.checks[name];
  if (was && was.hash === is.hash && was.verdict === to.verdict) {
    throw new UnblessableCheck(
      `${id}/${name} is expected to ${was.verdict} as it is; there is nothing to bless`,
    );
  }
  const made = baselineCheck(is, to, to.verdict === 'fail' ? reason : undefined);
  if (!made)
    throw new UnblessableCheck(`run ${evidence.runId} does not say what ${id}/${name} asks; make a new run`);
  const entry: Superseded = {
    check: name,
    ...(was && { was: expectedBefore(was) }),
    how: 'blessed',
    reason,
    ...(by !== undefined && { by }),
    at: dayOf(now),
    run: evidence.runId,
    ...(evidence.condition.promptPath !== undefined && { prompt: evidence.condition.promptPath }),
    ...(commit !== undefined && { commit }),
  };
  const scenario: BaselineScenario = {
    ...(before ?? { parts: { ...ran.parts }, ...(ran.isSimulatedUser && { simulatedUser: true as const }) }),
    hash: ran.hash,
    checks: {
      ...before?.checks,
      [name]: { ...made, ...(condition !== own && { condition }) },
    },
    history: [...(before?.history ?? []), entry],
  };
  return {
    baseline: { ...baseline, scenarios: { ...baseline.scenarios, [id]: scenario } },
    ...(was && { from: was }),
    to,
  };
}
