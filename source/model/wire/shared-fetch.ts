import type { Fetch } from './options.js';
import { readProxies } from './proxies.js';

/** By the settings of their proxies: whoever asks the same server shares its connections. */
const opened = new Map<string, Promise<Fetch>>();

/**
 * The `fetch` of this process for requests to models, through the proxies of the environment. What is behind it is
 * loaded at the first request. Throws UserError for a proxy that is none.
 */
export function sharedFetch(env: Record<string, string | undefined>): Fetch {
  const proxies = readProxies(env);
  const id = JSON.stringify(proxies);
  return async (url, init) => {
    let fetch = opened.get(id);
    if (fetch === undefined) {
      fetch = import('./undici-fetch.js').then(({ createUndiciFetch }) => createUndiciFetch(proxies));
      opened.set(id, fetch);
    }
    return (await fetch)(url, init);
  };
}
