import { isJsonObject } from '../../base/json.js';
import type { ModelErrorKind } from '../types.js';
import { listAt, objectAt, textAt } from './reading.js';

/** What a server says went wrong, whichever way it says it. Empty where it does not say. */
export interface Complaint {
  /** The HTTP status, or a code that an event in the stream gives in its place. */
  status: number | undefined;
  type: string;
  code: string;
  /** Name of the request's field that it is about. */
  field: string;
  message: string;
}

/** An answer that breaks its own protocol. The message is ours and names no host. */
export class BrokenAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenAnswer';
  }
}

/** An error that a server reports inside an answer that began well. */
export class ServerComplaint extends Error {
  /** Its body, for readComplaint. Named as the SDKs name theirs. */
  readonly error: unknown;
  constructor(error: unknown) {
    super('the server reports an error');
    this.name = 'ServerComplaint';
    this.error = error;
  }
}

/**
 * Reads an error body. Known shapes: `{error: {type, code, message, param}}` (OpenAI, Anthropic, most others), the
 * same in a list (Gemini's compatible endpoint), `{error: "text"}` (Ollama), `{message, type, code}` (vLLM,
 * Mistral), `{detail}` (FastAPI), the same inside `message`, and plain text.
 */
export function readComplaint(status: number | undefined, body: unknown): Complaint {
  if (Array.isArray(body)) return readComplaint(status, body[0]);
  const inner = objectAt(body, 'error') ?? body;
  if (!isJsonObject(inner)) return { status, type: '', code: '', field: '', message: textOf(inner) };
  const { code } = inner;
  const numeric = typeof code === 'number' && code >= 400 && code <= 599 ? code : undefined;
  return {
    status: status ?? numeric,
    type: textAt(inner, 'type'),
    code: typeof code === 'string' ? code : '',
    field: textAt(inner, 'param'),
    message: textOf(inner.message ?? inner.error ?? inner.detail ?? inner),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const details = listAt(value, 'detail');
  const list = Array.isArray(value) ? value : details;
  const first: unknown = list[0];
  // FastAPI: [{loc: [body, field], msg}]
  if (isJsonObject(first) && typeof first.msg === 'string') {
    return `${listAt(first, 'loc').join('.')}: ${first.msg}`;
  }
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** `quota`: there is no money left, which no waiting mends. `filtered`: a refusal that came as an error. */
export type ComplaintKind = ModelErrorKind | 'quota' | 'filtered';

const filterCodes = new Set(['content_filter', 'content_policy_violation', 'responsibleaipolicyviolation']);
const quotaCodes = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
]);
const lengthCodes = new Set([
  'context_length_exceeded',
  'request_too_large',
  'exceed_context_size_error',
  'string_above_max_length',
]);
const authCodes = new Set([
  'authentication_error',
  'permission_error',
  'invalid_api_key',
  'invalid_authentication',
]);
const rateCodes = new Set(['rate_limit_error', 'rate_limit_exceeded', 'rate_limit']);
const missingCodes = new Set(['model_not_found', 'not_found_error', 'deploymentnotfound']);
const refusedCodes = new Set(['invalid_request_error', 'badrequesterror', 'invalid_prompt']);

/** How providers word that a conversation does not fit, where they give no code for it. */
const tooLong =
  /prompt is too long|context (length|window|size)|maximum context|exceeds? the (available )?context|exceed context limit|too many (input )?tokens/i;

/** OpenAI says 429 of a single request that is larger than a minute's allowance, too: waiting does not shrink it. */
const largerThanMinute = /^request too large/i;

/** A key that is refused with some other status, as Google does with 400. */
const badKey = /\bapi[- ]key (is )?(not valid|invalid|expired)|(invalid|incorrect) api[- ]key/i;

/** Sorts a complaint. Codes are trusted over the status, since gateways choose statuses freely. */
export function kindOfComplaint({ status, type, code, message }: Complaint): ComplaintKind {
  const names = [type.toLowerCase(), code.toLowerCase()];
  const named = (codes: Set<string>) => names.some((name) => codes.has(name));
  if (named(filterCodes)) return 'filtered';
  if (names.includes('invalid_prompt') && /flagged|safety|usage polic/i.test(message)) return 'filtered';
  if (status === 402 || named(quotaCodes) || /credit balance is too low/i.test(message)) return 'quota';
  if (named(missingCodes) || status === 404) return 'not-found';
  if (status === 401 || status === 403 || named(authCodes) || badKey.test(message)) return 'auth';
  if (status === 413 || named(lengthCodes)) return 'too-long';
  // Before the wording: a rate limit may well speak of too many tokens.
  if (status === 429 || named(rateCodes)) return largerThanMinute.test(message) ? 'too-long' : 'rate-limit';
  if (tooLong.test(message)) return 'too-long';
  if (status === undefined) return named(refusedCodes) ? 'bad-request' : 'overloaded';
  if (status === 408) return 'network';
  if (status >= 500) return 'overloaded';
  return status >= 400 ? 'bad-request' : 'bad-answer';
}

/** Whether a server refused a request because it does not know, or does not take, the field of this name. */
export function refusesField({ status, field, message }: Complaint, name: string): boolean {
  if (status !== 400 && status !== 422) return false;
  if (field === '' ? !message.includes(name) : field !== name) return false;
  return /unsupported|not supported|unrecognized|unknown|unexpected|extra|not permitted|only allowed/i.test(
    message,
  );
}
