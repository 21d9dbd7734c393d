import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../source/base/json.js';
import { gradeTrial } from '../../source/grade/grade.js';
import type { AskJudge, CheckResult, JudgeQuestion } from '../../source/grade/types.js';
import { ModelError, noUsage } from '../../source/model/types.js';
import type { CheckSpec } from '../../source/suite/types.js';
import { call, check, conversation, conversationOf, type Said, unanswered } from './transcripts.js';

const transcript = conversation([call('get_order'), 'I can offer credit.']);
const base = { transcript, suiteFolder: '/nowhere', seed: 'seed' };

function rubricOf({ task }: JudgeQuestion): string {
  return task.kind === 'judge' ? task.rubric : task.kind;
}

/** A judge whose answers come when they are let go, by rubric. */
function heldJudge() {
  const held = new Map<string, (answer: boolean | Error) => void>();
  const questions: JudgeQuestion[] = [];
  const askJudge: AskJudge = (question) =>
    new Promise((resolve, reject) => {
      questions.push(question);
      question.signal?.addEventListener('abort', () => reject(question.signal?.reason), { once: true });
      held.set(rubricOf(question), (answer) =>
        answer instanceof Error
          ? reject(answer)
          : resolve({
              verdict: { model: 'm', prompt: 'default@1', reason: 'r', pass: answer },
              usage: noUsage,
            }),
      );
    });
  const release = async (rubric: string, answer: boolean | Error = true) => {
    held.get(rubric)?.(answer);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { askJudge, release, questions };
}

const judged = (rubric: string): CheckSpec => check('judge', { rubric }, { id: rubric });

describe('grading a trial', () => {
  it('gives one result a check, in the order of the checks, with what is common to all', async () => {
    const heard: CheckResult[] = [];
    const checks = [
      check('pattern_present', { pattern: 'credit' }, { id: 'offers' }),
      check('tool_called', { tool: 'get_order' }, { id: 'looks' }),
    ];
    const results = await gradeTrial(checks, base, (result) => heard.push(result));
    expect(results).toMatchObject([
      { checkId: 'offers', type: 'pattern_present', kind: 'hard', verdict: 'pass' },
      { checkId: 'looks', type: 'tool_called', kind: 'hard', verdict: 'pass' },
    ]);
    expect(heard).toEqual(results);
  });

  it('lets go of the thread between checks that take long, and stops there when it is aborted', async () => {
    let now = 0;
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('the run was aborted')));
    const heard: string[] = [];
    const grading = gradeTrial(
      ['one', 'two', 'three'].map((id) => check('pattern_present', { pattern: 'credit' }, { id })),
      { ...base, clock: { now: () => (now += 6), wait: async () => {} }, signal: stop.signal },
      (result) => heard.push(result.checkId),
    );
    await expect(grading).rejects.toThrow('the run was aborted');
    expect(heard).toEqual(['one', 'two']);
  });

  it.each([
    ['cut-off', '(turn 1 was cut off at the token limit)'],
    ['step-limit', '(turn 1 was cut short at the limit of model requests)'],
  ] as const)('says of what is absent from a reply that was %s that it was not whole', async (stop, note) => {
    const cut = conversationOf([{ said: [call('get_order'), 'You will get a'], stop }]);
    const results = await gradeTrial(
      [
        check('pattern_absent', { pattern: 'full refund' }),
        check('keywords_absent', { words: ['full refund'] }),
        check('tool_not_called', { tool: 'refund' }),
        check('tool_called', { tool: 'get_order', times: 1 }),
        check('tool_order', { tools: ['get_order'], exact: true }),
      ],
      { ...base, transcript: cut },
      () => {},
    );
    for (const { verdict, reason } of results)
      expect([verdict, reason]).toEqual(['pass', expect.stringContaining(note)]);
    const [sure] = await gradeTrial(
      [check('tool_called', { tool: 'get_order' })],
      { ...base, transcript: cut },
      () => {},
    );
    expect(sure?.reason).not.toContain('turn 1 was');
  });

  it('asks the judge about all judged checks at once, and tells results in order as they come', async () => {
    const { askJudge, release, questions } = heldJudge();
    const heard: string[] = [];
    const checks = [
      judged('one'),
      check('tool_called', { tool: 'get_order' }, { id: 'hard' }),
      judged('two'),
    ];
    const grading = gradeTrial(checks, { ...base, askJudge }, ({ checkId }) => heard.push(checkId));
    await release('nobody');
    expect(questions.map(rubricOf)).toEqual(['one', 'two']);
    expect(questions.map(({ seed }) => seed)).toEqual(['seed/judge/one', 'seed/judge/two']);
    await release('two');
    expect(heard).toEqual([]);
    await release('one');
    expect((await grading).map(({ checkId }) => checkId)).toEqual(['one', 'hard', 'two']);
    expect(heard).toEqual(['one', 'hard', 'two']);
  });

  it('tells hard results before the judge has answered', async () => {
    const { askJudge, release } = heldJudge();
    const heard: string[] = [];
    const checks = [check('tool_called', { tool: 'get_order' }, { id: 'hard' }), judged('one')];
    const grading = gradeTrial(checks, { ...base, askJudge }, ({ checkId }) => heard.push(checkId));
    await release('nobody');
    expect(heard).toEqual(['hard']);
    await release('one');
    await grading;
  });

  it('throws when the judge cannot be reached, stops its other requests, and tells nothing more', async () => {
    const { askJudge, release, questions } = heldJudge();
    const heard: string[] = [];
    const grading = gradeTrial([judged('one'), judged('two')], { ...base, askJudge }, ({ checkId }) =>
      heard.push(checkId),
    );
    const failed = expect(grading).rejects.toMatchObject({ name: 'ModelError', kind: 'auth' });
    await release('nobody');
    await release('two', new ModelError('auth', 'no key'));
    await failed;
    expect(questions.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
    expect(heard).toEqual([]);
  });

  it('waits for a request that does not listen to its signal, and does not tell its result', async () => {
    let answerLate: (() => void) | undefined;
    const stubborn: AskJudge = (question) =>
      rubricOf(question) === 'two'
        ? Promise.reject(new ModelError('rate-limit', 'slow down'))
        : new Promise((resolve) => {
            const verdict = { model: 'm', prompt: 'default@1', reason: 'r', pass: true };
            answerLate = () => resolve({ verdict, usage: noUsage });
          });
    const heard: string[] = [];
    let isOver = false;
    const grading = gradeTrial(
      [judged('one'), judged('two')],
      { ...base, askJudge: stubborn },
      ({ checkId }) => heard.push(checkId),
    ).finally(() => {
      isOver = true;
    });
    const failed = expect(grading).rejects.toMatchObject({ kind: 'rate-limit' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    answerLate?.();
    await failed;
    expect(heard).toEqual([]);
  });

  it('throws the reason of an abort', async () => {
    const { askJudge, release } = heldJudge();
    const abort = new AbortController();
    const grading = gradeTrial([judged('one')], { ...base, askJudge, signal: abort.signal }, () => {});
    const failed = expect(grading).rejects.toThrow('time is up');
    await release('nobody');
    abort.abort(new Error('time is up'));
    await failed;
  });

  it('makes a check that breaks unknown, with its name, and grades the others', async () => {
    const broken: CheckSpec = {
      ...check('tool_called', { tool: 'a' }, { id: 'broken' }),
      type: 'keywords_absent',
      args: { file: 'gone.txt' },
    };
    const breakingJudge: AskJudge = () => Promise.reject(new TypeError('x is undefined'));
    const checks = [broken, judged('one'), check('tool_called', { tool: 'get_order' })];
    const results = await gradeTrial(checks, { ...base, askJudge: breakingJudge }, () => {});
    expect(results).toMatchObject([
      {
        verdict: 'unknown',
        reason:
          'the check broken (keywords_absent) broke: there is no file "gone.txt" in the folder of the suite',
      },
      { kind: 'judged', verdict: 'unknown', reason: 'the check one (judge) broke: x is undefined' },
      { verdict: 'pass' },
    ]);
  });

  it('makes a check of a type that does not exist unknown', async () => {
    const unknown = { ...check('tool_called', { tool: 'a' }), type: 'tool_caled' };
    expect(await gradeTrial([unknown], base, () => {})).toMatchObject([
      { verdict: 'unknown', reason: 'there is no check of type "tool_caled"' },
    ]);
  });

  it('has nothing to say about a trial without checks', async () => {
    expect(await gradeTrial([], base, () => {})).toEqual([]);
  });
});

describe('no transcript', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.json(),
    fc.constantFrom(
      '',
      ' ',
      'null',
      '{}',
      '{"actions": [], "noop": true}',
      '\u0000\u001b[2J',
      '</transcript>',
    ),
  );
  const args = fc.oneof(
    text,
    fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>, { maxKeys: 3 }),
  );
  const said: fc.Arbitrary<Said> = fc.oneof(
    text,
    fc
      .tuple(fc.constantFrom('get_order', 'refund_order', ''), args)
      .map(([name, given]) => call(name, given)),
  );
  const turn = fc.record({
    said: fc.array(said, { maxLength: 3 }),
    stop: fc.constantFrom('end' as const, 'cut-off' as const, 'refused' as const, 'step-limit' as const),
  });
  const on = fc.constantFrom(
    'replies' as const,
    'first' as const,
    'last' as const,
    { from: 1, to: 2 },
    { from: 3, to: 3 },
  );
  const absent: [string, Record<string, Json>][] = [
    ['tool_not_called', { tool: 'refund_order' }],
    ['tool_not_called', { tool: 'refund_order', args: { amount: { min: 1 } } }],
    ['pattern_absent', { pattern: '(?i)refund' }],
    ['keywords_absent', { words: ['refund', '退款'] }],
    ['action', { from: 'tool', noop: true }],
    ['action', { noop: true }],
    ['json_schema', { schema: {} }],
  ];
  const present: [string, Record<string, Json>][] = [
    [
      'tool_called',
      { tool: 'refund_order', args: { amount: { any: [1, { pattern: 'x' }] } }, times: { max: 2 } },
    ],
    ['tool_order', { tools: ['get_order', 'refund_order'], exact: true }],
    ['pattern_present', { pattern: 'refund' }],
    ['keywords_present', { words: ['refund'] }],
    ['field_equals', { path: '$..a', value: { b: 1 }, match: 'normalised' }],
    ['field_present', { path: '$[?@.a]' }],
    [
      'action',
      { actions: [{ action_type: 'a', fields: { b: 1 } }, { action_type: 'b' }], match: 'normalised' },
    ],
    ['budget', { steps: { fail: 1 }, cache_hit_rate: { warn: 0.5 } }],
  ];

  it('breaks a check, and every result has a verdict and a reason on one line', async () => {
    const specs = [...absent, ...present];
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 3 }),
        on,
        fc.boolean(),
        async (turns, selector, isBrokenOff) => {
          const ended = isBrokenOff ? [...turns, { said: [unanswered('get_policy')] }] : turns;
          const checks = specs.map(([type, given]) => check(type, given, { on: selector }));
          const results = await gradeTrial(checks, { ...base, transcript: conversationOf(ended) }, () => {});
          for (const { reason } of results) {
            expect(reason).not.toMatch(/ broke: /);
            expect(reason).not.toBe('');
            expect(reason).not.toMatch(/[\n\r]/);
            expect(reason.length).toBeLessThan(1500);
          }
        },
      ),
    );
  });

  it('passes a check for absence when there is nothing to read', async () => {
    const nothing = fc.record({
      said: fc.array(fc.constantFrom<Said>('', ' ', '\n\t '), { maxLength: 2 }),
      stop: fc.constantFrom('end' as const, 'cut-off' as const, 'refused' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(nothing, { maxLength: 3 }), on, async (turns, selector) => {
        const checks = absent.map(([type, given]) => check(type, given, { on: selector }));
        const results = await gradeTrial(checks, { ...base, transcript: conversationOf(turns) }, () => {});
        for (const result of results) expect(result.verdict).not.toBe('pass');
      }),
    );
  });

  it('that broke off for want of a fixture is graded otherwise than it could still have become', async () => {
    // What is decided when a trial breaks off has to stay so however the conversation would have gone on.
    const specs = [...absent, ...present].filter(([type]) => type !== 'budget');
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 2 }),
        fc.array(said, { maxLength: 2 }),
        fc.array(said, { minLength: 1, maxLength: 2 }),
        fc.array(turn, { maxLength: 1 }),
        on,
        async (before, broken, rest, after, selector) => {
          const open = unanswered('get_policy');
          const planned = after.map((_, index) => `message ${before.length + 2 + index}`);
          const early = { ...conversationOf([...before, { said: [...broken, open] }]), unsent: planned };
          const whole = conversationOf([
            ...before,
            { said: [...broken, call('get_policy'), ...rest] },
            ...after,
          ]);
          const checks = specs.map(([type, given]) => check(type, given, { on: selector }));
          const decided = await gradeTrial(checks, { ...base, transcript: early }, () => {});
          const final = await gradeTrial(checks, { ...base, transcript: whole }, () => {});
          for (const [index, result] of decided.entries())
            if (result.verdict !== 'unknown')
              expect(final[index]?.verdict, result.reason).toBe(result.verdict);
        },
      ),
      { numRuns: 300 },
    );
  });
});
