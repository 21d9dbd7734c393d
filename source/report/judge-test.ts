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
  /** One a case. */
  labels: readonly Label[];
  /** Labels that were not asked about: the judge's verdict was in view when they were given or changed. */
  leftOut: number;
  /** Labels that say of a case what another one says of it. */
  copies: number;
  /** Labels that say opposite things of a case, by case. They were not asked about. */
  contradictions: readonly (readonly Label[])[];
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

/**
 * What the test says: printed verdict and exit code come from here. It passes when kappa reaches the floor, and when the
 * cases tell it from chance: its interval lies above 0. The whole interval above a floor of 0.8 would need a hundred
 * labels and more, so the verdict says how low kappa may be instead.
 */
export function judgeTestOutcome(test: JudgeTest): { exitCode: 0 | 1 | 3; headline: string } {
  const { agreement, floor, contradictions, rubrics } = test;
  const { kappa } = agreement;
  if (floor === undefined) return { exitCode: 0, headline: 'DONE: no floor is set (--floor)' };
  if (contradictions.length > 0) {
    const what = `the labels of ${countOf(contradictions.length, 'case')} contradict each other`;
    return { exitCode: 3, headline: `NO VERDICT: ${what}; settle what is right` };
  }
  if (kappa === undefined)
    return { exitCode: 3, headline: `NO VERDICT: ${kappaText(agreement)}; label cases of both kinds` };
  if (kappa.value < floor)
    return { exitCode: 1, headline: `FAIL: kappa ${kappa.value.toFixed(2)} is below the floor of ${floor}` };
  if (rubrics.labelled === 0)
    return { exitCode: 3, headline: 'NO VERDICT: no suite asks what is labelled; label its verdicts' };
  const cases = countOf(agreement.cases, 'case');
  if (floor > 0 && kappa.low <= 0)
    return {
      exitCode: 3,
      headline: `NO VERDICT: ${kappaText(agreement)} may be chance with ${cases}; label more`,
    };
  const known = `${cases}: ${kappa.low.toFixed(2)} or more`;
  return { exitCode: 0, headline: `PASS: kappa ${kappa.value.toFixed(2)} is at least ${floor} (${known})` };
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
  for (const group of test.contradictions) {
    hasDisagreed = true;
    const said = group.map(({ place, expected }) => `${place.file}:${place.line} ${saidText(expected)}`);
    yield `labels contradict each other on one case: ${inline(said.join(', '))}`;
  }
  if (hasDisagreed) yield '';
  if (test.leftOut > 0)
    yield `labels   ${formatCount(test.leftOut)} left out: given or changed with the judge's verdict in view (--all counts them too)`;
  if (test.copies > 0)
    yield `labels   ${formatCount(test.copies)} left out: ${test.copies === 1 ? 'it says' : 'they say'} the same of the same case as another`;
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
    copies: test.copies,
    contradictions: test.contradictions.map((group) =>
      group.map(({ place, expected }) => ({
        file: place.file,
        line: place.line,
        expected: saidText(expected),
      })),
    ),
    rubrics,
    orphans,
    headline,
    exitCode,
  };
}
