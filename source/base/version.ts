import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

interface PackageFacts {
  version: string;
  engines: { node: string };
}

function readPackage(): PackageFacts {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
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
