import { UserError } from '../../base/errors.js';

/** The proxies that an environment names. */
export interface ProxySettings {
  /** For `http:` addresses. */
  http: string | undefined;
  /** For `https:` addresses. */
  https: string | undefined;
  /** Hosts that are asked directly, in the form of `NO_PROXY`. */
  exceptions: string;
}

/** A server on this machine is never asked through a proxy, which would look for it on its own. */
const thisMachine = 'localhost,127.0.0.1,[::1]';

/**
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in capitals or not, as other programs read them: small letters win, an
 * empty variable is none, a proxy without a scheme is an http one. Without one for https that of http is used for
 * both. Throws UserError, which names the variable alone, for a value that is no proxy: a password may stand in it.
 */
export function readProxies(env: Record<string, string | undefined>): ProxySettings {
  const read = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const readProxy = (name: string) => {
    const text = read(name)?.trim();
    if (text === undefined || text === '') return undefined;
    const url = text.includes('://') ? text : `http://${text}`;
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
    throw new UserError(`${name} names no proxy; write it as in http://proxy.example.org:3128`);
  };
  const http = readProxy('HTTP_PROXY');
  const exceptions = read('NO_PROXY')?.trim();
  return {
    http,
    https: readProxy('HTTPS_PROXY') ?? http,
    exceptions:
      exceptions === '*'
        ? exceptions
        : [exceptions, thisMachine].filter((part) => part !== undefined).join(','),
  };
}

/** Whether an address is asked through a proxy, by the rules that undici goes by: a host of `NO_PROXY`, or below one, is not. */
export function isProxied({ http, https, exceptions }: ProxySettings, url: URL): boolean {
  if ((url.protocol === 'https:' ? https : http) === undefined || exceptions === '*') return false;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return !exceptions.split(/[,\s]+/).some((entry) => {
    const [, name = entry, only = port] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const host = name.replace(/^\*?\./, '').toLowerCase();
    return host !== '' && only === port && (url.hostname === host || url.hostname.endsWith(`.${host}`));
  });
}
