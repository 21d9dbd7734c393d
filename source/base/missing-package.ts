import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quote } from './quote.js';

/**
 * What to do where a package that evalrun stands on is not installed, or only in part; undefined for every other
 * error. `program` is the URL of the file that was started, in `dist/` or `source/` of where evalrun is installed.
 */
export function findMissingPackage(error: unknown, program: string): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!(error instanceof Error) || (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND')) {
    return undefined;
  }
  const [, missing = ''] = /Cannot find (?:package|module) '([^']+)'/.exec(error.message) ?? [];
  const name = packageOf(missing);
  const root = dirname(dirname(fileURLToPath(program)));
  // A product that runs in this process has packages of its own.
  const importer = / imported from (.+)$/m.exec(error.message)?.[1] ?? /^- (.+)$/m.exec(error.message)?.[1];
  const isOurs = importer === undefined || resolve(importer).startsWith(`${root}${sep}`);
  if (name === undefined || !isOurs) return undefined;
  return `a package is missing: ${quote(name)} is not installed, or only in part; run npm ci in ${root}`;
}

/** The package that a bare name or a path into `node_modules` means; undefined for other paths. */
function packageOf(missing: string): string | undefined {
  const inside = missing.split(/[/\\]node_modules[/\\]/);
  const path = inside.length > 1 ? (inside.at(-1) ?? '') : missing;
  if (path === '' || (inside.length === 1 && /^(?:[./\\]|[A-Za-z]:|file:)/.test(path))) return undefined;
  const [first = '', second = ''] = path.split(/[/\\]/);
  return first.startsWith('@') ? `${first}/${second}` : first;
}
