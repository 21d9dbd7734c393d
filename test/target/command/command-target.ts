import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { systemClock } from '../../../source/base/clock.js';
import type { CommandTargetSpec } from '../../../source/suite/target-specs.js';
import { type CommandTargetOptions, createCommandTarget } from '../../../source/target/command.js';
import type { Target } from '../../../source/target/types.js';

const programs = fileURLToPath(new URL('./programs/', import.meta.url));
const running = new Set<Target>();

afterEach(async () => {
  await Promise.all([...running].map((target) => target.close?.()));
  running.clear();
});

/** A target that runs one of the programs beside this file, closed after the test. */
export function commandTarget(
  program: string,
  more: Partial<CommandTargetSpec> = {},
  options: Partial<CommandTargetOptions> = {},
): Target {
  const spec: CommandTargetSpec = {
    kind: 'command',
    command: [process.execPath, `${program}.mjs`],
    cwd: programs,
    env: {},
    timeoutSeconds: 20,
    ...more,
  };
  const target = createCommandTarget(spec, {
    env: process.env,
    clock: systemClock,
    graceMs: { exit: 2000, kill: 2000 },
    ...options,
  });
  running.add(target);
  return target;
}

/** Whether a process with this number runs. One that has ended and was not yet taken notice of does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !/\) [ZX] /.test(readFileSync(status, 'utf8'));
}
