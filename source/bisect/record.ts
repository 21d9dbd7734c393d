import { UserError } from '../base/errors.js';
import type { CheckVerdict } from '../grade/types.js';
import type { BisectDecision, BisectPurpose, PlannedBisect, Watched } from '../run/bisect-events.js';
import { type RunEvent, type TrialKey, trialId } from '../run/events.js';
import type { RunStarted } from '../run/reader.js';
import { spoiltBy } from '../run/trial-taint.js';
import { badEnd, type Candidate, goodEnd } from './candidate.js';
import type { PromptDiff } from './hunk.js';
import { diffPrompts } from './hunks.js';
import { dependenciesOf } from './hunks-subset.js';
import { createSession, type Entry, liveEntries, type Outcome, type Session } from './session.js';

/** What a bisect knows of one conversation: enough for any check of its scenario to become the watched one. */
export interface RecordedCell {
  key: TrialKey;
  /** By id of the check; empty until it has ended. */
  checks: ReadonlyMap<string, CheckVerdict>;
  /** `error`: it could not be run, or what was run is no evidence. */
  state: 'waiting' | 'running' | 'ended' | 'error';
}

/** One trial of a bisect: a conversation of each scenario that was watched when it began, on one prompt. */
export interface RecordedTrial {
  /** From 1. */
  trial: number;
  candidate: Candidate;
  /** Id of the condition that the candidate is. */
  condition: string;
  purpose: BisectPurpose;
  cells: RecordedCell[];
}

/** A bisect as its journal tells it. Everything that screens, commands and strategies know is derived from it. */
export interface BisectRecord {
  readonly started: RunStarted;
  readonly planned: PlannedBisect;
  readonly diff: PromptDiff;
  /** In the order in which they were begun, those of the whole suite included. */
  readonly trials: readonly RecordedTrial[];
  /** Takes one event in. Gives whether anything of the bisect changed. */
  hear(event: RunEvent): boolean;
  /** The condition of a candidate; undefined where it has not joined yet. */
  conditionOf(candidate: Candidate): string | undefined;
  /** The candidate that a condition is; undefined for a condition that is none. */
  candidateOf(condition: string): Candidate | undefined;
  /** The conditions that joined beside both ends, in order. */
  joined(): { condition: string; candidate: Candidate }[];
  /** How many conditions there are. */
  conditionCount(): number;
  /** Whether trials are in flight, or about to be. */
  isGoing(): boolean;
  /** The checks that it goes by now. */
  watched(): readonly Watched[];
  /** Trials that an undo took back: they are no evidence any more. */
  undone(): ReadonlySet<RecordedTrial>;
  /** How a trial ended, by the checks that are watched now; undefined while it is going on. */
  outcomeOf(trial: RecordedTrial): Outcome | undefined;
  /** All that has ended and all that was said, as strategies take it. */
  session(): Session;
}

