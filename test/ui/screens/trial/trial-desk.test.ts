import { describe, expect, it } from 'vitest';
import type { Label } from '../../../../source/grade/labels/types.js';
import { noUsage } from '../../../../source/model/types.js';
import { trialId } from '../../../../source/run/events.js';
import type { SavedReview } from '../../../../source/run/reviews.js';
import type { TrialDesk } from '../../../../source/ui/types.js';
import { createFakeRun, fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

const rubric = 'ed7eb7706fb06cb5';
const place = { file: 'judges/default.labels.yaml', line: 3, column: 1 };

function label(more: Partial<Label>): Label {
  const check = { id: 'x', type: 'judge', args: { rubric: 'Offers store credit.' }, place };
  const judged = { model: 'openai:x', prompt: 'default@1', sha256: 'abcdef012345', pass: false as const };
  return { place, check, rubric, turns: [], expected: { pass: false }, judged, ...more };
}

const turn = {
  index: 1,
  message: 'Please.',
  reply: { parts: [], text: 'No.', usage: noUsage, steps: 1, stop: 'end' as const, model: '' },
  ms: 0,
};

interface FakeDesk {
  desk: TrialDesk;
  labels: Label[];
  reviews: Map<string, SavedReview>;
  /** What was said of verdicts, in order. */
  said: string[];
  answer(review: SavedReview | Error): void;
  begun(turn: number): void;
  isAborted(): boolean;
}

function fakeDesk(more: Partial<TrialDesk> = {}): FakeDesk {
  const labels: Label[] = [];
  const reviews = new Map<string, SavedReview>();
  const said: string[] = [];
  let reading: { resolve(review: SavedReview): void; reject(error: Error): void; turn(at: number): void };
  let signal: AbortSignal | undefined;
  return {
    labels,
    reviews,
    said,
    answer: (review) => (review instanceof Error ? reading.reject(review) : reading.resolve(review)),
    begun: (turn) => reading.turn(turn),
    isAborted: () => signal?.aborted === true,
    desk: {
      file: 'judges/default.labels.yaml',
      whyNoReviewer: undefined,
      readLabels: async () => [...labels],
      readReviews: async () => reviews,
      review: (_record, options) =>
        new Promise((resolve, reject) => {
          signal = options.signal;
          signal.addEventListener('abort', () => reject(signal?.reason));
          reading = { resolve, reject, turn: options.onTurn };
        }),
      async label(record, result, agrees) {
        said.push(`${result.checkId} ${agrees}`);
        const { scenario, repeat: trial } = record.key;
        const from = { suite: 's', scenario, check: result.checkId, run: '20260101-120000-abcd', trial };
        const given = label({ expected: { pass: !agrees }, by: 'ada', isSighted: true, from });
        labels.push(given);
        return {
          expected: agrees ? 'fail' : 'pass',
          takeBack() {
            said.push('taken back');
            labels.splice(labels.indexOf(given), 1);
            return true;
          },
        };
      },
      ...more,
    },
  };
}

const checks = ['tool_called get_order', 'offers-credit'];

async function openTrial(fake: FakeDesk, size: { columns?: number; rows?: number } = {}) {
  const scenario = fakeScenario('refund-past-window', [], checks);
  for (const check of scenario.checks) {
    if (check.id === 'offers-credit') Object.assign(check, { kind: 'judged', type: 'judge', rubric });
  }
  const run = createFakeRun({
    scenarios: [scenario],
    repeat: 1,
    judge: { model: 'openai:x', prompt: 'default@1', promptSha256: 'abcdef0123456789' },
  });
  const key = run.key('refund-past-window', 1);
  run.start(key);
  for (const turn of [1, 2]) {
    run.turn(key, `message ${turn}: my money back.`, [{ kind: 'text', text: `Answer ${turn}.` }], turn);
  }
  run.check(key, { checkId: 'tool_called get_order', verdict: 'pass', reason: 'called once' });
  run.check(key, {
    checkId: 'offers-credit',
    kind: 'judged',
    type: 'judge',
    verdict: 'fail',
    score: 2,
    reason: '3 verdicts: 2, 2, 3 → median 2, needs 4: Promises money.',
    judge: {
      model: 'openai:x',
      prompt: 'default@1',
      score: 2,
      reason: 'Promises money.',
      verdicts: [
        { model: 'openai:x', prompt: 'default@1', score: 2, reason: 'Promises money.' },
        { model: 'openai:x', prompt: 'default@1', score: 2, reason: 'No credit.', cached: true },
        { model: 'openai:x', prompt: 'default@1', score: 3, reason: 'Half of it.' },
      ],
    },
  });
  run.finish(key);
  const app = holdApp([{ ...run.run, openDesk: async () => fake.desk }], { columns: 120, rows: 34, ...size });
  app.press(keys.enter);
  await settled(app);
  return { app, key };
}

/** Lets chains of promises end. */
async function settled(app: ReturnType<typeof holdApp>): Promise<void> {
  app.screen();
  for (let step = 0; step < 5; step++) await app.settle();
}

/** The screen's words in one line, so that wrapping does not matter. */
const words = (app: ReturnType<typeof holdApp>) =>
  app
    .lines()
    .map((line) => line.split('│')[0])
    .join(' ')
    .replace(/\s+/g, ' ');

const review = (key: SavedReview['trial'], more: Partial<SavedReview> = {}): SavedReview => ({
  trial: key,
  at: 0,
  usage: noUsage,
  model: 'openai:strong',
  prompt: 'reviewer@1',
  promptSha256: 'x',
  summary: 'Look at turn 2.',
  turns: [
    { turn: 1, right: ['Says sorry.'], missed: [], tooEarly: [] },
    { turn: 2, right: [], missed: ['No word of the window.'], tooEarly: ['Offers before it knows.'] },
  ],
  ...more,
});

describe('a judged check on the trial screen', () => {
  it('shows each verdict of the judge, and how far that judge can be trusted', async () => {
    const fake = fakeDesk();
    fake.labels.push(label({}), label({ turns: [turn], expected: { pass: true } }));
    const { app } = await openTrial(fake);
    const shown = words(app);
    expect(shown).toContain('3 verdicts: 2, 2, 3 → median 2, needs 4: Promises money.');
    expect(shown).toContain('verdict 2: 2 of 5, from the cache: No credit.');
    expect(shown).toContain('verdict 3: 3 of 5: Half of it.');
    expect(shown).toMatch(/judge agrees with 1 of 2 labels, kappa 0\.00/);
    app.press(keys.up);
    expect(words(app)).not.toContain('judge agrees');
  });

  it('is uncalibrated where nobody labelled its rubric, or the labels cannot be read', async () => {
    const { app } = await openTrial(fakeDesk());
    expect(words(app)).toContain('judge uncalibrated: nobody labelled this rubric');
    const broken = fakeDesk({
      readLabels: async () => {
        throw new Error('judges/default.labels.yaml:3:1: unknown key');
      },
    });
    const second = await openTrial(broken);
    expect(words(second.app)).toContain('the labels cannot be read: judges/default.labels.yaml:3:1');
  });

  it('takes agreement and contradiction, one at a time, and takes them back', async () => {
    const fake = fakeDesk();
    const { app } = await openTrial(fake);
    app.press('+');
    await settled(app);
    expect(app.screen()).toContain('labelled fail as the judge, not blind; u undoes it');
    expect(words(app)).toContain('labelled fail by ada, with the verdict in view');
    app.press('-');
    await settled(app);
    expect(app.screen()).toContain('labelled pass against the judge, not blind; u undoes it');
    app.press('-');
    await settled(app);
    expect(app.screen()).toContain('taken back');
    expect(words(app)).not.toContain('by ada');
    app.press('u');
    expect(app.screen()).toContain('nothing was said of this verdict');
    app.press('+');
    await settled(app);
    app.press('u');
    await settled(app);
    const once = ['offers-credit true', 'taken back'];
    expect(fake.said).toEqual([...once, 'offers-credit false', 'taken back', ...once]);
    expect(fake.labels).toEqual([]);
  });

  it('shows no label of another condition, whose trial has the same number', async () => {
    const fake = fakeDesk();
    const from = { suite: 's', scenario: 'refund-past-window', check: 'offers-credit', trial: 1 };
    const reply = {
      parts: [],
      text: 'Said under v14.',
      usage: noUsage,
      steps: 1,
      stop: 'end' as const,
      model: '',
    };
    const turns = [{ index: 1, message: 'message 1: my money back.', reply, ms: 0 }];
    fake.labels.push(label({ by: 'ada', turns, from: { ...from, run: '20260101-120000-abcd' } }));
    const { app } = await openTrial(fake);
    expect(words(app)).toContain('judge agrees with 1 of 1 label');
    expect(words(app)).not.toContain('by ada');
  });

  it('is not to be judged before its answer is on screen, nor where no judge decided', async () => {
    const fake = fakeDesk();
    const { app } = await openTrial(fake, { columns: 60, rows: 15 });
    app.press('+');
    expect(app.screen()).toContain('read the answer first: tab goes to the transcript');
    app.press(keys.tab, keys.tab, '+');
    await settled(app);
    expect(fake.said).toEqual(['offers-credit true']);
    const wide = await openTrial(fake);
    wide.app.press(keys.up, '+');
    expect(wide.app.screen()).toContain('only of what a judge decided: this check is exact');
    expect(fake.said).toHaveLength(1);
  });

  it('says what could not be written', async () => {
    const refused = fakeDesk({
      label: async () => {
        throw new Error('labelled already in judges/default.labels.yaml:3: pass');
      },
    });
    const { app } = await openTrial(refused);
    app.press('-');
    await settled(app);
    expect(app.screen()).toContain('labelled already in judges/default.labels.yaml:3: pass');
  });
});

describe('the review of a conversation', () => {
  it('is shown beside the turns that it speaks of, hidden and shown again', async () => {
    const fake = fakeDesk();
    const { app, key } = await openTrial(fake);
    app.press('R');
    fake.begun(1);
    await settled(app);
    expect(app.screen()).toMatch(
      /the reviewer reads this conversation, turn 1 of 2 {2}0\.0 s {3}esc ends it/,
    );
    fake.answer(review(key));
    await settled(app);
    expect(app.screen()).toContain('reviewed: 1 missed, 1 too early; shown beside the turns');
    const right = app.lines().map((line) => line.slice(line.indexOf('│')));
    const at = (text: string) => right.findIndex((line) => line.includes(text));
    expect(at('review │ Look at turn 2.')).toBeLessThan(at('turn 1'));
    expect(at('right  │ Says sorry.')).toBe(at('Answer 1.') + 1);
    expect(at('missed │ No word of the window.')).toBe(at('Answer 2.') + 1);
    expect(at('early  │ Offers before it knows.')).toBe(at('Answer 2.') + 2);
    app.press('R');
    expect(app.screen()).not.toContain('Says sorry.');
    app.press('R');
    expect(app.screen()).toContain('Says sorry.');
  });

  it('is there when the trial is opened again', async () => {
    const fake = fakeDesk();
    fake.reviews.set(trialId({ scenario: 'refund-past-window', condition: 'a', repeat: 1 }), {
      ...review({ scenario: 'refund-past-window', condition: 'a', repeat: 1 }),
    });
    const { app } = await openTrial(fake);
    expect(app.screen()).toContain('read by openai:strong reviewer@1; part of no verdict');
    expect(app.screen()).toContain('Says sorry.');
  });

  it('is ended by esc, which leaves the trial open', async () => {
    const fake = fakeDesk();
    const { app } = await openTrial(fake);
    app.press('R');
    await settled(app);
    app.press(keys.escape);
    await settled(app);
    expect(fake.isAborted()).toBe(true);
    expect(app.screen()).toContain('the reading was ended; nothing is kept of it');
    expect(app.screen()).toContain('refund-past-window · trial 1 of 1');
    app.press('j');
    expect(app.screen()).not.toContain('the reviewer reads');
  });

  it('that could not be read says so, and is asked for again', async () => {
    const fake = fakeDesk();
    const { app, key } = await openTrial(fake);
    app.press('R');
    fake.answer(review(key, { turns: [], summary: '', unread: { why: 'it holds no JSON', raw: '' } }));
    await settled(app);
    expect(app.screen()).toContain("the reviewer's answer could not be read: it holds no JSON");
    app.press('R');
    fake.answer(new Error('the reviewer cannot be asked: no key'));
    await settled(app);
    expect(app.screen()).toContain('the reviewer cannot be asked: no key');
  });

  it('needs a reviewer, and says which line of the config names one', async () => {
    const { app } = await openTrial(fakeDesk({ whyNoReviewer: 'no model reads transcripts: name one' }));
    app.press('R');
    expect(app.screen()).toContain('no model reads transcripts: name one');
  });
});
