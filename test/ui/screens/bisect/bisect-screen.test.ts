import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../source/base/errors.js';
import { spentTrials } from '../../../../source/bisect/session.js';
import { fail, pass } from '../../../bisect/fake-run.js';
import { begun, holdBisect } from '../../bisected-run.js';
import { keys } from '../../model-fixture.js';

describe('a bisect before its first trial', () => {
  it('says what it will cost, and begins when told', async () => {
    const { app, fake, play } = await holdBisect({}, { plan: ['about 31 trials of 200, 40k tokens'] });
    expect(app.screen()).toContain('about 31 trials of 200, 40k tokens');
    expect(app.screen()).toContain('Enter begins');
    expect(fake.record.trials).toEqual([]);
    app.press(keys.enter);
    expect(app.screen()).toContain('measuring both ends');
    await play(2);
    expect(app.screen()).toContain('v1 passes 2/2, v2 0/2: they separate');
  });

  it('does not begin while that is worked out', async () => {
    const { app, fake } = await holdBisect({}, { plan: 'working' });
    expect(app.screen()).toContain('working out what it will cost');
    app.press(keys.enter);
    expect(app.screen()).toContain('still being worked out');
    expect(fake.inFlight()).toEqual([]);
  });

  it('is left at once, for nothing is lost', async () => {
    for (const key of ['q', keys.ctrlC]) {
      const { app } = await holdBisect();
      app.press(key);
      expect(app.left).toEqual([{ how: 'quit' }]);
    }
  });

  it('says plainly that both ends do not separate', async () => {
    const { app, end } = await holdBisect();
    app.press(keys.enter);
    for (let trial = 0; trial < 4; trial++) await end(pass);
    expect(app.screen()).toContain(
      'v1 passes 2/2, v2 2/2: they do not separate clearly, it goes on by belief',
    );
  });
});

