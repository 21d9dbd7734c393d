import { makeVisible } from '../../base/text.js';
import { formsOf, shortestKey } from '../../project/known-secrets.js';
import { ModelError } from '../types.js';
import { BrokenAnswer, type Complaint, kindOfComplaint, readComplaint } from './complaint.js';
import type { Exchange } from './exchange.js';
import { causesOf, codesOf, HttpFailure } from './http.js';
import { isOverload } from './overload.js';

/** Whom a request went to, for messages. */
export interface Addressee {
  host: string;
  model: string;
  apiKey: string;
  keyEnv: string | undefined;
  /** A proxy of the environment stands between. */
  isProxied: boolean;
  /** Taken out of what is quoted, like the key. */
  secrets: readonly string[];
}

const mostQuoted = 300;
/** What is looked at to quote that much. */
const mostRead = 2_000;

/** What a server wrote, as a message may show it: without the key, on one line, cut. */
function quoteServer(text: string, { apiKey, secrets }: Addressee): string {
  let safe = text;
  for (const secret of [apiKey, ...secrets]) {
    // A shorter key is a placeholder for a server without keys; taking it out would only garble words.
    if (secret.length < shortestKey) continue;
    for (const form of formsOf(secret).sort((a, b) => b.length - a.length))
      safe = safe.replaceAll(form, '[key]');
  }
  // Cut after the key is out, lest half of it stay, and before patterns whose time grows with the square.
  safe = safe.slice(0, mostRead);
  // Providers echo a refused key with its middle starred out; its ends are nobody's business either.
  safe = safe.replace(/\b[spr]k[-_][\w*.-]{8,}|\S*\*{3,}\S*/g, '[key]');
  const characters = Array.from(safe.replace(/\s+/g, ' ').trim());
  const isCut = characters.length > mostQuoted;
  return makeVisible(characters.slice(0, mostQuoted).join('')) + (isCut ? '…' : '');
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}

/** The ModelError for a complaint; undefined when it is a refusal in the form of an error. */
export function errorOfComplaint(
  complaint: Complaint,
  to: Addressee,
  retryAfterMs?: number,
): ModelError | undefined {
  const kind = kindOfComplaint(complaint);
  if (kind === 'filtered') return undefined;
  const { status } = complaint;
  const detail = quoteServer(complaint.message, to);
  const answered = status === undefined ? '' : ` (${status})`;
  const key = to.keyEnv === undefined ? 'the key' : `the key in ${to.keyEnv}`;
  const facts = status === undefined ? {} : { status };
  const error = (text: string) =>
    // Without money a key is as good as none: no trial of the run gets an answer with it.
    new ModelError(kind === 'quota' ? 'auth' : kind, withDetail(text, detail), retryAfterMs, facts);
  switch (kind) {
    case 'quota':
      return error(`the account of ${key} has nothing left to spend at ${to.host}${answered}`);
    case 'auth':
      if (to.apiKey === '' && to.secrets.length === 0) {
        const set = to.keyEnv === undefined ? '' : `; set ${to.keyEnv}`;
        return error(`${to.host} wants a key${answered}${set}`);
      }
      return error(
        status === 403
          ? `${to.host} forbids this to ${key}${answered}`
          : `${to.host} refused ${key}${answered}`,
      );
    case 'not-found': {
      const isSure = complaint.message.includes(to.model) || /model/i.test(complaint.code);
      const orElse = isSure ? '' : ', or nothing at the path of baseURL';
      return error(`${to.host} has no model ${JSON.stringify(to.model)}${orElse}${answered}`);
    }
    case 'too-long':
      return error(`the conversation is too long for ${to.model} at ${to.host}${answered}`);
    case 'rate-limit': {
      const wait = retryAfterMs === undefined ? '' : `, asks to wait ${Math.ceil(retryAfterMs / 1_000)} s`;
      return error(`${to.host} limits the rate${answered}${wait}`);
    }
    case 'overloaded':
      return error(
        isOverload(status) ? `${to.host} is overloaded${answered}` : `${to.host} failed${answered}`,
      );
    case 'network':
      return error(`${to.host} gave up waiting for the request${answered}`);
    case 'bad-request':
      return error(`${to.host} refused the request${answered}`);
    case 'bad-answer':
      return error(`${to.host} gave an answer that is none of a model${answered}`);
  }
}

