import { describe, expect, it } from 'vitest';
import { measureAgreement } from '../../source/grade/labels/agreement.js';
import { type JudgeTest, judgeTestLines, judgeTestOutcome } from '../../source/report/judge-test.js';

/** A test of `right` cases of each kind in which the judge agrees, and `wrong` of each in which it does not. */
function tested(right: number, wrong: number, floor: number, more: Partial<JudgeTest> = {}): JudgeTest {
  const cases = [true, false].flatMap((pass) => [
    ...Array.from({ length: right }, () => ({ expected: { pass }, judged: { pass } })),
    ...Array.from({ length: wrong }, () => ({ expected: { pass }, judged: { pass: !pass } })),
  ]);
  return {
    prompt: 'default@1',
    model: 'openai:judge',
    labels: [],
    leftOut: 0,
    copies: 0,
    contradictions: [],
    answers: [],
    agreement: measureAgreement(cases),
    floor,
    rubrics: { all: 2, labelled: 2 },
    orphans: 0,
    ...more,
  };
}

describe('a floor', () => {
  it('is reached by a kappa that the cases tell from chance, and the verdict says how low it may be', () => {
    expect(judgeTestOutcome(tested(10, 1, 0.8))).toEqual({
      exitCode: 0,
      headline: 'PASS: kappa 0.82 is at least 0.8 (22 cases: 0.58 or more)',
    });
  });

  it('is not reached by two cases, whatever their kappa is', () => {
    expect(judgeTestOutcome(tested(1, 0, 0.8))).toEqual({
      exitCode: 3,
      headline: 'NO VERDICT: kappa 1.00 (-0.33 to 1.00) may be chance with 2 cases; label more',
    });
  });

  it('fails below it, however little is known', () => {
    expect(judgeTestOutcome(tested(1, 1, 0.8)).exitCode).toBe(1);
  });

  it('is not reached by labels of what no suite asks', () => {
    const outcome = judgeTestOutcome(tested(10, 1, 0.8, { rubrics: { all: 2, labelled: 0 }, orphans: 2 }));
    expect(outcome).toMatchObject({ exitCode: 3, headline: expect.stringContaining('no suite asks') });
  });

  it('is not reached while labels contradict each other, and those are named with what they say', () => {
    const label = (line: number, pass: boolean) => ({
      place: { file: 'judges/d.labels.yaml', line, column: 1 },
      expected: { pass },
    });
    const contradictions = [[label(3, true), label(9, false)]] as unknown as JudgeTest['contradictions'];
    const test = tested(10, 1, 0.8, { contradictions });
    expect(judgeTestOutcome(test).exitCode).toBe(3);
    const lines = [...judgeTestLines(test)];
    expect(lines.join('\n')).toContain(
      'labels contradict each other on one case: judges/d.labels.yaml:3 pass, judges/d.labels.yaml:9 fail',
    );
    expect(lines.at(-1)).toBe('NO VERDICT: the labels of 1 case contradict each other; settle what is right');
  });
});
