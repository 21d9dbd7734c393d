import { basename } from 'node:path';
import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { parseJsonText } from '../base/json-text.js';
import type { Environment } from '../project/environment.js';
import { createSecrets } from '../project/known-secrets.js';
import type { ModuleTargetSpec } from '../suite/target-specs.js';
import { type CallTools, callWatched } from './module/call.js';
import { loadProduct } from './module/load.js';
import type { ProductThread, ThreadAnswer, ThreadListener, ThreadRequest, Thrown } from './module/thread.js';
import { excerpt } from './product/excerpt.js';
import { readProductError } from './product/product-error.js';
import { withoutKeys } from './product/redacted.js';
import { readOpened, readReply } from './product/reply-schema.js';
import { openParams } from './product/session-facts.js';
import { createSessionLog, type SessionLog } from './product/session-log.js';
import { askTuning } from './product/tuning.js';
import { type Session, type SessionRequest, type Target, TargetError } from './types.js';

export interface ModuleTargetOptions {
  clock: Clock;
  /** Values of its variables with a telling name (`…_KEY`, `…_TOKEN`) are kept out of messages. */
  env?: Environment;
}

const longestCloseMs = 10_000;
const keptFrames = 8;
/** A thread that has not moved for so long after a call was given up computes in a circle. */
const blockedMs = 1000;

/** One conversation that the module holds. */
interface Conversation {
  number: number;
  thread: ProductThread;
  log: SessionLog;
  /** What ends it: an error that nothing waited for, or the end of the thread. The next call fails with it. */
  failure?: TargetError;
  /** Ends the call that is waited for. */
  fail?: (error: TargetError) => void;
}

/**
 * The product is a TypeScript or JavaScript module in a thread of this process, which exports `open`, `send` and
 * `close`. Throws UserError when it cannot be loaded or lacks one of them.
 */
