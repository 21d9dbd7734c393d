import type { Decision } from '../compare/gate.js';
import type { Comparison } from '../compare/types.js';
import { criterionId, type GivenClass } from '../run/change-classes.js';
import { comparisonLines, verdictLines } from './comparison.js';
import { inline } from './format.js';
import { conditionTitle } from './run-facts.js';

/**
 * Two sides as lines, for `evalrun compare`: what is held against what, what changed, what people said of it, and the
 * gate's word last. Safe to print.
 */
export function* twoSidesLines(
  comparison: Comparison,
  decision: Decision,
  classes: ReadonlyMap<string, GivenClass>,
): Generator<string> {
  const { candidate, refused } = comparison;
  const from = candidate.kind === 'run' ? `run ${candidate.runId}` : 'a baseline';
  yield inline(`${candidate.suite}   ${conditionTitle(candidate.condition)}, ${from}`);
  if (!refused) yield* comparisonLines(comparison, { blocking: decision.blocking ?? [] });
  for (const change of comparison.changes) {
    const given = classes.get(criterionId(change));
    if (!given) continue;
    const by = given.by === undefined ? '' : `, by ${given.by}`;
    yield inline(`classed    ${given.scenario}  ${given.check}  ${given.class.replace('-', ' ')}${by}`);
  }
  yield '';
  yield* verdictLines(decision, comparison);
}
