import { type ExitCode, UserError } from '../base/errors.js';
import { listed } from '../base/quote.js';
import type { SimulateArgs } from './bisect-simulate.js';
import type { CommandIo } from './io.js';
import type { LookArgs } from './shared/bisect-choice.js';

/** The flags of `evalrun bisect`, as the line gave them. */
export interface BisectArgs extends LookArgs, SimulateArgs {
  simulate?: boolean;
}

/** What goes with both. */
type Shared = 'strategy' | 'budget' | 'seed' | 'json';

const onlySimulated = ['rates', 'hunks', 'guilty', 'runs'] as const satisfies Exclude<
  keyof SimulateArgs,
  Shared
>[];

const neverSimulated = [
  'suite',
  'good',
  'bad',
  'scenario',
  'check',
  'split',
  'model',
  'liveTools',
  'repeat',
  'cureCheck',
  'concurrency',
  'resume',
  'dryRun',
  'write',
  'report',
  'label',
  'note',
  'plain',
] as const satisfies Exclude<keyof LookArgs, Shared | 'line'>[];

/** Flags that would make another bisect of the one that is resumed. */
const notWithResume = [
  'suite',
  'good',
  'bad',
  'scenario',
  'check',
  'split',
  'model',
  'liveTools',
  'repeat',
  'cureCheck',
  'seed',
  'label',
  'note',
  'dryRun',
] as const satisfies (keyof LookArgs)[];

/**
 * `evalrun bisect`: which hunks between a good prompt and a bad one make a check fail; with `--simulate` how well that is
 * found, on drawn prompts and without any agent. Exit code 0: found and confirmed, 1: it is not the prompt, 3: nothing
 * that it would say aloud, 130: interrupted, `--resume` goes on.
 */
export async function bisectCommand(args: BisectArgs, io: CommandIo): Promise<ExitCode> {
  if (args.simulate === true) {
    refuse(args, neverSimulated, '--simulate plays bisects of drawn prompts');
    const { simulateCommand } = await import('./bisect-simulate.js');
    return simulateCommand(args, io);
  }
  const simulated = givenOf(args, onlySimulated);
  if (simulated.length > 0)
    throw new UserError(
      `${listed(simulated, 'and')} ${simulated.length === 1 ? 'goes' : 'go'} with --simulate`,
    );
  if (args.resume !== undefined) {
    refuse(args, notWithResume, '--resume goes on with a bisect as it was planned');
    const { resumeBisect } = await import('./shared/bisect-resume.js');
    return resumeBisect(args, args.resume, io);
  }
  const { beginBisect } = await import('./shared/bisect-begin.js');
  return beginBisect(args, io);
}

function refuse(args: BisectArgs, names: readonly (keyof BisectArgs)[], why: string): void {
  const given = givenOf(args, names);
  if (given.length > 0) throw new UserError(`${why}; it does not go with ${listed(given, 'or')}`);
}

/** Those of the flags that the line gave. */
function givenOf(args: BisectArgs, names: readonly (keyof BisectArgs)[]): string[] {
  // `cureCheck` is true where the line says nothing of it.
  return names
    .filter((name) => args[name] !== undefined && !(name === 'cureCheck' && args.cureCheck === true))
    .map(flagName);
}

function flagName(name: keyof BisectArgs): string {
  if (name === 'suite') return 'a suite';
  if (name === 'cureCheck') return '--no-cure-check';
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
