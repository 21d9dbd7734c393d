import { describe, expect, it } from 'vitest';
import { calibrationOf, calibrationText } from '../../../source/grade/labels/calibration.js';
import { labelledCases } from '../../../source/grade/labels/cases.js';
import { agreementSoFar } from '../../../source/grade/labels/desk.js';
import { rubricHash, verdictOn } from '../../../source/grade/labels/rubric-hash.js';
import type { Label } from '../../../source/grade/labels/types.js';
import { noUsage } from '../../../source/model/types.js';

const judge = { model: 'simulated:judge', sha256: 'abcdef0123456789' };
const judged = { model: judge.model, prompt: 'default@1', sha256: 'abcdef012345' };

/** A label of a reply, with the score that a person gave it and the one of the judge. */
function label(reply: string, said: number, judges: number, more: Partial<Label> = {}, needed = 4): Label {
  const place = { file: 'l.yaml', line: 1, column: 1 };
  const check = { id: 'x', type: 'judge', args: { rubric: 'Kind.', min_score: needed }, place };
  const parts = [{ kind: 'text' as const, text: reply }];
  return {
    place,
    check,
    rubric: rubricHash(check),
    turns: [
      {
        index: 1,
        message: 'refund?',
        reply: { parts, text: reply, usage: noUsage, steps: 1, stop: 'end', model: '' },
        ms: 0,
      },
    ],
    expected: verdictOn(check, said),
    judged: { ...judged, ...verdictOn(check, judges) },
    ...more,
  };
}

const calibrationTextOf = (labels: Label[]) =>
  calibrationText(calibrationOf(labels, label('', 1, 1).rubric, judge));

describe('labels of the same case', () => {
  const [kind, rude] = [label('Gladly.', 5, 5), label('Go away.', 1, 1)];

  it('count once, however often they were copied', () => {
    const copied = Array.from({ length: 50 }, () => [label('Gladly.', 5, 5), label('Go away.', 1, 1)]).flat();
    expect(calibrationTextOf(copied)).toBe(calibrationTextOf([kind, rude]));
    expect(labelledCases(copied)).toMatchObject({ distinct: [kind, rude], contradictions: [] });
  });

  it('count as the last one where they differ in nothing that decides', () => {
    expect(labelledCases([label('Gladly.', 4, 5), kind]).distinct).toEqual([kind]);
  });

  it('that contradict each other are named and count nowhere', () => {
    const opposite = label('Gladly.', 2, 5);
    const found = labelledCases([kind, rude, opposite]);
    expect(found).toMatchObject({ distinct: [rude], contradictions: [[kind, opposite]] });
    expect(calibrationTextOf([kind, opposite])).toBe('uncalibrated: its labels contradict each other');
  });

  it('may differ where another score is needed to pass', () => {
    const lenient = label('Gladly.', 3, 3, {}, 3);
    expect(labelledCases([label('Gladly.', 3, 3), lenient]).contradictions).toEqual([]);
  });
});

describe('a label that was changed after the judge was seen', () => {
  it('measures no judge', () => {
    const revised = label('Gladly.', 5, 5, { isRevised: true });
    expect(calibrationTextOf([label('Go away.', 1, 1), revised])).toMatch(/^agrees with 1 of 1 label,/);
    expect(calibrationTextOf([revised])).toMatch(/^uncalibrated: /);
  });

  it('does not count in what is said at the end of a review either', () => {
    const { check, rubric, turns } = label('Gladly.', 5, 5);
    const from = { suite: 's', scenario: 'one', check: 'x' };
    const one = { check, rubric, turns, from, reason: '', judged: { ...judged, pass: true, score: 5 } };
    const answers = new Map([
      [0, { said: 5, isRevised: true }],
      [1, { said: 4, isRevised: false }],
    ]);
    expect(agreementSoFar([one, one], answers)).toMatchObject({ cases: 1, agreed: 1 });
  });
});
