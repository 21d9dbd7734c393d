import type { BisectDecision, BisectFound, BisectPurpose } from '../run/bisect-events.js';
import type { Condition } from '../run/events.js';
import type { LiveRun, RunnableCondition } from '../run/types.js';
import { batchOf, trialsWanted } from './batch.js';
import { badWithout, type Candidate, closeNeeds } from './candidate.js';
import { candidateName, candidateText } from './candidate-prompt.js';
import { findingWords } from './finding-words.js';
import type { Next, Proposal } from './next.js';
import type { BisectRecord } from './record.js';
import {
  askAfter,
  currentBudget,
  currentStrategy,
  liveEntries,
  type Session,
  spentTrials,
} from './session.js';
import { propose } from './strategy.js';
import { suiteLeft, suiteStandings } from './whole-suite.js';

/** What a bisect is doing, or waits for. */
export type BisectStatus =
  /** Trials are going on, or are about to be. */
  | { kind: 'trying'; purpose: BisectPurpose }
  /** A person is to start the next step. */
  | { kind: 'waiting'; next: Extract<Next, { kind: 'try' }> }
  /** A person is to say what the step shows. */
  | { kind: 'deciding'; next: Extract<Next, { kind: 'decide' }> }
  /** Many trials are spent: a person is asked whether to go on. */
  | { kind: 'asking'; spent: number }
  | { kind: 'found'; found: BisectFound }
  /** It was told to stop, or could not go on; it can be resumed. */
  | { kind: 'stopped' };

/** Runs the trials that a strategy asks for, and takes the decisions of a person in between. */
export interface BisectDriver {
  readonly record: BisectRecord;
  status(): BisectStatus;
  /** What the strategy makes of all that is known. */
  proposal(): Proposal;
  /** Hears whenever status, record or proposal have changed. */
  subscribe(listener: () => void): () => void;
  /**
   * Begins, and resolves when the bisect has found something, or stands still: stopped or aborted. Throws as the run does.
   * `first`: what is said before anything is tried.
   */
  start(first?: readonly BisectDecision[]): Promise<void>;
  /** Runs the step that is proposed, or that of a hunk; goes on where a person was asked. */
  goOn(hunk?: number): void;
  /** Records what a person says. While trials are in flight it is recorded after them. */
  decide(decision: BisectDecision): void;
}

export interface DriverOptions {
  run: Pick<LiveRun, 'addCondition' | 'addTrials' | 'tell' | 'hold' | 'start' | 'stop'> & {
    subscribe: LiveRun['subscribe'];
  };
  record: BisectRecord;
  /** Ids of all scenarios of the suite, for what the cure may break. */
  scenarios: readonly string[];
  /** Opens what is tested on a candidate's prompt. `id`: of its condition. */
  openCondition(
    id: string,
    prompt: { name: string; text: string },
  ): Promise<RunnableCondition & { condition: Condition }>;
  /** Told of a candidate that is not tried any more for now: what it holds may be let go of. */
  release?(condition: string): void;
  /** A person is there: guided steps wait to be started and decided, and many trials are asked about. Else all is accepted. */
  isAttended: boolean;
  /** Trials of a bisect that may run at once; each is a conversation of every watched scenario. */
  parallel: number;
}

