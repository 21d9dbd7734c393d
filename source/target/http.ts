import type { Clock } from '../base/clock.js';
import { messageOf, UserError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { proxiedFetch } from '../model/wire/proxied-fetch.js';
import { type Environment, environmentNames } from '../project/environment.js';
import { createSecrets } from '../project/known-secrets.js';
import { findHttpMistakes } from '../suite/http-mistakes.js';
import type { HttpTargetSpec } from '../suite/target-specs.js';
import { templateNames } from '../suite/target-templates.js';
import { type CallContext, type PreparedCall, prepareCall, readBase } from './http/call.js';
import { createCookieJar } from './http/cookies.js';
import { type ExchangeOptions, exchange, type Wire } from './http/exchange.js';
import { readBytes, readJson } from './http/json-answer.js';
import { compilePick, type Pick } from './http/pick.js';
import { compileSendPicks } from './http/picks.js';
import { readJsonReply, readStreamedReply } from './http/send.js';
import { sessionValues, type TemplateValues } from './http/values.js';
import { excerpt } from './product/excerpt.js';
import { withoutKeys } from './product/redacted.js';
import { accountOf } from './product/session-facts.js';
import { createSessionLog } from './product/session-log.js';
import { type Session, type SessionRequest, type Target, TargetError } from './types.js';

export interface HttpTargetOptions {
  env: Environment;
  clock: Clock;
  /** Default: one through the proxies of `env`. */
  fetch?: typeof fetch;
}

/** A session is closed in the background of the next trials: it must not hold them up as long as an answer may. */
const longestCloseMs = 10_000;

/** `application/json`, but not only: what comes is judged by what it is. */
const acceptJson = 'application/json, */*;q=0.1';

/**
 * The product is a backend with HTTP endpoints. Every session has an account, cookies and saved values of its
 * own. Throws UserError for mistakes in the spec and for environment variables that are not set; their values
 * never stand in a message.
 */
export function createHttpTarget(spec: HttpTargetSpec, { env, clock, fetch }: HttpTargetOptions): Target {
  for (const { path, message } of findHttpMistakes(spec))
    throw new UserError(`${path.join('.')}: ${message}`);
  const secrets = createSecrets();
  const context: CallContext = {
    base: readBase(spec.baseURL, env, secrets),
    baseVariables: environmentNames(spec.baseURL),
    headers: spec.headers,
    env,
    secrets,
  };
  const prepare = (key: 'tuning' | 'reset' | 'open' | 'close') => {
    const call = spec[key];
    return call && prepareCall(key, call, context);
  };
  const calls = {
    tuning: prepare('tuning'),
    reset: prepare('reset'),
    open: prepare('open'),
    send: prepareCall('send', spec.send, context),
    close: prepare('close'),
  };
  const saves = Object.entries(spec.open?.save ?? {}).map(
    ([name, path]) => [name, compilePick(path, `open.save.${name}`)] as const,
  );
  const picks = compileSendPicks(spec.send);
  const wire: Wire = { fetch: fetch ?? proxiedFetch(env), clock, secrets, inFlight: new Set() };
  const silenceMs = spec.timeoutSeconds * 1000;

  function optionsFor(values: TemplateValues): ExchangeOptions {
    return { wire, values, jar: createCookieJar(clock), accept: acceptJson, silenceMs };
  }

  async function openSession(request: SessionRequest): Promise<Session> {
    const saved = new Map<string, Json>();
    const options = optionsFor(sessionValues(request, accountOf(request), saved));
    const log = createSessionLog(secrets);
    let isClosed = false;

    if (calls.reset) await exchange(calls.reset, options, readBytes);
    if (calls.open) await openWith(calls.open, options, saved);

    return {
      send(message, onProgress, signal) {
        const { values } = options;
        const isStream = spec.send.stream === 'sse';
        return exchange(
          calls.send,
          {
            ...options,
            signal,
            values: (name) => (name === 'message' ? message : values(name)),
            accept: isStream ? 'text/event-stream' : acceptJson,
          },
          (answer) => (isStream ? readStreamedReply : readJsonReply)(answer, { picks, secrets, onProgress }),
        );
      },
      async close() {
        if (isClosed || calls.close === undefined) return;
        isClosed = true;
        try {
          await exchange(
            calls.close,
            { ...options, silenceMs: Math.min(silenceMs, longestCloseMs) },
            readBytes,
          );
        } catch (error) {
          log.add(messageOf(error));
        }
      },
      log: () => log.read(),
    };
  }

  async function openWith(
    call: PreparedCall,
    options: ExchangeOptions,
    saved: Map<string, Json>,
  ): Promise<void> {
    await exchange(call, options, async (answer) => {
      // Nothing is wanted of the answer: it may be of any kind.
      if (saves.length === 0) {
        await readBytes(answer);
        return;
      }
      const { value, text } = await readJson(answer, secrets);
      for (const [name, pick] of saves) {
        const found = pick.from(value)[0] ?? null;
        if (found === null) throw notSaved(call.label, name, pick, text);
        saved.set(name, found);
      }
    });
  }

  function notSaved(label: string, name: string, pick: Pick, text: string): TargetError {
    const start = excerpt(text, secrets);
    return new TargetError(
      'other',
      `${label}: save.${name}: ${pick.path} finds nothing; the answer starts: ${start}`,
    );
  }

  async function askTuning(call: PreparedCall): Promise<Json> {
    try {
      const none: TemplateValues = () => undefined;
      const { value } = await exchange(call, optionsFor(none), (answer) => readJson(answer, secrets));
      if (value !== null) return value;
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      throw new UserError(`no tuning values, so nothing can be graded against them: ${error.message}`, 3);
    }
    throw new UserError(
      `no tuning values, so nothing can be graded against them: ${call.label}: answered null`,
      3,
    );
  }

  const { tuning } = calls;
  const target: Target = {
    open: openSession,
    // A reset that does not name the account empties something else.
    resetsAccounts: templateNames(JSON.stringify(spec.reset ?? '')).includes('account'),
    ...(tuning && { tuning: () => askTuning(tuning) }),
    async close() {
      for (const controller of wire.inFlight)
        controller.abort(new TargetError('other', 'the target was closed'));
    },
  };
  return withoutKeys(target, secrets.keys);
}
