import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../source/base/json.js';
import { findCheck } from '../../../source/grade/registry.js';
import type { AskJudge, CheckOutcome, JudgeQuestion, JudgeVerdict } from '../../../source/grade/types.js';
import { ModelError, noUsage } from '../../../source/model/types.js';
import type { Transcript } from '../../../source/play/types.js';
import type { TurnSelector } from '../../../source/suite/types.js';
import { call, check, conversation, conversationOf, mistakesOf, unanswered } from '../transcripts.js';

type Said = Partial<JudgeVerdict> | Error;
interface Options {
  on?: TurnSelector;
  transcript?: Transcript;
  verdicts?: number;
  repeat?: number;
}

/** Grades by a judge that gives these verdicts in turn, and tells what it was asked. */
async function gradeBy(
  said: Said | Said[],
  type: string,
  args: JsonObject,
  { transcript = conversation('I can offer credit.', 'Bye.'), on, verdicts, repeat }: Options = {},
): Promise<{ outcome: CheckOutcome; asked: JudgeQuestion[] }> {
  const asked: JudgeQuestion[] = [];
  const answers = [said].flat();
  const askJudge: AskJudge = async (question) => {
    const answer = answers[asked.length];
    asked.push(question);
    if (answer === undefined) throw new Error('asked too often');
    if (answer instanceof Error) throw answer;
    return {
      verdict: { model: 'm', prompt: 'default@1', reason: 'because', ...answer },
      usage: { ...noUsage, input: 100, output: 10 },
    };
  };
  const spec = check(type, args, { id: 'c', ...(on !== undefined && { on }) });
  const context = {
    transcript,
    suiteFolder: '/nowhere',
    seed: 'seed',
    askJudge,
    ...(verdicts !== undefined && { judgeVerdicts: verdicts }),
    ...(repeat !== undefined && { repeat }),
  };
  const outcome = await findCheck(type)?.grade(spec.args, context, spec);
  if (!outcome) throw new Error(`there is no check ${type}`);
  return { outcome, asked };
}

const stated = (value: boolean) => ({ answers: { stated: value } });
const refused = (value: boolean) => ({ answers: { refused: value } });

describe('a fact', () => {
  const args = { fact: 'The window is 30 days.' };

  it('is asked for in one way, whether it has to be there or not', async () => {
    for (const type of ['fact_present', 'fact_absent']) {
      const { asked } = await gradeBy(stated(true), type, args);
      expect(asked).toMatchObject([{ task: { kind: 'fact', claim: 'The window is 30 days.' } }]);
    }
  });

  it.each([
    ['fact_present', true, 'pass', 'stated: because'],
    ['fact_present', false, 'fail', 'not stated: because'],
    ['fact_absent', true, 'fail', 'stated: because'],
    ['fact_absent', false, 'pass', 'not stated: because'],
  ])('%s that is stated: %s is a %s', async (type, answer, verdict, reason) => {
    const { outcome } = await gradeBy(stated(answer), type, args);
    expect(outcome).toMatchObject({ verdict, reason });
    expect(outcome.judge).toMatchObject({ pass: verdict === 'pass', answers: { stated: answer } });
  });

  it('is unknown where the judge did not say whether it is stated, whatever else it said', async () => {
    for (const said of [{}, { pass: true }, { pass: false, answers: {} }, refused(true)])
      for (const type of ['fact_present', 'fact_absent']) {
        const { outcome } = await gradeBy(said, type, args);
        expect(outcome.verdict).toBe('unknown');
        expect(outcome.judge).not.toHaveProperty('pass');
      }
  });

  it('that is absent is not proved while a reply is empty', async () => {
    const transcript = conversation('I can offer credit.', [call('get_order')]);
    const absent = await gradeBy(stated(false), 'fact_absent', args, { transcript });
    expect(absent.outcome).toMatchObject({
      verdict: 'unknown',
      reason: 'cannot be decided: the reply of turn 2 is empty',
      judgeUsage: { input: 100 },
    });
    expect((await gradeBy(stated(true), 'fact_absent', args, { transcript })).outcome.verdict).toBe('fail');
    expect((await gradeBy(stated(true), 'fact_present', args, { transcript })).outcome.verdict).toBe('pass');
  });
});

