/** What is imported late of all of undici; see `base/yaml.ts`. */
export { EnvHttpProxyAgent, fetch } from 'undici';