/** The ModelError for whatever came out of a request; undefined when it is a refusal in the form of an error. */
export function toModelError(
  error: unknown,
  exchange: Exchange,
  to: Addressee,
  stallMs: number,
): ModelError | undefined {
  if (exchange.brokenOff === 'silence') {
    const seconds = Math.round(stallMs / 100) / 10;
    const when =
      exchange.received.bytes === 0 ? 'has not begun to answer' : 'went silent in the middle of its answer';
    return new ModelError('network', `${to.host} ${when}: not a byte for ${seconds} s`);
  }
  if (exchange.brokenOff === 'too-large') {
    return new ModelError('bad-answer', `${to.host} sends without end: broken off`);
  }
  if (error instanceof ModelError) return error;
  if (error instanceof BrokenAnswer) return new ModelError('bad-answer', `${to.host}: ${error.message}`);
  const chain = causesOf(error);
  const failure = chain.find((cause) => cause instanceof HttpFailure);
  if (failure !== undefined) return errorOfFailure(failure, to);
  const streamed = chain.find(hasErrorBody);
  if (streamed !== undefined) return errorOfComplaint(readComplaint(undefined, streamed.error), to);
  if (chain.some((cause) => cause instanceof SyntaxError)) {
    return new ModelError(
      'bad-answer',
      `${to.host} sent a line that is not JSON in the middle of its answer`,
    );
  }
  return errorOfConnection(codesOf(error), exchange, to);
}

/** An error event in a stream, as both SDKs throw it. */
function hasErrorBody(error: unknown): error is Error & { error: unknown } {
  return error instanceof Error && 'error' in error && error.error !== undefined && error.error !== null;
}

function errorOfFailure(failure: HttpFailure, to: Addressee): ModelError | undefined {
  const { status, isPage, redirectHost, retryAfterMs } = failure;
  if (status >= 300 && status <= 399) {
    const where = redirectHost === undefined ? 'elsewhere' : `to ${redirectHost}`;
    return new ModelError(
      'bad-answer',
      `${to.host} redirects ${where} (${status}); redirects are not followed, set baseURL to where the API is`,
      undefined,
      { status },
    );
  }
  if (!isPage) return errorOfComplaint(readComplaint(status, failure.body), to, retryAfterMs);
  const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(String(failure.body))?.[1] ?? '';
  const shown = title.trim() === '' ? '' : ` titled ${JSON.stringify(quoteServer(title, to))}`;
  const page = `a web page${shown}`;
  if (status < 400) {
    return new ModelError(
      'bad-answer',
      `${to.host} answered with ${page} (${status}); is a proxy or a sign-in page in the way, or baseURL wrong?`,
      undefined,
      { status },
    );
  }
  return errorOfComplaint({ status, type: '', code: '', field: '', message: page }, to, retryAfterMs);
}

/** Why a connection could not be made, by the codes of Node and OpenSSL. */
const connectionFaults: [pattern: RegExp, words: string][] = [
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_\w+)$/, 'the name is not known'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'the connection timed out'],
  [/^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, 'no way there'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'silent for too long'],
  [/^PROXY_\d+$/, 'the proxy makes none'],
  [/^HPE_/, 'what answers does not speak HTTP'],
];

const tlsFault =
  /^(EPROTO|ERR_(SSL|TLS)_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH)/;

function errorOfConnection(codes: readonly string[], exchange: Exchange, to: Addressee): ModelError {
  const tls = codes.find((code) => tlsFault.test(code));
  if (tls !== undefined) {
    // No waiting makes a certificate trusted or teaches a server TLS.
    return new ModelError('network', `no secure connection to ${to.host} (${tls})`, undefined, {
      permanent: true,
    });
  }
  if (exchange.received.bytes > 0) {
    return new ModelError('network', `the answer of ${to.host} broke off in the middle`);
  }
  const way = to.isProxied ? ' by way of the proxy' : '';
  for (const code of codes) {
    const words = connectionFaults.find(([pattern]) => pattern.test(code))?.[1];
    if (words !== undefined)
      return new ModelError('network', `no connection to ${to.host}${way}: ${words} (${code})`);
  }
  return new ModelError('network', withDetail(`no answer from ${to.host}`, codes.join(', ')));
}
