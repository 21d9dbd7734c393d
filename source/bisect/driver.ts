import { messageOf } from '../base/errors.js';
import type { BisectDecision, BisectFound, BisectPurpose } from '../run/bisect-events.js';
import type { RunEvent } from '../run/events.js';
import type { LiveRun } from '../run/types.js';
import { batchOf } from './batch.js';
import { badWithout } from './candidate.js';
import { type CandidateOpener, createCandidateConditions } from './candidate-conditions.js';
import { type CureAttempt, nextOfCure } from './cure.js';
import { refuseImpossible } from './decision.js';
import { findingWords } from './finding-words.js';
import { beginsStep } from './guided.js';
import type { Attempt, Next, Proposal } from './next.js';
import { createProposals } from './proposals.js';
import type { BisectRecord } from './record.js';
import { askAfter, spentTrials } from './session.js';

/** What a bisect is doing, or waits for. */
export type BisectStatus =
  /** Trials are going on, or are about to be. */
  | { kind: 'trying'; purpose: BisectPurpose }
  /** A person is to start the next step. */
  | { kind: 'waiting'; next: Attempt }
  /** A person is to say what the step shows. */
  | { kind: 'deciding'; next: Extract<Next, { kind: 'decide' }> }
  /** Many trials are spent: a person is asked whether to go on. */
  | { kind: 'asking'; spent: number }
  | { kind: 'found'; found: BisectFound }
  /** It was told to stop, or could not go on; it can be resumed. `why`: where nobody told it to. */
  | { kind: 'stopped'; why?: string };

/** Runs the trials that a strategy asks for, and takes the decisions of a person in between. */
export interface BisectDriver {
  readonly record: BisectRecord;
  status(): BisectStatus;
  /** What the strategy makes of all that is known. Worked out once for all that is asked until something is added. */
  proposal(): Proposal;
  /** Hears whenever status, record or proposal have changed. */
  subscribe(listener: () => void): () => void;
  /**
   * Begins, and resolves when the bisect has found something, or stands still: stopped or aborted. One that had found
   * something stays at that. Throws as the run does, and what opening a candidate throws. `first`: what is said before
   * anything is tried.
   */
  start(first?: readonly BisectDecision[]): Promise<void>;
  /** Runs the step that is proposed, or that of a hunk; goes on where a person was asked, and where it was stopped. */
  goOn(hunk?: number): void;
  /**
   * Records what a person says, at once. While trials are in flight it counts after them. A bisect that had ended, or was
   * stopped, goes on from it. Before `start` it is only recorded. Throws UserError for what cannot be.
   */
  decide(decision: BisectDecision): void;
}

export interface DriverOptions extends CandidateOpener {
  run: Pick<
    LiveRun,
    'addCondition' | 'addTrials' | 'tell' | 'hold' | 'start' | 'stop' | 'isStopping' | 'subscribe'
  >;
  record: BisectRecord;
  /** A person is there: guided steps wait to be started and decided, and many trials are asked about. Else all is accepted. */
  isAttended: boolean;
  /** Trials of a bisect that may run at once; each is a conversation of every watched scenario. */
  parallel: number;
}

