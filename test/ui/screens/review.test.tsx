import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { render } from 'ink-testing-library';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDesk, type ReviewCase } from '../../../source/grade/labels/desk.js';
import { readLabels } from '../../../source/grade/labels/load.js';
import { rubricHash } from '../../../source/grade/labels/rubric-hash.js';
import { noUsage } from '../../../source/model/types.js';
import { App } from '../../../source/ui/app.js';
import { createFakeRun, fakeScenario } from '../fake-run.js';
import { holdApp, keys } from '../model-fixture.js';

function reviewCase(scenario: string, said: string, judgeScore: number, scored = true): ReviewCase {
  const args = {
    rubric: `Offers store credit in ${scenario}.`,
    fact: 'The window is 30 days.',
    ...(scored && { min_score: 4 }),
  };
  const check = { id: 'offers-credit', type: 'judge', args, place: { file: 'x', line: 1, column: 1 } };
  const reply = {
    parts: [{ kind: 'text' as const, text: said }],
    text: said,
    usage: noUsage,
    steps: 1,
    stop: 'end' as const,
    model: '',
  };
  return {
    check,
    rubric: rubricHash(check),
    turns: [{ index: 1, message: 'refund please', reply, ms: 1 }],
    from: { suite: 'support', scenario, check: check.id, run: '20261130-142530-k3fz', trial: 1 },
    judged: {
      model: 'simulated:judge',
      prompt: 'default@1',
      sha256: 'abcdef012345',
      pass: judgeScore >= 4,
      ...(scored && { score: judgeScore }),
    },
    reason: `the judge saw this in ${scenario}`,
  };
}

async function openReview(size = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalrun-review-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'judges/default.labels.yaml');
  const desk = await createDesk({
    title: 'support 20261130-142530-k3fz',
    path: file,
    file: 'judges/default.labels.yaml',
    cases: [
      reviewCase('one', 'No refund, but store credit.', 5),
      reviewCase('two', 'Your money is on its way.', 5),
      reviewCase('three', 'Sorry \x1b[31mnot\x1b[0m possible.', 1, false),
    ],
    by: 'ada',
    at: '2026-11-30',
  });
  const fake = createFakeRun({ scenarios: [fakeScenario('one')] });
  const app = holdApp([fake.run], { columns: 100, rows: 30, ...size, desk });
  const text = () => readFileSync(file, 'utf8');
  return { app, file, text, labels: () => readLabels(text(), 'l.yaml') };
}

