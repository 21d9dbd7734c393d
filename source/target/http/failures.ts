import { codesOf } from '../../model/wire/http.js';
import { readRetryAfter } from '../../model/wire/retry-after.js';
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

export interface StatusFacts {
  label: string;
  status: number;
  headers: Headers;
  /** Start of the body, safe to show; empty when there is none. */
  body: string;
  /** Environment variables that the request was made from. */
  variables: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** The error for an answer whose status is not one of success. */
export function statusError({ label, status, headers, body, variables, now }: StatusFacts): TargetError {
  const kind = kindOf(status);
  const said = body === '' ? ' with an empty body' : `: ${body}`;
  const look = kind === 'auth' && variables.length > 0 ? ` (access comes from ${variables.join(', ')})` : '';
  return new TargetError(kind, `${label}: answered ${status}${look}${said}`, readRetryAfter(headers, now));
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
  BAD_PORT: 'fetch refuses this port, as browsers do',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer has another length than it says',
};

/** Codes of Node and OpenSSL for a connection that could not be made secure. */
const tlsFault = /^(EPROTO|ERR_(SSL|TLS)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** The error for a request that got no answer, or for an answer that broke off after `bytes` bytes. */
export function connectionError(label: string, error: unknown, bytes: number | undefined): TargetError {
  // Codes only: messages hold hosts and addresses, which may come from the environment.
  const code = codesOf(error).find((known) => /^[A-Z][A-Z0-9_]+$/.test(known));
  const usual =
    code !== undefined && tlsFault.test(code)
      ? 'no secure connection could be made'
      : 'the connection failed';
  const meaning = (code && meanings[code]) ?? usual;
  const shown = code === undefined ? '' : ` (${code})`;
  const cut = bytes === undefined ? '' : `the answer was cut after ${bytes} bytes: `;
  return new TargetError('network', `${label}: ${cut}${meaning}${shown}`);
}
