import type { CheckResult, CheckVerdict } from '../../source/grade/types.js';
import type { Usage } from '../../source/model/types.js';
import type { TrialEnd, Turn } from '../../source/play/types.js';
import type { RunEvent, RunMessage, TrialKey } from '../../source/run/events.js';
import type { Condition, PlannedBase, PlannedScenario, QuarantineEntry } from '../../source/run/planned.js';
import type { RunControls, RunListener, TrialRecord } from '../../source/run/types.js';
import type { ReplyPart } from '../../source/target/types.js';
import type { AppRun } from '../../source/ui/types.js';

/** A run made of events that a test or the harness decides, with a journal in memory. */
export interface FakeRun {
  run: AppRun;
  /** Gives an event to whoever listens; those that a journal would hold get a position. */
  emit(event: RunEvent): void;
  key(scenario: string, repeat: number, condition?: string): TrialKey;
  start(trial: TrialKey, attempt?: number): void;
  say(trial: TrialKey, text: string, turn?: number, tool?: string): void;
  turn(trial: TrialKey, message: string, parts: ReplyPart[], index?: number): void;
  check(trial: TrialKey, result: Partial<CheckResult> & { checkId: string; verdict: CheckVerdict }): void;
  finish(trial: TrialKey, options?: { ms?: number; usage?: Usage; end?: TrialEnd; unsent?: string[] }): void;
  error(trial: TrialKey, message: string, final?: boolean): void;
  /** Adds trials; gives their repeats. */
  extend(scenario: string, count: number, options?: { condition?: string; confirms?: true }): number[];
  end(outcome?: 'completed' | 'interrupted' | 'stopped'): void;
  /** A whole trial with one turn and one result for every check of the scenario, all of this verdict. */
  trial(
    trial: TrialKey,
    verdict: CheckVerdict,
    options?: { reason?: string; reply?: string; ms?: number; tokens?: number },
  ): void;
  /** What the app told the run to do. */
  told: string[];
  /** How often a trial was read. */
  reads: number;
  time: { now: number };
}

export function fakeScenario(
  id: string,
  tags: string[] = [],
  checks = ['judge-offers-store-credit'],
): PlannedScenario {
  return {
    id,
    hash: id,
    parts: { turns: id, fixtures: id, persona: id },
    tags,
    source: 'incident',
    checks: checks.map((check) => ({
      id: check,
      type: check.startsWith('judge') ? 'judge' : 'pattern_absent',
      kind: check.startsWith('judge') ? 'judged' : 'hard',
      absolute: false,
    })),
  };
}

export function fakeCondition(id: string, promptName: string, model = 'simulated:support-agent'): Condition {
  return {
    id,
    target: 'prompt',
    promptName,
    promptPath: `prompts/support-agent/${promptName}.md`,
    promptSha256: promptName,
    promptDirty: false,
    model,
    maxTokens: 800,
    maxSteps: 8,
    parts: { prompt: promptName, model, target: 'prompt' },
    hash: id,
  };
}

export interface FakeRunOptions {
  scenarios: PlannedScenario[];
  conditions?: Condition[];
  repeat?: number;
  suite?: string;
  judge?: Extract<RunEvent, { type: 'run-started' }>['judge'];
  isPast?: boolean;
  startedAt?: number;
  base?: PlannedBase;
  quarantine?: QuarantineEntry[];
  runId?: string;
}

