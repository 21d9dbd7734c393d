import type { Clock } from '../base/clock.js';
import { addUsage, noUsage, type Usage } from '../model/types.js';
import type { Scenario } from '../suite/types.js';
import type { ReplyProgress, Session, SessionRequest, Target, ToolCall } from '../target/types.js';
import { createFixtures } from './fixtures.js';
import type { Transcript, TrialEnd, Turn } from './types.js';

/** What one trial needs. */
export interface TrialOptions {
  target: Target;
  scenario: Scenario;
  /** Names the draws of this trial, and of no other. */
  seed: string;
  /** User messages that are sent at most. */
  maxTurns: number;
  clock: Clock;
  signal: AbortSignal;
  /** Hears the reply to `turn` (from 1) as it streams: the text of its latest part so far, or the tool that is called. */
  onProgress(turn: number, progress: ReplyProgress): void;
  /** Hears every turn once it is whole, the one that ended the trial included. */
  onTurn(turn: Turn): void;
}

/** One conversation as it was, with wall milliseconds and the agent's tokens. */
export interface TrialOutcome {
  transcript: Transcript;
  ms: number;
  usage: Usage;
}

/** The call that a missing fixture left without an answer. */
function findUnanswered(turn: Turn): ToolCall | undefined {
  const last = turn.reply.parts.at(-1);
  return last?.kind === 'tool' ? last.call : undefined;
}

function endOf(turn: Turn): TrialEnd | undefined {
  if (turn.reply.stop !== 'no-fixture') return undefined;
  const call = findUnanswered(turn);
  const args = call?.args ?? '';
  return {
    kind: 'no-fixture',
    tool: call?.name ?? '',
    args: typeof args === 'string' ? args : JSON.stringify(args),
  };
}

/**
 * Has the conversation of a scenario once: its messages byte for byte, tools answered from its fixtures, until
 * the messages or the turns are used up, or a call has no fixture. What was not sent is recorded.
 * Throws what the target throws (ModelError, TargetError), and the signal's reason when aborted.
 */
export async function playTrial(options: TrialOptions): Promise<TrialOutcome> {
  const { target, scenario, seed, maxTurns, clock, signal, onProgress, onTurn } = options;
  const start = clock.now();
  const messages = scenario.turns.map(({ message }) => message);
  const turns: Turn[] = [];
  let usage = noUsage;

  async function converse(session: Session): Promise<TrialEnd> {
    for (const [at, message] of messages.entries()) {
      if (at >= maxTurns) return { kind: 'turn-limit', maxTurns };
      signal.throwIfAborted();
      const index = at + 1;
      const sentAt = clock.now();
      const reply = await session.send(message, (progress) => onProgress(index, progress), signal);
      const turn: Turn = { index, message, reply, ms: clock.now() - sentAt };
      turns.push(turn);
      usage = addUsage(usage, reply.usage);
      onTurn(turn);
      const end = endOf(turn);
      if (end !== undefined) return end;
    }
    return { kind: 'completed' };
  }

  signal.throwIfAborted();
  const session = await target.open(toSessionRequest(scenario, seed));
  let end: TrialEnd;
  try {
    end = await converse(session);
  } catch (error) {
    // The first error says what happened; one of closing after it would only hide it.
    await session.close().catch(() => undefined);
    throw error;
  }
  await session.close();
  return {
    transcript: { turns, end, unsent: messages.slice(turns.length) },
    ms: clock.now() - start,
    usage,
  };
}

/** What the target is told of the scenario. */
function toSessionRequest(scenario: Scenario, seed: string): SessionRequest {
  const { id, profile, history, tenant, variables, fixtures } = scenario;
  const request: SessionRequest = { seed, callTool: createFixtures(fixtures), scenario: id, variables };
  if (profile !== undefined) request.profile = profile;
  if (history !== undefined) request.history = history;
  if (tenant !== undefined) request.tenant = tenant;
  return request;
}
