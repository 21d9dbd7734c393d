import { basename } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { Json } from '../base/json.js';
import { parseJsonText } from '../base/json-text.js';
import type { Environment } from '../project/environment.js';
import type { ModuleTargetSpec } from '../suite/target-specs.js';
import { type CallTools, callWatched } from './module/call.js';
import { loadProductModule } from './module/load.js';
import { excerpt } from './product/excerpt.js';
import { readProductError } from './product/product-error.js';
import { readOpened, readReply } from './product/reply-schema.js';
import { createSecrets } from './product/secrets.js';
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

/**
 * The product is a TypeScript or JavaScript module in this process, which exports `open`, `send` and `close`. Throws
 * UserError when it cannot be loaded or lacks one of them.
 */
export async function createModuleTarget(
  spec: ModuleTargetSpec,
  { clock, env = {} }: ModuleTargetOptions,
): Promise<Target> {
  const product = await loadProductModule(spec.file);
  const name = basename(spec.file);
  const secrets = createSecrets(env);
  const silenceMs = spec.timeoutSeconds * 1000;

  interface Asked {
    log: SessionLog;
    signal?: AbortSignal;
    silenceMs?: number;
  }

  async function call(method: string, asked: Asked, run: (tools: CallTools) => unknown): Promise<unknown> {
    const { log, signal } = asked;
    const label = `${name}: ${method}`;
    try {
      return await callWatched({ label, clock, silenceMs, ...asked }, run);
    } catch (error) {
      // Its own error, or the abort: neither was thrown by the product.
      if (error instanceof TargetError || signal?.aborted) throw error;
      if (error instanceof Error && error.stack !== undefined) {
        for (const frame of error.stack.split('\n').slice(0, keptFrames)) log.add(frame);
      }
      throw thrownError(label, error);
    }
  }

  function thrownError(label: string, thrown: unknown): TargetError {
    if (typeof thrown === 'object' && thrown !== null && 'kind' in thrown) {
      const { kind, message, retryAfterMs } = readProductError({
        kind: thrown.kind,
        message: Reflect.get(thrown, 'message'),
        retryAfterSeconds: Reflect.get(thrown, 'retryAfterSeconds'),
      });
      return new TargetError(kind, `${label}: ${excerpt(message, secrets, 400)}`, retryAfterMs);
    }
    const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return new TargetError('other', `${label} threw ${excerpt(what, secrets, 400)}`);
  }

  function wrong(method: string, mistake: string): TargetError {
    return new TargetError('other', `${name}: the result of ${method}: ${excerpt(mistake, secrets, 400)}`);
  }

  async function openSession(
    request: SessionRequest,
  ): Promise<{ session: Session; tuning: Json | undefined }> {
    const log = createSessionLog(secrets);
    // A copy: what a product does to the history of its account must not reach the next trial.
    const params = structuredClone(openParams(request));
    const result = await call('open', { log }, () => product.open(params));
    const session: unknown = Object(result).session;
    // A session may be anything, also what is no JSON; the rest is checked as in the protocol.
    const isSet = typeof result === 'object' && result !== null && session !== undefined;
    const read = readOpened(isSet ? { ...result, session: null } : result);
    if ('mistake' in read) throw wrong('open', read.mistake);
    return { session: createSession(session, log), tuning: read.value.tuning };
  }

  function createSession(session: unknown, log: SessionLog): Session {
    let closing: Promise<void> | undefined;

    async function closeOnce(): Promise<void> {
      try {
        await call('close', { log, silenceMs: Math.min(silenceMs, longestCloseMs) }, () =>
          product.close(session),
        );
      } catch (error) {
        log.add(error instanceof Error ? error.message : String(error));
      }
    }

    return {
      async send(message, onProgress, signal) {
        let text = '';
        let isOver = false;
        const result = await call('send', { log, signal }, (tools) => {
          const onDelta = (delta: unknown) => {
            if (isOver || tools.signal.aborted) return;
            if (typeof delta !== 'string') {
              tools.fail(wrong('send', `onDelta: expected a text, found ${typeof delta}`));
              return;
            }
            tools.alive();
            text += delta;
            onProgress({ type: 'text', text });
          };
          return product.send(session, message, { onDelta, signal: tools.signal });
        }).finally(() => {
          isOver = true;
        });
        const read = readReply(toJson(result, (mistake) => wrong('send', mistake)));
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

  return {
    open: async (request) => (await openSession(request)).session,
    tuning: () => askTuning(openSession),
  };
}

/** The value as JSON has it: members without a value are gone, and nothing is shared with the product any more. */
function toJson(value: unknown, wrongResult: (mistake: string) => TargetError): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : parseJsonText(text);
  } catch (error) {
    // A stack that ran out says nothing to whoever wrote the module.
    const why =
      error instanceof RangeError
        ? 'it is nested too deeply'
        : error instanceof Error
          ? error.message
          : String(error);
    throw wrongResult(`it cannot be written as JSON: ${why}`);
  }
}