export function createFakeRun(options: FakeRunOptions): FakeRun {
  const {
    scenarios,
    conditions = [fakeCondition('a', 'v15')],
    repeat = 3,
    suite = 'support-agent',
  } = options;
  const journal: RunEvent[] = [];
  const messages: RunMessage[] = [];
  const listeners: RunListener[] = [];
  const time = { now: options.startedAt ?? 1_700_000_000_000 };
  const told: string[] = [];
  const repeats = new Map(scenarios.map(({ id }) => [id, repeat]));
  let isPaused = false;

  function emit(event: RunEvent): void {
    const message: RunMessage = { event };
    if (event.type !== 'reply-progress') {
      // Positions two apart, so that the tally never joins them: one event, one place.
      message.position = { offset: journal.length * 2, length: 1 };
      journal.push(event);
    }
    messages.push(message);
    for (const listener of listeners) listener(message);
  }

  const controls: RunControls = {
    get isPaused() {
      return isPaused;
    },
    pause() {
      isPaused = true;
      told.push('pause');
    },
    resume() {
      isPaused = false;
      told.push('resume');
    },
    stop: () => told.push('stop'),
    abort: () => told.push('abort'),
    addTrials(scenario, count, { condition, confirms } = {}) {
      const under = condition === undefined ? '' : ` under ${condition}`;
      told.push(`add ${count} to ${scenario}${under}${confirms ? ' to confirm' : ''}`);
      fake.extend(scenario, count, { ...(condition && { condition }), ...(confirms && { confirms }) });
    },
  };

  const fake: FakeRun = {
    run: {
      feed(listener) {
        for (const message of messages) listener(message);
        listeners.push(listener);
      },
      async readTrial(key, positions) {
        fake.reads++;
        return recordOf(
          key,
          positions.map(({ offset }) => journal[offset / 2]),
        );
      },
      ...(options.isPast ? {} : { controls }),
    },
    emit,
    key: (scenario, number, condition = conditions[0]?.id ?? 'a') => ({
      scenario,
      condition,
      repeat: number,
    }),
    start: (trial, attempt = 1) => emit({ type: 'trial-started', at: time.now, trial, attempt }),
    say: (trial, text, turn = 1, tool) =>
      emit({ type: 'reply-progress', trial, turn, text, ...(tool === undefined ? {} : { tool }) }),
    turn(trial, message, parts, index = 1) {
      emit({ type: 'turn-finished', at: time.now, trial, attempt: 1, turn: fakeTurn(message, parts, index) });
    },
    check(trial, result) {
      const planned = scenarios
        .find(({ id }) => id === trial.scenario)
        ?.checks.find(({ id }) => id === result.checkId);
      emit({
        type: 'check-finished',
        at: time.now,
        trial,
        attempt: 1,
        result: {
          type: planned?.type ?? 'pattern_absent',
          kind: planned?.kind ?? 'hard',
          reason: '',
          ...result,
        },
      });
    },
    finish(trial, { ms = 3200, usage, end = { kind: 'completed' } as const, unsent = [] } = {}) {
      const agent = usage ?? { input: 3600, output: 500, cacheRead: 2448, cacheWrite: 0 };
      const judge = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      emit({
        type: 'trial-finished',
        at: time.now,
        trial,
        attempt: 1,
        end,
        unsent,
        ms,
        tokens: { agent, judge },
      });
    },
    error: (trial, message, final = true) =>
      emit({ type: 'trial-errored', at: time.now, trial, attempt: 1, kind: 'rate-limit', message, final }),
    extend(scenario, count, options = {}) {
      const from = (repeats.get(scenario) ?? 0) + 1;
      const to = from + count - 1;
      repeats.set(scenario, to);
      emit({ type: 'plan-extended', at: time.now, scenario, from, to, ...options });
      return Array.from({ length: count }, (_, index) => from + index);
    },
    end: (outcome = 'completed') => emit({ type: 'run-finished', at: time.now, outcome }),
    trial(
      trial,
      verdict,
      { reason = '', reply = `reply of ${trial.scenario} ${trial.repeat}`, ms = 3200, tokens = 4100 } = {},
    ) {
      fake.start(trial);
      fake.turn(trial, `message to ${trial.scenario}`, [{ kind: 'text', text: reply }]);
      for (const { id } of scenarios.find(({ id }) => id === trial.scenario)?.checks ?? []) {
        fake.check(trial, { checkId: id, verdict, reason });
      }
      fake.finish(trial, { ms, usage: { input: tokens - 100, output: 100, cacheRead: 0, cacheWrite: 0 } });
    },
    told,
    reads: 0,
    time,
  };

  emit({
    type: 'run-started',
    version: 1,
    runId: options.runId ?? '20260101-120000-abcd',
    at: time.now,
    suite,
    suiteHash: 'hash',
    plan: { scenarios, conditions, repeat },
    ...(options.base && { base: options.base }),
    ...(options.quarantine && { quarantine: options.quarantine }),
    ...(options.judge && { judge: options.judge }),
    seed: '7',
    concurrency: 8,
    evalrun: '0.1.0',
    node: 'v20',
    command: 'evalrun run',
  });
  return fake;
}

export function fakeTurn(message: string, parts: ReplyPart[], index = 1): Turn {
  return {
    index,
    message,
    ms: 1200,
    reply: {
      parts,
      text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
      usage: { input: 1800, output: 120, cacheRead: 0, cacheWrite: 0 },
      steps: 1,
      stop: 'end',
      model: 'simulated:support-agent',
    },
  };
}

function recordOf(key: TrialKey, events: (RunEvent | undefined)[]): TrialRecord {
  const record: TrialRecord = {
    key,
    attempt: 1,
    turns: [],
    results: [],
    finished: undefined,
    error: undefined,
  };
  for (const event of events) {
    if (event?.type === 'turn-finished') record.turns.push(event.turn);
    if (event?.type === 'check-finished') record.results.push(event.result);
    if (event?.type === 'trial-finished') {
      const { end, unsent, ms, tokens } = event;
      record.finished = { end, unsent, ms, tokens };
    }
    if (event?.type === 'trial-errored') record.error = { kind: event.kind, message: event.message };
  }
  return record;
}