describe('a refusal', () => {
  it.each([
    [{}, true, 'pass', 'refused: because'],
    [{}, false, 'fail', 'did not refuse: because'],
    [{ expected: false }, true, 'fail', 'refused: because'],
    [{ expected: false }, false, 'pass', 'did not refuse: because'],
  ])('with %j where the judge says %s is a %s', async (args, answer, verdict, reason) => {
    const { outcome, asked } = await gradeBy(refused(answer), 'refusal', args);
    expect(outcome).toMatchObject({ verdict, reason });
    expect(asked).toMatchObject([{ task: { kind: 'refusal' } }]);
  });

  it('by the model itself needs no judge', async () => {
    const transcript = conversationOf([{ said: ['Hello.'] }, { said: [], stop: 'refused' }]);
    const { outcome, asked } = await gradeBy([], 'refusal', {}, { transcript });
    expect(outcome).toEqual({
      verdict: 'pass',
      reason: 'the model refused to answer in turn 2',
      evidence: [{ turn: 2 }],
    });
    expect(asked).toEqual([]);
    const unwanted = await gradeBy([], 'refusal', { expected: false }, { transcript });
    expect(unwanted.outcome).toMatchObject({
      verdict: 'fail',
      reason: 'expected no refusal, but the model refused to answer in turn 2',
    });
    const elsewhere = await gradeBy(refused(false), 'refusal', {}, { transcript, on: 'first' });
    expect(elsewhere.outcome.verdict).toBe('fail');
  });
});

describe('conveys', () => {
  const args = { must: ['credit is possible', 'for 12 months'], must_not: 'money back', may: ['an apology'] };
  const answers = (first: boolean, second: boolean, not: boolean) => ({
    answers: { must_1: first, must_2: second, must_not_1: not },
  });

  it('asks for each thing by itself', async () => {
    const { asked } = await gradeBy(answers(true, true, false), 'conveys', { ...args, fact: 'A fact.' });
    expect(asked[0]?.task).toEqual({
      kind: 'conveys',
      must: ['credit is possible', 'for 12 months'],
      mustNot: ['money back'],
      may: ['an apology'],
      fact: 'A fact.',
    });
  });

  it.each<[boolean, boolean, boolean, string, string]>([
    [true, true, false, 'pass', 'because'],
    [true, false, false, 'fail', 'not conveyed: "for 12 months": because'],
    [true, true, true, 'fail', 'conveyed, and must not be: "money back": because'],
    [
      false,
      false,
      true,
      'fail',
      'not conveyed: "credit is possible", "for 12 months"; conveyed, and must not be: "money back": because',
    ],
  ])('with %s, %s, %s is a %s', async (first, second, not, verdict, reason) => {
    expect((await gradeBy(answers(first, second, not), 'conveys', args)).outcome).toMatchObject({
      verdict,
      reason,
      judge: { pass: verdict === 'pass' },
    });
  });

  it('is unknown while one of the answers is missing, even where another would fail it', async () => {
    const { outcome } = await gradeBy({ answers: { must_1: false, must_2: true } }, 'conveys', args);
    expect(outcome.verdict).toBe('unknown');
  });

  it('is not passed for what must not be said where a reply is empty', async () => {
    const transcript = conversation('I can offer credit for 12 months.', ' ');
    expect((await gradeBy(answers(true, true, false), 'conveys', args, { transcript })).outcome.verdict).toBe(
      'unknown',
    );
    const onlyMust = { must: ['credit is possible'] };
    expect(
      (await gradeBy({ answers: { must_1: true } }, 'conveys', onlyMust, { transcript })).outcome.verdict,
    ).toBe('pass');
  });

  it.each<[JsonObject, string[]]>([
    [{}, [': needs must or must_not: what is to be conveyed, or is not to be']],
    [{ may: 'x' }, [': needs must or must_not: what is to be conveyed, or is not to be']],
    [{ must: ['a', ' '], must_not: '\n' }, ['must.1: this text is blank', 'must_not: this text is blank']],
    [{ must: ['a'], must_not: ['b', 'a'] }, ['must_not: "a" must be conveyed, too: no reply can do both']],
  ])('with %j is told what is wrong', (given, mistakes) => {
    expect(mistakesOf('conveys', given)).toEqual(mistakes);
  });
});

