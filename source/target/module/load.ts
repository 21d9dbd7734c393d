import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { makeVisible } from '../../base/text.js';
import { type ProductThread, startProductThread, type ThreadListener } from './thread.js';

const wanted = ['open', 'send', 'close'] as const;

/**
 * Loads a module in a thread of its own, without a build step: JavaScript as it is, TypeScript through jiti. It exports
 * `open`, `send` and `close`, under these names or as members of its default export. Throws UserError.
 */
export async function loadProduct(file: string, listener: ThreadListener): Promise<ProductThread> {
  if (!existsSync(file)) throw new UserError(`the module ${file} does not exist`);
  const thread = await startProductThread(file, listener);
  const loading = await thread.loading;
  const mistake =
    'problem' in loading
      ? `${file} cannot be loaded: ${makeVisible(loading.problem.split('\n')[0] ?? '')}`
      : mistakeOf(loading.exports, basename(file));
  if (mistake === undefined) return thread;
  await thread.stop(mistake);
  throw new UserError(mistake);
}

function mistakeOf(exports: Readonly<Record<string, string>>, name: string): string | undefined {
  const missing = wanted.find((key) => exports[key] !== 'function');
  if (missing === undefined) return undefined;
  if (exports[missing] !== undefined) return `${name} exports ${missing}, which is no function`;
  const others = Object.keys(exports).filter(
    (other) => !wanted.some((one) => one === other) && other !== 'default',
  );
  return `${name} exports no function ${missing}; ${suggest(missing, others, 'other exports')}`;
}
