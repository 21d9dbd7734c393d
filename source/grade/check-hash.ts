import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { contentHash, sha256 } from '../base/hash.js';
import type { CheckSpec } from '../suite/types.js';
import { findCheck } from './registry.js';

/** A program that is larger is told apart by its size. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Hash of what a check asks, whatever it is called: a default that is written out is the same as one that is not, and
 * the contents of the files that it names belong to it. Without `suiteFolder` they are left out.
 */
export function checkHash(spec: CheckSpec, suiteFolder?: string): string {
  const { type, args, axis } = spec;
  const definition = findCheck(type);
  const on = isSame(spec.on, definition?.defaultOn) ? undefined : spec.on;
  const absolute = spec.absolute === (definition?.absoluteByDefault ?? false) ? undefined : spec.absolute;
  const files = suiteFolder === undefined ? [] : namedFiles(spec, suiteFolder);
  return contentHash({ type, args, on, absolute, axis, ...(files.length > 0 && { files }) });
}

function isSame(one: unknown, other: unknown): boolean {
  return contentHash(one) === contentHash(other);
}

/** Hashes of the files that a check reads or starts. What those load in turn is not followed. */
function namedFiles({ type, args }: CheckSpec, suiteFolder: string): string[] {
  const { file, module, command } = args;
  const named = [file, ...(type === 'custom' ? [module, ...(Array.isArray(command) ? command : [])] : [])];
  return named.flatMap((name) => {
    if (typeof name !== 'string') return [];
    try {
      const path = resolve(suiteFolder, name);
      const facts = statSync(path);
      if (!facts.isFile()) return [];
      return [facts.size > mostBytes ? `${facts.size} bytes` : sha256(readFileSync(path, 'latin1'))];
    } catch {
      // A program of the system, or a file that whoever reads it will complain of.
      return [];
    }
  });
}
