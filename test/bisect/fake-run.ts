import type { DriverOptions } from '../../source/bisect/driver.js';
import { createRecord } from '../../source/bisect/record.js';
import type { CheckVerdict } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import type { PlannedBisect } from '../../source/run/bisect-events.js';
import type { RunEvent, TrialErrorKind, TrialKey } from '../../source/run/events.js';
import { createExtensions, extensionEvents } from '../../source/run/extensions.js';
import type { RunListener } from '../../source/run/types.js';
import { condition } from '../run/support.js';
import { plannedBisect, scenarios, startedBisect } from './planned.js';

/** How a conversation of a test ends: each check of the scenario, or an error for good. */
export type CellEnd = Record<string, CheckVerdict> | { error: TrialErrorKind } | { fallback: true };

export const pass: CellEnd = { agrees: 'pass', polite: 'pass' };
export const fail: CellEnd = { agrees: 'fail', polite: 'pass' };

/** Fails wherever these hunks are applied, all of them. */
export const guilty =
  (...hunks: number[]) =>
  (candidate: string): CellEnd =>
    hunks.every((hunk) => candidate[hunk] === '1') ? fail : pass;

/** A live run that runs nothing: a test says how each of its trials ends, and when. Keeps to the scheduler's rules. */
export function createFakeRun(planned: PlannedBisect = plannedBisect(), past: readonly RunEvent[] = []) {
  const started = startedBisect(planned);
  const events: RunEvent[] = [started, ...past];
  const record = createRecord(started);
  for (const event of past) record.hear(event);
  const extensions = createExtensions(started.plan);
  for (const event of past) if (event.type === 'plan-extended') extensions.note(event);
  const listeners = new Set<RunListener>();
  const queue: TrialKey[] = [];
  let mode: 'going' | 'stopping' | 'aborting' = 'going';
  let holds = 0;
  let isActive = false;
  let hasBegun = false;
  let over = () => {};
  const released: string[] = [];

  function emit(event: RunEvent): void {
    events.push(event);
    for (const listener of listeners) listener({ event });
  }

  function begin(): void {
    if (isActive) return;
    isActive = true;
    if (past.length > 0 && !hasBegun) emit({ type: 'run-resumed', at: 2 });
    hasBegun = true;
    endIfDone();
  }

  function endIfDone(): void {
    const isDone = mode === 'going' ? queue.length === 0 && holds === 0 : true;
    if (!isActive || !isDone) return;
    isActive = false;
    const outcome = mode === 'going' ? 'completed' : mode === 'stopping' ? 'stopped' : 'interrupted';
    emit({ type: 'run-finished', at: 3, outcome });
    over();
  }

  const run: DriverOptions['run'] = {
    get isStopping() {
      return mode !== 'going';
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    addCondition({ condition: added }, candidate) {
      emit({
        type: 'condition-added',
        at: 2,
        condition: added,
        ...(candidate !== undefined && { candidate }),
      });
    },
    addTrials(scenario, count, { condition: id, bisect } = {}) {
      if (mode === 'aborting') return;
      const added = {
        scenario,
        count,
        ...(id !== undefined && { condition: id }),
        ...(bisect && { bisect }),
      };
      for (const event of extensionEvents(started.plan, extensions, added, 2)) {
        extensions.note(event);
        queue.push({ scenario, condition: event.condition ?? 'a', repeat: event.to });
        emit(event);
      }
      mode = 'going';
    },
    tell(said) {
      if ('decision' in said) emit({ type: 'bisect-decided', at: 2, ...said });
      else emit({ type: 'bisect-found', at: 2, ...said });
    },
    hold() {
      holds++;
      if (hasBegun && mode !== 'aborting') {
        mode = 'going';
        begin();
      }
      return () => {
        holds--;
        endIfDone();
      };
    },
    start() {
      return new Promise<void>((resolve) => {
        over = resolve;
        begin();
      });
    },
    stop() {
      if (mode !== 'going') return;
      mode = 'stopping';
      endIfDoneWhileStopping();
    },
  };

  /** What is in flight ends first. */
  function endIfDoneWhileStopping(): void {
    if (queue.length === 0) endIfDone();
  }

  /** Ends one conversation, the first that is in flight. */
  function end(how: CellEnd): void {
    const trial = queue.shift();
    if (!trial) throw new Error('nothing is in flight');
    const { checks = [] } = scenarios.find(({ id }) => id === trial.scenario) ?? {};
    const at = { at: 2, trial, attempt: 1 };
    emit({ type: 'trial-started', ...at });
    if ('error' in how) {
      emit({ type: 'trial-errored', ...at, kind: how.error as TrialErrorKind, message: 'no', final: true });
    } else {
      const reply = { parts: [], text: 'yes', usage: noUsage, steps: 1, stop: 'end' as const, model: 'm' };
      const spoilt = 'fallback' in how ? { ...reply, fallback: true } : reply;
      emit({ type: 'turn-finished', ...at, turn: { index: 1, message: 'hi', reply: spoilt, ms: 1 } });
      for (const { id, type } of checks) {
        const verdict = (how as Record<string, CheckVerdict>)[id] ?? 'pass';
        const result = { checkId: id, type, kind: 'hard' as const, verdict, reason: '', evidence: [] };
        emit({ type: 'check-finished', ...at, result });
      }
      const tokens = { agent: noUsage, judge: noUsage };
      emit({ type: 'trial-finished', ...at, end: { kind: 'completed' }, unsent: [], ms: 1, tokens });
    }
    if (mode === 'stopping') endIfDoneWhileStopping();
  }

  return {
    run,
    record,
    events,
    end,
    released,
    inFlight: (): readonly TrialKey[] => queue,
    abort() {
      mode = 'aborting';
      endIfDone();
    },
    /** What a driver of this run is given. `given`: what is different. */
    options(given: Partial<DriverOptions> = {}): DriverOptions {
      return {
        run,
        record,
        openCondition: async (id, { name }) => ({
          condition: { ...condition(id, name), standby: true },
          target: { open: () => Promise.reject(new Error('nothing is had with it')) },
        }),
        release: (id) => released.push(id),
        isAttended: false,
        parallel: 1,
        ...given,
      };
    },
  };
}

export type FakeRun = ReturnType<typeof createFakeRun>;

/** Ends one trial after another until none is in flight, or `most` have ended. `say` is told of the candidate. */
export async function play(
  { record, inFlight, end }: FakeRun,
  say: (candidate: string, trial: TrialKey) => CellEnd,
  most = 500,
): Promise<void> {
  for (let ended = 0; ended < most; ended++) {
    await settle();
    const [next] = inFlight();
    if (!next) return;
    end(say(record.candidateOf(next.condition) ?? '', next));
  }
}

/** Lets opened conditions join. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