describe('a guided bisect', () => {
  it('runs the step that is proposed, fills its cells, and asks for the word', async () => {
    const { app, end, play } = await begun();
    expect(app.screen()).toMatch(/Enter reverts hunk 1, up to 6 trials/);
    app.press(keys.enter);
    await end(fail);
    expect(app.screen()).toMatch(/▸ *1 .* testing +✖/);
    expect(app.screen()).toContain('reverting 1');
    await play(2);
    expect(app.screen()).toMatch(/1 .* your turn +✖✖/);
    expect(app.screen()).toContain('fails without it 2/2, with it 2/2');
    expect(app.screen()).toContain('hunk 1: it fails without it too; a takes that');
    app.press('a');
    expect(app.screen()).toMatch(/1 .* cleared +✖✖/);
    expect(app.screen()).toContain('step 1 of 4');
  });

  it('runs the step of the hunk that was selected instead, and says what was proposed', async () => {
    const { app, play } = await begun();
    app.press('j', 'j');
    expect(app.screen()).toContain('Enter reverts hunk 3, up to 6 trials (proposed: 1)');
    app.press(keys.enter);
    await play(2);
    expect(app.screen()).toMatch(/3 .* your turn +●●●●●/);
    expect(app.screen()).toContain('it passes again without it');
    expect(app.screen()).toContain('fails without it 0/5');
  });

  it('goes from the word on the guilty hunk to its end, with a confirmation and a cure check', async () => {
    const { app, play } = await begun({}, { columns: 140, rows: 50 });
    app.press('j', 'j', keys.enter);
    await play(2);
    app.press('a');
    await play(2);
    // Sure enough to confirm at once, or after one more step.
    for (let step = 0; step < 3 && !app.screen().includes('FOUND'); step++) {
      app.press(keys.enter);
      await play(2);
      app.press('a');
      await play(2);
    }
    expect(app.screen()).toMatch(/FOUND: hunk 3 of 4, .*believed 9\d/);
    expect(app.screen()).toMatch(/confirmed in turns: v2 without 3 passes 2\/2, v2 0\/2/);
    expect(app.screen()).toMatch(/does reverting cure\? v2 without 3 passes \d\/\d more/);
    expect(app.screen()).toContain('the rest of the suite on the narrowed prompt');
    expect(app.screen()).toMatch(/\+Rule 3 is good\./);
    expect(app.screen()).toMatch(/3 .* guilty /);
    expect(app.screen()).toContain('w writes the narrowed prompt');
    app.press('w');
    expect(app.screen()).toContain('write the narrowed prompt as a new version?');
    app.press('y');
    await app.settle();
    expect(app.screen()).toContain('written: prompts/v3.md');
    app.press('w', 'y');
    await app.settle();
    expect(app.screen()).toContain('there already, nothing written: prompts/v3.md');
    app.press('q');
    expect(app.left).toEqual([{ how: 'quit' }]);
  });

  it('takes an override as the word of the person, after asking which', async () => {
    const { app, fake } = await begun();
    app.press('j', 'o');
    expect(app.screen()).toContain('what do you know of hunk 2? it is');
    app.press('x');
    expect(app.screen()).toContain('what do you know of hunk 2?');
    app.press('i');
    expect(app.screen()).toContain('hunk 2 is innocent, as you say');
    expect(app.screen()).toMatch(/2 .* yours: in/);
    expect(fake.events.at(-1)).toMatchObject({ decision: { kind: 'override', hunk: 1, says: 'innocent' } });
  });

  it('cuts nothing of what it says', async () => {
    const { app, play } = await begun();
    const flat = () =>
      app
        .lines()
        .map((line) => line.trim())
        .join(' ');
    app.press('s');
    expect(flat()).toContain('hunk 1 is skipped: no step of it unless you ask; a search may try it');
    app.press(keys.enter);
    app.press('j', 'j', 's');
    expect(flat()).toMatch(/once what is in flight has ended: hunk \d is skipped: .* a search may try it/);
    await play(2);
    app.press('a', 'A');
    await play(2);
    expect(flat()).toContain(
      'w writes the narrowed prompt, p shows it beside the bad one, t its transcripts;',
    );
    expect(flat()).toContain('t its transcripts; o or u goes on');
  });

  it('undoes step after step and says what was taken back; what it cost stays spent', async () => {
    const { app, fake, play } = await begun();
    app.press(keys.enter);
    await play(2);
    app.press('a', 's');
    expect(app.screen()).toMatch(/2 .* skipped/);
    app.press('u');
    expect(app.screen()).toContain('taken back: the skipping of hunk 2; what it cost stays spent');
    const spent = spentTrials(fake.record.session());
    app.press('u');
    expect(app.screen()).toContain('taken back: the word on hunk 1; what it cost stays spent');
    expect(app.screen()).toContain('hunk 1: it fails without it too; a takes that');
    app.press('u');
    expect(app.screen()).toContain('taken back: the step on hunk 1 (2 trials); what it cost stays');
    expect(app.screen()).toMatch(/1 .* waiting {2,}/);
    expect(app.screen()).not.toMatch(/1 .* cleared/);
    app.press('u');
    expect(app.screen()).toContain('taken back: the measuring of both ends (4 trials)');
    expect(app.screen()).toContain('Enter goes on with the measuring of both ends');
    expect(fake.inFlight()).toEqual([]);
    expect(spentTrials(fake.record.session())).toBe(spent);
  });

  it('keeps an undo that is said while trials are in flight until they have ended', async () => {
    const { app, end, fake } = await begun();
    app.press(keys.enter);
    await end(fail);
    app.press('u');
    expect(app.screen()).toContain('once what is in flight has ended: taken back: the step on hunk 1');
    await end(fail);
    expect(fake.inFlight()).toEqual([]);
    expect(app.screen()).toContain('Enter reverts hunk 1');
    expect(app.screen()).toContain('reverted: none yet');
  });

  it('takes a confirmation back, and neither the word nor the trials that led to it', async () => {
    const { app, fake, end, play } = await begun();
    app.press(keys.enter);
    for (let trial = 0; trial < 5; trial++) await end(pass);
    app.press('a');
    await end(pass);
    app.press('u');
    expect(app.screen()).toContain('once what is in flight has ended: taken back: the confirmation of 1');
    await play();
    expect(fake.inFlight()).toEqual([]);
    expect(app.screen()).toContain('Enter goes on with the confirmation of 1');
    expect(app.screen()).toMatch(/1 .* guilty +●●●●● /);
    app.press('u');
    expect(app.screen()).toContain('taken back: the word on hunk 1');
    expect(app.screen()).toMatch(/1 .* ●●●●● /);
  });

  it('keeps a note with its hunk', async () => {
    const { app } = await begun();
    app.press('n', 'looks harmless', keys.enter);
    expect(app.screen()).toContain('note: looks harmless');
  });

  it('opens the transcript of any cell, and comes back to it', async () => {
    const { app, play } = await begun();
    app.press(keys.enter);
    await play(2);
    app.press(keys.left, 't');
    // It is read from when it is drawn on.
    expect(app.screen()).toMatch(/refund +· v2 without 1 · trial 1 of 2 · FAIL/);
    await app.settle();
    expect(app.screen()).toContain('✖ agrees');
    app.press(keys.right);
    expect(app.screen()).toContain('trial 2 of 2');
    app.press(keys.escape);
    expect(app.screen()).toContain('hunk 1: it fails without it too');
  });

  it('shows the reverted and the full prompt side by side', async () => {
    const { app } = await begun({}, { columns: 100 });
    app.press('p');
    expect(app.screen()).toMatch(/v2 without 1 +│ v2/);
    expect(app.screen()).toMatch(/2 +▌Rule 1 is good\. +│ 2 +▌Rule 1 is bad\./);
    expect(app.screen()).toMatch(/3 +Line 1 stays\. +│ 3 +Line 1 stays\./);
    app.press('n');
    expect(app.screen()).toContain('nothing below differs');
    app.press(keys.escape);
    expect(app.screen()).toContain('Enter reverts hunk 1');
  });

  it('says which of both prompts is shown where there is room for one, whatever they are called', async () => {
    const { app, fake } = await begun({}, { columns: 60 });
    fake.record.planned.bad.name = 'support-agent-with-shorter-replies';
    app.press('p');
    expect(app.lines()[1]).toBe(' ▸ support-agent-with-shorter-replies without 1');
    app.press(keys.tab);
    expect(app.lines()[1]).toBe(' ▸ support-agent-with-shorter-replies');
  });

  it('changes what is watched, and says what that means for trials so far', async () => {
    const { app, fake, play } = await begun();
    app.press('c');
    expect(app.screen()).toMatch(/▸ \[ \] refund {3}all checks/);
    expect(app.screen()).toContain('[✔] agrees');
    app.press('j', ' ', keys.enter);
    expect(app.screen()).toContain('something has to be watched');
    app.press('j', ' ', keys.enter);
    expect(fake.record.watched()).toEqual([{ scenario: 'refund', check: 'polite' }]);
    expect(app.screen()).toContain('all trials so far are read by what you chose');
    // The other check passed on both.
    expect(app.screen()).toContain('v1 passes 2/2, v2 2/2: they do not separate');
    await play(2);
    app.press('c', '/', 'delay');
    expect(app.screen()).not.toContain('refund');
    app.press(keys.enter, ' ', keys.enter);
    expect(app.screen()).toContain('earlier trials did not ask 1 new scenario: they say nothing now');
    expect(app.screen()).toContain('refund / polite + 1 more');
  });

  it('hands over to auto and is taken back', async () => {
    const { app, play, end } = await begun();
    app.press('T');
    expect(app.screen()).toContain('you have it already: A hands it over');
    app.press('A');
    await end(pass);
    expect(app.screen()).toContain('auto');
    app.press('T');
    expect(app.screen()).toContain('once what is in flight has ended: you have it again');
    await play(2);
    expect(app.screen()).toMatch(/guided +waits for you/);
  });

  it('asks for a budget, and takes one that is larger than what was spent', async () => {
    const { app, fake } = await begun();
    app.press('b');
    expect(app.screen()).toContain('at most how many trials? 200');
    app.press('3', keys.enter);
    expect(app.screen()).toContain('from 5 to 1000');
    app.press(keys.backspace, '90', keys.enter);
    expect(app.screen()).toContain('4 of 90 trials');
    expect(fake.events.at(-1)).toMatchObject({ decision: { kind: 'budget', budget: 90 } });
  });

  it('keeps the budget in force at the mere Enter, and says nothing of it to the bisect', async () => {
    const { app, fake } = await begun();
    app.press('b', keys.enter);
    expect(app.screen()).toContain('the budget stays 200 trials');
    expect(app.screen()).toContain('4 of 200 trials');
    app.press('b', '90', keys.enter, 'b');
    expect(app.screen()).toContain('at most how many trials? 90');
    app.press(keys.enter);
    const budgets = fake.events.filter(
      (event) => event.type === 'bisect-decided' && event.decision.kind === 'budget',
    );
    expect(budgets).toHaveLength(1);
  });

  it('skips a hunk for its own steps; where it is tried all the same its row says so', async () => {
    const { app, play } = await begun();
    app.press('s');
    expect(app.screen()).toContain('hunk 1 is skipped: no step of it unless you ask');
    expect(app.screen()).toMatch(/1 .* skipped/);
    app.press('g', 'j', 'j', keys.enter);
    await play(2);
    expect(app.screen()).toMatch(/1 .* your turn +✖✖/);
    app.press('s');
    expect(app.screen()).toMatch(/1 .* skipped +✖✖/);
  });

  it('says of a skipped hunk that auto tried it, and blames it', async () => {
    const { app, end, fake, play } = await begun();
    app.press('j', 'j', 's');
    expect(app.screen()).toMatch(/3 .* skipped/);
    app.press('A');
    const isTried = () => fake.record.trials.some(({ candidate }) => candidate === '1101');
    while (!isTried()) {
      const candidate = fake.record.candidateOf(fake.inFlight()[0]?.condition ?? '') ?? '';
      await end(candidate[2] === '1' ? fail : pass);
    }
    await end(pass);
    expect(app.screen()).toMatch(/ 3 .* (?:tried|blamed) +●/);
    await play(2);
    expect(app.screen()).toMatch(/3 .* guilty /);
  });

  it('goes to what was found when it ends, wherever the person was, and says nothing stale', async () => {
    const { app, end, fake } = await begun();
    app.press('A');
    const endOne = async () => {
      const candidate = fake.record.candidateOf(fake.inFlight()[0]?.condition ?? '') ?? '';
      await end(candidate[2] === '1' ? fail : pass);
    };
    while (fake.record.trials.at(-1)?.purpose.kind !== 'suite') {
      if (fake.record.trials.at(-1)?.purpose.kind === 'confirm')
        expect(app.screen()).toMatch(/ 3 .* blamed /);
      await endOne();
    }
    expect(app.screen()).toMatch(/ 3 .* guilty /);
    app.press('G', keys.enter);
    expect(app.screen()).toContain('trials are going on');
    while (fake.inFlight().length > 0) await endOne();
    expect(app.screen()).toContain('▸   what was found');
    expect(app.screen()).toContain('FOUND: hunk 3');
    expect(app.screen()).not.toContain('trials are going on');
  });

  it('leaves somebody alone who types when it ends', async () => {
    const { app, play } = await begun();
    app.press('A', 'G', 'n', 'half a no');
    await play(2);
    expect(app.screen()).toContain('half a no');
    expect(app.screen()).not.toContain('▸   what was found');
  });

  it('hands nothing over that is over, and says why', async () => {
    const { app, fake, play } = await begun();
    app.press('A');
    await play(2);
    expect(app.screen()).toContain('FOUND');
    const said = fake.events.length;
    app.press('T');
    expect(app.screen()).toContain('it is over, nobody has it: o, b or u goes on from here');
    app.press(keys.tab, 'G', 'A');
    expect(app.screen()).toContain('it is over, nobody has it');
    expect(fake.events).toHaveLength(said);
  });

  it('ends inconclusive at its budget, and goes on with a larger one', async () => {
    const { app } = await begun({ budget: 4 });
    expect(app.screen()).toContain('INCONCLUSIVE: the budget is spent');
    expect(app.screen()).toContain('b gives it a larger budget');
    app.press('w');
    expect(app.screen()).toContain('there is no narrowed prompt before hunks are found');
    app.press('b', '80', keys.enter);
    expect(app.screen()).toContain('Enter reverts hunk 1');
  });

  it('asks before it leaves what is in flight, and not where nothing is', async () => {
    const { app } = await begun();
    app.press(keys.enter, 'q');
    expect(app.screen()).toContain('leave? what is in flight is lost; it can be resumed');
    app.press('n');
    expect(app.left).toEqual([]);
    app.press('q', 'y');
    expect(app.left).toEqual([{ how: 'abandoned' }]);
    const other = await begun();
    other.app.press('q');
    expect(other.app.left).toEqual([{ how: 'quit' }]);
  });

  it('finishes what is in flight at the first Ctrl+C, and goes on at Enter', async () => {
    const { app, end, play } = await begun();
    app.press(keys.enter);
    await end(fail);
    app.press(keys.ctrlC);
    expect(app.screen()).toContain('Ctrl+C again aborts');
    await end(fail);
    expect(app.screen()).toContain('stopped');
    app.press(keys.enter);
    await play(2);
    expect(app.screen()).toMatch(/1 .* your turn +✖✖/);
  });

  it('says why a prompt cannot be written', async () => {
    const held = await begun({}, { problem: new UserError('v3.md is there already') });
    const { app, play } = held;
    app.press('A');
    await play(2);
    expect(app.screen()).toContain('FOUND: hunk 3');
    app.press('w', 'n');
    expect(held.written).toBe(0);
    app.press('w', 'y');
    await app.settle();
    expect(app.screen()).toContain('not written: v3.md is there already');
  });
});

describe('a bisect that is only shown', () => {
  it('tells the whole of how it goes on where a line has no room for it', async () => {
    for (const [columns, rows] of [
      [80, 24],
      [60, 15],
    ] as const) {
      const { app } = await holdBisect({}, { isPast: true, columns, rows });
      const how = 'it goes on with: evalrun bisect --resume 20261130-120000-aaaa';
      const shown = () => app.lines().map((line) => line.trim());
      expect(shown().join(' ')).toContain(`only shown here; ${how}`);
      app.press('a');
      expect(shown().slice(-2).join(' ')).toContain(`it is only shown here; ${how}`);
      expect(app.lines().length).toBeLessThanOrEqual(rows - 1);
    }
  });

  it('tells how it goes on, and lets nothing be said', async () => {
    const { app } = await holdBisect({}, { isPast: true, columns: 120 });
    for (const key of [keys.enter, 'a', 'o', 's', 'u', 'n', 'c', 'A', 'T', 'b', 'w']) {
      app.press(key);
      expect(app.lines().at(-1)).toContain('it is only shown here; it goes on with: evalrun bisect --resume');
    }
  });
});
