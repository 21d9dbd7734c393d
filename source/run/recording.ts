import { canonicalJson } from '../base/hash.js';
import { isJsonObject } from '../base/json.js';
import { noUsage } from '../model/types.js';
import { createFixtures } from '../play/fixtures.js';
import { textOfTurn } from '../suite/turns.js';
import type { Scenario } from '../suite/types.js';
import { MissingFixtureError } from '../target/types.js';
import { type JournalPosition, type RunEvent, type TrialKey, trialId } from './events.js';
import { type RunStarted, replayJournal } from './reader.js';
import { NotRecordedError, type PlayTrial } from './trial.js';
import type { Taint } from './trial-taint.js';
import type { ReadTrial, TrialRecord } from './types.js';

/** Where the conversation of a trial stands, or why there is none. */
export type RecordedTrial =
  | { key: TrialKey; positions: JournalPosition[] }
  | { key: TrialKey; missing: string };

/** The conversations of a run that is over, by their places in its journal. */
export interface Recording {
  started: RunStarted;
  /** By `trialId`. Trials that never ended are not in it. */
  trials: Map<string, RecordedTrial>;
  extensions: Extract<RunEvent, { type: 'plan-extended' }>[];
  /** What makes the run no evidence. Grading it again does not mend that. */
  taints: Taint[];
}

/** Finds the conversations in a journal; holds none of them. Throws JournalError. */
export async function readRecording(journal: string): Promise<Recording> {
  const trials: Recording['trials'] = new Map();
  const extensions: Recording['extensions'] = [];
  const taints: Recording['taints'] = [];
  const begun = new Map<string, { attempt: number; positions: JournalPosition[] }>();
  const { started } = await replayJournal(journal, ({ event, position }) => {
    if (event.type === 'plan-extended') extensions.push(event);
    if (event.type === 'taint') taints.push({ kind: event.kind, message: event.message });
    if (!('trial' in event) || !position || event.type === 'reply-progress') return;
    const id = trialId(event.trial);
    if (event.type === 'trial-started') begun.set(id, { attempt: event.attempt, positions: [] });
    const attempt = begun.get(id);
    if (!attempt || attempt.attempt !== event.attempt) return;
    attempt.positions.push(position);
    if (event.type === 'trial-finished') {
      trials.set(id, { key: event.trial, positions: attempt.positions });
      begun.delete(id);
    }
    if (event.type === 'trial-errored') {
      if (event.final) trials.set(id, { key: event.trial, missing: `${event.kind}: ${event.message}` });
      begun.delete(id);
    }
  });
  return { started, trials, extensions, taints };
}

/** Which trials were run only to confirm or to clear a suspect: of either side, beside those that raised it. */
export function confirmingTrials({
  started,
  extensions,
}: Pick<Recording, 'started' | 'extensions'>): (key: TrialKey) => boolean {
  const standby = new Set(
    started.plan.conditions.flatMap((condition) => (condition.standby === true ? [condition.id] : [])),
  );
  const added = extensions.filter(({ confirms }) => confirms === true);
  return ({ scenario, condition, repeat }) =>
    standby.has(condition) ||
    added.some(
      (one) =>
        one.scenario === scenario &&
        (one.condition === undefined || one.condition === condition) &&
        one.from <= repeat &&
        repeat <= one.to,
    );
}

/** Gives the conversations of a recording in the place of new ones: no agent is asked, and no user played. */
export function playRecording({ started, trials }: Recording, readTrial: ReadTrial): PlayTrial {
  return async ({ onTurn, onLog, signal }, key) => {
    const trial = trials.get(trialId(key));
    if (!trial) throw new NotRecordedError(`run ${started.runId} ended before this trial did`);
    if ('missing' in trial)
      throw new NotRecordedError(`it could not be run in ${started.runId} (${trial.missing})`);
    const { turns, finished, log } = await readTrial(key, trial.positions);
    signal.throwIfAborted();
    if (!finished) throw new NotRecordedError(`run ${started.runId} ended before this trial did`);
    for (const turn of turns) onTurn(turn);
    if (log !== undefined) onLog?.(log);
    const { end, unsent, ms, tokens } = finished;
    return {
      transcript: { turns, end, unsent },
      ms,
      usage: tokens.agent,
      userUsage: tokens.user ?? noUsage,
    };
  };
}

/**
 * What of a scenario a conversation is not of any more: its user messages, or what its tools answer. Undefined where
 * nothing differs that a transcript shows; variables, a profile or a history leave no trace in it.
 */
export function differenceOf(scenario: Scenario, record: TrialRecord): string | undefined {
  return turnsDiffer(scenario, record)
    ? 'its turns changed'
    : fixturesDiffer(scenario, record)
      ? 'its fixtures changed'
      : undefined;
}

function turnsDiffer({ turns: planned }: Scenario, { turns, finished }: TrialRecord): boolean {
  /** Index of the planned turn that is next. */
  let next = 0;
  for (const turn of turns) {
    if (turn.simulated) {
      next = turn.simulated.plannedTurn;
      if (planned[next - 1]?.kind !== 'simulated') return true;
      continue;
    }
    // A simulated turn in between may have passed without a message.
    while (planned[next]?.kind === 'simulated') next++;
    const fixed = planned[next++];
    if (fixed?.kind !== 'fixed' || fixed.message !== turn.message) return true;
  }
  const unsent = finished?.unsent ?? [];
  const tail = unsent.length === 0 ? [] : planned.slice(-unsent.length).map(textOfTurn);
  if (canonicalJson(tail) !== canonicalJson(unsent)) return true;
  // Of a simulated turn that was cut short the instruction is unsent although some of it was said.
  const left = planned.slice(next, planned.length - unsent.length);
  return left.some(({ kind }) => kind === 'fixed');
}

function fixturesDiffer({ fixtures }: Scenario, { turns }: TrialRecord): boolean {
  const answer = createFixtures(fixtures);
  for (const { reply } of turns) {
    for (const part of reply.parts) {
      if (part.kind !== 'tool' || part.call.from !== 'fixture') continue;
      const { name, args, result, error } = part.call;
      if (!isJsonObject(args)) continue;
      const now = answered(() => answer(name, args));
      if (canonicalJson(now) !== canonicalJson(error === undefined ? { result } : { error })) return true;
    }
  }
  return false;
}

function answered(ask: () => object): object | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof MissingFixtureError) return undefined;
    throw error;
  }
}
