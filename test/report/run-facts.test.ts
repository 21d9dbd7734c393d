import { describe, expect, it } from 'vitest';
import { vendorNotice } from '../../source/report/run-facts.js';
import { runsTable } from '../../source/report/runs-table.js';
import type { RunEntry } from '../../source/run/runs.js';
import { plannedScenario, runStarted } from '../tally/support.js';

describe('what is said of the vendors of agent and judge', () => {
  const agents = (...models: string[]) => models.map((model) => ({ model }));

  it('is nothing where they are known to differ, or one of them is simulated', () => {
    expect(vendorNotice(agents('openai:a', 'openai:b'), 'anthropic:c')).toBeUndefined();
    expect(vendorNotice(agents('simulated:a'), 'openai:c')).toBeUndefined();
  });

  it('is the same vendor before an unknown one, and one notice in all', () => {
    expect(vendorNotice(agents('house:a', 'openai:b'), 'openai:c')).toEqual({
      kind: 'same',
      text: 'agent and judge are both of openai: judges are lenient towards their own kind',
    });
    expect(vendorNotice(agents('house:a', 'other:b'), 'openai:c')).toEqual({
      kind: 'unknown',
      text: 'whether agent and judge are of one vendor is not known: say whose house:a is with "vendor" of the provider house in .evalrc.json',
    });
  });

  it('tells how a product says what it answers with', () => {
    const notice = vendorNotice(agents('http product'), 'openai:c');
    expect(notice?.text).toContain('--model provider:model says what the http product answers with');
  });
});

describe('the list of runs', () => {
  it('says which run another one grades again', () => {
    const started = {
      ...runStarted([plannedScenario('one')]),
      label: 'nightly',
      regradeOf: { runId: '20261129-010203-aaaa', stale: [] },
    };
    const entry: RunEntry = {
      runId: started.runId,
      suite: 'tiny',
      folder: '/x',
      journal: '/x/journal.jsonl',
      summary: undefined,
      started,
      isRunning: false,
    };
    expect([...runsTable([entry])][1]).toMatch(/regraded from 20261129-010203-aaaa, nightly$/);
  });
});
