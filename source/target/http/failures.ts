import type { Clock } from '../../base/clock.js';
import { TargetError } from '../types.js';

/** What the status of an answer means for a trial. */
function kindOf(status: number): TargetError['kind'] {
  if (status === 401 || status === 403) return 'auth';
  // 529 is what an overloaded provider answers, and it means the same as 429: come back later.
  if (status === 429 || status === 529) return 'rate-limit';
  // Said by what stands between us and the product, or by a product that is being started.
  if (status === 408 || (status >= 502 && status <= 504)) return 'network';
  return 'other';
}

/** `Retry-After` in milliseconds from now: a number of seconds, or a date. Undefined when absent or not readable. */
export function readRetryAfter(header: string | null, clock: Pick<Clock, 'now'>): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}

export interface StatusFacts {
  label: string;
  status: number;
  retryAfter: string | null;
  /** Start of the body, safe to show; empty when there is none. */
  body: string;
  /** Environment variables that the request was made from. */
  variables: readonly string[];
  clock: Pick<Clock, 'now'>;
}

/** The error for an answer whose status is not one of success. */
export function statusError({ label, status, retryAfter, body, variables, clock }: StatusFacts): TargetError {
  const kind = kindOf(status);
  const said = body === '' ? ' with an empty body' : `: ${body}`;
  const look = kind === 'auth' && variables.length > 0 ? ` (access comes from ${variables.join(', ')})` : '';
  return new TargetError(
    kind,
    `${label}: answered ${status}${look}${said}`,
    readRetryAfter(retryAfter, clock),
  );
}

const meanings: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'no connection could be made in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within 300 seconds',
  UND_ERR_BODY_TIMEOUT: 'no byte of the answer for 300 seconds',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer has another length than it says',
};

/** The first error code down the chain of causes. Codes only: messages hold hosts and addresses. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return codeOf(Array.isArray(errors) ? errors[0] : cause, depth + 1);
}

/** The error for a request that got no answer, or for an answer that broke off after `bytes` bytes. */
export function connectionError(label: string, error: unknown, bytes: number | undefined): TargetError {
  const code = codeOf(error);
  const isTls = code !== undefined && /CERT|TLS|SSL|SELF_SIGNED|VERIFY/.test(code);
  const meaning =
    (code && meanings[code]) ?? (isTls ? 'no secure connection could be made' : 'the connection failed');
  const shown = code === undefined ? '' : ` (${code})`;
  const cut = bytes === undefined ? '' : `the answer was cut after ${bytes} bytes: `;
  return new TargetError('network', `${label}: ${cut}${meaning}${shown}`);
}