describe('the review', () => {
  it('leaves the case the room of what is not said yet where lines are few, and never grows', async () => {
    const { app } = await openReview({ columns: 60, rows: 15 });
    const before = app.lines().findIndex((line) => line.trimStart().startsWith('you '));
    expect(app.lines()[0]).toContain('one / offers-credit');
    app.press('5');
    const after = app.lines().findIndex((line) => line.trimStart().startsWith('you '));
    expect([before, after]).toEqual([10, 8]);
    expect(app.lines().length).toBeLessThan(15);
    expect(app.screen()).toContain('the judge saw this in one');
  });

  it('shows what the judge was asked and saw, and hides its verdict until the person has given theirs', async () => {
    const { app, labels } = await openReview();
    expect(app.screen()).toContain('one / offers-credit');
    expect(app.screen()).toContain('rubric   Offers store credit in one.');
    expect(app.screen()).toContain('fact     The window is 30 days.');
    expect(app.screen()).toContain('No refund, but store credit.');
    expect(app.screen()).toContain('hidden until you have said yours');
    expect(app.screen()).not.toContain('the judge saw this');
    app.press('4');
    expect(app.screen()).toMatch(/you +4 of 5: pass/);
    expect(app.screen()).toMatch(/judge +5 of 5: pass +✔ agrees/);
    expect(app.screen()).toContain('the judge saw this in one');
    expect(await labels()).toMatchObject([
      {
        expected: { pass: true, score: 4 },
        by: 'ada',
        at: '2026-11-30',
        judged: { pass: true, score: 5 },
        from: { scenario: 'one' },
      },
    ]);
  });

  it('does not go on before a verdict, but skips, and asks for pass or fail where no score is wanted', async () => {
    const { app } = await openReview();
    app.press(keys.enter);
    expect(app.screen()).toContain('say yours first, or skip with s');
    app.press('p');
    expect(app.screen()).toContain('this check asks for a score: 1 to 5');
    app.press('s', 's');
    expect(app.screen()).toContain('three / offers-credit');
    app.press('3');
    expect(app.screen()).toContain('this check asks for pass or fail: p or f');
    expect(app.screen()).toContain('Sorry ␛[31mnot');
    app.press('f');
    expect(app.screen()).toMatch(/judge +fail +✔ agrees/);
  });

  it('takes the last verdict back, out of the file too, and marks what is said after the judge was seen', async () => {
    const { app, text, labels } = await openReview();
    app.press('5', keys.enter, '2');
    expect(app.screen()).toContain('✖ disagrees');
    expect(await labels()).toHaveLength(2);
    const first = text().slice(0, text().lastIndexOf('---'));
    app.press('u');
    expect(text()).toBe(first);
    expect(app.screen()).toContain('hidden until you have said yours');
    app.press('5');
    expect((await labels()).map(({ isRevised }) => isRevised)).toEqual([undefined, true]);
    app.press('u', 'u', 'u');
    expect(await labels()).toEqual([]);
    expect(app.screen()).toContain('nothing was said yet');
  });

  it('keeps notes, those taken before the verdict too', async () => {
    const { app, labels } = await openReview();
    app.press('n', 'hard to say', keys.enter, '3');
    expect(app.screen()).toContain('hard to say');
    expect(await labels()).toMatchObject([{ note: 'hard to say', expected: { score: 3 } }]);
    app.press('n', '!', keys.enter);
    expect(await labels()).toMatchObject([{ note: 'hard to say!', expected: { score: 3 } }]);
  });

  it('leaves what somebody writes into the file meanwhile', async () => {
    const { app, file, text, labels } = await openReview();
    app.press('5');
    writeFileSync(file, `# by hand\n${text()}# and here\n`);
    app.press(keys.enter, '1');
    expect(text()).toMatch(/^# by hand\n/);
    expect(text()).toContain('# and here\n---');
    expect(await labels()).toHaveLength(2);
  });

  it('says at the end how far the judge agrees, and where it does not', async () => {
    const { app } = await openReview();
    app.press('5', keys.enter, '1', keys.enter, 'f', keys.enter);
    expect(app.screen()).toContain('the judge agrees with 2 of 3, kappa 0.40');
    expect(app.screen()).toContain('two / offers-credit: you 1 of 5: fail, the judge 5 of 5: pass');
    expect(app.screen()).toContain('the judge saw this in two');
    app.press('q');
    expect(app.left).toEqual([{ how: 'quit' }]);
  });

  it('says what could not be written, and does not show it as said', async () => {
    const { app, file } = await openReview();
    // A file where the folder would have to be.
    writeFileSync(path.dirname(file), 'in the way');
    app.press('5');
    expect(app.screen()).toContain('not written: ');
    expect(app.screen()).toContain('hidden until you have said yours');
  });

  it.each([60, 80, 120])('fits %i columns and 15 rows, and scrolls to the end of a case', async (columns) => {
    const { app } = await openReview({ columns, rows: 15 });
    expect(app.lines().length).toBeLessThan(15);
    app.press('G');
    expect(app.screen()).toContain('No refund, but store credit.');
    app.press('?');
    expect(app.screen()).toContain('keys of the review');
  });

  it('is drawn by Ink as keys come', async () => {
    const { app } = await openReview();
    const { lastFrame, unmount } = render(
      <App
        model={app.model}
        onError={(error) => {
          throw error;
        }}
      />,
    );
    expect(lastFrame()).toContain('1 of 3');
    app.press('5', keys.enter);
    await expect.poll(lastFrame).toContain('2 of 3');
    unmount();
  });
});
