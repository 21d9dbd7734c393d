import { describe, expect, it } from 'vitest';
import { rubricHash } from '../../source/grade/labels/rubric-hash.js';
import type { Label } from '../../source/grade/labels/types.js';
import { noUsage } from '../../source/model/types.js';
import { calibrationFacts, checkCalibrationText, judgeNotes } from '../../source/report/calibration.js';
import { createPlan } from '../../source/run/plan.js';
import type { RunStarted } from '../../source/run/reader.js';
import type { CheckSpec } from '../../source/suite/types.js';
import { condition, patternCheck, scenario } from '../run/support.js';

const judged = (rubric: string): CheckSpec => ({
  id: rubric,
  type: 'judge',
  args: { rubric },
  place: { file: 'x.yaml', line: 1, column: 1 },
});

function started(checks: CheckSpec[], judge = true): RunStarted {
  return {
    type: 'run-started',
    version: 1,
    runId: '20261130-142530-k3fz',
    at: 0,
    suite: 'tiny',
    suiteHash: 'x',
    plan: createPlan([scenario('one', ['hi'], checks)], [condition('a')], 1),
    seed: '7',
    concurrency: 1,
    ...(judge && { judge: { model: 'openai:x', prompt: 'default@1', promptSha256: 'abcdef0123456789' } }),
    evalrun: '0',
    node: '20',
    command: 'evalrun',
  };
}

const reply = { parts: [], text: '', usage: noUsage, steps: 1, stop: 'end' as const, model: '' };

function label(rubric: string, pass: boolean, said: boolean, sha256 = 'abcdef012345'): Label {
  const check = judged(rubric);
  return {
    place: check.place,
    check,
    rubric: rubricHash(check),
    turns: [{ index: 1, message: String(pass), reply, ms: 0 }],
    expected: { pass },
    judged: { model: 'openai:x', prompt: 'default@1', sha256, pass: said },
  };
}

describe('what a report says of its judge', () => {
  it('is how far it agrees on the rubrics of the run, which have no labels, and to read the answers', () => {
    const labels = [label('a', true, true), label('a', false, false), label('another suite', true, false)];
    expect(judgeNotes(started([judged('a'), judged('b')]), labels, 'evalrun')).toEqual([
      expect.stringMatching(
        /^judge default@1 on openai:x: agrees with 2 of 2 labels, kappa 1\.00 \(-?\d\.\d\d to 1\.00\); 1 of 2 rubrics without labels$/,
      ),
      'read the answers yourself: evalrun review 20261130-142530-k3fz',
    ]);
  });

  it('is that it is uncalibrated when its prompt changed, or nobody labelled anything', () => {
    const other = [label('a', true, true, '000000000000')];
    expect(judgeNotes(started([judged('a')]), other, 'evalrun')[0]).toContain(
      'uncalibrated: the judge or its prompt changed',
    );
    expect(judgeNotes(started([judged('a')]), [], 'evalrun')[0]).toContain(
      'uncalibrated: there are no labels',
    );
  });

  it('is that the labels cannot be read where that is so, and not that there are none', () => {
    const run = started([judged('a')]);
    expect(judgeNotes(run, 'unread', 'evalrun')[0]).toBe(
      'judge default@1 on openai:x: uncalibrated: the labels cannot be read',
    );
    expect(calibrationFacts(run, 'unread', 'one', 'a')).toEqual({
      calibrated: false,
      why: 'the labels cannot be read',
    });
  });

  it('is said of each check too, for people and for machines', () => {
    const run = started([judged('a'), judged('b'), patternCheck('p', 'x')]);
    const labels = [label('a', true, true), label('a', false, true)];
    expect(checkCalibrationText(run, labels, 'one', 'a')).toMatch(/^agrees with 1 of 2 labels, kappa 0\.00/);
    expect(calibrationFacts(run, labels, 'one', 'a')).toMatchObject({
      calibrated: true,
      cases: 2,
      agreed: 1,
    });
    expect(calibrationFacts(run, labels, 'one', 'b')).toEqual({
      calibrated: false,
      why: 'nobody labelled this rubric',
    });
    expect(calibrationFacts(run, labels, 'one', 'p')).toBeNull();
  });

  it('is nothing where no judge was asked', () => {
    expect(judgeNotes(started([patternCheck('p', 'x')]), [], 'evalrun')).toEqual([]);
    expect(judgeNotes(started([judged('a')], false), [], 'evalrun')).toEqual([]);
  });
});
