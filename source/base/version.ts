import { readFileSync } from 'node:fs';

interface PackageFacts {
  version: string;
  engines: { node: string };
}

function readPackage(): PackageFacts {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(text) as PackageFacts;
}

/** The version of evalrun, from its package.json. */
export function readVersion(): string {
  return readPackage().version;
}

/** What evalrun wants of the programs that it runs in, from its package.json. */
export function readEngines(): PackageFacts['engines'] {
  return readPackage().engines;
}
