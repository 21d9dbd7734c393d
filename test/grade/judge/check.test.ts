import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../source/base/json.js';
import { findCheck } from '../../../source/grade/registry.js';
import type { AskJudge, CheckOutcome, JudgeQuestion, JudgeVerdict } from '../../../source/grade/types.js';
import { ModelError, noUsage } from '../../../source/model/types.js';
import type { Transcript } from '../../../source/play/types.js';
import type { TurnSelector } from '../../../source/suite/types.js';
import { call, check, conversation, mistakesOf, unanswered } from '../transcripts.js';

const usage = { ...noUsage, input: 90, output: 9 };

/** Grades by a judge that gives this verdict, and tells what it was asked. */
async function gradeBy(
  said: Partial<JudgeVerdict> | Error,
  options: { args?: JsonObject; on?: TurnSelector; transcript?: Transcript } = {},
): Promise<{ outcome: CheckOutcome; asked: JudgeQuestion[] }> {
  const asked: JudgeQuestion[] = [];
  const askJudge: AskJudge = async (question) => {
    asked.push(question);
    if (said instanceof Error) throw said;
    return { verdict: { model: 'simulated:judge', prompt: 'default@1', reason: 'because', ...said }, usage };
  };
  const { transcript = conversation('I can offer credit.', 'Bye.'), on } = options;
  const spec = check(
    'judge',
    { rubric: 'Offers credit.', ...options.args },
    { id: 'credit', ...(on !== undefined && { on }) },
  );
  const context = { transcript, suiteFolder: '/nowhere', seed: 'trial-seed', askJudge };
  const outcome = await findCheck('judge')?.grade(spec.args, context, spec);
  if (!outcome) throw new Error('there is no judge check');
  return { outcome, asked };
}

describe('judge', () => {
  it('passes with the score that is needed, and keeps what the judge said', async () => {
    const { outcome, asked } = await gradeBy({ score: 4 }, { args: { min_score: 4, fact: 'A fact.' } });
    expect(outcome).toEqual({
      verdict: 'pass',
      reason: '4 of 5: because',
      score: 4,
      evidence: [],
      judge: { model: 'simulated:judge', prompt: 'default@1', reason: 'because', score: 4 },
      judgeUsage: usage,
    });
    expect(asked).toMatchObject([
      {
        task: { kind: 'judge', rubric: 'Offers credit.', fact: 'A fact.', scale: 'score' },
        on: 'replies',
        seed: 'trial-seed/judge/credit',
        index: 1,
      },
    ]);
  });

  it('fails below it, and says what was needed', async () => {
    const { outcome } = await gradeBy({ score: 2 }, { args: { min_score: 3 } });
    expect(outcome).toMatchObject({ verdict: 'fail', reason: '2 of 5, needs 3: because', score: 2 });
  });

  it('asks for pass or fail where no score is needed', async () => {
    const passed = await gradeBy({ pass: true });
    expect(passed.outcome).toMatchObject({ verdict: 'pass', reason: 'because' });
    expect(passed.outcome).not.toHaveProperty('score');
    expect(passed.asked).toMatchObject([{ task: { scale: 'pass-fail' } }]);
    expect((await gradeBy({ pass: false, reason: '' })).outcome).toMatchObject({
      verdict: 'fail',
      reason: 'the judge gave no reason',
    });
  });

  it('is unknown when the verdict lacks what was asked for, whatever else it has', async () => {
    const noScore = await gradeBy({ pass: true, raw: '{"pass": true}' }, { args: { min_score: 3 } });
    expect(noScore.outcome).toMatchObject({
      verdict: 'unknown',
      judge: { raw: '{"pass": true}' },
      judgeUsage: usage,
    });
    expect((await gradeBy({ score: 5 })).outcome).toMatchObject({ verdict: 'unknown' });
    expect((await gradeBy({})).outcome).toMatchObject({ verdict: 'unknown' });
  });

  it('points at the turns that it was told to read', async () => {
    expect((await gradeBy({ pass: true }, { on: 'last' })).outcome.evidence).toEqual([{ turn: 2 }]);
  });

  it('asks no judge about a conversation that broke off, is not there, or has no text', async () => {
    const nothing = [
      conversation(['One moment.', unanswered('get_order', { id: 7 })]),
      conversation(),
      conversation('', ' '),
      conversation([call('get_order')]),
    ];
    for (const transcript of nothing) {
      const { outcome, asked } = await gradeBy({ pass: true }, { transcript });
      expect(outcome.verdict).toBe('unknown');
      expect(asked).toEqual([]);
    }
  });

  it('is unknown when the judge cannot take the question, and throws when it cannot be reached', async () => {
    for (const kind of ['too-long', 'bad-request'] as const)
      expect((await gradeBy(new ModelError(kind, '400: too long'))).outcome).toEqual({
        verdict: 'unknown',
        reason: 'the judge could not be asked: 400: too long',
      });
    for (const kind of ['auth', 'rate-limit', 'overloaded', 'network', 'not-found', 'bad-answer'] as const)
      await expect(gradeBy(new ModelError(kind, 'no'))).rejects.toMatchObject({ kind });
  });

  it('is unknown in a suite without a judge', async () => {
    const spec = check('judge', { rubric: 'Offers credit.' });
    const context = { transcript: conversation('Hello.'), suiteFolder: '/nowhere', seed: 'seed' };
    expect(await findCheck('judge')?.grade(spec.args, context, spec)).toEqual({
      verdict: 'unknown',
      reason: 'the suite names no judge',
    });
  });

  it('needs a rubric, and a score that exists', () => {
    expect(mistakesOf('judge', { rubric: ' \n' })).toEqual(['rubric: this text is blank']);
    const schema = findCheck('judge')?.schema;
    for (const min_score of [0, 6, 2.5, '3'])
      expect(schema?.safeParse({ rubric: 'x', min_score }).success).toBe(false);
    expect(schema?.safeParse({}).success).toBe(false);
  });
});
