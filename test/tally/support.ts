import type { CheckResult, CheckVerdict } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import type { RunEvent, RunMessage, TrialKey } from '../../source/run/events.js';
import type { Condition, PlannedScenario } from '../../source/run/planned.js';
import { applyMessage, createTally } from '../../source/tally/tally.js';
import type { RunTally } from '../../source/tally/types.js';

export function plannedScenario(id: string, checks: string[] = ['c']): PlannedScenario {
  return {
    id,
    hash: 'h',
    parts: { turns: 't', fixtures: 'f', persona: 'p' },
    tags: [],
    checks: checks.map((check) => ({ id: check, type: 'pattern_present', kind: 'hard', absolute: false })),
  };
}

export function plannedCondition(id: string, more: Partial<Condition> = {}): Condition {
  return {
    id,
    target: 'prompt',
    promptName: `v${id}`,
    promptPath: 'prompts/x.md',
    promptSha256: 'x',
    promptDirty: false,
    model: 'simulated:tiny',
    maxTokens: 1,
    maxSteps: 1,
    parts: { prompt: id, model: 'tiny', target: 'prompt' },
    hash: id,
    ...more,
  };
}

export function runStarted(
  scenarios: PlannedScenario[],
  repeat = 3,
  conditions = [plannedCondition('a')],
): Extract<RunEvent, { type: 'run-started' }> {
  return {
    type: 'run-started',
    version: 1,
    runId: '20261130-142530-k3fz',
    at: 1000,
    suite: 'tiny',
    suiteHash: 's',
    plan: { scenarios, conditions, repeat },
    seed: '7',
    concurrency: 2,
    evalrun: '0.1.0',
    node: 'v20',
    command: 'evalrun run tiny',
  };
}

export function trialKey(scenario: string, repeat: number, condition = 'a'): TrialKey {
  return { scenario, repeat, condition };
}

/** Feeds events as a journal of lines of a hundred bytes each would. */
export interface Feed {
  tally: RunTally;
  tell(event: RunEvent): ReturnType<typeof applyMessage>;
  /** A trial from start to end; `checks` by id, with a reason where it matters. */
  trial(
    key: TrialKey,
    checks: Record<string, CheckVerdict | [CheckVerdict, string]>,
    more?: { attempt?: number },
  ): void;
  errored(key: TrialKey, message?: string): void;
}

/** `hear` is told each message too, the first one included. */
export function feedOf(
  started: Extract<RunEvent, { type: 'run-started' }>,
  hear: (message: RunMessage) => void = () => {},
): Feed {
  hear({ event: started });
  const tally = createTally(started);
  let offset = 100;
  let at = 1000;
  const tell = (event: RunEvent) => {
    const message: RunMessage = { event, position: { offset, length: 100 } };
    offset += 100;
    hear(message);
    return applyMessage(tally, message);
  };
  return {
    tally,
    tell,
    trial(trial, checks, { attempt = 1 } = {}) {
      tell({ type: 'trial-started', at: ++at, trial, attempt });
      for (const [checkId, given] of Object.entries(checks)) {
        const [verdict, reason] = typeof given === 'string' ? [given, `${checkId} is ${given}`] : given;
        const result: CheckResult = { checkId, type: 't', kind: 'hard', verdict, reason };
        tell({ type: 'check-finished', at: ++at, trial, attempt, result });
      }
      const tokens = { agent: { ...noUsage, input: 100, output: 10 }, judge: { ...noUsage, input: 7 } };
      tell({
        type: 'trial-finished',
        at: ++at,
        trial,
        attempt,
        end: { kind: 'completed' },
        unsent: [],
        ms: 50,
        tokens,
      });
    },
    errored(trial, message = 'busy') {
      tell({ type: 'trial-started', at: ++at, trial, attempt: 1 });
      tell({ type: 'trial-errored', at: ++at, trial, attempt: 1, kind: 'overloaded', message, final: true });
    },
  };
}

export function finished(outcome: 'completed' | 'interrupted' | 'stopped' = 'completed'): RunEvent {
  return { type: 'run-finished', at: 9000, outcome };
}
