import { readProxies } from './proxies.js';

/**
 * The whole `fetch`, through the proxies of the environment where it names some: the global one knows of none. Throws
 * UserError for a proxy that is none.
 */
export function proxiedFetch(env: Readonly<Record<string, string | undefined>>): typeof fetch {
  const proxies = readProxies(env);
  if (proxies.http === undefined && proxies.https === undefined) return globalThis.fetch;
  let opened: Promise<typeof fetch> | undefined;
  return async (url, init) => {
    opened ??= import('./undici-fetch.js').then(({ createWholeFetch }) => createWholeFetch(proxies));
    return (await opened)(url, init);
  };
}
