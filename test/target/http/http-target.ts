import { systemClock } from '../../../source/base/clock.js';
import type { HttpTargetSpec } from '../../../source/suite/target-specs.js';
import { createHttpTarget, type HttpTargetOptions } from '../../../source/target/http.js';
import type { Session, Target } from '../../../source/target/types.js';
import { sessionRequest } from '../session-request.js';

/** The smallest spec: one call that sends a message and takes `reply` from a JSON answer. */
export function httpSpec(baseURL: string, more: Partial<HttpTargetSpec> = {}): HttpTargetSpec {
  return {
    kind: 'http',
    baseURL,
    headers: {},
    send: { method: 'POST', path: '/chat', body: { text: '{{message}}' }, reply: '$.reply' },
    timeoutSeconds: 30,
    ...more,
  };
}

export function httpTarget(
  baseURL: string,
  more: Partial<HttpTargetSpec> = {},
  options: Partial<HttpTargetOptions> = {},
): Target {
  return createHttpTarget(httpSpec(baseURL, more), { env: {}, clock: systemClock, ...options });
}

/** A session of a target that needs nothing but `send`. */
export function openHttp(
  baseURL: string,
  more: Partial<HttpTargetSpec> = {},
  options: Partial<HttpTargetOptions> = {},
): Promise<Session> {
  return httpTarget(baseURL, more, options).open(sessionRequest());
}

/** `send` for a stream of server-sent events. */
export const streamed: HttpTargetSpec['send'] = {
  method: 'POST',
  path: '/chat',
  body: { text: '{{message}}' },
  stream: 'sse',
  delta: '$.delta',
  reply: '$.reply',
};
