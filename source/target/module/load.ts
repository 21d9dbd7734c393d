import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { makeVisible } from '../../base/text.js';

/** What a module exports, under these names or as members of its default export. */
export interface ProductModule {
  open(params: object): unknown;
  send(
    session: unknown,
    message: string,
    tools: { onDelta: (delta: string) => void; signal: AbortSignal },
  ): unknown;
  close(session: unknown): unknown;
}

const wanted = ['open', 'send', 'close'] as const;

/** Loads a module without a build step: JavaScript as it is, TypeScript through jiti. Throws UserError. */
export async function loadProductModule(file: string): Promise<ProductModule> {
  if (!existsSync(file)) throw new UserError(`the module ${file} does not exist`);
  let loaded: unknown;
  try {
    loaded = await importFile(file);
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new UserError(`${file} cannot be loaded: ${makeVisible(what.split('\n')[0] ?? '')}`);
  }
  return readExports(loaded, basename(file));
}

async function importFile(file: string): Promise<unknown> {
  if (/^\.[cm]?js$/.test(extname(file))) return import(pathToFileURL(file).href);
  const { createJiti } = await import('jiti');
  // No cache on disk: it would be written into the user's node_modules.
  const jiti = createJiti(pathToFileURL(file).href, { fsCache: false });
  return jiti.import(file);
}

function readExports(loaded: unknown, name: string): ProductModule {
  const named = membersOf(loaded);
  const exported = typeof named.open === 'function' ? named : { ...named, ...membersOf(named.default) };
  for (const key of wanted) {
    if (typeof exported[key] === 'function') continue;
    const others = Object.keys(exported).filter(
      (other) => !wanted.some((one) => one === other) && other !== 'default',
    );
    const hint = suggest(key, others, 'other exports');
    throw new UserError(
      exported[key] === undefined
        ? `${name} exports no function ${key}; ${hint}`
        : `${name} exports ${key}, which is no function`,
    );
  }
  return exported as unknown as ProductModule;
}

function membersOf(value: unknown): Record<string, unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return {};
  return Object.fromEntries(Object.keys(value).map((key) => [key, Reflect.get(value, key)]));
}
