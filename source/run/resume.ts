import { rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../base/errors.js';
import { contentHash } from '../base/hash.js';
import { hashSuite } from './identity.js';
import { lockJournal } from './lock.js';
import { openRun } from './open-run.js';
import { askTuning, closeTargets, plannedJudge, plannedUser, type RunParts } from './parts.js';
import { planScenario } from './plan.js';
import type { Condition, PlannedScenario } from './planned.js';
import { createProgress, noteProgress, type RunProgress } from './progress.js';
import { type RunStarted, replayJournal } from './reader.js';
import { isComplete } from './remaining.js';
import { journalFile } from './run-folder.js';
import { summaryFile } from './summary.js';
import type { LiveRun } from './types.js';

export interface ResumeRunOptions extends RunParts {
  /** The folder of the run, absolute. */
  folder: string;
  /** Bytes of the journal that was read to make the parts. Not set: nothing in it matters to them. */
  readTo?: number;
}

/**
 * Opens the journal of a run again, to do what is left of its plan: trials that have ended are kept, those that were
 * in flight start anew, with the seeds that they had. The summariser hears all there is before this resolves, and
 * nothing of what is new. Throws UserError when another process writes the journal, or has
 * gone on with it since it was read, when the run is tainted, and when what it tests has changed, naming all that did.
 */
export async function resumeRun(options: ResumeRunOptions): Promise<LiveRun> {
  const { folder } = options;
  const file = path.join(folder, journalFile);
  const lock = await lockJournal(file);
  try {
    const progress = createProgress();
    const { started, bytes } = await replayJournal(file, (message) => {
      noteProgress(progress, message.event);
      options.summariser.hear(message);
    });
    refuseOutrun(started, bytes, options);
    refuseTainted(started, progress);
    refuseRegrade(started);
    refuseChanged(started, options, progress, await askTuning(planned(started, options)));
    // Derived from less than the run will be: without it the run shows as unfinished until it has ended again.
    await rm(path.join(folder, summaryFile), { force: true });
    const isOver = isComplete(started.plan, progress);
    const { run } = await openRun({
      folder,
      lock,
      started,
      progress,
      continueAt: bytes,
      isOver,
      parts: options,
    });
    return run;
  } catch (error) {
    await lock.release();
    await closeTargets(options);
    throw error;
  }
}

/** The products are the same under conditions that joined: they are asked once. */
function planned({ plan }: RunStarted, { conditions }: ResumeRunOptions): Pick<RunParts, 'conditions'> {
  const ids = new Set(plan.conditions.map(({ id }) => id));
  return { conditions: conditions.filter(({ condition }) => ids.has(condition.id)) };
}

/** What was read before the journal was locked may be the past by then. */
function refuseOutrun({ runId }: RunStarted, bytes: number, { readTo = bytes }: ResumeRunOptions): void {
  if (readTo !== bytes)
    throw new UserError(`another evalrun went on with run ${runId} in the meantime; resume it again`);
}

function refuseTainted(started: RunStarted, { taints }: RunProgress): void {
  const [taint] = taints;
  if (!taint) return;
  throw new UserError(
    `run ${started.runId} is tainted (${taint.kind}: ${taint.message}) and can never be evidence; start a new run`,
  );
}

/** What is left of it would be played: another thing than it began as. */
function refuseRegrade({ runId, regradeOf }: RunStarted): void {
  if (!regradeOf) return;
  throw new UserError(
    `run ${runId} grades ${regradeOf.runId} again and cannot go on; begin anew: evalrun regrade ${regradeOf.runId}`,
  );
}

function refuseChanged(
  started: RunStarted,
  options: ResumeRunOptions,
  { added }: RunProgress,
  tuning: RunStarted['tuning'],
): void {
  const joined = added.map(({ condition }) => condition);
  const changes = changesSince(started, options, joined);
  // What was graded before was graded against them.
  if (contentHash(tuning) !== contentHash(started.tuning))
    changes.push('the tuning values of the product changed');
  if (changes.length === 0) return;
  throw new UserError(
    [
      `run ${started.runId} cannot go on, for what it tests has changed since; start a new run, or undo:`,
      ...changes.map((change) => `  ${change}`),
    ].join('\n'),
  );
}

/** What differs between a run as it was planned and the files of today, one sentence each. */
export function changesSince(
  started: RunStarted,
  parts: Pick<RunParts, 'suite' | 'conditions' | 'judge' | 'user' | 'sources'>,
  added: readonly Condition[] = [],
): string[] {
  const changes: string[] = [];
  const judge = plannedJudge(parts.judge);
  const user = plannedUser(parts.user);
  if (hashSuite(parts.suite, judge, user) !== started.suiteHash) {
    const what =
      contentHash(judge) !== contentHash(started.judge)
        ? 'the judge'
        : contentHash(user) !== contentHash(started.user)
          ? 'the simulated user'
          : 'its tools, settings or limits';
    changes.push(`suite ${started.suite}: ${what} changed`);
  }
  const current = new Map(parts.suite.scenarios.map((scenario) => [scenario.id, scenario]));
  for (const then of started.plan.scenarios) {
    const now = current.get(then.id);
    if (now === undefined) changes.push(`scenario ${then.id}: it is gone`);
    else if (now.hash !== then.hash) changes.push(`scenario ${then.id}: it changed`);
    else changes.push(...renamedChecks(then, planScenario(now, parts.suite.folder)));
  }
  for (const condition of [...started.plan.conditions, ...added]) {
    const now = parts.conditions.find((candidate) => candidate.condition.id === condition.id)?.condition;
    if (!now) changes.push(`condition ${condition.promptName} on ${condition.model}: it is gone`);
    else if (now.hash !== condition.hash) changes.push(conditionChange(condition, now));
  }
  for (const [name, hash] of Object.entries(started.sources ?? {})) {
    if (parts.sources?.[name] !== hash) changes.push(`the file of ${name} changed`);
  }
  return changes;
}

/** Checks whose ids now name something else: what was found under them before would count for another check. */
function renamedChecks(then: PlannedScenario, now: PlannedScenario): string[] {
  const hashes = new Map(now.checks.map(({ id, hash }) => [id, hash]));
  return then.checks
    .filter(({ id, hash }) => !hashes.has(id) || (hash !== undefined && hashes.get(id) !== hash))
    .map(({ id }) => `scenario ${then.id}: check ${id} is called otherwise, or another check is called so`);
}

function conditionChange(then: Condition, now: Condition): string {
  const what = [
    then.promptSha256 !== now.promptSha256 && `the text of ${then.promptPath} changed`,
    then.model !== now.model && `the model was ${then.model} and is ${now.model}`,
    (then.temperature !== now.temperature ||
      then.maxTokens !== now.maxTokens ||
      then.maxSteps !== now.maxSteps) &&
      'model settings changed',
  ].filter((part) => part !== false);
  return `condition ${then.promptName} on ${then.model}: ${what.join(', ') || 'its tools changed'}`;
}
