import { Command, CommanderError } from 'commander';
import { withoutCommands } from './base/ci-commands.js';
import {
  type ExitCode,
  exitCodeOf,
  formatProblem,
  InputError,
  isSystemError,
  UserError,
} from './base/errors.js';
import { makeVisible } from './base/text.js';
import { readVersion } from './base/version.js';
import { declareBaseline, declareGuard } from './commands/flags/baseline.js';
import { declareBisect } from './commands/flags/bisect.js';
import type { Chosen } from './commands/flags/declare.js';
import { declareCheck, declareSchema } from './commands/flags/files.js';
import { declareJudge, declareReview } from './commands/flags/judge.js';
import { declareConfig, declareDoctor, declareInit } from './commands/flags/machine.js';
import {
  declareCompare,
  declareHistory,
  declarePrice,
  declareRuns,
  declareShow,
} from './commands/flags/past-runs.js';
import { declareAttribute, declareRegrade, declareRun } from './commands/flags/runs.js';
import { declareQuarantine, declareTriage } from './commands/flags/triage.js';
import type { CommandIo } from './commands/io.js';
import { isInteractive } from './commands/shared/terminal.js';
import { variablesHelp } from './project/variables.js';

/** In the order of the help. */
const declarations = [
  declareRun,
  declareAttribute,
  declareShow,
  declareRuns,
  declareHistory,
  declarePrice,
  declareRegrade,
  declareReview,
  declareJudge,
  declareCheck,
  declareCompare,
  declareBaseline,
  declareTriage,
  declareQuarantine,
  declareBisect,
  declareGuard,
  declareSchema,
  declareInit,
  declareDoctor,
  declareConfig,
];

/**
 * Parses the line and runs the command that it names. Everything that is the user's to mend is printed on stderr as
 * `evalrun: …` and gives the code of its error. Rejects only for mistakes of ours.
 */
export async function main(line: readonly string[], io: CommandIo): Promise<ExitCode> {
  try {
    const words = withCommandName(line);
    const command = parseLine(words, io);
    return command ? await command(io, words) : 0;
  } catch (error) {
    if (error instanceof CommanderError) return commanderExit(error, io);
    if (error instanceof InputError) printProblems(error, io);
    else if (error instanceof UserError || isSystemError(error)) printErrors(error.message, io);
    else throw error;
    return exitCodeOf(error);
  }
}

/** Flags without a command are flags of `run`: `evalrun --suite x --candidate y` is how CI jobs are written. */
function withCommandName(line: readonly string[]): readonly string[] {
  const [first] = line;
  const isFlag = first?.startsWith('-') === true;
  return isFlag && !['-h', '--help', '-V', '--version', '--'].includes(first) ? ['run', ...line] : line;
}

function parseLine(line: readonly string[], io: CommandIo): Chosen | undefined {
  let chosen: Chosen | undefined;
  const choose = (command: Chosen) => {
    chosen = command;
  };
  const program = new Command('evalrun')
    .description(
      'Runs fixed scenarios several times through an AI agent, grades what it did, and says what that proves.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Errors are printed by `main`, in one form.
      writeErr: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .addHelpText('after', variablesHelp);
  for (const declare of declarations) declare(program, choose);
  if (line.length === 0) {
    if (isInteractive(io)) return home(() => program.outputHelp());
    program.outputHelp();
    return undefined;
  }
  program.parse([...line], { from: 'user' });
  return chosen;
}

/** The screen that a person comes in by; outside of a project the help is printed. */
function home(printHelp: () => void): Chosen {
  return async (io) => {
    const { homeCommand } = await import('./commands/home.js');
    return homeCommand(printHelp, io);
  };
}

function commanderExit(error: CommanderError, io: CommandIo): ExitCode {
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') return 0;
  const isSuitePerhaps = error.code === 'commander.unknownCommand' && !error.message.includes('Did you mean');
  const hint = isSuitePerhaps ? '\nto run a suite: evalrun run SUITE' : '';
  printErrors(`${error.message.replace(/^error: /, '')}${hint}`, io);
  return 2;
}

/** One a line, and nothing before a place in a file, so that editors and CI logs make links of `file:line:column`. */
function printProblems({ problems }: InputError, io: CommandIo): void {
  for (const problem of problems) {
    const program = problem.line > 0 ? '' : 'evalrun: ';
    io.stderr.write(`${withoutCommands(program + makeVisible(formatProblem(problem)))}\n`);
  }
}

function printErrors(message: string, io: CommandIo): void {
  for (const line of message.split('\n'))
    io.stderr.write(`${withoutCommands(`evalrun: ${makeVisible(line)}`)}\n`);
}
