import { formatProblem } from '../base/errors.js';
import type { Calibration } from '../grade/labels/calibration.js';
import type { RunSummary } from '../run/summary.js';
import { lacksResults } from '../triage/results.js';
import type { Suggestion, TriageRow } from '../triage/suggest.js';
import type { SuiteTriage } from '../triage/triage.js';
import { countOf, inline } from './format.js';
import type { HistorySeries } from './history.js';
import { driftText } from './history-text.js';

/** Something that a person should see to. Its texts are safe to print. */
export interface HomeMatter {
  suite: string;
  kind: MatterKind;
  /** One or two words, in capitals where it is urgent. */
  word: string;
  text: string;
}

/** In the order in which a person looks at them. */
export const matterKinds = [
  'mistake',
  'expired',
  'drift',
  'flaky',
  'broken',
  'judge',
  'release',
  'old',
] as const;
export type MatterKind = (typeof matterKinds)[number];

/** The most urgent first, then by suite. */
export function sortedMatters(matters: readonly HomeMatter[]): HomeMatter[] {
  const rank = ({ kind }: HomeMatter) => matterKinds.indexOf(kind);
  return [...matters].sort(
    (a, b) => rank(a) - rank(b) || (a.suite < b.suite ? -1 : a.suite > b.suite ? 1 : 0),
  );
}

/** Scores that fall and have not come back. */
export function driftMatters(series: readonly HistorySeries[]): HomeMatter[] {
  return series.flatMap(({ suite, model, drift }) =>
    drift.kind === 'fell' && !drift.hasRecovered
      ? [{ suite, kind: 'drift' as const, word: 'DRIFT', text: inline(`${model}: ${driftText(drift)}`) }]
      : [],
  );
}

/** Runs of which nobody knows yet whether they flipped: an earlier version summed them up. The triage does it anew. */
export function oldRunMatters(suites: readonly string[], summaries: readonly RunSummary[]): HomeMatter[] {
  const old = summaries.filter(lacksResults);
  return suites.flatMap((suite) => {
    const count = old.filter((summary) => summary.suite === suite).length;
    if (count === 0) return [];
    const [were, them] = count === 1 ? ['1 run was', 'it'] : [`${count} runs were`, 'them'];
    const text = `${were} summed up before flips were kept: the triage (x) reads ${them} again`;
    return [{ suite, kind: 'old', word: 'old', text }];
  });
}

/** Mistakes of a suite's files, or of its quarantine: no run starts before they are mended. */
export function mistakeMatter(suite: string, message: string): HomeMatter {
  const [first = ''] = message.split('\n');
  return { suite, kind: 'mistake', word: 'MISTAKE', text: inline(first) };
}

/** What the triage of a suite suggests, a line a kind of suggestion. */
export function triageMatters({ suite, rows, problems }: SuiteTriage): HomeMatter[] {
  const [problem] = problems;
  const matters = problem ? [mistakeMatter(suite, formatProblem(problem))] : [];
  const of = (kind: Suggestion['kind']) => rows.filter(({ suggestion }) => suggestion?.kind === kind);
  const add = (
    kind: MatterKind,
    word: string,
    found: readonly TriageRow[],
    says: (count: string) => string,
  ) => {
    if (found.length === 0) return;
    const text = `${says(countOf(found.length, 'check'))}: ${namesOf(found)}`;
    matters.push({ suite, kind, word, text: inline(text) });
  };
  add('expired', 'EXPIRED', of('expired'), (count) => `the quarantine of ${count} has ended`);
  add('flaky', 'flaky', of('quarantine'), (count) => `${count} flipped with nothing changed`);
  add('broken', 'broken', of('broken'), (count) => `${count} always failed lately`);
  add('release', 'release', of('release'), (count) => `${count} passed for long and may be released`);
  return matters;
}

const mostNamed = 3;

function namesOf(rows: readonly TriageRow[]): string {
  const names = rows.slice(0, mostNamed).map(({ scenario, check }) => `${scenario} / ${check}`);
  return names.join(', ') + (rows.length > mostNamed ? ', …' : '');
}

/** How many rubrics of a suite have a judge that nobody held against people; nothing where all have. */
export function judgeMatter(
  suite: string,
  judge: { prompt: string; model: string },
  rubrics: readonly Calibration[],
): HomeMatter[] {
  const without = rubrics.filter((one) => one.kind === 'uncalibrated');
  if (without.length === 0) return [];
  const why = without.find((one) => one.kind === 'uncalibrated')?.why ?? '';
  const count = `${without.length} of ${countOf(rubrics.length, 'rubric')}`;
  const text = inline(`${judge.prompt} on ${judge.model} is uncalibrated on ${count}: ${why}`);
  return [{ suite, kind: 'judge', word: 'judge', text }];
}
