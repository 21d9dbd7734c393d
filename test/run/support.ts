import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../source/base/clock.js';
import { contentHash } from '../../source/base/hash.js';
import { createRandom } from '../../source/base/random.js';
import { noUsage } from '../../source/model/types.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { createTallyKeeper, type TallyKeeper } from '../../source/report/summary.js';
import type { RunEvent, RunMessage } from '../../source/run/events.js';
import type { Condition } from '../../source/run/planned.js';
import type { StartRunOptions } from '../../source/run/start.js';
import type { CheckSpec, Scenario, Suite } from '../../source/suite/types.js';
import type { RunTally } from '../../source/tally/types.js';
import type { AgentReply, Session, Target } from '../../source/target/types.js';

/** A folder of its own, gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'evalrun-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function patternCheck(id: string, pattern: string): CheckSpec {
  return { id, type: 'pattern_present', args: { pattern }, place: { file: 'x.yaml', line: 1, column: 1 } };
}

export function scenario(
  id: string,
  messages: string[],
  checks: CheckSpec[] = [patternCheck('agrees', 'yes')],
): Scenario {
  const content = { id, turns: messages.map((message) => ({ kind: 'fixed' as const, message })), checks };
  return {
    ...content,
    place: { file: 'x.yaml', line: 1, column: 1 },
    tags: [],
    variables: {},
    fixtures: {},
    hash: contentHash(content),
  };
}

export function suiteOf(scenarios: Scenario[]): Suite {
  return {
    name: 'tiny',
    folder: '/nowhere',
    place: { file: 'suite.yaml', line: 1, column: 1 },
    target: {
      kind: 'prompt',
      prompt: 'p',
      model: 'simulated:tiny',
      tools: [],
      settings: { maxTokens: 100, maxSteps: 4 },
      template: false,
    },
    limits: { maxTurns: 10 },
    scenarios,
  };
}

export function condition(id: string, promptName = id): Condition {
  return {
    id,
    target: 'prompt',
    promptName,
    promptPath: `prompts/${promptName}.md`,
    promptSha256: `sha-${promptName}`,
    promptDirty: false,
    model: 'simulated:tiny',
    maxTokens: 100,
    maxSteps: 4,
    parts: { prompt: promptName, model: 'tiny', target: 'prompt' },
    hash: `hash-${promptName}`,
  };
}

export function reply(text: string, more: Partial<AgentReply> = {}): AgentReply {
  return {
    parts: [{ kind: 'text', text }],
    text,
    usage: { ...noUsage, input: 10, output: text.length },
    steps: 1,
    stop: 'end',
    model: 'simulated:tiny',
    ...more,
  };
}

/** What a target of a test says to one message of one trial. */
export type Say = (given: {
  seed: string;
  scenario: string;
  turn: number;
  signal: AbortSignal;
}) => AgentReply | Promise<AgentReply>;

export function targetThat(say: Say): Target {
  return {
    async open({ seed, scenario: id = '' }): Promise<Session> {
      let turn = 0;
      return {
        send: async (_message, _onProgress, signal) => say({ seed, scenario: id, turn: ++turn, signal }),
        async close() {},
      };
    },
  };
}

/** Says yes seven times in ten, by the seed of the trial: the same trial always says the same. */
export const seededTarget = targetThat(({ seed, turn }) =>
  reply(createRandom(seed, turn).next() < 0.7 ? 'yes · ja' : 'no'),
);

/** Time that passes only when somebody waits for it. */
export function instantClock(start = Date.UTC(2026, 10, 30, 14, 25, 30)): Clock {
  let now = start;
  return {
    now: () => now,
    wait(ms, signal) {
      // The hard limit of a trial: it passes for nobody.
      if (ms >= 60_000) {
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      }
      if (signal?.aborted) return Promise.reject(signal.reason);
      now += Math.max(0, ms);
      return Promise.resolve();
    },
  };
}

/** Time in which nothing passes but the hard limit of a trial, once `passed` has resolved. */
export function limitClock(limitMs: number, passed: Promise<void>): Clock {
  let now = 0;
  return {
    now: () => now,
    async wait(ms) {
      if (ms < limitMs) return;
      await passed;
      now = limitMs;
    },
  };
}

export interface Observed {
  keeper: TallyKeeper;
  messages: RunMessage[];
}

export function observe(): Observed {
  const messages: RunMessage[] = [];
  const keeper = createTallyKeeper({ gate: defaultGate }, (message) => messages.push(message));
  return { keeper, messages };
}

export function tallyOf({ keeper }: Observed): RunTally {
  if (!keeper.tally) throw new Error('nothing was heard');
  return keeper.tally;
}

/** Everything that a run on the seeded target needs, but for what the test gives. */
export function runOptions(
  runsFolder: string,
  observed: Observed,
  given: Partial<StartRunOptions> & { scenarios: Scenario[]; target?: Target },
): StartRunOptions {
  const { scenarios, target = seededTarget, ...rest } = given;
  return {
    runsFolder,
    suite: suiteOf(scenarios),
    conditions: [{ condition: condition('a', 'v1'), target }],
    concurrency: 3,
    attempts: 3,
    limitMs: 180_000,
    clock: systemClock,
    summariser: observed.keeper,
    repeat: 2,
    seed: '7',
    evalrun: '0.0.0',
    command: 'evalrun run tiny',
    ...rest,
  };
}

/** The events of one type, in order. */
export function eventsOf<T extends RunEvent['type']>({ messages }: Observed, type: T) {
  return messages.flatMap(({ event }) =>
    event.type === type ? [event as Extract<RunEvent, { type: T }>] : [],
  );
}
