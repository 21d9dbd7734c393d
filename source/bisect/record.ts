import { UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import type { BisectDecision, BisectFound, PlannedBisect, Watched } from '../run/bisect-events.js';
import type { RunEvent } from '../run/events.js';
import type { RunStarted } from '../run/reader.js';
import { badEnd, type Candidate, closeNeeds, goodEnd, isAllowed, type Needs } from './candidate.js';
import { damaged, orDamaged, refuseFinding, refusePurpose } from './damage.js';
import { refuseImpossible, refuseUnknown } from './decision.js';
import type { PromptDiff } from './hunk.js';
import { diffPrompts } from './hunks.js';
import { dependenciesOf } from './hunks-subset.js';
import { outcomeBy } from './outcome.js';
import { createRecordedTrials, hasEnded, type RecordedTrial } from './recorded-trials.js';
import { createSession, type Entry, liveEntries, type Outcome, type Session } from './session.js';

/** A bisect as its journal tells it. Everything that screens, commands and strategies know is derived from it. */
export interface BisectRecord {
  readonly started: RunStarted;
  readonly planned: PlannedBisect;
  readonly diff: PromptDiff;
  /** Which hunks are never applied without which others. */
  readonly needs: Needs;
  /** In the order in which they were begun, those of the whole suite included. */
  readonly trials: readonly RecordedTrial[];
  /**
   * Takes one event in. Gives whether anything of the bisect changed. Throws UserError for one that cannot be of this
   * bisect: the journal is damaged.
   */
  hear(event: RunEvent): boolean;
  /** The condition of a candidate; undefined where it has not joined yet. */
  conditionOf(candidate: Candidate): string | undefined;
  /** The candidate that a condition is; undefined for a condition that is none. */
  candidateOf(condition: string): Candidate | undefined;
  /** The conditions that joined beside both ends, in order. */
  joined(): { condition: string; candidate: Candidate }[];
  /** How many conditions there are. */
  conditionCount(): number;
  /** Whether trials are in flight, or about to be. What is said meanwhile counts once they have ended. */
  isGoing(): boolean;
  /** The checks that it goes by now. */
  watched(): readonly Watched[];
  /** Trials that an undo took back: they are no evidence any more. */
  undone(): ReadonlySet<RecordedTrial>;
  /** How a trial ended, by the checks that are watched now; undefined while it is going on. */
  outcomeOf(trial: RecordedTrial): Outcome | undefined;
  /** All that has ended and all that was said, as strategies take it. The same object until something is added to it. */
  session(): Session;
  /** What it has found, unless something came after that. */
  found(): BisectFound | undefined;
}

/** Throws UserError where this version of evalrun cuts the change into other hunks than the one that began it. */
export function createRecord(started: RunStarted): BisectRecord {
  const { planned, diff, begun, ends } = beginAgain(started);
  const needs = closeNeeds(begun.hunks, begun.dependencies);
  const conditions = new Map<Candidate, string>(ends);
  const candidates = new Map(ends.map(([candidate, id]) => [id, candidate]));
  /** In the order in which they came about: a trial when the last of its conversations has ended. */
  const items: (RecordedTrial | BisectDecision)[] = [];
  /** Said while trials were going on: the word on a step never parts it. */
  const said: BisectDecision[] = [];
  let resumedAt = 0;
  let found: BisectFound | undefined;
  let cached: { session: Session; watched: readonly Watched[] } | undefined;

  const trials = createRecordedTrials((trial) => {
    // Those of the whole suite say nothing about hunks.
    if (trial.purpose.kind !== 'suite') add(trial);
    if (!trials.areGoing()) for (const decision of said.splice(0)) add(decision);
  });

  function add(item: RecordedTrial | BisectDecision): void {
    items.push(item);
    cached = undefined;
  }

  function join({ condition, candidate }: Extract<RunEvent, { type: 'condition-added' }>): boolean {
    if (candidate === undefined) return false;
    if (!/^[01]*$/.test(candidate) || !isAllowed(candidate, needs))
      throw damaged(started, `there is no candidate ${quote(candidate)}`);
    conditions.set(candidate, condition.id);
    candidates.set(condition.id, candidate);
    return true;
  }

  function hear(event: RunEvent): boolean {
    switch (event.type) {
      case 'condition-added':
        return join(event);
      case 'plan-extended': {
        const candidate = candidates.get(event.condition ?? '');
        if (event.bisect) refusePurpose(started, event.bisect.purpose, begun.hunks);
        if (candidate === undefined || !trials.add(event, candidate)) return false;
        found = undefined;
        return true;
      }
      case 'bisect-decided': {
        const { decision } = event;
        orDamaged(started, () => refuseImpossible(decision, begun, started.plan));
        found = undefined;
        if (trials.areGoing()) said.push(decision);
        else add(decision);
        return true;
      }
      case 'bisect-found':
        refuseFinding(started, event.found.finding, begun.hunks);
        found = event.found;
        return true;
      case 'run-resumed':
        trials.breakOff();
        resumedAt = items.length;
        cached = undefined;
        return true;
      case 'run-finished':
        trials.breakOff();
        return true;
      case 'trial-started':
      case 'check-finished':
      case 'trial-finished':
      case 'trial-errored':
      case 'turn-finished':
      case 'product-log':
        return trials.hear(event);
      default:
        return false;
    }
  }

  /** The watched checks are those of the last word that no undo took back: which that is hangs on no outcome. */
  function read(): { session: Session; watched: readonly Watched[] } {
    if (cached) return cached;
    const sessionBy = (watched: readonly Watched[]): Session => ({
      ...begun,
      ...(resumedAt > 0 && { resumedAt }),
      entries: items.map((item): Entry => {
        if ('kind' in item) return item;
        const { candidate, purpose } = item;
        return { kind: 'trial', candidate, purpose, outcome: outcomeBy(watched, item) };
      }),
    });
    const session = sessionBy(planned.watched);
    const word = liveEntries(session).findLast((entry) => entry.kind === 'watch');
    cached = word
      ? { session: sessionBy(word.watched), watched: word.watched }
      : { session, watched: planned.watched };
    return cached;
  }

  return {
    started,
    planned,
    diff,
    needs,
    trials: trials.all,
    hear,
    conditionOf: (candidate) => conditions.get(candidate),
    candidateOf: (condition) => candidates.get(condition),
    joined: () =>
      Array.from(conditions, ([candidate, condition]) => ({ condition, candidate })).slice(ends.length),
    conditionCount: () => conditions.size,
    isGoing: () => trials.areGoing(),
    watched: () => read().watched,
    undone() {
      const { session } = read();
      const live = new Set<Entry>(liveEntries(session));
      // An entry stands where what it is of stands.
      return new Set(
        items.filter((item, at): item is RecordedTrial => {
          const entry = session.entries[at];
          return !('kind' in item) && entry !== undefined && !live.has(entry);
        }),
      );
    },
    outcomeOf: (trial) => (hasEnded(trial) ? outcomeBy(read().watched, trial) : undefined),
    session: () => read().session,
    found: () => found,
  };
}

/** What the first line of the journal says of its bisect. */
function beginAgain(started: RunStarted): {
  planned: PlannedBisect;
  diff: PromptDiff;
  /** Without what happened. */
  begun: Session;
  /** Candidate and condition of A and of B. */
  ends: [Candidate, string][];
} {
  const { runId, bisect: planned, seed } = started;
  if (!planned) throw new UserError(`run ${runId} is no bisect`);
  const diff = diffPrompts(planned.good.text, planned.bad.text, planned.split);
  if (diff.hunks.map(({ id }) => id).join() !== planned.hunks.join()) {
    throw new UserError(
      `bisect ${runId} was begun by evalrun ${started.evalrun}, which cuts the change into other hunks; go on with that version, or begin anew`,
    );
  }
  const [good, bad] = started.plan.conditions;
  if (!good || !bad || diff.hunks.length === 0) throw damaged(started, 'it has no two ends');
  const { watched, strategy, budget, repeats, history, weights } = planned;
  const hunks = diff.hunks.length;
  const begun = orDamaged(started, () => {
    refuseUnknown(watched, started.plan);
    return createSession({
      hunks,
      dependencies: dependenciesOf(diff),
      seed,
      strategy,
      budget,
      repeats,
      ...(history && { history }),
      ...(weights && { weights }),
    });
  });
  return {
    planned,
    diff,
    begun,
    ends: [
      [goodEnd(hunks), good.id],
      [badEnd(hunks), bad.id],
    ],
  };
}
