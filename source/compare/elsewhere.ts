import { isJsonObject, type Json } from '../base/json.js';
import type { Watched } from '../run/bisect-events.js';
import type { RunStarted } from '../run/reader.js';
import { checkDifferences, scenarioDifferences } from './comparable.js';
import { sideDifferences } from './differences.js';
import type { CheckEvidence, Difference, Evidence, ScenarioEvidence } from './types.js';

/** A side whose results are known, and what its run said of itself where its journal is still there. */
export interface KnownSide {
  evidence: Evidence;
  /** `condition`: the id that the evidence is of in that run. */
  ran?: { started: RunStarted; condition: string };
}

/**
 * What differs between where a check passed and where it failed, beside the prompt: the condition, the judge, who played
 * the user, what is asked in the scenarios that are watched, and where both journals are there the values that the
 * product is tuned with, files and versions. Texts of files and products: to be made safe before printing.
 */
export function elsewhere(good: KnownSide, bad: KnownSide, watched: readonly Watched[]): Difference[] {
  return [
    ...sideDifferences(good.evidence, bad.evidence).filter(({ part }) => part !== 'prompt'),
    ...watchedDifferences(good.evidence, bad.evidence, watched),
    ...runDifferences(good.ran, bad.ran),
  ];
}

function watchedDifferences(good: Evidence, bad: Evidence, watched: readonly Watched[]): Difference[] {
  const differences: Difference[] = [];
  for (const id of new Set(watched.map(({ scenario }) => scenario))) {
    const [from, to] = [good.scenarios.get(id), bad.scenarios.get(id)];
    if (!from || !to) continue;
    for (const part of scenarioDifferences([good, from], [bad, to]))
      if (isOfScenario(part)) differences.push(hashed(`${part} of ${id}`, from.parts[part], to.parts[part]));
    const names = watched.flatMap(({ scenario, check }) => (scenario === id ? [check] : []));
    for (const [name, was] of from.checks) {
      const is = to.checks.get(name);
      const isWatched = names.includes(undefined) || names.includes(name);
      if (isWatched && is && isOtherCheck([good, was], [bad, is]))
        differences.push(hashed(`check ${id} / ${name}`, was.hash, is.hash));
    }
  }
  return differences;
}

/** Who plays the user differs for all scenarios, and is told of once. */
function isOfScenario(part: string): part is keyof ScenarioEvidence['parts'] {
  return part === 'turns' || part === 'fixtures' || part === 'persona';
}

/** The judge is told of once. */
function isOtherCheck(from: [Evidence, CheckEvidence], to: [Evidence, CheckEvidence]): boolean {
  return checkDifferences(from, to).includes('the check');
}

function runDifferences(good: KnownSide['ran'], bad: KnownSide['ran']): Difference[] {
  if (!good || !bad || good.started.runId === bad.started.runId) return [];
  const [from, to] = [good.started, bad.started];
  const differences = tuningDifferences(from.tuning?.[good.condition], to.tuning?.[bad.condition]);
  const files = new Set([...Object.keys(from.sources ?? {}), ...Object.keys(to.sources ?? {})]);
  for (const file of files) {
    const [was, is] = [from.sources?.[file], to.sources?.[file]];
    // One that only one of the runs had is of a condition that the other did not have.
    if (was !== undefined && is !== undefined && was !== is)
      differences.push(hashed(`file of ${file}`, was, is));
  }
  if (from.fixtures !== to.fixtures)
    differences.push({
      part: 'folder of fixtures',
      from: from.fixtures ?? "the suite's",
      to: to.fixtures ?? "the suite's",
    });
  if (from.evalrun !== to.evalrun) differences.push({ part: 'evalrun', from: from.evalrun, to: to.evalrun });
  return differences;
}

/** Tuning values that differ, one difference a value. Lists are values of their own. */
function tuningDifferences(from: Json | undefined, to: Json | undefined, path = '$'): Difference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (isJsonObject(from) && isJsonObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap((name) => tuningDifferences(from[name], to[name], `${path}.${name}`));
  }
  return [{ part: `tuning ${path}`, from: shown(from), to: shown(to) }];
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

function hashed(part: string, from: string | undefined, to: string | undefined): Difference {
  return { part, from: from?.slice(0, 8) ?? 'none', to: to?.slice(0, 8) ?? 'none' };
}
