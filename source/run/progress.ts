import { type RunEvent, type TrialKey, trialId } from './events.js';
import { type Taint, taintOfTrial } from './trial-taint.js';

/** What a journal says of how far its run has come, as resuming needs it. */
export interface RunProgress {
  /** By `trialId`: trials that have ended, in a result or in an error for good. */
  ended: Set<string>;
  /** By `trialId`: attempts that ended in an error, of trials that have not ended. */
  failedAttempts: Map<string, number>;
  extensions: Extract<RunEvent, { type: 'plan-extended' }>[];
  /** Conditions that joined after the plan was made. */
  added: Extract<RunEvent, { type: 'condition-added' }>[];
  purpose: Extract<RunEvent, { type: 'run-started' }>['purpose'];
  taints: Taint[];
  /** Agent tokens, input and output, of all turns, those of attempts that failed included. */
  agentTokens: number;
  /** Of the last `run-finished`, unless something came after it. */
  outcome: Extract<RunEvent, { type: 'run-finished' }>['outcome'] | undefined;
}

export function createProgress(): RunProgress {
  return {
    ended: new Set(),
    failedAttempts: new Map(),
    extensions: [],
    added: [],
    purpose: undefined,
    taints: [],
    agentTokens: 0,
    outcome: undefined,
  };
}

/** Takes one event in, by changing the progress. */
export function noteProgress(progress: RunProgress, event: RunEvent): void {
  progress.outcome = event.type === 'run-finished' ? event.outcome : undefined;
  // What taints a run is known before the line that says so, and a process may be killed between the two.
  const taint =
    event.type === 'taint'
      ? { kind: event.kind, message: event.message }
      : taintOfTrial(event, progress.purpose);
  if (taint && !progress.taints.some(({ kind }) => kind === taint.kind)) progress.taints.push(taint);
  switch (event.type) {
    case 'trial-finished':
      end(progress, event.trial);
      break;
    case 'trial-errored':
      if (event.final) {
        end(progress, event.trial);
      } else {
        const id = trialId(event.trial);
        progress.failedAttempts.set(id, (progress.failedAttempts.get(id) ?? 0) + 1);
      }
      break;
    case 'turn-finished': {
      const { input, output } = event.turn.reply.usage;
      progress.agentTokens += input + output;
      break;
    }
    case 'plan-extended':
      progress.extensions.push(event);
      break;
    case 'condition-added':
      progress.added.push(event);
      break;
    case 'run-started':
      progress.purpose = event.purpose;
      break;
    default:
      break;
  }
}

function end(progress: RunProgress, trial: TrialKey): void {
  progress.ended.add(trialId(trial));
  progress.failedAttempts.delete(trialId(trial));
}
