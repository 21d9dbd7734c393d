import { contentHash } from '../base/hash.js';
import { type Judging, judgeRun } from '../compare/judge-run.js';
import { summedBisect } from '../run/bisects-of.js';
import type { RunMessage } from '../run/events.js';
import type { Condition } from '../run/planned.js';
import type { ConditionScore, RunSummariser, RunSummary, SummaryState } from '../run/summary.js';
import { scoresOf } from '../tally/scores.js';
import { applyMessage, createTally, endReplay } from '../tally/tally.js';
import type { RunTally, ScenarioTally } from '../tally/types.js';
import { resultsOf } from '../triage/results.js';
import { isSimulatedRun } from './run-facts.js';

/** A tally that is kept up to date from a run's messages; the row is the one that a message changed. */
export interface TallyKeeper extends RunSummariser {
  /** Undefined until the first message. */
  readonly tally: RunTally | undefined;
}

export type TallyListener = (message: RunMessage, tally: RunTally, row: ScenarioTally | undefined) => void;

/** Keeps the tally of one run and sums it up. `onChange` hears each message after the tally has taken it in. */
export function createTallyKeeper(judging: Judging, onChange?: TallyListener): TallyKeeper {
  let tally: RunTally | undefined;
  return {
    get tally() {
      return tally;
    },
    hear(message) {
      if (message.event.type === 'run-started') tally ??= createTally(message.event);
      if (!tally) return;
      const row = applyMessage(tally, message);
      onChange?.(message, tally, row);
    },
    summary(journalBytes) {
      if (!tally) throw new Error('a run without a first message cannot be summed up');
      endReplay(tally);
      return createSummary(tally, judging, journalBytes);
    },
  };
}

function createSummary(tally: RunTally, judging: Judging, journalBytes: number): RunSummary {
  const { started, trials } = tally;
  const { verdict, exitCode, headline } = judgeRun(tally, judging).decision;
  const results = resultsOf(tally);
  return {
    version: 1,
    runId: started.runId,
    suite: started.suite,
    startedAt: started.at,
    finishedAt: tally.finishedAt,
    state: summaryState(tally),
    conditions: started.plan.conditions.map(({ id, promptName, model }) => ({ id, promptName, model })),
    isSimulated: isSimulatedRun(started),
    repeat: started.plan.repeat,
    seed: started.seed,
    ...(started.label !== undefined && { label: started.label }),
    ...(started.regradeOf && { regradeOf: started.regradeOf.runId }),
    ...(started.note !== undefined && { note: started.note }),
    trials: { total: trials.total, done: trials.done, errors: trials.errors },
    scenarios: { ...tally.verdicts },
    tokens: tally.tokens,
    taints: tally.taints,
    scores: tally.conditions.filter(({ standby }) => standby !== true).map((one) => scoreOf(tally, one)),
    criteria: criteriaHash(tally),
    ...(started.filtered && { isFiltered: true }),
    ...(started.purpose && { purpose: started.purpose }),
    ...(started.bisect && { bisect: summedBisect(started.bisect, tally.found) }),
    ...(results && { results }),
    decision: { verdict, exitCode, headline },
    journalBytes,
  };
}

function scoreOf(tally: RunTally, { id, hash, liveTools }: Condition): ConditionScore {
  const { all, axes, meanJudged } = scoresOf(tally, id);
  return {
    condition: id,
    hash,
    passed: all.passed,
    of: all.of,
    axes: axes.map(({ axis, passed, of }) => ({ axis, passed, of })),
    ...(meanJudged !== undefined && { meanJudged }),
    ...(liveTools && { liveTools }),
  };
}

function criteriaHash({ started }: RunTally): string {
  const { plan, judge, quarantine = [] } = started;
  const scenarios = plan.scenarios.map(({ id, hash }) => [id, hash]).sort();
  // What counts in the scores is what is not quarantined.
  const left = quarantine.map(({ scenario, check }) => [scenario, check ?? null]).sort();
  return contentHash({
    scenarios,
    judge: judge && [judge.model, judge.promptSha256],
    ...(left.length > 0 && { left }),
  });
}

function summaryState(tally: RunTally): SummaryState {
  return tally.state === 'running' ? 'unfinished' : tally.state;
}
