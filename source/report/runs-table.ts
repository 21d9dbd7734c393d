import { textWidth } from '../base/width.js';
import type { RunEntry } from '../run/runs.js';
import type { RunSummary } from '../run/summary.js';
import { formatCount, formatTime, inline } from './format.js';

/** A list of runs as a table with a heading, newest first. */
export function* runsTable(entries: readonly RunEntry[]): Generator<string> {
  const rows = [
    ['run', 'suite', 'condition', 'trials', 'result', 'started (UTC)', 'label'],
    ...entries.map(cells),
  ];
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, textWidth(cell))),
    [],
  );
  for (const row of rows) {
    const padded = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - textWidth(cell)));
    yield padded.join('  ').trimEnd();
  }
}

function cells(entry: RunEntry): string[] {
  const { runId, suite, summary } = entry;
  if (!summary)
    return [runId, inline(suite), '', '', entry.isRunning ? 'running' : 'unfinished', startOf(runId), ''];
  return [
    runId,
    inline(suite),
    inline(summary.conditions.map(({ promptName, model }) => `${promptName} on ${model}`).join(' and ')),
    `${formatCount(summary.trials.done)}/${formatCount(summary.trials.total)}`,
    resultOf(summary),
    formatTime(summary.startedAt),
    inline(summary.label ?? ''),
  ];
}

/** A run's id is the time at which it started. */
function startOf(runId: string): string {
  return runId.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d).*$/, '$1-$2-$3 $4:$5');
}

function resultOf({ state, decision, scenarios }: RunSummary): string {
  if (state === 'unfinished') return 'unfinished';
  const words = { pass: 'PASS', fail: 'FAIL', none: 'NO VERDICT', interrupted: state };
  const word = Object.hasOwn(words, decision.verdict)
    ? words[decision.verdict as keyof typeof words]
    : inline(decision.verdict);
  const counts = (['fail', 'error', 'unknown', 'warn'] as const)
    .filter((verdict) => scenarios[verdict] > 0)
    .map((verdict) => `${scenarios[verdict]} ${verdict}`);
  return [word, ...counts].join(', ');
}
