import { type Agreement, isAgreed, type LabelledCase } from '../grade/labels/agreement.js';
import type { LabelAnswer } from '../grade/labels/ask.js';
import { kappaText } from '../grade/labels/calibration.js';
import type { Label, LabelVerdict } from '../grade/labels/types.js';
import { countOf, formatCount, formatInterval, formatShare, inline } from './format.js';
import { isSimulatedModel, simulatedNotice } from './run-facts.js';

/** What a test of a judge found. */
export interface JudgeTest {
  /** `name@N` */
  prompt: string;
  /** `provider:model` */
  model: string;
  labels: readonly Label[];
  /** Labels that were not asked about: the judge's verdict was in view when they were given. */
  leftOut: number;
  /** One a label, in the same order. */
  answers: readonly LabelAnswer[];
  agreement: Agreement;
  /** Kappa that is needed. */
  floor: number | undefined;
  /** Rubrics of the suites, and those of them that have a label. */
  rubrics: { all: number; labelled: number };
  /** Labelled rubrics that no suite has any more: the rubric changed, or is gone. */
  orphans: number;
}

/** What the test says: printed verdict and exit code come from here. */
export function judgeTestOutcome({ agreement, floor }: JudgeTest): { exitCode: 0 | 1 | 3; headline: string } {
  const { kappa } = agreement;
  if (floor === undefined) return { exitCode: 0, headline: 'DONE: no floor is set (--floor)' };
  if (kappa === undefined)
    return { exitCode: 3, headline: `NO VERDICT: ${kappaText(agreement)}; label cases of both kinds` };
  return kappa.value >= floor
    ? { exitCode: 0, headline: `PASS: kappa ${kappa.value.toFixed(2)} is at least ${floor}` }
    : { exitCode: 1, headline: `FAIL: kappa ${kappa.value.toFixed(2)} is below the floor of ${floor}` };
}

/** The test as lines that are safe to print. */
export function* judgeTestLines(test: JudgeTest): Generator<string> {
  const { agreement } = test;
  const { cases } = agreement;
  yield inline(`judge ${test.prompt} on ${test.model}   ${countOf(cases, 'label')}`);
  if (isSimulatedModel(test.model)) yield simulatedNotice;
  yield '';
  yield* agreementLines(agreement);
  yield '';
  let hasDisagreed = false;
  for (const { label, answer } of disagreements(test)) {
    hasDisagreed = true;
    const place = `${label.place.file}:${label.place.line}`;
    yield `${inline(place)}: labelled ${saidText(label.expected)}, the judge says ${saidText(answer)}: ${inline(answer.reason)}`;
    if (label.note !== undefined) yield `         note: ${inline(label.note)}`;
  }
  if (hasDisagreed) yield '';
  if (test.leftOut > 0)
    yield `labels   ${formatCount(test.leftOut)} left out: given with the judge's verdict in view (--all counts them too)`;
  const { all, labelled } = test.rubrics;
  if (all > 0)
    yield `rubrics  ${formatCount(labelled)} of ${formatCount(all)} in the suites have labels${labelled < all ? '; the others are uncalibrated' : ''}`;
  if (test.orphans > 0)
    yield `rubrics  ${formatCount(test.orphans)} with labels ${test.orphans === 1 ? 'is' : 'are'} in no suite as labelled: changed, or gone`;
  yield judgeTestOutcome(test).headline;
}

/** Table, agreement, kappa and scores. */
export function* agreementLines(agreement: Agreement): Generator<string> {
  const { cases, agreed, table, scores } = agreement;
  yield '              judge says';
  yield 'labelled      pass   fail   unknown';
  for (const right of ['pass', 'fail'] as const) {
    const { pass, fail, unknown } = table[right];
    yield `${right.padEnd(8)}${String(pass).padStart(10)}${String(fail).padStart(7)}${String(unknown).padStart(10)}`;
  }
  yield '';
  const share = cases === 0 ? '' : `, ${formatShare(agreed / cases)} (${formatInterval(agreed, cases)})`;
  yield `agrees   ${agreed} of ${cases}${share}, ${kappaText(agreement)}`;
  if (scores) yield `scores   ${scores.equal} of ${scores.cases} equal, ${scores.within1} at most one apart`;
}

function* disagreements({ labels, answers }: JudgeTest) {
  for (const [index, label] of labels.entries()) {
    const answer = answers[index];
    if (!answer) continue;
    const one: LabelledCase = { expected: label.expected, judged: answer };
    if (!isAgreed(one)) yield { label, answer };
  }
}

/** `pass`, `fail (2 of 5)`, `unknown`. */
export function saidText({ pass, score }: LabelVerdict): string {
  const word = pass === 'unknown' ? 'unknown' : pass ? 'pass' : 'fail';
  return score === undefined ? word : `${word} (${score} of 5)`;
}

/** The same for machines. */
export function judgeTestFacts(test: JudgeTest) {
  const { prompt, model, agreement, floor, rubrics, orphans } = test;
  const { exitCode, headline } = judgeTestOutcome(test);
  return {
    prompt,
    model,
    simulated: isSimulatedModel(model),
    ...agreement,
    interval: [agreement.interval.low, agreement.interval.high],
    kappa: agreement.kappa ?? null,
    scores: agreement.scores ?? null,
    floor: floor ?? null,
    disagreements: [...disagreements(test)].map(({ label, answer }) => ({
      file: label.place.file,
      line: label.place.line,
      rubric: label.rubric,
      expected: saidText(label.expected),
      judge: saidText(answer),
      reason: answer.reason,
      note: label.note ?? null,
    })),
    leftOut: test.leftOut,
    rubrics,
    orphans,
    headline,
    exitCode,
  };
}
