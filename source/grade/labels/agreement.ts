import { cohenKappa, type Kappa } from '../../base/kappa.js';
import { type Interval, jeffreysInterval } from '../../base/statistics.js';
import type { LabelVerdict } from './types.js';

/** One case with what is right and what the judge said. */
export interface LabelledCase {
  expected: LabelVerdict & { pass: boolean };
  judged: LabelVerdict;
}

/** How far a judge says what people say. */
export interface Agreement {
  cases: number;
  /** Cases with the same verdict. An unknown of the judge is none. */
  agreed: number;
  /** Jeffreys interval of agreed / cases. */
  interval: Interval;
  /** Undefined where chance explains all of it, see `cohenKappa`. */
  kappa: Kappa | undefined;
  /** By what is right, then by what the judge said. */
  table: { [right in 'pass' | 'fail']: { pass: number; fail: number; unknown: number } };
  /** Cases where both gave a score; undefined where there is none. */
  scores: { cases: number; equal: number; within1: number } | undefined;
}

/** Compares verdicts case by case. */
export function measureAgreement(cases: readonly LabelledCase[]): Agreement {
  const none = () => ({ pass: 0, fail: 0, unknown: 0 });
  const table = { pass: none(), fail: none() };
  const differences: number[] = [];
  for (const { expected, judged } of cases) {
    const said = judged.pass === 'unknown' ? 'unknown' : judged.pass ? 'pass' : 'fail';
    table[expected.pass ? 'pass' : 'fail'][said]++;
    if (expected.score !== undefined && judged.score !== undefined)
      differences.push(Math.abs(expected.score - judged.score));
  }
  const agreed = table.pass.pass + table.fail.fail;
  const { pass, fail } = table;
  return {
    cases: cases.length,
    agreed,
    interval: jeffreysInterval(agreed, cases.length),
    kappa: cohenKappa([
      [pass.pass, pass.fail, pass.unknown],
      [fail.pass, fail.fail, fail.unknown],
      [0, 0, 0],
    ]),
    table,
    scores:
      differences.length === 0
        ? undefined
        : {
            cases: differences.length,
            equal: differences.filter((difference) => difference === 0).length,
            within1: differences.filter((difference) => difference <= 1).length,
          },
  };
}

/** Whether a judge said of a case what is right. */
export function isAgreed({ expected, judged }: LabelledCase): boolean {
  return expected.pass === judged.pass;
}
