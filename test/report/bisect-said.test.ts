import { describe, expect, it } from 'vitest';
import { createDriver } from '../../source/bisect/driver.js';
import { liveEntries } from '../../source/bisect/session.js';
import { bisectLines } from '../../source/report/bisect.js';
import { bisectFacts } from '../../source/report/bisect-facts.js';
import { bisectReport } from '../../source/report/bisect-report.js';
import { bisectSchema } from '../../source/report/bisect-schema.js';
import { type CellEnd, createFakeRun, fail, pass, play, settle } from '../bisect/fake-run.js';
import { finishedOf } from '../bisect/finished.js';
import { plannedBisect } from '../bisect/planned.js';

/** Fails wherever the first hunk is applied. */
const say = (candidate: string): CellEnd => (candidate[0] === '1' ? fail : pass);

/** A guided bisect in which the first step is taken and the test says what comes then. */
async function stepped() {
  const fake = createFakeRun(plannedBisect({ strategy: 'guided' }));
  const driver = createDriver(fake.options({ isAttended: true }));
  void driver.start();
  await play(fake, say);
  driver.goOn(0);
  await play(fake, say);
  return { fake, driver };
}

describe('what a person took back in a bisect', () => {
  it('is told of with what it showed, in every report, and counts for nothing', async () => {
    const { fake, driver } = await stepped();
    driver.decide({ kind: 'undo', steps: 2 });
    driver.decide({ kind: 'hand-over', to: 'auto' });
    await play(fake, say);
    const line = '9 trials were taken back: v1 2/2, v2 0/2, v2 without 1 5/5';
    const finished = finishedOf(fake);
    expect(finished.tally.found?.headline).toContain('FOUND: hunk 1 of 4');
    const lines = [...bisectLines(finished.record, finished.tally)];
    expect(lines).toContain(line);
    const markdown = await bisectReport(finished);
    expect(markdown).toContain(`- <code>${line}</code>`);
    expect(markdown).toContain('strategy auto (begun as guided), cut by');
    const facts = bisectSchema.parse(bisectFacts(finished));
    expect(facts).toMatchObject({ strategy: 'auto', begunAs: 'guided' });
    expect(facts.takenBack).toEqual({
      trials: 9,
      shown: [
        { candidate: '0000', name: 'v1', passed: 2, of: 2 },
        { candidate: '1111', name: 'v2', passed: 0, of: 2 },
        { candidate: '0111', name: 'v2 without 1', passed: 5, of: 5 },
      ],
    });
    expect(facts.trials.filter(({ takenBack }) => takenBack)).toHaveLength(9);
    const told = facts.trials.filter(({ outcome }) => outcome !== null).length;
    expect(facts.spent.trials).toBe(told);
  });

  it('is told of where it was left before it came to an answer, and not where nothing was', async () => {
    const { fake, driver } = await stepped();
    const linesNow = () => {
      const { record, tally } = finishedOf(fake);
      return [...bisectLines(record, tally)].join('\n');
    };
    expect(linesNow()).not.toContain('taken back');
    driver.decide({ kind: 'undo', steps: 1 });
    await settle();
    expect(linesNow()).toContain('5 trials were taken back: v2 without 1 5/5');
  });
});

describe('what a person says in a bisect', () => {
  it('is named where a finding leans on it, with what is believed without', async () => {
    const { fake, driver } = await stepped();
    driver.decide({ kind: 'override', hunk: 0, says: 'guilty' });
    driver.decide({ kind: 'override', hunk: 2, says: 'innocent' });
    await play(fake, say);
    const { tally } = finishedOf(fake);
    const leaning = tally.found?.reasons.find((reason) => reason.startsWith('leans on'));
    expect(leaning).toMatch(
      /^leans on a person's word, hunk 1 is guilty, hunk 3 is innocent: without it believed \d+(\.\d)? %$/,
    );
    // Taken back, nothing leans on it, and the answer is believed as it was said to be.
    while (liveEntries(fake.record.session()).some(({ kind }) => kind === 'override'))
      driver.decide({ kind: 'undo', steps: 1 });
    driver.decide({ kind: 'accept', hunk: 0 });
    await play(fake, say);
    const after = finishedOf(fake).tally.found;
    expect(after?.headline).toContain('FOUND: hunk 1 of 4');
    expect(after?.reasons.join()).not.toContain('leans on');
  });

  it('stands in both reports as notes, safe to print', async () => {
    const { fake, driver } = await stepped();
    driver.decide({ kind: 'note', text: 'asked <b>legal</b>\nand `they` know' });
    driver.decide({ kind: 'note', text: 'looks harmless', hunk: 2 });
    driver.decide({ kind: 'accept', hunk: 0 });
    await play(fake, say);
    const finished = finishedOf(fake);
    expect(bisectFacts(finished).notes).toEqual([
      { hunk: null, text: 'asked <b>legal</b>\nand `they` know' },
      { hunk: 3, text: 'looks harmless' },
    ]);
    const notes = (await bisectReport(finished)).split('#### Notes')[1]?.split('####')[0]?.trim().split('\n');
    expect(notes).toHaveLength(2);
    expect(notes?.[0]).toBe('- <code>asked &#60;b&#62;legal&#60;/b&#62;↵and &#96;they&#96; know</code>');
    expect(notes?.[1]).toBe('- hunk 3: <code>looks harmless</code>');
  });
});