describe('several verdicts', () => {
  const rubric = { rubric: 'Offers credit.' };
  const scored = (...scores: (number | undefined)[]) =>
    scores.map((score) =>
      score === undefined ? { reason: 'unreadable', raw: '?' } : { score, reason: `gave ${score}` },
    );

  it('are asked for with seeds and numbers of their own', async () => {
    const { asked } = await gradeBy(
      scored(2, 2, 3),
      'judge',
      { ...rubric, min_score: 3 },
      { verdicts: 3, repeat: 2 },
    );
    expect(asked.map(({ seed, index }) => [seed, index])).toEqual([
      ['seed/judge/c', 4],
      ['seed/judge/c/2', 5],
      ['seed/judge/c/3', 6],
    ]);
  });

  it('give their median, the reason nearest to it, and are all kept', async () => {
    const { outcome } = await gradeBy(scored(2, 3, 2), 'judge', { ...rubric, min_score: 3 }, { verdicts: 3 });
    expect(outcome).toMatchObject({
      verdict: 'fail',
      reason: '3 verdicts: 2, 3, 2 → median 2, needs 3: gave 2',
      score: 2,
      judge: { score: 2, reason: 'gave 2', verdicts: [{ score: 2 }, { score: 3 }, { score: 2 }] },
      judgeUsage: { input: 300, output: 30 },
    });
    const passed = await gradeBy(scored(5, 3, 4), 'judge', { ...rubric, min_score: 3 }, { verdicts: 3 });
    expect(passed.outcome.reason).toBe('3 verdicts: 5, 3, 4 → median 4: gave 4');
  });

  it('stay in the count when they are unknown', async () => {
    const decided = await gradeBy(
      scored(4, undefined, 5),
      'judge',
      { ...rubric, min_score: 3 },
      { verdicts: 3 },
    );
    expect(decided.outcome).toMatchObject({
      verdict: 'pass',
      score: 4.5,
      reason: '3 verdicts: 4, ?, 5 → median 4.5: gave 4',
    });
    const open = await gradeBy(
      scored(4, undefined, 2),
      'judge',
      { ...rubric, min_score: 3 },
      { verdicts: 3 },
    );
    expect(open.outcome).toMatchObject({
      verdict: 'unknown',
      reason: '3 verdicts: 4, ?, 2 → cannot be decided: unreadable',
    });
    expect(open.outcome).not.toHaveProperty('score');
    expect(open.outcome.judge).not.toHaveProperty('score');
    expect(open.outcome.judge?.verdicts).toHaveLength(3);
  });

  it('of yes or no give their majority, by what the check makes of them', async () => {
    const { outcome } = await gradeBy(
      [stated(true), stated(false), stated(false)],
      'fact_absent',
      { fact: 'x' },
      { verdicts: 3 },
    );
    expect(outcome).toMatchObject({
      verdict: 'pass',
      reason: '3 verdicts: fail, pass, pass → pass: not stated: because',
      judge: { pass: true, verdicts: [{ pass: false }, { pass: true }, { pass: true }] },
    });
    const abstained = await gradeBy(
      [stated(true), {}, stated(false)],
      'fact_present',
      { fact: 'x' },
      { verdicts: 3 },
    );
    expect(abstained.outcome).toMatchObject({
      verdict: 'unknown',
      reason: '3 verdicts: pass, ?, fail → cannot be decided: because',
    });
    expect(abstained.outcome.judge).not.toHaveProperty('pass');
  });

  it('of which one could not be asked count it as unknown', async () => {
    const tooLong = new ModelError('too-long', '400: too long');
    const passed = await gradeBy([{ pass: true }, tooLong, { pass: true }], 'judge', rubric, { verdicts: 3 });
    expect(passed.outcome).toMatchObject({
      verdict: 'pass',
      reason: '3 verdicts: pass, ?, pass → pass: because',
      judgeUsage: { input: 200 },
    });
    const open = await gradeBy([{ pass: true }, tooLong, { pass: false }], 'judge', rubric, { verdicts: 3 });
    expect(open.outcome).toMatchObject({
      verdict: 'unknown',
      reason: '3 verdicts: pass, ?, fail → cannot be decided: the judge could not be asked: 400: too long',
    });
    const none = await gradeBy([tooLong, tooLong, tooLong], 'judge', rubric, { verdicts: 3 });
    expect(none.outcome).toEqual({
      verdict: 'unknown',
      reason: 'the judge could not be asked: 400: too long',
    });
  });

  it('are all given up when the judge cannot be reached', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const spec = check('judge', rubric, { id: 'c' });
    const askJudge: AskJudge = ({ signal, index }) => {
      signals.push(signal);
      if (index === 2) return Promise.reject(new ModelError('auth', 'no key'));
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    };
    const context = {
      transcript: conversation('Hi.'),
      suiteFolder: '/',
      seed: 's',
      askJudge,
      judgeVerdicts: 3,
    };
    await expect(findCheck('judge')?.grade(spec.args, context, spec)).rejects.toMatchObject({ kind: 'auth' });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true]);
  });
});

describe('no judge', () => {
  const judged: [string, JsonObject][] = [
    ['judge', { rubric: 'x' }],
    ['judge', { rubric: 'x', min_score: 1 }],
    ['fact_present', { fact: 'x' }],
    ['fact_absent', { fact: 'x' }],
    ['refusal', {}],
    ['refusal', { expected: false }],
    ['conveys', { must: 'x' }],
    ['conveys', { must_not: 'x' }],
  ];

  it.each(judged)('is asked by %s %j about what is not there', async (type, args) => {
    const nothing = [
      conversation(),
      conversation('', ' '),
      conversation([call('get_order')]),
      conversation(['One moment.', unanswered('get_order')]),
    ];
    for (const transcript of nothing) {
      const { outcome, asked } = await gradeBy([], type, args, { transcript, verdicts: 3 });
      expect(outcome.verdict).toBe('unknown');
      expect(asked).toEqual([]);
    }
  });

  it.each(judged)('in the suite makes %s %j unknown', async (type, args) => {
    const spec = check(type, args);
    const context = { transcript: conversation('Hi.'), suiteFolder: '/', seed: 's' };
    expect(await findCheck(type)?.grade(spec.args, context, spec)).toEqual({
      verdict: 'unknown',
      reason: 'the suite names no judge',
    });
  });
});
