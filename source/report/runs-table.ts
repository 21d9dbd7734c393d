import { fitToWidth, textWidth } from '../base/width.js';
import { bisectsByRun, type KnownBisect, knownBisect } from '../run/bisects-of.js';
import type { RunEntry } from '../run/runs.js';
import type { RunSummary } from '../run/summary.js';
import { bisectedText, bisectName, findingWord } from './bisected.js';
import { formatCount, inline } from './format.js';

/**
 * A list of runs as a table with a heading, newest first. A run's id says when it started. `columns`: the width of the
 * terminal, which longer lines are cut at.
 */
export function* runsTable(entries: readonly RunEntry[], columns?: number): Generator<string> {
  const bisects = bisectsByRun(entries);
  const rows = [
    ['run', 'suite', 'result', 'trials', 'condition', 'label'],
    ...entries.map((entry) => cells(entry, bisects.get(entry.runId) ?? [])),
  ];
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, textWidth(cell))),
    [],
  );
  for (const row of rows) {
    const padded = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - textWidth(cell)));
    const line = padded.join('  ').trimEnd();
    yield columns !== undefined && textWidth(line) > columns ? fitToWidth(line, columns).trimEnd() : line;
  }
}

function cells(entry: RunEntry, bisects: readonly KnownBisect[]): string[] {
  const { runId, suite, summary, started, isRunning } = entry;
  const bisect = knownBisect(entry);
  // Of a bisect nobody knows how many there will be.
  const planned =
    started && !started.bisect
      ? started.plan.scenarios.length * started.plan.conditions.length * started.plan.repeat
      : undefined;
  const conditions = summary?.conditions ?? started?.plan.conditions ?? [];
  return [
    runId,
    inline(suite),
    summary ? resultOf(summary, bisect) : isRunning ? 'running' : 'unfinished',
    summary
      ? `${formatCount(summary.trials.done)}/${formatCount(summary.trials.total)}`
      : planned === undefined
        ? ''
        : `…/${formatCount(planned)}`,
    inline(bisect ? `${bisectName(bisect)} on ${conditions[0]?.model}` : conditionsText(conditions)),
    inline(remarks(entry, bisects)),
  ];
}

function conditionsText(conditions: readonly { promptName: string; model: string }[]): string {
  return conditions.map(({ promptName, model }) => `${promptName} on ${model}`).join(' and ');
}

function remarks(entry: RunEntry, bisects: readonly KnownBisect[]): string {
  const { summary, started } = entry;
  const of = summary?.regradeOf ?? started?.regradeOf?.runId;
  const label = summary?.label ?? started?.label;
  const looksInto = knownBisect(entry)?.of;
  return [
    of !== undefined && `regraded from ${of}`,
    looksInto !== undefined && `looks into ${looksInto}`,
    ...bisects.map((one) => `bisected: ${bisectedText(one)}`),
    label,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
}

function resultOf({ state, decision, scenarios }: RunSummary, bisect: KnownBisect | undefined): string {
  // Stopped, aborted or killed: it goes on with --resume, and its verdicts may still change.
  if (state === 'unfinished' || decision.verdict === 'interrupted') return 'unfinished';
  if (bisect) return findingWord(bisect);
  const words = { pass: 'PASS', fail: 'FAIL', measured: 'MEASURED', none: 'NO VERDICT' };
  const word = Object.hasOwn(words, decision.verdict)
    ? words[decision.verdict as keyof typeof words]
    : inline(decision.verdict);
  const counts = (['fail', 'error', 'unknown', 'warn'] as const)
    .filter((verdict) => scenarios[verdict] > 0)
    .map((verdict) => `${scenarios[verdict]} ${verdict}`);
  return [word, ...counts].join(', ');
}
