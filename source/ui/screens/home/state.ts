import type { HomeFacts, HomeSuite, UnfinishedRun } from '../../../report/home.js';
import type { HomeMatter } from '../../../report/home-matters.js';

/** What the person sees of home. */
export interface HomeState {
  /** By `HomeRow.id`. Not set: the suite that was run last, else the first row. */
  selected: string | undefined;
  /** First line on screen. */
  top: number;
  /** The suite whose triage was opened over it last. */
  triaged: string | undefined;
}

export const firstHomeState: HomeState = { selected: undefined, top: 0, triaged: undefined };

/** A run that is made, or gone on with. */
export type Spending = { kind: 'start'; suite: string } | { kind: 'resume'; run: UnfinishedRun };

/** Something that can be selected, and the suite that it is about. */
export type HomeRow = { id: string; suite: string } & (
  | { kind: 'suite'; of: HomeSuite }
  | { kind: 'run'; of: UnfinishedRun }
  | { kind: 'matter'; of: HomeMatter }
);

export function homeRows({ suites, unfinished, matters }: HomeFacts): HomeRow[] {
  return [
    ...suites.map((of): HomeRow => ({ kind: 'suite', id: `suite ${of.suite}`, suite: of.suite, of })),
    ...unfinished.map((of): HomeRow => ({ kind: 'run', id: `run ${of.runId}`, suite: of.suite, of })),
    ...matters.map(
      (of, index): HomeRow => ({
        kind: 'matter',
        id: `matter ${of.suite} ${of.kind} ${matters.slice(0, index).filter((one) => one.suite === of.suite && one.kind === of.kind).length}`,
        suite: of.suite,
        of,
      }),
    ),
  ];
}

/** The last two clean runs of the suite, the earlier one first. */
export function lastTwoRuns({ series }: HomeSuite) {
  const points = series?.points ?? [];
  const [base, candidate] = points.slice(-2);
  return base && candidate ? ([base, candidate] as const) : undefined;
}

/** The line that goes on with a run another time, after the program's name. */
export function resumeWords({ kind, runId }: UnfinishedRun): string {
  return kind === 'bisect' ? `bisect --resume ${runId}` : `run --resume ${runId}`;
}