export async function createModuleTarget(
  spec: ModuleTargetSpec,
  { clock, env = {} }: ModuleTargetOptions,
): Promise<Target> {
  const name = basename(spec.file);
  const secrets = createSecrets(env);
  const silenceMs = spec.timeoutSeconds * 1000;
  const conversations = new Map<number, Conversation>();
  /** Errors that came when their conversation, or every one, was over. */
  let unheard: string[] = [];
  let numbers = 0;
  let isClosed = false;

  /** Those that something concerns of which nobody knows the conversation are all of them. */
  function concerned(session: number | undefined): Conversation[] {
    if (session === undefined) return [...conversations.values()];
    const one = conversations.get(session);
    return one === undefined ? [] : [one];
  }

  function end(conversation: Conversation, error: TargetError): void {
    conversation.failure ??= error;
    conversation.fail?.(error);
  }

  const listener: ThreadListener = {
    said(text, session) {
      const lines = text.replace(/\n$/, '').split('\n');
      for (const { log } of concerned(session)) for (const line of lines) log.add(line);
    },
    late(thrown, session) {
      const what = `${name} threw outside of open, send and close: ${excerpt(thrown.text, secrets, 400)}`;
      const found = concerned(session);
      if (found.length === 0) unheard.push(thrown.stack ?? thrown.text);
      for (const conversation of found) {
        addFrames(conversation.log, thrown.stack ?? thrown.text);
        end(conversation, new TargetError('other', what));
      }
    },
    ended() {},
  };
  let thread = loadProduct(spec.file, listener);
  await thread;

  /** The thread, a new one where it has ended: what it held is lost, and no more than that. */
  async function workingThread(): Promise<ProductThread> {
    const known = thread;
    if ((await known).whyEnded !== undefined && thread === known && !isClosed)
      thread = loadProduct(spec.file, listener);
    return thread;
  }

  async function stopIfBlocked(blocked: ProductThread): Promise<void> {
    const done = new AbortController();
    const over = clock.wait(blockedMs, done.signal).then(
      () => true,
      () => false,
    );
    const isBlocked = await Promise.race([blocked.ping().then(() => false), over]);
    done.abort();
    if (isBlocked) await blocked.stop('was stopped: it held up all conversations');
  }

  interface Asked {
    signal?: AbortSignal;
    silenceMs?: number;
    onDelta?: (delta: string | undefined, type: string, tools: CallTools) => void;
  }

  async function call(conversation: Conversation, request: Asking, asked: Asked = {}): Promise<unknown> {
    const { log, number, thread } = conversation;
    const { signal, onDelta } = asked;
    const label = `${name}: ${request.method}`;
    const watched = { label, clock, silenceMs, ...asked };
    const onSilence = () => void stopIfBlocked(thread);
    const answer = (await callWatched(watched, (tools) => {
      if (conversation.failure !== undefined) throw conversation.failure;
      conversation.fail = tools.fail;
      tools.signal.addEventListener('abort', onSilence, { once: true });
      return thread
        .call({ ...request, session: number }, tools.signal, (delta, type) => onDelta?.(delta, type, tools))
        .finally(() => tools.signal.removeEventListener('abort', onSilence));
    }).finally(() => {
      delete conversation.fail;
    })) as ThreadAnswer;
    signal?.throwIfAborted();
    if ('result' in answer) return readJson(answer.result, (mistake) => wrong(request.method, mistake));
    if ('unwritable' in answer)
      throw wrong(request.method, `it cannot be written as JSON: ${answer.unwritable}`);
    if ('ended' in answer)
      throw new TargetError(
        'other',
        `${label}: the thread of the module ${excerpt(answer.ended, secrets, 400)}`,
      );
    addFrames(log, answer.thrown.stack);
    throw thrownError(label, answer.thrown);
  }

  function thrownError(label: string, { text, report }: Thrown): TargetError {
    if (report === undefined)
      return new TargetError('other', `${label} threw ${excerpt(text, secrets, 400)}`);
    const { kind, message, retryAfterMs } = readProductError(report);
    return new TargetError(kind, `${label}: ${excerpt(message, secrets, 400)}`, retryAfterMs);
  }

  function wrong(method: string, mistake: string): TargetError {
    return new TargetError('other', `${name}: the result of ${method}: ${excerpt(mistake, secrets, 400)}`);
  }

  async function openSession(
    request: SessionRequest,
  ): Promise<{ session: Session; tuning: Json | undefined }> {
    const log = createSessionLog(secrets);
    const conversation: Conversation = { number: ++numbers, thread: await workingThread(), log };
    conversations.set(conversation.number, conversation);
    for (const stack of unheard) addFrames(log, `after an earlier conversation: ${stack}`);
    unheard = [];
    try {
      const read = readOpened(await call(conversation, { method: 'open', params: openParams(request) }));
      if ('mistake' in read) throw wrong('open', read.mistake);
      return { session: createSession(conversation), tuning: read.value.tuning };
    } catch (error) {
      conversations.delete(conversation.number);
      throw error;
    }
  }

  function createSession(conversation: Conversation): Session {
    const { log } = conversation;
    let closing: Promise<void> | undefined;

    async function closeOnce(): Promise<void> {
      try {
        // What has failed is closed all the same; of a thread that is gone nothing is left to close.
        delete conversation.failure;
        if (conversation.thread.whyEnded === undefined)
          await call(conversation, { method: 'close' }, { silenceMs: Math.min(silenceMs, longestCloseMs) });
      } catch (error) {
        log.add(messageOf(error));
      }
      conversations.delete(conversation.number);
    }

    return {
      async send(message, onProgress, signal) {
        let text = '';
        const onDelta: Asked['onDelta'] = (delta, type, tools) => {
          if (tools.signal.aborted) return;
          if (delta === undefined) {
            tools.fail(wrong('send', `onDelta: expected a text, found ${type}`));
            return;
          }
          tools.alive();
          text += delta;
          onProgress({ type: 'text', text });
        };
        const read = readReply(await call(conversation, { method: 'send', message }, { signal, onDelta }));
        if ('mistake' in read) throw wrong('send', read.mistake);
        return read.value;
      },
      close() {
        closing ??= closeOnce();
        return closing;
      },
      log: () => log.read(),
    };
  }

  const target: Target = {
    open: async (request) => (await openSession(request)).session,
    tuning: () => askTuning(openSession),
    async close() {
      isClosed = true;
      await (await thread).stop('was stopped');
    },
  };
  return withoutKeys(target, secrets.keys);
}

type Asking = ThreadRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'session'>
    : never
  : never;

function addFrames(log: SessionLog, stack: string | undefined): void {
  for (const frame of stack?.split('\n').slice(0, keptFrames) ?? []) log.add(frame);
}

/** What a function answered, nothing as undefined. */
function readJson(text: string | undefined, wrongResult: (mistake: string) => TargetError): unknown {
  try {
    return text === undefined ? undefined : parseJsonText(text);
  } catch (error) {
    throw wrongResult(`it cannot be written as JSON: ${messageOf(error)}`);
  }
}
