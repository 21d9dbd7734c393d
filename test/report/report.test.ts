import { describe, expect, it } from 'vitest';
import { textForLocale } from '../../source/base/ascii.js';
import type { Clock } from '../../source/base/clock.js';
import { type Decision, decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { closingLines } from '../../source/report/closing.js';
import {
  formatCount,
  formatDuration,
  formatInterval,
  formatShare,
  formatTokens,
} from '../../source/report/format.js';
import { safeJson } from '../../source/report/json.js';
import { type ReporterName, reporters } from '../../source/report/reporters.js';
import { transcriptLines } from '../../source/report/transcript.js';
import type { RunEvent } from '../../source/run/events.js';
import type { TrialRecord } from '../../source/run/types.js';
import {
  type Feed,
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
  trialKey,
} from '../tally/support.js';

const gate = defaultGate;
const hostile = 'a\u001b[31mb\u202ec\u200bd\r::error::e';
/** What must never reach a terminal or a log, but for the line ends of our own. */
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** A run with a scenario of each kind of verdict. */
function finishedRun(): Feed {
  const feed = feedOf(
    runStarted(['passes', 'warns', 'fails', 'unclear', 'broken'].map((id) => plannedScenario(id))),
  );
  for (const repeat of [1, 2, 3]) {
    feed.trial(trialKey('passes', repeat), { c: 'pass' });
    feed.trial(trialKey('warns', repeat), { c: repeat === 2 ? ['fail', 'was rude'] : 'pass' });
    feed.trial(trialKey('fails', repeat), { c: ['fail', `${hostile} ${repeat}`] });
    feed.trial(trialKey('unclear', repeat), { c: ['unknown', 'the judge did not answer'] });
    feed.errored(trialKey('broken', repeat), 'connection refused');
  }
  feed.tell(finished());
  return feed;
}

function closing(feed: Feed, decision: Decision = decide(feed.tally, gate), hidePassed = false): string[] {
  return [...closingLines(feed.tally, decision, { hidePassed })];
}

describe('numbers', () => {
  it('are short and the same everywhere', () => {
    expect([0, 412, 12_149, 1_234_567].map(formatTokens)).toEqual(['0', '412', '12.1k', '1.2M']);
    expect(formatTokens(999_960)).toBe('1.0M');
    expect([0, 999, 1000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect([0, 9_940, 9_960, 59_400, 59_600, 185_000, 7_800_000].map(formatDuration)).toEqual([
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '1m 00s',
      '3m 05s',
      '2h 10m',
    ]);
    expect([0, 0.001, 0.714, 0.999, 1].map(formatShare)).toEqual(['0 %', '1 %', '71 %', '99 %', '100 %']);
    expect(formatInterval(3, 3)).toBe('0.46–1.00');
  });
});

describe('the closing report', () => {
  it('has a line a scenario, the worst last, with rate, interval and first reason', () => {
    const table = closing(finishedRun()).slice(3, 8);
    expect(table).toEqual([
      'PASS     passes   3/3  0.46–1.00',
      'WARN     warns    2/3  0.18–0.96  c: was rude',
      'UNKNOWN  unclear    -             c: the judge did not answer',
      'ERROR    broken     -             connection refused',
      'FAIL     fails    0/3  0.00–0.54  c: a␛[31mb⟨U+202E⟩c⟨U+200B⟩d␍::error::e 1',
    ]);
  });

  it('says verdict, coverage, tokens of each ledger, cache and effective input, and how to open the run again', () => {
    const feed = finishedRun();
    const decision = decide(feed.tally, gate);
    const lines = closing(feed, decision);
    expect(lines).toContain(decision.headline);
    expect(lines).toContain('  fails: fails');
    expect(lines).toContain('trials   15 of 15 done, coverage 60 %, 3 errors, 8.0 s');
    expect(lines).toContain(
      'agent    tokens 1,200 input, 120 output, 0 cache read, 0 cache written, cache 0 %, effective input 1,200',
    );
    expect(lines).toContain(
      'judge    tokens 84 input, 0 output, 0 cache read, 0 cache written, cache 0 %, effective input 84',
    );
    expect(lines.at(-1)).toBe('reopen with: evalrun show 20261130-142530-k3fz');
    expect(lines.join()).not.toContain('go on with');
  });

  it('prints the verdict that it is given and no other', () => {
    const decision: Decision = {
      exitCode: 1,
      verdict: 'fail',
      headline: 'FAIL: as decided',
      reasons: [],
      coverage: 1,
    };
    expect(closing(finishedRun(), decision)).toContain('FAIL: as decided');
  });

  it('says that a model is simulated, and does not say it of others', () => {
    const notice = 'simulated: answers come from a seeded stand-in, not from a language model';
    expect(closing(finishedRun())).toContain(notice);
    const real = feedOf(
      runStarted([plannedScenario('one')], 1, [plannedCondition('a', { model: 'openai:x' })]),
    );
    expect(closing(real)).not.toContain(notice);
    const judged = feedOf({
      ...runStarted([plannedScenario('one')], 1, [plannedCondition('a', { model: 'openai:x' })]),
      judge: { model: 'simulated:judge', prompt: 'default@1', promptSha256: 'x' },
    });
    expect(closing(judged)).toContain(notice);
  });

  it('counts scenarios that passed where the screen has shown them, and those that never ran', () => {
    const feed = feedOf(
      runStarted(
        ['one', 'two', 'three'].map((id) => plannedScenario(id)),
        1,
      ),
    );
    feed.trial(trialKey('one', 1), { c: 'pass' });
    feed.tell(finished('interrupted'));
    const lines = closing(feed, decide(feed.tally, gate), true);
    expect(lines.slice(3, 5)).toEqual(['PASS     1 scenario', 'not run  2 scenarios']);
    expect(lines).toContain('go on with: evalrun run --resume 20261130-142530-k3fz');
  });

  it('says of how many trials a verdict is when not all have ended', () => {
    const feed = feedOf(runStarted([plannedScenario('one')]));
    feed.trial(trialKey('one', 1), { c: ['fail', 'no'] });
    feed.tell(finished('stopped'));
    expect(closing(feed)).toContain('fail     one  0/1  0.00–0.85  1 of 3 trials so far   c: no');
  });

  it('gives each condition a line of its own, told apart by what differs', () => {
    const conditions = [
      plannedCondition('a', { model: 'm:one' }),
      plannedCondition('b', { model: 'm:two', promptName: 'va' }),
    ];
    const feed = feedOf(runStarted([plannedScenario('one')], 1, conditions));
    feed.trial(trialKey('one', 1, 'a'), { c: 'pass' });
    feed.trial(trialKey('one', 1, 'b'), { c: 'fail' });
    feed.tell(finished());
    const lines = closing(feed);
    expect(lines[0]).toContain('va on m:one and va on m:two');
    expect(lines.slice(2, 4)).toEqual([
      'PASS     one (m:one)  1/1  0.15–1.00',
      'FAIL     one (m:two)  0/1  0.00–0.85  c: c is fail',
    ]);
  });

  it('pads by what is seen, not by the length of the text', () => {
    const feed = feedOf(runStarted([plannedScenario('日本'), plannedScenario('abcdef')], 1));
    feed.trial(trialKey('日本', 1), { c: 'pass' });
    feed.trial(trialKey('abcdef', 1), { c: 'pass' });
    feed.tell(finished());
    expect(closing(feed).slice(3, 5)).toEqual([
      'PASS     日本    1/1  0.15–1.00',
      'PASS     abcdef  1/1  0.15–1.00',
    ]);
  });
});

/** What a reporter prints of a run whose events come at the given times. */
async function reported(
  name: ReporterName,
  events: [number, RunEvent][],
  scenarios: string[],
  repeat = 1,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  let now = 1000;
  let text = '';
  const clock: Clock = { now: () => now, wait: () => Promise.resolve() };
  const reporter = await reporters[name]({
    write: async (piece) => {
      text += piece;
    },
    forLocale: textForLocale(env),
    clock,
    version: '0.1.0',
    program: 'evalrun',
  });
  const started = runStarted(
    scenarios.map((id) => plannedScenario(id)),
    repeat,
  );
  const feed = feedOf(started);
  reporter.hear({ event: started }, feed.tally, undefined);
  for (const [at, event] of events) {
    now = at;
    const row = feed.tell(event);
    reporter.hear({ event }, feed.tally, row);
  }
  const decision = decide(feed.tally, gate);
  await reporter.finishRun({ tally: feed.tally, decision, place: { journal: 'journal.jsonl' } });
  await reporter.finish(decision.exitCode);
  return text;
}

const tokens = {
  agent: { input: 4000, output: 100, cacheRead: 0, cacheWrite: 0 },
  judge: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

function oneTrial(scenario: string, at: number, verdict: 'pass' | 'fail' = 'pass'): [number, RunEvent][] {
  const trial = trialKey(scenario, 1);
  return [
    [at, { type: 'trial-started', at, trial, attempt: 1 }],
    [
      at,
      {
        type: 'check-finished',
        at,
        trial,
        attempt: 1,
        result: { checkId: 'c', type: 't', kind: 'hard', verdict, reason: hostile },
      },
    ],
    [
      at,
      {
        type: 'trial-finished',
        at,
        trial,
        attempt: 1,
        end: { kind: 'completed' },
        unsent: [],
        ms: 3200,
        tokens,
      },
    ],
  ];
}

describe('the plain reporter', () => {
  it('prints a line a finished trial and nothing in between when that is soon', async () => {
    const text = await reported(
      'plain',
      [...oneTrial('one', 1100), ...oneTrial('three', 1200, 'fail'), [1300, finished()]],
      ['one', 'three'],
    );
    const [opening, condition, notice, ...rest] = text.split('\n');
    expect(opening).toBe('run 20261130-142530-k3fz   tiny   2 trials, 2 at once   seed 7');
    expect(condition).toBe('  va on simulated:tiny');
    expect(notice).toContain('simulated: ');
    expect(rest.slice(0, 3)).toEqual([
      'PASS     one    #1 of 1  4.1k tok  3.2 s',
      'FAIL     three  #1 of 1  4.1k tok  3.2 s  c: a␛[31mb⟨U+202E⟩c⟨U+200B⟩d␍::error::e',
      '',
    ]);
    expect(text).not.toMatch(unsafe);
  });

  it('is nothing but ASCII where the locale has nothing else', async () => {
    const events: [number, RunEvent][] = [
      ...oneTrial('返金', 1100),
      ...oneTrial('three', 1200, 'fail'),
      [1300, finished()],
    ];
    const inC = await reported('plain', events, ['返金', 'three'], 1, { LANG: 'C' });
    expect(inC).toMatch(/^[\n\x20-\x7e]*$/);
    expect(inC).toContain('0.00-0.85');
    expect(await reported('plain', events, ['返金', 'three'])).toContain('0.00–0.85');
  });

  it('says how far it is every few seconds, and only when something has changed', async () => {
    const trial = trialKey('two', 1);
    const progress = (at: number): [number, RunEvent] => [
      at,
      { type: 'reply-progress', trial, turn: 1, text: 'x' },
    ];
    const text = await reported(
      'plain',
      [
        ...oneTrial('one', 2000),
        [2000, { type: 'trial-started', at: 2000, trial, attempt: 1 }],
        progress(3000),
        progress(6999),
        progress(7000),
        progress(7100),
        [13_000, finished('interrupted')],
      ],
      ['one', 'two'],
    );
    expect(text.split('\n').filter((line) => line.startsWith('running'))).toEqual([
      'running  1 of 2 trials, 1 in flight, about 6.0 s left',
    ]);
  });

  it('tells of retries, errors, added trials and taints', async () => {
    const trial = trialKey('one', 1);
    const text = await reported(
      'plain',
      [
        [1, { type: 'trial-started', at: 1, trial, attempt: 1 }],
        [
          2,
          {
            type: 'trial-errored',
            at: 2,
            trial,
            attempt: 1,
            kind: 'rate-limit',
            message: hostile,
            final: false,
          },
        ],
        [3, { type: 'trial-started', at: 3, trial, attempt: 2 }],
        [
          4,
          {
            type: 'trial-errored',
            at: 4,
            trial,
            attempt: 2,
            kind: 'rate-limit',
            message: 'quota',
            final: true,
          },
        ],
        [5, { type: 'taint', at: 5, kind: 'rate-limit', message: 'one: quota' }],
        [6, { type: 'plan-extended', at: 6, scenario: 'one', from: 2, to: 3 }],
        [7, finished('stopped')],
      ],
      ['one'],
    );
    expect(text).toContain('\nretry    one  #1 of 1  rate-limit: a␛[31mb');
    expect(text).toContain('\nERROR    one  #1 of 1  quota\n');
    expect(text).toContain('\nTAINTED  by rate-limit: one: quota\n');
    expect(text).toContain('\nadded    one: trials 2 to 3\n');
    expect(text).not.toMatch(unsafe);
  });
});

describe('the JSON reporter', () => {
  it('prints one object, whose numbers are those of the tally and whose verdict is the one decided', async () => {
    const text = await reported(
      'json',
      [...oneTrial('one', 1100), ...oneTrial('two', 1200, 'fail'), [1300, finished()]],
      ['one', 'two'],
    );
    const report = JSON.parse(text);
    expect(report).toMatchObject({ format: 1, evalrun: '0.1.0', exitCode: 1 });
    const [run] = report.runs;
    expect(run).toMatchObject({
      runId: '20261130-142530-k3fz',
      simulated: true,
      verdict: 'fail',
      exitCode: 1,
      headline: 'FAIL: 1 of 2 scenarios fails',
      trials: { total: 2, done: 2, coverage: 1 },
      tokens: {
        agent: { input: 8000, cacheHitRate: 0, effectiveInput: 8000 },
        judge: { cacheHitRate: null },
      },
      conditions: [{ id: 'a', simulated: true }],
    });
    expect(run.scenarios[1]).toMatchObject({
      id: 'two',
      verdict: 'fail',
      why: { check: 'c', reason: hostile },
      conditions: [
        {
          checks: [{ id: 'c', verdict: 'fail', passed: 0, of: 1 }],
          trials: [{ repeat: 1, verdict: 'fail' }],
        },
      ],
    });
    expect(text).not.toMatch(unsafe);
  });

  it('escapes what a terminal would obey, and every reader gets it back', () => {
    const value = { text: `${hostile}\u009b2J \u2028 \ufeff \u{e0041} 日本 é` };
    const text = safeJson(value);
    expect(text).not.toMatch(unsafe);
    expect(text).not.toContain('\u2028');
    expect(text).not.toContain('\u{e0041}');
    expect(text).toContain('日本 é');
    expect(JSON.parse(text)).toEqual(value);
  });

  it('prints nothing where no run was made', async () => {
    let text = '';
    const reporter = await reporters.json({
      write: async (piece) => {
        text += piece;
      },
      clock: { now: () => 0, wait: () => Promise.resolve() },
      version: '0.1.0',
      program: 'evalrun',
    });
    await reporter.finish(2);
    expect(text).toBe('');
  });
});

describe('a transcript as text', () => {
  const record: TrialRecord = {
    key: trialKey('one', 2),
    attempt: 2,
    turns: [
      {
        index: 1,
        message: 'first line\nsecond line',
        ms: 10,
        reply: {
          parts: [
            {
              kind: 'tool',
              call: { name: 'get_order', args: { id: 7 }, result: { status: 'late' }, from: 'fixture' },
            },
            {
              kind: 'tool',
              call: { name: 'cancel', args: 'not json', error: 'no such order', from: 'fixture' },
            },
            { kind: 'text', text: `well\n::error::x ${hostile}` },
          ],
          text: '',
          usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
          steps: 2,
          stop: 'cut-off',
          model: 'm',
        },
      },
    ],
    results: [
      {
        checkId: 'c',
        type: 'judge',
        kind: 'judged',
        verdict: 'fail',
        score: 2,
        reason: 'promises money',
        evidence: [{ turn: 1 }],
        judge: { model: 'simulated:judge', prompt: 'default@1', reason: '' },
      },
      { checkId: 'd', type: 't', kind: 'hard', verdict: 'pass', reason: 'seen' },
    ],
    finished: {
      end: { kind: 'no-fixture', tool: 'refund', args: '{}' },
      unsent: ['thanks'],
      ms: 1500,
      tokens,
    },
    error: undefined,
  };

  it('has heading, checks with reasons, turns with tool calls, the end and what was not sent', () => {
    const lines = [...transcriptLines(record, { condition: plannedCondition('a'), of: 3, verdict: 'FAIL' })];
    expect(lines).toEqual([
      'one   trial 2 of 3   va on simulated:tiny (simulated)   FAIL',
      '4.1k tokens, cache 0 %, 1.5 s, attempt 2',
      '',
      'FAIL     c   2/5   (turn 1)',
      '       │ promises money',
      '         judged by simulated:judge default@1',
      'PASS     d',
      '',
      'turn 1',
      '  user    first line',
      '        │ second line',
      '  tool    get_order({"id":7}) -> {"status":"late"}   fixture',
      '  tool    cancel(not json) -> error: no such order   fixture',
      '  agent   well',
      '        │ ::error::x a␛[31mb⟨U+202E⟩c⟨U+200B⟩d␍::error::e',
      '  stopped: cut-off',
      '',
      'ended: no fixture answers refund({})',
      '  unsent  thanks',
    ]);
  });

  it('begins no line with what a model said', () => {
    for (const line of transcriptLines(record, {
      condition: plannedCondition('a'),
      of: 3,
      verdict: 'FAIL',
    })) {
      expect(line.trimStart().startsWith('::')).toBe(false);
      expect(line).not.toMatch(unsafe);
    }
  });
});
