import type { Clock } from '../base/clock.js';
import { addUsage, noUsage, type Usage } from '../model/types.js';
import { textOfTurn } from '../suite/turns.js';
import type { PlannedTurn, Scenario } from '../suite/types.js';
import type { ReplyProgress, Session, SessionRequest, Target, ToolCall } from '../target/types.js';
import { createFixtures } from './fixtures.js';
import type { LiveTools } from './live-tools.js';
import type { SimulatedUser } from './simulated-user.js';
import type { SimulatedMessage, Transcript, TrialEnd, Turn } from './types.js';

/** What one trial needs. */
export interface TrialOptions {
  target: Target;
  scenario: Scenario;
  /** Names the draws of this trial, and of no other. */
  seed: string;
  /** User messages that are sent at most. */
  maxTurns: number;
  /** An account that no other trial has, see `trialAccount`. */
  account?: string;
  /** The prompt version of the condition, for products that are told of it. */
  prompt?: NonNullable<SessionRequest['prompt']>;
  /** Plays the user in simulated turns; needed by scenarios that have some. */
  user?: SimulatedUser;
  /** Calls tools for real in the place of the fixtures, see `createLiveTools`. */
  liveTools?: LiveTools;
  clock: Clock;
  signal: AbortSignal;
  /** Hears the reply to `turn` (from 1) as it streams: the text of its latest part so far, or the tool that is called. */
  onProgress(turn: number, progress: ReplyProgress): void;
  /** Hears every turn once it is whole, the one that ended the trial included. */
  onTurn(turn: Turn): void;
  /**
   * Hears what the product said beside its replies, if it did: once the session is closed, also after an error, or
   * when the trial is aborted.
   */
  onLog?(log: string): void;
}

/** One conversation as it was, with wall milliseconds and tokens. */
export interface TrialOutcome {
  transcript: Transcript;
  ms: number;
  /** The agent's. */
  usage: Usage;
  /** The simulated user's, messages that it chose not to send included. */
  userUsage: Usage;
}

/** What the user says next. */
interface NextMessage {
  /** Undefined: nothing is sent. */
  message: string | undefined;
  /** The planned turn is over after it. */
  isLast: boolean;
  simulated?: SimulatedMessage;
}

/**
 * Has the conversation of a scenario once: fixed messages byte for byte, whatever is answered, simulated ones by the
 * user that a model plays, each after the reply to the one before it. It goes on until everything is said, the
 * turns are used up, the product ends the session, or a tool call has no fixture. What was not sent is recorded.
 * Throws what the target throws (ModelError, TargetError), ModelError of the simulated user, and the signal's
 * reason when aborted.
 */
export async function playTrial(options: TrialOptions): Promise<TrialOutcome> {
  const { target, scenario, seed, maxTurns, user, clock, signal, onProgress, onTurn } = options;
  const start = clock.now();
  const turns: Turn[] = [];
  let usage = noUsage;
  let userUsage = noUsage;

  async function nextMessage(planned: PlannedTurn, at: number, sent: number): Promise<NextMessage> {
    if (planned.kind === 'fixed') return { message: planned.message, isLast: true };
    if (user === undefined) throw new Error(`nobody plays the user of ${scenario.id}`);
    const { message, isDone, ...taken } = await user.speak({
      profile: scenario.profile,
      turn: planned,
      sent,
      conversation: turns,
      seed: `${seed}/user/${at + 1}/${sent + 1}`,
      signal,
    });
    userUsage = addUsage(userUsage, taken.usage);
    const simulated = { model: user.model, plannedTurn: at + 1, isDone, ...taken };
    return { message, isLast: isDone || sent + 1 >= planned.maxTurns, simulated };
  }

  async function send(session: Session, message: string, simulated: SimulatedMessage | undefined) {
    signal.throwIfAborted();
    const index = turns.length + 1;
    const sentAt = clock.now();
    const reply = await session.send(message, (progress) => onProgress(index, progress), signal);
    const turn: Turn = {
      index,
      message,
      ...(simulated && { simulated }),
      reply,
      ms: clock.now() - sentAt,
    };
    turns.push(turn);
    usage = addUsage(usage, reply.usage);
    onTurn(turn);
    return turn;
  }

  async function converse(session: Session): Promise<Pick<Transcript, 'end' | 'unsent'>> {
    const unsentFrom = (at: number) => scenario.turns.slice(at).map(textOfTurn);
    for (const [at, planned] of scenario.turns.entries()) {
      for (let sent = 0, isOver = false; !isOver; sent++) {
        if (turns.length >= maxTurns) {
          return { end: { kind: 'turn-limit', maxTurns }, unsent: unsentFrom(at) };
        }
        const { message, isLast, simulated } = await nextMessage(planned, at, sent);
        isOver = isLast || message === undefined;
        if (message === undefined) continue;
        const end = endOf(await send(session, message, simulated));
        if (end !== undefined) return { end, unsent: unsentFrom(isOver ? at + 1 : at) };
      }
    }
    return { end: { kind: 'completed' }, unsent: [] };
  }

  signal.throwIfAborted();
  const session = await target.open(toSessionRequest(options));
  const tellLog = () => {
    signal.removeEventListener('abort', tellLog);
    const log = session.log?.() ?? '';
    if (log !== '') options.onLog?.(log);
  };
  // What is aborted is not waited for: what was said until then is told at once, as it may say why nothing ended.
  if (session.log) signal.addEventListener('abort', tellLog);
  const close = async () => {
    await session.close().finally(() => {
      if (!signal.aborted) tellLog();
    });
  };
  let ended: Awaited<ReturnType<typeof converse>>;
  try {
    ended = await converse(session);
  } catch (error) {
    // The first error says what happened; one of closing after it would only hide it.
    await close().catch(() => undefined);
    throw error;
  }
  await close();
  return { transcript: { turns, ...ended }, ms: clock.now() - start, usage, userUsage };
}

/** Why nothing can follow a turn, if so. */
function endOf({ index, reply }: Turn): TrialEnd | undefined {
  if (reply.stop === 'no-fixture') {
    const call = unansweredCall(reply.parts);
    const args = call?.args ?? '';
    return {
      kind: 'no-fixture',
      tool: call?.name ?? '',
      args: typeof args === 'string' ? args : JSON.stringify(args),
    };
  }
  return reply.ended === true ? { kind: 'ended', turn: index } : undefined;
}

/** The call that a missing fixture left without an answer. */
function unansweredCall(parts: Turn['reply']['parts']): ToolCall | undefined {
  const last = parts.at(-1);
  return last?.kind === 'tool' ? last.call : undefined;
}

/** What the target is told of a trial when its session opens. */
export function toSessionRequest({
  scenario,
  seed,
  account,
  prompt,
  liveTools,
}: Pick<TrialOptions, 'scenario' | 'seed' | 'account' | 'prompt' | 'liveTools'>): SessionRequest {
  const { id, profile, history, tenant, variables, fixtures } = scenario;
  const request: SessionRequest = {
    seed,
    callTool: createFixtures(fixtures),
    scenario: id,
    variables,
    ...(account !== undefined && { account }),
    ...(prompt !== undefined && { prompt }),
    ...(profile !== undefined && { profile }),
    ...(history !== undefined && { history }),
    ...(tenant !== undefined && { tenant }),
  };
  return liveTools ? { ...request, callTool: liveTools(request) } : request;
}
