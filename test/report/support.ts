import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { CheckEvidence, Comparison, CriterionChange } from '../../source/compare/types.js';
import { noUsage } from '../../source/model/types.js';
import type { FinishedRun } from '../../source/report/reporter.js';
import { type ReporterName, reporters } from '../../source/report/reporters.js';
import { plannedCondition } from '../tally/support.js';

/** Text of a model that tries what can be tried: escapes, markup, mentions, commands of CI engines, ends of fences. */
export const hostile =
  '::error file=x::a\u001b[31mb\u202ec\u200bd\r\n::set-output name=x::y\n##[add-mask]e ##vso[task.complete]f ' +
  '@octocat #123 ]]> <!-- <script>x</script> </details> ``` ```` `x` | \\| a|b & &lt; [l](http://x) www.x.y \ufffe\uffff\ud800';

/** What must never reach a report, but for line ends of our own. */
export const unsafe =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/u;

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalrun-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function reportOf(
  name: ReporterName,
  runs: readonly FinishedRun[],
  more: { runs?: number } = {},
): Promise<string> {
  let text = '';
  const reporter = await reporters[name]({
    async write(piece) {
      text += piece;
    },
    clock: { now: () => 0, sleep: async () => {} } as never,
    version: '0.1.0',
    program: 'evalrun',
    ...more,
  });
  for (const run of runs) await reporter.finishRun(run);
  await reporter.finish(1);
  return text;
}

/** An empty journal: there is nothing to read at any position. */
export function emptyJournal(): FinishedRun['place'] {
  const journal = path.join(temporaryFolder(), 'journal.jsonl');
  writeFileSync(journal, '');
  return { journal };
}

export function evidence(passed: number, of: number, more: Partial<CheckEvidence> = {}): CheckEvidence {
  const verdict = passed === of ? 'pass' : passed === of - 1 && of > 1 ? 'warn' : 'fail';
  return { id: 'c', type: 'tool_called', kind: 'hard', absolute: false, verdict, passed, of, ...more };
}

export function change(scenario: string, more: Partial<CriterionChange> = {}): CriterionChange {
  return {
    scenario,
    check: 'c',
    kind: 'hard',
    absolute: false,
    direction: 'regression',
    from: evidence(3, 3),
    to: evidence(0, 3, { why: 'was never called' }),
    ...(['regression', 'drift'].includes(more.direction ?? 'regression') && { proof: 'suspect' }),
    ...more,
  };
}

export function comparison(changes: CriterionChange[], more: Partial<Comparison> = {}): Comparison {
  const side = {
    suite: 'tiny',
    at: Date.UTC(2026, 10, 1, 9, 30),
    repeat: 3,
    cache: 'warm' as const,
    tokens: { agent: noUsage, judge: noUsage },
    trials: 3,
    answered: { models: [], versions: [] },
    taints: [],
    isComplete: true,
  };
  return {
    base: {
      ...side,
      kind: 'baseline',
      runId: 'base',
      condition: plannedCondition('z', { promptName: 'va' }),
    },
    candidate: {
      ...side,
      kind: 'run',
      runId: 'candidate',
      condition: plannedCondition('a', { promptName: 'vb' }),
    },
    differences: [{ part: 'prompt', from: 'va', to: 'vb' }],
    changes,
    same: 7,
    sign: { better: 1, worse: 4, p: 0.1875 },
    score: { from: 4.5, to: 4.25, cases: 4, each: [] },
    stillFailing: [{ scenario: 'known', check: 'c' }],
    axes: [{ axis: 'routing', from: { passed: 9, of: 9 }, to: { passed: 7, of: 9 }, drop: 0.2 }],
    tokens: { inputRatio: 1.25, hitRate: { from: 0.71, to: 0.69 }, level: 'warn' },
    ...more,
  };
}
