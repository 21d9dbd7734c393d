import type { Problem } from '../base/errors.js';
import { type DataNode, positionAt, problemAt } from '../base/nodes.js';
import { median } from '../grade/judge/verdicts.js';
import { scoresCounted, verdictOfCounts } from './baseline-counts.js';
import type { Baseline, BaselineCheck } from './baseline-schema.js';

/**
 * Counts that cannot be, and verdicts and scores that are not what their counts say: what merging two sides by hand
 * leaves.
 */
export function countMistakes({ scenarios }: Baseline, node: DataNode, file: string): Problem[] {
  return Object.entries(scenarios).flatMap(([scenario, { checks }]) =>
    Object.entries(checks).flatMap(([check, counted]) =>
      [...checkMistakes(counted)].map(([key, message]) =>
        problemAt(file, positionAt(node, ['scenarios', scenario, 'checks', check, key]), message),
      ),
    ),
  );
}

function* checkMistakes(check: BaselineCheck): Generator<[key: string, message: string]> {
  const { verdict, passed, of, axes } = check;
  if (passed > of) yield ['passed', `${passed} of ${of} trials cannot have passed`];
  else {
    const said = verdictOfCounts(passed, of, verdict === 'warn');
    if (said !== undefined && said !== verdict)
      yield ['verdict', `${passed} of ${of} passed is ${said}, and this says ${verdict}`];
  }
  yield* scoreMistakes(check);
  for (const [right, all] of Object.values(axes ?? {}))
    if (right > all) yield ['axes', `${right} of ${all} trials cannot have been right`];
}

function* scoreMistakes({ of, score, scores }: BaselineCheck): Generator<[key: string, message: string]> {
  if (!scores) return;
  const counted = Object.values(scores).reduce((sum, trials) => sum + trials, 0);
  if (counted > of) yield ['scores', `${counted} scores of ${of} trials`];
  else if (counted === 0) {
    if (score !== undefined) yield ['scores', `no scores, and a median of ${score}`];
  } else {
    const middle = median(scoresCounted(scores));
    if (score === undefined || Math.abs(score - middle) > 1e-9)
      yield [
        score === undefined ? 'scores' : 'score',
        `the median of the scores is ${middle}, and this says ${score ?? 'none'}`,
      ];
  }
}
