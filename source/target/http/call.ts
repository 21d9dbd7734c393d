import { UserError } from '../../base/errors.js';
import type { Json } from '../../base/json.js';
import { type Environment, environmentNames, fillFromEnvironment } from '../../project/environment.js';
import { type Secrets, takings } from '../../project/known-secrets.js';
import type { HttpCall } from '../../suite/target-specs.js';
import { compileTemplate, wholeTemplateName } from '../../suite/target-templates.js';
import { TargetError } from '../types.js';
import { type TemplateValues, valueText } from './values.js';

/** One call of an http target, its environment filled in and its templates read. */
export interface PreparedCall {
  /** For messages: which call, its method, and its path as it was written, so that no value can be in it. */
  label: string;
  method: HttpCall['method'];
  /** Environment variables that its headers and URL are made from: what to look at when access is denied. */
  variables: string[];
  /** The request for one session. Throws TargetError when a value is missing, or cannot stand where it should. */
  fill(values: TemplateValues): { url: URL; headers: Headers; body: string | undefined };
}

/** Where the backend is: the URL without its trailing slash and without user and password. */
export interface BaseAddress {
  href: string;
  /** Of a URL with user and password; `fetch` refuses those. */
  authorization: string | undefined;
}

export interface CallContext {
  base: BaseAddress;
  baseVariables: string[];
  headers: Readonly<Record<string, string>>;
  env: Environment;
  secrets: Secrets;
}

/** Reads `baseURL`. Throws UserError, in which the URL is not shown when it came from the environment. */
export function readBase(baseURL: string, env: Environment, secrets: Secrets): BaseAddress {
  const filled = fillFromEnvironment(baseURL, env, takings(secrets, 'perhaps keys'), 'baseURL');
  const shown = `baseURL (${baseURL.replace(/\/\/[^/@]*@/, '//')})`;
  let url: URL;
  try {
    url = new URL(filled);
  } catch {
    throw new UserError(`${shown} is not a URL`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UserError(`${shown} is not an http or https URL`);
  if (url.search !== '' || url.hash !== '')
    throw new UserError(`${shown} has a query or a fragment; paths are put after it`);
  return { authorization: takeCredentials(url, secrets), href: url.href.replace(/\/+$/, '') };
}

/** Takes user and password out of a URL; gives the header that says the same. */
function takeCredentials(url: URL, secrets: Secrets): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const password = decodeURIComponent(url.password);
  const encoded = Buffer.from(`${decodeURIComponent(url.username)}:${password}`, 'utf8').toString('base64');
  secrets.addKey('baseURL', encoded);
  if (password !== '') secrets.addKey('baseURL', password);
  url.username = '';
  url.password = '';
  return `Basic ${encoded}`;
}

/** The path without query, fragment, user and password, as it was written. */
function shownPath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}

/** Prepares one call; `key` is its name in the target (`send`). Throws UserError for a missing environment variable. */
export function prepareCall(key: string, call: HttpCall, context: CallContext): PreparedCall {
  const { base, env, secrets } = context;
  const fillWith = (are: 'keys' | 'perhaps keys', where: string) => (text: string) =>
    fillFromEnvironment(text, env, takings(secrets, are), where);
  const label = `${key} ${call.method} ${shownPath(call.path)}`;
  const headerTexts = { ...context.headers, ...call.headers };
  const fillPath = compileTemplate(
    call.path,
    fillWith('perhaps keys', `${key}.${call.method.toLowerCase()}`),
  );
  const isWhole = /^(https?:\/\/|\$\{)/.test(call.path);
  const fillHeaders = Object.entries(headerTexts).map(
    ([name, text]) => [name, compileTemplate(text, fillWith('keys', `headers.${name}`))] as const,
  );
  const fillBody = call.body === undefined ? undefined : compileBody(call.body);

  return {
    label,
    method: call.method,
    variables: [
      ...new Set(
        [...Object.values(headerTexts), call.path]
          .flatMap(environmentNames)
          .concat(isWhole ? [] : context.baseVariables),
      ),
    ],
    fill(values) {
      const headers = new Headers();
      if (base.authorization !== undefined && !isWhole) headers.set('authorization', base.authorization);
      if (fillBody !== undefined) headers.set('content-type', 'application/json');
      for (const [name, fill] of fillHeaders)
        setHeader(headers, name, fill(headerText(values, secrets)), label);
      const path = fillPath((name) => pathText(name, values, label));
      return {
        url: toUrl(isWhole ? path : `${base.href}${path}`, label),
        headers,
        body: fillBody && JSON.stringify(fillBody(values)),
      };
    },
  };
}

/** What is put into a header is most often a token that open gave: it is a secret from then on. */
function headerText(values: TemplateValues, secrets: Secrets): (name: string) => string {
  return (name) => {
    const text = valueText(values(name));
    if (text.length >= 8 && name !== 'account' && name !== 'scenario' && name !== 'tenant')
      secrets.add(name, text);
    return text;
  };
}

function setHeader(headers: Headers, name: string, value: string, label: string): void {
  try {
    headers.set(name, value);
  } catch {
    // The error of `Headers` repeats the value.
    throw new TargetError(
      'other',
      `${label}: the value of header ${name} has a character that no header can have`,
    );
  }
}

function pathText(name: string, values: TemplateValues, label: string): string {
  const text = valueText(values(name));
  if (text === '') throw new TargetError('other', `${label}: {{${name}}} is empty, and a path needs it`);
  // A lone surrogate cannot be percent-encoded.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

function toUrl(text: string, label: string): URL {
  // A URL drops such segments and the one before: another endpoint would be called.
  const path = text.replace(/[?#].*$/s, '');
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new TargetError(
      'other',
      `${label}: a value in the path is "." or "..", which would lead elsewhere`,
    );
  }
  try {
    return new URL(text);
  } catch {
    throw new TargetError('other', `${label}: what it is filled in to is not a URL`);
  }
}

/** A body, read once. `'{{name}}'` alone becomes the value itself, null when there is none. */
function compileBody(body: Json): (values: TemplateValues) => Json {
  if (typeof body === 'string') {
    const whole = wholeTemplateName(body);
    if (whole !== undefined) return (values) => values(whole) ?? null;
    const fill = compileTemplate(body);
    return (values) => fill((name) => valueText(values(name)));
  }
  if (Array.isArray(body)) {
    const items = body.map(compileBody);
    return (values) => items.map((item) => item(values));
  }
  if (typeof body === 'object' && body !== null) {
    const members = Object.entries(body).map(([key, value]) => [key, compileBody(value)] as const);
    return (values) => Object.fromEntries(members.map(([key, member]) => [key, member(values)]));
  }
  return () => body;
}