/** See `BisectDriver`. The record has heard all there is of the journal so far. */
export function createDriver(options: DriverOptions): BisectDriver {
  const { run, record, isAttended } = options;
  const needs = closeNeeds(record.diff.hunks.length, record.session().dependencies);
  const listeners = new Set<() => void>();
  /** Said while trials were in flight. */
  const said: BisectDecision[] = [];
  let status: BisectStatus = { kind: 'trying', purpose: { kind: 'ends' } };
  let known: { session: Session; proposal: Proposal } | undefined;
  let letRunEnd: (() => void) | undefined;
  /** What a person has told to begin: the step of a hunk, or whatever is proposed. */
  let told: number | 'any' | undefined;
  let hasAsked = false;
  let isStopped = false;
  let isAdvancing = false;
  let isAgain = false;
  let fail: (error: unknown) => void = () => {};
  /** The candidates that are being opened, with what is to be run on them. */
  let opening = 0;
  let tried: string | undefined;

  run.subscribe(({ event }) => {
    const isNews = record.hear(event);
    if (event.type === 'run-finished' && status.kind !== 'found') {
      isStopped = true;
      become({ kind: 'stopped' });
    } else if (isNews) advance();
  });

  function become(next: BisectStatus): void {
    status = next;
    for (const listener of listeners) listener();
  }

  function proposal(): Proposal {
    const session = record.session();
    if (known?.session !== session) known = { session, proposal: propose(session) };
    return known.proposal;
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
    for (const listener of listeners) listener();
  }

  function isFlying(): boolean {
    return opening > 0 || record.isGoing();
  }

  function step(): void {
    if (isStopped || letRunEnd === undefined || isFlying()) return;
    const decision = said.shift();
    if (decision) {
      run.tell({ decision });
      return;
    }
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

  function attempt(next: Extract<Next, { kind: 'try' }>): void {
    const session = record.session();
    const spent = spentTrials(session);
    if (isAttended && spent >= askAfter && !hasAsked) {
      status = { kind: 'asking', spent };
      return;
    }
    if (!isAttended || !isAPersonsStep(session, next)) launch(next);
    else if (told === undefined) status = { kind: 'waiting', next };
    else launch(told === 'any' ? next : stepOf(told));
    told = undefined;
  }

  function stepOf(hunk: number): Extract<Next, { kind: 'try' }> {
    return { kind: 'try', candidate: badWithout([hunk], needs), purpose: { kind: 'step', hunk }, trials: 1 };
  }

  /** Whether a guided bisect would begin another step: in the midst of one it goes on by itself. */
  function isAPersonsStep(session: Session, { purpose }: Extract<Next, { kind: 'try' }>): boolean {
    if (currentStrategy(session) !== 'guided') return false;
    if (purpose.kind === 'search') return true;
    if (purpose.kind !== 'step') return false;
    const last = liveEntries(session).findLast(({ kind }) => kind !== 'note');
    return !(last?.kind === 'trial' && last.purpose.kind === 'step' && last.purpose.hunk === purpose.hunk);
  }

  function launch(next: Extract<Next, { kind: 'try' }>): void {
    const { purpose } = next;
    status = { kind: 'trying', purpose };
    const scenarios = [...new Set(record.watched().map(({ scenario }) => scenario))];
    for (const candidate of batchOf(record.session(), needs, next, options.parallel))
      open(candidate, (condition) => addTrial(scenarios, condition, purpose));
  }

  function addTrial(scenarios: readonly string[], condition: string, purpose: BisectPurpose): void {
    const trial = (record.trials.at(-1)?.trial ?? 0) + 1;
    for (const scenario of scenarios) run.addTrials(scenario, 1, { condition, bisect: { trial, purpose } });
  }

  /** Conditions that are being opened, by candidate: a batch may hold one twice. */
  const joining = new Map<Candidate, Promise<string>>();

  /** Gives the condition of a candidate, which joins the run when it is tried for the first time. */
  function open(candidate: Candidate, then: (condition: string) => void): void {
    const known = record.conditionOf(candidate);
    if (known !== undefined) {
      letGoOfOthers(known);
      then(known);
      return;
    }
    opening++;
    const joined = joining.get(candidate) ?? join(candidate);
    joining.set(candidate, joined);
    joined
      .then((condition) => {
        opening--;
        if (!isStopped) then(condition);
        advance();
      })
      .catch((error) => fail(error));
  }

  async function join(candidate: Candidate): Promise<string> {
    const id = `c${record.conditionCount() + joining.size + 1}`;
    const { planned, diff } = record;
    const prompt = { name: candidateName(planned, candidate), text: candidateText(diff, candidate) };
    const added = await options.openCondition(id, prompt);
    joining.delete(candidate);
    letGoOfOthers(id);
    run.addCondition(added, candidate);
    return id;
  }

  /** What the candidate holds that was tried before is let go of. */
  function letGoOfOthers(condition: string): void {
    if (tried !== undefined && tried !== condition) options.release?.(tried);
    tried = condition;
  }

  function conclude({ finding }: Extract<Next, { kind: 'finish' }>): void {
    if (finding.kind === 'hunks' && !record.planned.skipsCure && tryCure(finding.hunks)) return;
    const found = findingWords(record, finding, options.scenarios);
    status = { kind: 'found', found };
    run.tell({ found });
    const end = letRunEnd;
    letRunEnd = undefined;
    end?.();
  }

  /** Runs the narrowed prompt once more, then the rest of the suite on it. False when both are done. */
  function tryCure(hunks: readonly number[]): boolean {
    const session = record.session();
    if (spentTrials(session) >= currentBudget(session)) return false;
    const candidate = badWithout(hunks, needs);
    const purpose = { kind: 'cure' as const, hunks };
    const trials = trialsWanted(session, candidate, purpose);
    if (trials > 0) {
      launch({ kind: 'try', candidate, purpose, trials });
      return true;
    }
    const left = suiteLeft(suiteStandings(record, options.scenarios, record.conditionOf(candidate)));
    if (left.length === 0) return false;
    status = { kind: 'trying', purpose: { kind: 'suite', hunks } };
    open(candidate, (condition) => addTrial(left, condition, { kind: 'suite', hunks }));
    return true;
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
      said.push(...first);
      letRunEnd = run.hold();
      const failed = new Promise<never>((_resolve, reject) => {
        fail = (error) => {
          isStopped = true;
          run.stop();
          reject(error);
        };
      });
      const activity = run.start();
      advance();
      await Promise.race([activity, failed]);
    },
    goOn(hunk) {
      if (status.kind === 'asking') hasAsked = true;
      else if (status.kind === 'waiting') told = hunk ?? 'any';
      advance();
    },
    decide(decision) {
      // After its end, or a stop, the bisect goes on from what is said.
      letRunEnd ??= run.hold();
      isStopped = false;
      if (isFlying()) said.push(decision);
      else run.tell({ decision });
      advance();
    },
  };
}
