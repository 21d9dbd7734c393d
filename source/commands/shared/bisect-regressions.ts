import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { candidateOf, judgeRun } from '../../compare/judge-run.js';
import { regressionsOf } from '../../compare/regressions.js';
import type { Project } from '../../project/config.js';
import type { PromptVersion } from '../../project/prompts.js';
import { formatTime } from '../../report/format.js';
import type { Watched } from '../../run/bisect-events.js';
import type { Condition } from '../../run/planned.js';
import { readRunStarted } from '../../run/reader.js';
import type { RunEntry } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';
import type { RunTally } from '../../tally/types.js';
import type { CommandIo } from '../io.js';
import { readJudging } from './judging.js';
import { listSuiteRuns } from './suite-runs.js';

/** So many regressions are one outcome without being asked for: with more, which of them is meant is for a person to say. */
const mostAtOnce = 3;

/** A run that went red under the bad prompt. */
export interface RegressedRun {
  runId: string;
  /** The condition that regressed. */
  condition: Condition;
  /** What its gate confirmed as regressions. */
  watched: Watched[];
  /** Folder, from the top of the project, whose fixtures stood in the place of the suite's. */
  fixtures?: string;
}

/**
 * What a bisect goes by where the line names nothing: the confirmed regressions of the last run of the suite whose
 * candidate is the bad prompt. Throws UserError where there is no such run, where it has none, and where it has too many
 * to be meant as one outcome; it says how to name them.
 */
export async function findRegressions(
  project: Project,
  suite: string,
  bad: PromptVersion,
  io: CommandIo,
): Promise<RegressedRun> {
  const run = await lastJudged(project, suite, bad, io);
  const how = 'name what fails with --scenario ID or --check SCENARIO/CHECK';
  if (!run) {
    const at = bad.name.indexOf('@');
    const prompt = at < 0 ? bad.path : `${bad.name.slice(at + 1)}:${bad.path}`;
    throw new UserError(
      `no run of ${quote(suite)} with a verdict has ${quote(bad.name)} as its candidate, so what fails is not known; ${how}, or run it first: ${io.program} run ${suite} --candidate ${prompt}`,
    );
  }
  const { tally, condition, regressions } = run;
  const { runId, at, fixtures } = tally.started;
  const named = `run ${runId} (${formatTime(at)}), the last of ${quote(bad.name)},`;
  if (regressions.length === 0)
    throw new UserError(`${named} confirmed no regression, so what fails is not known; ${how}`);
  if (regressions.length > mostAtOnce) {
    const list = regressions.map(({ scenario, check }) => `  --check ${scenario}/${check}`);
    throw new UserError(
      [
        `${named} confirmed ${regressions.length} regressions, which need not have one cause; name one, or some as one outcome:`,
        ...list,
      ].join('\n'),
    );
  }
  return { runId, condition, watched: regressions, ...(fixtures !== undefined && { fixtures }) };
}

interface JudgedRun {
  tally: RunTally;
  condition: Condition;
  regressions: { scenario: string; check: string }[];
}

async function lastJudged(
  project: Project,
  suite: string,
  bad: PromptVersion,
  io: CommandIo,
): Promise<JudgedRun | undefined> {
  const runs = await listSuiteRuns(project, io.env, suite);
  for (const entry of runs) {
    if (entry.isRunning) continue;
    const condition = await candidateIn(entry, suite);
    if (condition?.promptSha256 !== bad.sha256) continue;
    const tally = await readTally(entry.journal);
    const { decision, comparison } = judgeRun(tally, await readJudging(entry.folder, project, io.env));
    if (decision.verdict !== 'pass' && decision.verdict !== 'fail') continue;
    const regressions = regressionsOf(decision, comparison);
    return { tally, condition, regressions };
  }
  return undefined;
}

/** The condition that a run of the suite tests; undefined for a run that is no test of one, and for one that cannot be read. */
async function candidateIn({ journal }: RunEntry, suite: string): Promise<Condition | undefined> {
  const started = await readRunStarted(journal).catch(() => undefined);
  if (started?.suite !== suite || started.purpose !== undefined) return undefined;
  const { conditions } = started.plan;
  const id = candidateOf({ conditions, started });
  return conditions.find((condition) => condition.id === id);
}
