import { textWidth } from '../base/width.js';
import type { Decision } from '../compare/gate.js';
import type { Comparison, CriterionChange } from '../compare/types.js';
import {
  baseTitle,
  changeTexts,
  changeTiers,
  criterionName,
  differencesText,
  figureTexts,
  reasonsBeside,
  unchangedText,
} from './changes.js';
import { inline } from './format.js';

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
  const widths = {
    scenario: widest(changes.map(({ scenario }) => scenario)),
    check: widest(changes.map(({ check }) => check)),
  };
  for (const change of changes) yield changeLine(change, widths, blocks.includes(change));
  yield unchangedText(comparison);
  yield* figureTexts(comparison);
}

/**
 * The verdict and what it rests on, the headline first. A criterion that has a line in the comparison, where there is
 * one, is not named again. Safe to print, one line at a time.
 */
export function* verdictLines(decision: Decision, comparison: Comparison | undefined): Generator<string> {
  yield inline(decision.headline);
  const listed = new Set(comparison?.changes.map(criterionName));
  const told = decision.blocking?.filter((one) => listed.has(criterionName(one))) ?? [];
  const reasons = comparison ? reasonsBeside(decision, told) : decision.reasons;
  for (const reason of reasons) yield `  ${inline(reason)}`;
}

/** Columns of the widest text, up to a limit: what is longer pushes its own line out rather than every other one. */
function widest(texts: readonly string[]): number {
  return Math.min(40, Math.max(0, ...texts.map((text) => textWidth(inline(text)))));
}

function column(text: string, width: number): string {
  const safe = inline(text);
  return safe + ' '.repeat(Math.max(0, width - textWidth(safe)));
}

function changeLine(
  change: CriterionChange,
  widths: { scenario: number; check: number },
  isBlocking: boolean,
): string {
  const { word, rate, proof, why } = changeTexts(change);
  const notes = [proof, inline(why)].filter((note) => note !== '');
  return [
    // What blocks in capitals, as verdicts are.
    (isBlocking ? word.toUpperCase() : word).padEnd(14),
    column(change.scenario, widths.scenario),
    column(change.check, widths.check),
    rate,
    notes.join('; '),
  ]
    .join('  ')
    .trimEnd();
}
