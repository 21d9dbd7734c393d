import { describe, expect, it } from 'vitest';
import {
  type BisectPlan,
  bisectPlanFacts,
  bisectPlanLines,
  costOfBisect,
} from '../../source/report/bisect-plan.js';
import type { Ledgers } from '../../source/run/events.js';

function ledgers(agent: number, judge: number): Ledgers {
  const usage = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });
  return { agent: usage(agent), judge: usage(judge) };
}

function plan(changes: Partial<BisectPlan> = {}): BisectPlan {
  return {
    suite: 'shop',
    hunks: 7,
    split: 'hunk',
    strategy: 'auto',
    budget: 200,
    repeats: 6,
    watched: [{ scenario: 'refund', check: 'says-no' }],
    good: { name: 'v14', rate: 0.9, known: { passed: 12, of: 12, from: 'run r1' } },
    bad: { name: 'v15', rate: 0.2 },
    played: {
      strategy: 'auto',
      runs: 40,
      endings: { right: 39, partial: 0, innocent: 1, missed: 0, inconclusive: 0 },
      meanTrials: 20.4,
      trialsOfNineInTen: 30,
    },
    restOfSuite: 9,
    roundsATrial: 0.5,
    concurrency: 3,
    figures: {
      runId: 'r1',
      watched: { tokens: ledgers(1000, 100), ms: 2000 },
      rest: { tokens: ledgers(9000, 0), ms: 9000, of: 9 },
    },
    ...changes,
  };
}

describe('what a bisect will take', () => {
  it('is the search, the cure check and the rest of the suite, in conversations, tokens and time', () => {
    const { mean, nineInTen } = costOfBisect(plan());
    // 20 trials and 6 of the cure check; the other 9 scenarios once, three at a time.
    expect(mean).toEqual({
      trials: 26,
      conversations: 26 + 9,
      tokens: { agent: 26 * 1000 + 9000, judge: 26 * 100, user: 0 },
      ms: 26 * 0.5 * 2000 + 9000 / 3,
    });
    expect(nineInTen.trials).toBe(36);
  });

  it('is the search alone without a cure check, a conversation of each watched scenario', () => {
    const watched = [{ scenario: 'a', check: 'x' }, { scenario: 'a', check: 'y' }, { scenario: 'b' }];
    expect(costOfBisect(plan({ restOfSuite: undefined, watched })).mean).toMatchObject({
      trials: 20,
      conversations: 40,
      tokens: { agent: 20 * 1000 },
    });
  });

  it('says where its figures come from, and that none are known', () => {
    const lines = [...bisectPlanLines(plan())];
    expect(lines[0]).toBe(
      '  rates    v14 passes 90 % (12/12 in run r1); v15 passes 20 % (taken to be so, for no run tells)',
    );
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ {2}cost {5}about 26 trials, 35 conversations, 35\.0k tokens of the agent, 2\.6k of the judge, 29 s, .* as in run r1$/,
      ),
    );
    const { figures: _, ...rest } = plan();
    expect([...bisectPlanLines(rest)].at(-1)).toBe(
      '  cost     about 26 trials, 35 conversations; tokens and time are not known, for no run of the watched scenarios is there',
    );
    expect(bisectPlanFacts(rest).cost).toMatchObject({ mean: { trials: 26 }, from: null });
  });

  it('does not call tokens none that the product does not report', () => {
    const costWith = (watched: Partial<Ledgers>, rest: Partial<Ledgers>, more: Partial<BisectPlan> = {}) => {
      const { figures } = plan();
      if (!figures) throw new Error('there are none');
      const tokens = {
        watched: { ...figures.watched.tokens, ...watched },
        rest: { ...figures.rest.tokens, ...rest },
      };
      const known = plan({
        ...more,
        figures: {
          ...figures,
          watched: { ...figures.watched, tokens: tokens.watched },
          rest: { ...figures.rest, tokens: tokens.rest },
        },
      });
      return { line: [...bisectPlanLines(known)].at(-1), facts: bisectPlanFacts(known).cost };
    };
    const partial = { isAgentPartial: true } as const;
    const nothing = { ...partial, agent: ledgers(0, 0).agent };
    expect(costWith(nothing, nothing).line).toBe(
      '  cost     about 26 trials, 35 conversations, tokens of the agent not known, for the product reports none, 2.6k of the judge, 29 s, in nine of ten at most 39 s, as in run r1',
    );
    expect(costWith(partial, {}).line).toContain(' conversations, over 35.0k tokens of the agent, 2.6k of');
    expect(costWith({}, partial).line).toContain(' conversations, over 35.0k tokens of the agent, 2.6k of');
    expect(costWith({}, partial).facts.mean).toMatchObject({ tokens: { agent: 35_000, agentPartial: true } });
    // Of the rest of the suite nothing is run without the cure check.
    const uncured = costWith({}, partial, { restOfSuite: undefined });
    expect(uncured.line).toContain(' conversations, 20.0k tokens of the agent, 2.0k of');
    expect(uncured.facts.mean).toMatchObject({ tokens: { agent: 20_000, agentPartial: false } });
  });

  it('says whether the budget can suffice', () => {
    const budget = (right: number, inconclusive: number, innocent = 0) =>
      [
        ...bisectPlanLines(
          plan({
            played: { ...plan().played, endings: { right, inconclusive, innocent, partial: 0, missed: 0 } },
          }),
        ),
      ].find((line) => line.startsWith('  budget'));
    expect(budget(39, 0, 1)).toBe('  budget   suffices: 98 % were right');
    expect(budget(20, 18, 2)).toContain('may be too small: with 200 50 % were right, 45 % came to no answer');
    expect(budget(30, 2, 8)).toContain('these rates are hard to tell apart: 75 % were right');
  });

  it('is honest about few that were played, or none', () => {
    const endings = { right: 2, partial: 0, innocent: 1, missed: 0, inconclusive: 0 };
    const few = plan({ hunks: 260, played: { ...plan().played, runs: 3, endings } });
    expect([...bisectPlanLines(few)].slice(1, 3)).toEqual([
      '  search   20 trials on average, 30 at most: only 3 bisects with one guilty hunk played at these rates, for 260 hunks take long',
      '  budget   200 trials: 2 of 3 were right, too few to say whether they suffice',
    ]);
    const none = plan({
      hunks: 900,
      played: {
        ...{ strategy: 'auto', runs: 0, meanTrials: 0, trialsOfNineInTen: 0 },
        endings: { ...endings, right: 0, innocent: 0 },
      },
    });
    const [, search, budget, , cost] = bisectPlanLines(none);
    expect([search, budget]).toEqual([
      '  search   not known: 900 hunks take too long to play a bisect of them',
      '  budget   200 trials; whether they suffice is not known',
    ]);
    expect(cost).toContain('at most 206 trials');
    expect(bisectPlanFacts(none)).toMatchObject({
      played: { bisects: 0, right: null, meanTrials: null, trialsOfNineInTen: null },
      cost: { mean: { trials: 206 }, nineInTen: { trials: 206 } },
    });
  });

  it('says of a small drop that it is not looked for, and makes names safe', () => {
    const lines = [...bisectPlanLines(plan({ bad: { name: 'v15\u001b[31m', rate: 0.8 } }))].join('\n');
    expect(lines).toContain('a drop of less than 25 points is smaller than what is looked for');
    expect(lines).toContain('v15␛[31m');
    const apart = plan({ good: { name: 'v14', rate: 0.7 }, bad: { name: 'v15', rate: 0.45 } });
    expect([...bisectPlanLines(apart)].join('\n')).not.toContain('a drop of less than');
  });
});
