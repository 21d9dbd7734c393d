import { makeVisible } from '../base/text.js';
import type { BaselineChange } from '../compare/baseline-accumulate.js';
import type { Expectation } from '../compare/baseline-counts.js';
import type { Baseline } from '../compare/baseline-schema.js';
import type { Difference } from '../compare/types.js';
import { countOf } from './format.js';

/** Rows of one kind that are printed before the rest is counted. */
const mostRows = 20;

/** `pass 12/12`, with the score where there is one. */
export function expectationText({ verdict, passed, of, score }: Expectation): string {
  return `${verdict} ${passed}/${of}${score === undefined ? '' : `, score ${score}`}`;
}

/** What counting a run does to a baseline, for a person to agree to: kinds with their counts, and what is not as it was. */
export function savingLines(
  changes: readonly BaselineChange[],
  differences: readonly Difference[],
): string[] {
  const of = (kind: BaselineChange['kind']) => changes.filter((change) => change.kind === kind);
  const lines = differences.map(({ part, from, to }) =>
    makeVisible(`another condition: ${part} ${from} → ${to}`),
  );
  const counted = of('counted');
  if (counted.length > 0) {
    const trials = counted.map(({ to }) => to?.of ?? 0);
    lines.push(`counted      ${count(counted)}, then known by ${range(trials)} trials`);
  }
  for (const [kind, head, isListed] of [
    ['new', 'new', false],
    ['anew', 'counted anew', false],
    ['superseded', 'superseded, what was expected goes into the history', true],
    ['gone', 'gone', true],
    ['kept', 'left as it was', true],
    ['unknown', 'too few trials could be graded', true],
  ] as const) {
    const found = of(kind);
    if (found.length === 0) continue;
    lines.push(isListed ? `${head}: ${count(found)}` : `${head.padEnd(12)} ${count(found)}`);
    // What was counted before is every row of a run that was graded again.
    const rows = isListed ? found.filter(({ why }) => why !== 'counted before') : [];
    lines.push(...rows.slice(0, mostRows).map(changeLine));
    if (rows.length > mostRows) lines.push(`  … and ${rows.length - mostRows} more`);
  }
  const unsettled = changes.filter(
    ({ kind, to, from }) => kind === 'counted' && to?.verdict !== from?.verdict,
  );
  if (unsettled.length > 0) {
    lines.push('with these trials the verdict is another:');
    lines.push(...unsettled.slice(0, mostRows).map(changeLine));
  }
  return lines;
}

function changeLine({ scenario, check, from, to, why }: BaselineChange): string {
  const sides = [from, to].flatMap((side) => (side ? [expectationText(side)] : []));
  return makeVisible(`  ${scenario}/${check}  ${sides.join(' → ')}${why === undefined ? '' : `  ${why}`}`);
}

function count(changes: readonly BaselineChange[]): string {
  const scenarios = new Set(changes.map(({ scenario }) => scenario)).size;
  return `${countOf(changes.length, 'check')} of ${countOf(scenarios, 'scenario')}`;
}

function range(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** A baseline for a person: the condition, how well it is known, and what is not a plain pass. */
export function baselineLines(baseline: Baseline, file: string): string[] {
  const { suite, note, condition, lastRun, runs, scenarios } = baseline;
  const checks = Object.entries(scenarios).flatMap(([scenario, one]) =>
    Object.entries(one.checks).map(([check, expected]) => ({ scenario, check, ...expected })),
  );
  const rest = checks.filter(({ verdict }) => verdict !== 'pass');
  const trials = checks.map((one) => one.of);
  const history = Object.values(scenarios).flatMap((one) => one.history ?? []);
  const prompt = condition.prompt && `${condition.prompt.name} (${condition.prompt.path})`;
  const lines = [
    `${suite}  ${condition.model}${condition.fixtures === 'live' ? ', live tools' : ''}  ${file}`,
    `prompt       ${prompt ?? 'none'}${condition.prompt?.dirty ? ', not committed' : ''}`,
    ...(note === undefined ? [] : [`note         ${note}`]),
    `last run     ${lastRun.id}, ${lastRun.repeat} trials a scenario, cache ${lastRun.cache}`,
    `known by     ${countOf(runs.length, 'run')}; ${trials.length === 0 ? 'no checks' : `${range(trials)} trials a check`}`,
    `expected     ${countOf(checks.length, 'check')} of ${countOf(Object.keys(scenarios).length, 'scenario')}: ${checks.length - rest.length} pass, ${rest.filter(({ verdict }) => verdict === 'warn').length} warn, ${rest.filter(({ verdict }) => verdict === 'fail').length} fail`,
    ...(history.length === 0 ? [] : [`history      ${countOf(history.length, 'expectation')} superseded`]),
    ...rest.map((one) => {
      const known = one.known === undefined ? '' : `  known${one.known === true ? '' : `: ${one.known}`}`;
      return `  ${one.scenario}/${one.check}  ${expectationText(one)}${known}`;
    }),
  ];
  return lines.map((line) => makeVisible(line));
}

/** One thing that happened to a baseline: a commit of its file, or an expectation that another took the place of. */
export interface LogEntry {
  /** `2026-11-30` */
  date: string;
  what: string;
  by?: string;
  /** 40 hexadecimal digits, cut for people. */
  commit?: string;
}

/** Commits of the file and superseded expectations together, newest first. */
export function baselineLog(baseline: Baseline, commits: readonly LogEntry[]): LogEntry[] {
  const superseded = Object.entries(baseline.scenarios).flatMap(([scenario, { history = [] }]) =>
    history.map(({ check, was, how, reason, by, at, commit }): LogEntry => {
      const before = was ? `, expected before: ${expectationText(was)}` : '';
      const why = reason === undefined ? '' : `: ${reason}`;
      return {
        date: at,
        what: `${how} ${scenario}/${check}${why}${before}`,
        ...(by !== undefined && { by }),
        ...(commit !== undefined && { commit }),
      };
    }),
  );
  return [...commits, ...superseded.reverse()].sort((a, b) =>
    a.date < b.date ? 1 : a.date > b.date ? -1 : 0,
  );
}

export function logLines(entries: readonly LogEntry[]): string[] {
  return entries.map(({ date, what, by, commit }) =>
    makeVisible(
      `${date}  ${(commit ?? '').slice(0, 9).padEnd(9)}  ${what}${by === undefined ? '' : `  (${by})`}`,
    ),
  );
}
