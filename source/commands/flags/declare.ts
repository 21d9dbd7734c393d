import { type Command, Option } from 'commander';
import type { ExitCode } from '../../base/errors.js';
import type { CommandIo } from '../io.js';

/** Runs the command that a line names and gives its exit code; each is loaded only then. `line`: its words. */
export type Chosen = (io: CommandIo, line: readonly string[]) => Promise<ExitCode>;

/** Adds a command with its flags to the program. Where the line names it, `choose` is told what to run. */
export type Declare = (program: Command, choose: (command: Chosen) => void) => void;

/** Lines in the place of the screen; `--json` says it too. */
export const plainOption = (what: string) => new Option('--plain', what).conflicts('json');

/** The output for programs. */
export const jsonOption = () => new Option('--json', 'one JSON object on stdout and nothing else');

/** Keeps the values of a flag that may be given several times. */
export const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

/** The same of values that are lists. */
export const collectList = (value: string, before: string[] | undefined) => [
  ...(before ?? []),
  ...value.split(','),
];
