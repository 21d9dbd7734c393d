import type { RunSummary } from '../../source/run/summary.js';

/** The run of the n-th day, of which so many of a hundred trials passed. */
export function runSummary(
  day: number,
  passed: number,
  more: Partial<RunSummary> & { hash?: string } = {},
): RunSummary {
  const { hash = 'h', ...rest } = more;
  const at = Date.UTC(2026, 0, 1, 12) + day * 86_400_000;
  return {
    version: 1,
    runId: `${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}-120000-aaaa`,
    suite: 'tiny',
    startedAt: at,
    finishedAt: at + 1000,
    state: 'completed',
    conditions: [{ id: 'a', promptName: 'v1', model: 'simulated:tiny' }],
    isSimulated: true,
    repeat: 3,
    seed: '7',
    trials: { total: 100, done: 100, errors: 0 },
    scenarios: { pass: 1, warn: 0, fail: 0, unknown: 0, error: 0 },
    tokens: {
      agent: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      judge: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
    taints: [],
    scores: [{ condition: 'a', hash, passed, of: 100, axes: [] }],
    criteria: 'c',
    decision: { verdict: 'pass', exitCode: 0, headline: 'PASS' },
    journalBytes: 1,
    ...rest,
  };
}