/** See `BisectDriver`. The record has heard all there is of the journal so far. */
export function createDriver(options: DriverOptions): BisectDriver {
  const { run, record, isAttended } = options;
  const conditions = createCandidateConditions(options, run, record, advance, giveUp);
  const listeners = new Set<() => void>();
  const proposal = createProposals(record);
  let status: BisectStatus = { kind: 'trying', purpose: { kind: 'ends' } };
  /** Set while the bisect has more to do. */
  let letRunEnd: (() => void) | undefined;
  /** What a person has told to begin: the step of a hunk, or whatever is proposed. */
  let told: number | 'any' | undefined;
  let hasStarted = false;
  let hasAsked = false;
  let isAdvancing = false;
  let isAgain = false;
  /** Why it cannot go on. */
  let why: string | undefined;
  let reject: (error: unknown) => void = () => {};

  run.subscribe(({ event }) => {
    const isNews = record.hear(event);
    if (event.type === 'trial-errored' && event.final && event.kind === 'auth') why = event.message;
    if (event.type === 'run-finished') comeToRest(event);
    else if (isNews) advance();
  });

  function comeToRest({ reason = why }: Extract<RunEvent, { type: 'run-finished' }>): void {
    if (status.kind !== 'found') status = { kind: 'stopped', ...(reason !== undefined && { why: reason }) };
    letGo();
    tellListeners();
  }

  function giveUp(error: unknown): void {
    why = messageOf(error);
    reject(error);
    run.stop();
  }

  function letGo(): void {
    const end = letRunEnd;
    letRunEnd = undefined;
    end?.();
  }

  function tellListeners(): void {
    for (const listener of listeners) listener();
  }

  /** What is told of while it advances is taken in after that, not in between. */
  function advance(): void {
    isAgain = true;
    if (isAdvancing) return;
    isAdvancing = true;
    try {
      while (isAgain) {
        isAgain = false;
        step();
      }
    } finally {
      isAdvancing = false;
    }
    tellListeners();
  }

  function step(): void {
    if (!letRunEnd || run.isStopping || conditions.isOpening() || record.isGoing()) return;
    const { next } = proposal();
    switch (next.kind) {
      case 'try':
        attempt(next);
        break;
      case 'decide':
        if (isAttended) status = { kind: 'deciding', next };
        else run.tell({ decision: { kind: 'accept', hunk: next.hunk } });
        break;
      case 'finish':
        conclude(next);
    }
  }

  function attempt(next: Attempt): void {
    const spent = spentTrials(record.session());
    if (isAttended && spent >= askAfter && !hasAsked) status = { kind: 'asking', spent };
    else beginOrWait(next);
  }

  function beginOrWait(next: CureAttempt): void {
    const isTheirs = isAttended && beginsStep(record.session(), next);
    if (isTheirs && told === undefined) status = { kind: 'waiting', next };
    else launch(isTheirs && typeof told === 'number' ? stepOf(told) : next);
  }

  function stepOf(hunk: number): Attempt {
    const candidate = badWithout([hunk], record.needs);
    return { kind: 'try', candidate, purpose: { kind: 'step', hunk }, trials: 1 };
  }

  /** Candidates that have to join first are opened, and then it is looked again at what is to be done. */
  function launch(next: CureAttempt): void {
    const { purpose, scenarios = watchedScenarios() } = next;
    status = { kind: 'trying', purpose };
    const batch = conditions.take(batchOf(record.session(), next, options.parallel));
    if (!batch) return;
    told = undefined;
    for (const condition of batch) addTrial(nextTrial(), scenarios, condition, purpose);
  }

  function watchedScenarios(): string[] {
    return [...new Set(record.watched().map(({ scenario }) => scenario))];
  }

  function nextTrial(): number {
    return (record.trials.at(-1)?.trial ?? 0) + 1;
  }

  function addTrial(
    trial: number,
    scenarios: readonly string[],
    condition: string,
    purpose: BisectPurpose,
  ): void {
    for (const scenario of scenarios) run.addTrials(scenario, 1, { condition, bisect: { trial, purpose } });
  }

  /** Where the process was killed while a trial was planned, some of its conversations are missing. */
  function mendLastTrial(): void {
    const last = record.trials.at(-1);
    if (!last || !record.isGoing() || last.purpose.kind === 'suite') return;
    const { trial, condition, purpose, cells } = last;
    const planned = new Set(cells.map(({ key }) => key.scenario));
    const missing = watchedScenarios().filter((scenario) => !planned.has(scenario));
    addTrial(trial, missing, condition, purpose);
  }

  function conclude({ finding }: Extract<Next, { kind: 'finish' }>): void {
    const cure = finding.kind === 'hunks' ? nextOfCure(record, finding.hunks) : undefined;
    if (cure) {
      beginOrWait(cure);
      return;
    }
    const found = findingWords(record, finding);
    status = { kind: 'found', found };
    run.tell({ found });
    letGo();
  }

  /** Whether what was told to begin waits until its candidate is opened. */
  function isOnlyTold(): boolean {
    return told !== undefined && conditions.isOpening();
  }

  /** A bisect that had ended or was stopped takes up its run again, unless that was aborted. */
  function takeUp(): void {
    if (status.kind !== 'found' && status.kind !== 'stopped') return;
    why = undefined;
    letRunEnd ??= run.hold();
    if (run.isStopping) letGo();
    else status = { kind: 'trying', purpose: { kind: 'search' } };
  }

  function decide(decision: BisectDecision): void {
    refuseImpossible(decision, record.session(), record.started.plan);
    // Nothing of it was tried yet: what was there before stays.
    if (decision.kind === 'undo' && decision.steps === 1 && isOnlyTold()) {
      told = undefined;
      advance();
      return;
    }
    // A note, a check or a budget does not take back what was told to begin.
    if (decision.kind !== 'note' && decision.kind !== 'watch' && decision.kind !== 'budget') told = undefined;
    // Before it is told of: by what is said it may come to its end at once.
    if (hasStarted) takeUp();
    run.tell({ decision });
    advance();
  }

  return {
    record,
    status: () => status,
    proposal,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start(first = []) {
      for (const decision of first) decide(decision);
      hasStarted = true;
      const found = record.found();
      if (found && !isWorthAnotherTry(found)) status = { kind: 'found', found };
      else letRunEnd = run.hold();
      mendLastTrial();
      const failed = new Promise<never>((_resolve, onFailure) => {
        reject = onFailure;
      });
      const activity = run.start();
      advance();
      await Promise.race([activity, failed]);
    },
    goOn(hunk) {
      if (status.kind === 'asking') hasAsked = true;
      else if (status.kind === 'waiting') told = hunk ?? 'any';
      else if (status.kind === 'stopped' && hasStarted) takeUp();
      advance();
    },
    decide,
  };
}

/** What could not be run may be run today. */
function isWorthAnotherTry({ finding }: BisectFound): boolean {
  return finding.kind === 'inconclusive' && finding.why === 'errors';
}
