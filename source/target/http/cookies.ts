import type { Clock } from '../../base/clock.js';

/** Cookies of one session, as a browser would keep them; nothing is shared between sessions. */
export interface CookieJar {
  /** Takes what an answer from `url` set. */
  store(url: URL, setCookies: readonly string[]): void;
  /** Value of the `cookie` header for a request to `url`, undefined when there is none. */
  header(url: URL): string | undefined;
}

interface Cookie {
  name: string;
  value: string;
  domain: string;
  /** Set without a Domain attribute: for exactly this host. */
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
  /** Milliseconds since the epoch; undefined: as long as the session. */
  expires: number | undefined;
}

const mostCookies = 200;

/** The folder of a request's path: what a cookie without a Path is for (RFC 6265, 5.1.4). */
function defaultPath(url: URL): string {
  const end = url.pathname.lastIndexOf('/');
  return end <= 0 ? '/' : url.pathname.slice(0, end);
}

function domainMatches(host: string, { domain, isHostOnly }: Cookie): boolean {
  return host === domain || (!isHostOnly && host.endsWith(`.${domain}`));
}

function pathMatches(pathname: string, path: string): boolean {
  return (
    pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'))
  );
}

function parseCookie(text: string, url: URL, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = text.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals).trim();
  if (equals < 1 || name === '') return undefined;
  const cookie: Cookie = {
    name,
    value: pair.slice(equals + 1).trim(),
    domain: url.hostname,
    isHostOnly: true,
    path: defaultPath(url),
    isSecure: false,
    expires: undefined,
  };
  let maxAge: number | undefined;
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=');
    const value = rest.join('=').trim();
    switch (key.trim().toLowerCase()) {
      case 'domain':
        if (value !== '') {
          cookie.domain = value.replace(/^\./, '').toLowerCase();
          cookie.isHostOnly = false;
        }
        break;
      case 'path':
        if (value.startsWith('/')) cookie.path = value;
        break;
      case 'secure':
        cookie.isSecure = true;
        break;
      case 'max-age':
        if (/^-?\d+$/.test(value)) maxAge = Number(value);
        break;
      case 'expires': {
        const at = Date.parse(value);
        if (!Number.isNaN(at)) cookie.expires = at;
        break;
      }
    }
  }
  if (maxAge !== undefined) cookie.expires = maxAge <= 0 ? now : now + maxAge * 1000;
  // A server sets cookies for itself and the domains above it, for no other.
  return domainMatches(url.hostname, cookie) ? cookie : undefined;
}

/** An empty jar. */
export function createCookieJar(clock: Pick<Clock, 'now'>): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    store(url, setCookies) {
      for (const text of setCookies) {
        const cookie = parseCookie(text, url, clock.now());
        if (cookie === undefined) continue;
        const key = JSON.stringify([cookie.domain, cookie.path, cookie.name]);
        // Set anew it keeps its place; RFC 6265 orders by the time of creation.
        if (cookie.expires !== undefined && cookie.expires <= clock.now()) cookies.delete(key);
        else if (cookies.has(key) || cookies.size < mostCookies) cookies.set(key, cookie);
      }
    },
    header(url) {
      const now = clock.now();
      const isSafe = url.protocol === 'https:' || isLoopback(url.hostname);
      const pairs = [...cookies.values()]
        .filter((cookie) => cookie.expires === undefined || cookie.expires > now)
        .filter((cookie) => domainMatches(url.hostname, cookie) && pathMatches(url.pathname, cookie.path))
        .filter((cookie) => isSafe || !cookie.isSecure)
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join('; ');
    },
  };
}

/** Browsers treat this machine as safe: a backend under development has no certificate. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
