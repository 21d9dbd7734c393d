import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support.js';

/** A file that is always full; only where the system has it. */
const full = '/dev/full';

describe.runIf(existsSync(full))('an output that cannot be written', () => {
  it.each([
    { args: ['--version'], out: 1 },
    { args: ['--help'], out: 1 },
    { args: ['check'], out: 1 },
    { args: ['run', 'nosuch'], out: 2 },
  ])('ends $args with exit code 3 and one message at most when fd $out is full', ({ args, out }) => {
    const fd = openSync(full, 'w');
    try {
      const { status, signal, stderr } = spawnSync(
        process.execPath,
        [path.join(root, 'dist/evalrun.js'), ...args],
        {
          cwd: root,
          encoding: 'utf8',
          timeout: 30_000,
          stdio: ['ignore', out === 1 ? fd : 'pipe', out === 2 ? fd : 'pipe'],
        },
      );
      expect({ status, signal }).toEqual({ status: 3, signal: null });
      if (out === 1) expect(stderr).toMatch(/^evalrun: what it says could not be written: ENOSPC[^\n]*\n$/);
    } finally {
      closeSync(fd);
    }
  });
});
