import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import { scoreFacts, scoreLines } from '../../source/report/scores.js';
import { type Feed, feedOf, plannedCondition, plannedScenario, runStarted } from '../tally/support.js';

function graded(feed: Feed, scenario: string, condition: string, axes?: CheckResult['axes']): void {
  const trial = { scenario, condition, repeat: 1 };
  const wrong = Object.values(axes ?? {}).some((share) => share < 1);
  feed.tell({ type: 'trial-started', at: 2000, trial, attempt: 1 });
  const result: CheckResult = {
    checkId: 'c',
    type: 'action',
    kind: 'hard',
    verdict: wrong ? 'fail' : 'pass',
    reason: '',
    ...(axes && { axes }),
  };
  feed.tell({ type: 'check-finished', at: 2001, trial, attempt: 1, result });
  const rest = {
    end: { kind: 'completed' as const },
    unsent: [],
    ms: 1,
    tokens: { agent: noUsage, judge: noUsage },
  };
  feed.tell({ type: 'trial-finished', at: 2002, trial, attempt: 1, ...rest });
}

function extraction(conditions = ['a']): Feed {
  const scenarios = ['freeze-card', 'bill-of-fare'].map((id) => ({
    ...plannedScenario(id),
    tags: ['cards', id],
  }));
  return feedOf(
    runStarted(
      scenarios,
      1,
      conditions.map((id) => plannedCondition(id)),
    ),
  );
}

describe('the table of scores', () => {
  it('has a row for all trials, for each axis and for each tag, with its interval', () => {
    const feed = extraction();
    graded(feed, 'freeze-card', 'a', { noop: 1, fields: 1 });
    graded(feed, 'bill-of-fare', 'a', { noop: 1, fields: 0.5 });
    expect([...scoreLines(feed.tally)]).toEqual([
      '',
      'scores            passed        95 % interval over scenarios',
      'all trials           1/2   50 %  0.06–0.94',
      'axis noop            2/2  100 %  0.33–1.00',
      'axis fields          1/2   50 %  0.06–0.94  75 % of its parts',
      'tag cards            1/2   50 %  0.06–0.94  noop 2/2  fields 1/2',
      'tag freeze-card      1/1  100 %  0.15–1.00  noop 1/1  fields 1/1',
      'tag bill-of-fare     0/1    0 %  0.00–0.85  noop 1/1  fields 0/1',
    ]);
  });

  it('is left out where no check has an axis, and is one a condition where there are several', () => {
    const plain = extraction();
    graded(plain, 'freeze-card', 'a');
    expect([...scoreLines(plain.tally)]).toEqual([]);
    const both = extraction(['a', 'b']);
    graded(both, 'freeze-card', 'a', { noop: 1 });
    graded(both, 'freeze-card', 'b', { noop: 0 });
    const titles = [...scoreLines(both.tally)].filter((line) => line.startsWith('scores'));
    expect(titles.map((line) => line.split('  ')[0])).toEqual(['scores (va)', 'scores (vb)']);
    expect(scoreFacts(both.tally).map(({ condition, axes }) => [condition, axes[0]?.passed])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('shows what a tag is called without letting it speak to the terminal', () => {
    const feed = extraction();
    const [first] = feed.tally.rows;
    first?.scenario.tags.push('red\u001b[31m');
    graded(feed, 'freeze-card', 'a', { noop: 1 });
    expect([...scoreLines(feed.tally)].join('\n')).not.toContain('\u001b');
  });
});