/** Throws UserError where this version of evalrun cuts the change into other hunks than the one that began it. */
export function createRecord(started: RunStarted): BisectRecord {
  const planned = plannedBisect(started);
  const diff = diffPrompts(planned.good.text, planned.bad.text, planned.split);
  if (diff.hunks.map(({ id }) => id).join() !== planned.hunks.join()) {
    throw new UserError(
      `bisect ${started.runId} was begun by evalrun ${started.evalrun}, which cuts the change into other hunks; go on with that version, or begin anew`,
    );
  }
  const hunks = diff.hunks.length;
  const [good, bad] = started.plan.conditions;
  if (!good || !bad) throw new UserError(`bisect ${started.runId} has no two ends`);
  const { strategy, budget, repeats, history, weights } = planned;
  const begun = createSession({
    hunks,
    dependencies: dependenciesOf(diff),
    seed: started.seed,
    strategy,
    budget,
    repeats,
    ...(history && { history }),
    ...(weights && { weights }),
  });

  const conditions = new Map<Candidate, string>([
    [goodEnd(hunks), good.id],
    [badEnd(hunks), bad.id],
  ]);
  const candidates = new Map(Array.from(conditions, ([candidate, id]) => [id, candidate]));
  const trials: RecordedTrial[] = [];
  const cells = new Map<
    string,
    { cell: RecordedCell & { checks: Map<string, CheckVerdict> }; of: RecordedTrial }
  >();
  /** In the order in which they came about: a trial when the last of its conversations has ended. */
  const items: (RecordedTrial | BisectDecision)[] = [];

  function addTrials({
    scenario,
    condition,
    from,
    to,
    bisect,
  }: Extract<RunEvent, { type: 'plan-extended' }>) {
    const candidate = condition === undefined ? undefined : candidates.get(condition);
    if (!bisect || condition === undefined || candidate === undefined) return false;
    const { trial, purpose } = bisect;
    let of = trials.at(-1);
    if (of?.trial !== trial) {
      of = { trial, candidate, condition, purpose, cells: [] };
      trials.push(of);
    }
    for (let repeat = from; repeat <= to; repeat++) {
      const key = { scenario, condition, repeat };
      const cell = { key, checks: new Map(), state: 'waiting' as const };
      of.cells.push(cell);
      cells.set(trialId(key), { cell, of });
    }
    return true;
  }

  function end(of: RecordedTrial): void {
    if (of.purpose.kind !== 'suite' && of.cells.every(hasEnded)) items.push(of);
  }

  function hearTrial(event: Extract<RunEvent, { trial: TrialKey; attempt: number }>): boolean {
    const known = cells.get(trialId(event.trial));
    if (!known || hasEnded(known.cell)) return false;
    const { cell, of } = known;
    switch (event.type) {
      case 'trial-started':
        cell.state = 'running';
        cell.checks.clear();
        return true;
      case 'check-finished':
        cell.checks.set(event.result.checkId, event.result.verdict);
        return false;
      case 'trial-finished':
        cell.state = spoilt.has(trialId(event.trial)) ? 'error' : 'ended';
        end(of);
        return true;
      case 'trial-errored':
        cell.state = event.final ? 'error' : 'waiting';
        if (event.final) end(of);
        return true;
      case 'turn-finished':
        if (spoiltBy(event)) spoilt.add(trialId(event.trial));
        return false;
      case 'product-log':
        return false;
    }
  }

  /** Trials of which something makes them no evidence. */
  const spoilt = new Set<string>();
  let cached: Session | undefined;

  const record: BisectRecord = {
    started,
    planned,
    diff,
    trials,
    hear: take,
    conditionOf: (candidate) => conditions.get(candidate),
    candidateOf: (condition) => candidates.get(condition),
    joined: () => Array.from(conditions, ([candidate, condition]) => ({ condition, candidate })).slice(2),
    conditionCount: () => conditions.size,
    isGoing: () => trials.some((trial) => !trial.cells.every(hasEnded)),
    watched() {
      return (
        liveEntries(record.session()).findLast((entry) => entry.kind === 'watch')?.watched ?? planned.watched
      );
    },
    undone() {
      const session = record.session();
      const live = new Set<Entry>(liveEntries(session));
      // An entry stands where what it is of stands.
      return new Set(
        items.filter((item, at): item is RecordedTrial => {
          const entry = session.entries[at];
          return !('kind' in item) && entry !== undefined && !live.has(entry);
        }),
      );
    },
    outcomeOf: (trial) => (trial.cells.every(hasEnded) ? outcomeBy(record.watched(), trial) : undefined),
    session() {
      // The same object for as long as nothing ended and nothing was said: what is made of it can be kept.
      if (cached?.entries.length !== items.length) cached = readItems();
      return cached;
    },
  };
  return record;

  function take(event: RunEvent): boolean {
    switch (event.type) {
      case 'condition-added': {
        const { condition, candidate } = event;
        if (candidate === undefined || candidate.length !== hunks) return false;
        conditions.set(candidate, condition.id);
        candidates.set(condition.id, candidate);
        return true;
      }
      case 'plan-extended':
        return addTrials(event);
      case 'bisect-decided':
        items.push(event.decision);
        return true;
      case 'run-resumed':
        for (const { cell } of cells.values()) if (cell.state === 'running') cell.state = 'waiting';
        return true;
      case 'trial-started':
      case 'check-finished':
      case 'trial-finished':
      case 'trial-errored':
      case 'turn-finished':
      case 'product-log':
        return hearTrial(event);
      default:
        return false;
    }
  }

  /** The watched checks are those of the last word that no undo took back: known once all is read. */
  function readItems(): Session {
    const isWatch = (item: RecordedTrial | BisectDecision) => 'kind' in item && item.kind === 'watch';
    const first = entriesBy(planned.watched);
    if (!items.some(isWatch)) return first;
    const last = liveEntries(first).findLast((entry) => entry.kind === 'watch');
    return last ? entriesBy(last.watched) : first;
  }

  function entriesBy(watched: readonly Watched[]): Session {
    const entries = items.map((item): Entry => {
      if ('kind' in item) return item;
      const { candidate, purpose } = item;
      return { kind: 'trial', candidate, purpose, outcome: outcomeBy(watched, item) };
    });
    return { ...begun, entries };
  }
}

function plannedBisect({ runId, bisect }: RunStarted): PlannedBisect {
  if (!bisect) throw new UserError(`run ${runId} is no bisect`);
  return bisect;
}

function hasEnded({ state }: RecordedCell): boolean {
  return state === 'ended' || state === 'error';
}

/**
 * One outcome for all that is watched: several checks are never counted as if they were independent. A conversation
 * that could not be run, and one that a trial does not have because its scenario was not watched yet, leave it
 * without evidence, whatever the others say: fails that count while passes do not would point at the innocent.
 */
function outcomeBy(watched: readonly Watched[], { cells }: RecordedTrial): Outcome {
  const verdicts: (CheckVerdict | 'missing')[] = [];
  for (const { scenario, check } of watched) {
    const cell = cells.find(({ key }) => key.scenario === scenario);
    if (!cell) return 'unwatched';
    if (cell.state === 'error') return 'error';
    if (check === undefined) verdicts.push(...cell.checks.values());
    else verdicts.push(cell.checks.get(check) ?? 'unknown');
  }
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.length === 0 || verdicts.includes('unknown') ? 'unknown' : 'pass';
}
