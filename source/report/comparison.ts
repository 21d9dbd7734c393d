import { textWidth } from '../base/width.js';
import type { Decision } from '../compare/gate.js';
import type { Comparison, CriterionChange } from '../compare/types.js';
import {
  axisTexts,
  baseTitle,
  changeTiers,
  differencesText,
  directionWords,
  proofText,
  rateChange,
  scoreText,
  signText,
  tokensText,
  whyChanged,
} from './changes.js';
import { countOf, inline } from './format.js';

/**
 * What differs from the base, for the closing report: a line a criterion that changed, what blocks last, then what
 * did not change, the sign test and the tokens. Safe to print, one line at a time.
 */
export function* comparisonLines(
  comparison: Comparison,
  decision: Pick<Decision, 'blocking'>,
): Generator<string> {
  yield `compared with ${baseTitle(comparison.base)}`;
  yield `  ${inline(differencesText(comparison))}`;
  const { blocks, suspected, others } = changeTiers(comparison, decision);
  const changes = [...others, ...suspected, ...blocks];
  const widest = Math.min(60, Math.max(0, ...changes.map((change) => textWidth(changeName(change)))));
  for (const change of changes) yield changeLine(change, widest, blocks.includes(change));
  const rest = countOf(comparison.same, 'criterion').replace(/criterions$/, 'criteria');
  yield changes.length === 0 ? `nothing changed (${rest})` : `nothing else changed (${rest})`;
  const facts = [
    scoreText(comparison),
    ...axisTexts(comparison),
    signText(comparison),
    tokensText(comparison),
  ];
  for (const fact of facts) if (fact !== undefined) yield fact;
}

function changeName({ scenario, check }: CriterionChange): string {
  return inline(`${scenario}  ${check}`);
}

function changeLine(change: CriterionChange, widest: number, isBlocking: boolean): string {
  const name = changeName(change);
  const word = directionWords[change.direction];
  const notes = [proofText(change), inline(whyChanged(change))].filter((note) => note !== '');
  return [
    // What blocks in capitals, as verdicts are.
    (isBlocking ? word.toUpperCase() : word).padEnd(14),
    name + ' '.repeat(Math.max(0, widest - textWidth(name))),
    rateChange(change),
    notes.join('; '),
  ]
    .join('  ')
    .trimEnd();
}
