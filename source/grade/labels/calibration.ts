import { type Agreement, measureAgreement } from './agreement.js';
import { labelledCases } from './cases.js';
import type { JudgedLabel, KnownLabels, Label } from './types.js';

/** What is known of a judge on one rubric, or on all of them. */
export type Calibration =
  | { kind: 'calibrated'; agreement: Agreement }
  | { kind: 'uncalibrated'; why: string };

/** The judge that a calibration is for: a label that another one was held against says nothing of it. */
export type CalibratedJudge = Pick<JudgedLabel, 'model' | 'sha256'>;

/** A label's hash of a prompt is shorter than a run's. */
function isOf({ judged }: Label, judge: CalibratedJudge): boolean {
  return judged !== undefined && judged.model === judge.model && judge.sha256.startsWith(judged.sha256);
}

/**
 * Whether a person gave a label without the judge's verdict in view, and left it at that. Only such labels measure a
 * judge: whoever has seen its verdict tends to agree with it.
 */
export function isBlind({ isSighted, isRevised }: Label): boolean {
  return isSighted !== true && isRevised !== true;
}

/**
 * How far the judge agrees with people on one rubric, from what it said of the labels when it was last tested or
 * reviewed. Bound to the hashes of rubric and judge prompt: a change of either leaves it uncalibrated, until new labels
 * or `evalrun judge test --save` say otherwise. `check` names where the rubric stands, to tell one that changed from one
 * that nobody labelled.
 */
export function calibrationOf(
  labels: KnownLabels,
  rubric: string,
  judge: CalibratedJudge,
  check?: { suite: string; scenario: string; check: string },
): Calibration {
  if (labels === 'unread') return unreadLabels;
  const own = labels.filter((label) => label.rubric === rubric);
  if (own.length > 0 && !own.some(isBlind)) return onlySighted;
  if (own.length === 0) {
    const hadSome = labels.some(
      ({ from }) =>
        check !== undefined &&
        from?.suite === check.suite &&
        from.scenario === check.scenario &&
        from.check === check.check,
    );
    return {
      kind: 'uncalibrated',
      why: hadSome ? 'the rubric changed since it was labelled' : 'nobody labelled this rubric',
    };
  }
  return overallCalibration(own, judge);
}

const unreadLabels: Calibration = { kind: 'uncalibrated', why: 'the labels cannot be read' };

const onlySighted: Calibration = {
  kind: 'uncalibrated',
  why: "all labels were given with the judge's verdict in view",
};

/** The same over all rubrics that have labels. */
export function overallCalibration(labels: KnownLabels, judge: CalibratedJudge): Calibration {
  if (labels === 'unread') return unreadLabels;
  if (labels.length === 0) return { kind: 'uncalibrated', why: 'there are no labels' };
  const blind = labels.filter(isBlind);
  if (blind.length === 0) return onlySighted;
  const { distinct } = labelledCases(blind);
  if (distinct.length === 0) return { kind: 'uncalibrated', why: 'its labels contradict each other' };
  const cases = distinct.flatMap((label) =>
    label.judged && isOf(label, judge) ? [{ expected: label.expected, judged: label.judged }] : [],
  );
  if (cases.length === 0)
    return {
      kind: 'uncalibrated',
      why: 'the judge or its prompt changed since it was held against the labels',
    };
  return { kind: 'calibrated', agreement: measureAgreement(cases) };
}

/** In one line: `agrees with 18 of 20 labels, kappa 0.79 (0.52 to 1.00)`, or that and why it is uncalibrated. */
export function calibrationText(calibration: Calibration): string {
  if (calibration.kind === 'uncalibrated') return `uncalibrated: ${calibration.why}`;
  const { agreed, cases } = calibration.agreement;
  return `agrees with ${agreed} of ${cases} ${cases === 1 ? 'label' : 'labels'}, ${kappaText(calibration.agreement)}`;
}

/** `kappa 0.79 (0.52 to 1.00)`; why there is none where chance explains all. */
export function kappaText({ kappa, cases }: Agreement): string {
  if (kappa === undefined)
    return cases === 0 ? 'no kappa without labels' : 'no kappa: there is one verdict only';
  return `kappa ${kappa.value.toFixed(2)} (${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)})`;
}
