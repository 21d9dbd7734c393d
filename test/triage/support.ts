import type { CheckVerdict } from '../../source/grade/types.js';
import type { RunSummary } from '../../source/run/summary.js';
import { runSummary } from '../report/history-support.js';

export const dayMs = 86_400_000;

/** When the run of a day began. */
export function dayAt(day: number): number {
  return runSummary(day, 1).startedAt;
}

/** One check in one run. */
export interface PastCheck {
  scenario?: string;
  check?: string;
  verdict: CheckVerdict;
  passed?: number;
  of?: number;
  asks?: string;
}

/** The run of a day with what its checks came to under the condition `hash`. */
export function pastRun(
  day: number,
  checks: CheckVerdict | readonly PastCheck[],
  { hash = 'h', ...more }: Partial<RunSummary> & { hash?: string } = {},
): RunSummary {
  const all: readonly PastCheck[] = typeof checks === 'string' ? [{ verdict: checks }] : checks;
  const scenarios = new Map<string, PastCheck[]>();
  for (const one of all) {
    const id = one.scenario ?? 'refund';
    scenarios.set(id, [...(scenarios.get(id) ?? []), one]);
  }
  const summary = runSummary(day, 1, { hash });
  return {
    ...summary,
    results: [
      {
        condition: 'a',
        hash,
        scenarios: Array.from(scenarios, ([id, list]) => ({
          id,
          ms: 1000,
          tokens: 200,
          checks: list.map(({ check = 'c', verdict, passed, of, asks = 'asks' }) => ({
            id: check,
            asks,
            verdict,
            passed: passed ?? (verdict === 'pass' ? 3 : verdict === 'warn' ? 2 : 0),
            of: of ?? (verdict === 'unknown' ? 0 : 3),
          })),
        })),
      },
    ],
    ...more,
  };
}

/** A run a day of one check, a letter each: `p` pass, `w` warn, `f` fail, `u` unknown. */
export function pastRuns(letters: string, from = 0): RunSummary[] {
  const verdicts = { p: 'pass', w: 'warn', f: 'fail', u: 'unknown' } as const;
  return [...letters].map((letter, index) =>
    pastRun(from + index, verdicts[letter as keyof typeof verdicts]),
  );
}
