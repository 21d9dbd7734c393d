import type { ExitCode } from '../base/errors.js';
import type { CommandIo } from './io.js';

export interface GuardArgs {
  /** A commit or a range of commits; not set: the last commit. */
  range?: string;
  /** What is about to be committed. */
  staged?: boolean;
  json?: boolean;
}

export async function guardCommand(_args: GuardArgs, _io: CommandIo): Promise<ExitCode> {
  return 0;
}
