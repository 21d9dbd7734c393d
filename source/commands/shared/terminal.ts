import type { CommandIo } from '../io.js';

/** Whether there is a person at a terminal that can show screens: not in CI, not in a pipe, not on a dumb terminal. */
export function isInteractive({ stdin, stdout, env }: CommandIo): boolean {
  const isCi = env.CI !== undefined && !['', '0', 'false'].includes(env.CI.toLowerCase());
  return Boolean(stdin.isTTY && stdout.isTTY) && !isCi && env.TERM !== 'dumb';
}

/** Whether a command opens its screens: there is a person, and nobody asked for lines or JSON. */
export function isOnScreen(args: { plain?: boolean; json?: boolean }, io: CommandIo): boolean {
  return args.plain !== true && args.json !== true && isInteractive(io);
}
