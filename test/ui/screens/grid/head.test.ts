import { describe, expect, it } from 'vitest';
import { createTally } from '../../../../source/tally/tally.js';
import { createPace } from '../../../../source/ui/pace.js';
import { headerLine } from '../../../../source/ui/screens/grid/head.js';
import { createTheme } from '../../../../source/ui/theme.js';
import { plannedCondition, plannedScenario, runStarted } from '../../../tally/support.js';

function header(more: object, columns: number): string {
  const started = runStarted([plannedScenario('one')], 3, [
    plannedCondition('a', { model: 'openai:gpt-4o' }),
  ]);
  const facts = {
    tally: createTally({ ...started, ...more }),
    title: undefined,
    pace: createPace(0),
    isLive: false,
    isPaused: false,
    isStopping: false,
    waits: [],
    run: 1,
    of: 1,
    now: 0,
    confirming: 0,
    comparison: undefined,
    verdict: undefined,
    knownTrials: undefined,
    notes: 0,
  };
  return headerLine(facts, createTheme({ LANG: 'C.UTF-8' }, undefined), columns)
    .map(({ text }) => text)
    .join('');
}

describe('the header of the grid', () => {
  it('says that a run grades another one again, and which where there is room', () => {
    const regraded = { regradeOf: { runId: '20261129-010203-aaaa', stale: [] } };
    expect(header(regraded, 140)).toContain('va   regraded from 20261129-010203-aaaa   openai:gpt-4o');
    expect(header(regraded, 80)).toMatch(/va {3}regraded {3}openai/);
    expect(header({}, 140)).not.toContain('regraded');
  });

  it('says where the judge is of the agent\u2019s vendor, and where that is not known', () => {
    const judge = (model: string) => ({ judge: { model, prompt: 'default@1', promptSha256: 'x' } });
    expect(header(judge('openai:gpt-5'), 140)).toContain('judge of the same vendor');
    expect(header(judge('house:big'), 140)).toContain("judge's vendor not known");
    expect(header({ ...judge('house:big'), vendors: { house: 'mistral' } }, 140)).not.toContain('vendor');
  });
});
