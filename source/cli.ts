import { Command, CommanderError, Option } from 'commander';
import { withoutCommands } from './base/ci-commands.js';
import { type ExitCode, formatProblem, InputError, UserError } from './base/errors.js';
import { makeVisible } from './base/text.js';
import { readVersion } from './base/version.js';
import type { AttributeArgs } from './commands/attribute.js';
import type { BaselineBlessArgs, BaselineShowArgs } from './commands/baseline.js';
import type { BaselineSaveArgs } from './commands/baseline-save.js';
import type { CompareArgs } from './commands/compare.js';
import type { GuardArgs } from './commands/guard.js';
import type { HistoryArgs } from './commands/history.js';
import type { CommandIo } from './commands/io.js';
import type { JudgeTestArgs } from './commands/judge.js';
import type { RegradeArgs } from './commands/regrade.js';
import type { ReviewArgs } from './commands/review.js';
import type { RunArgs } from './commands/shared/run-args.js';
import { variablesHelp } from './project/variables.js';

/** Runs one command and gives its exit code; each is loaded only when it is chosen. */
type Chosen = () => Promise<ExitCode>;

/**
 * Parses the line and runs the command that it names. Everything that is the user's to mend is printed on stderr as
 * `evalrun: …` and gives the code of its error. Rejects only for mistakes of ours.
 */
export async function main(line: readonly string[], io: CommandIo): Promise<ExitCode> {
  try {
    const command = parseLine(withCommandName(line), io);
    return command ? await command() : 0;
  } catch (error) {
    if (error instanceof CommanderError) return commanderExit(error, io);
    if (error instanceof UserError) {
      if (error instanceof InputError) printProblems(error, io);
      else printErrors(error.message, io);
      return error.exitCode;
    }
    if (!isSystemError(error)) throw error;
    printErrors(error.message, io);
    return 2;
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
    });
  addRun(program, line, io, choose);
  addAttribute(program, line, io, choose);
  addShow(program, io, choose);
  addRuns(program, io, choose);
  addHistory(program, io, choose);
  addPrice(program, io, choose);
  addRegrade(program, line, io, choose);
  addReview(program, io, choose);
  addJudge(program, io, choose);
  addCheck(program, io, choose);
  addCompare(program, io, choose);
  addBaseline(program, io, choose);
  addGuard(program, io, choose);
  addSchema(program, io, choose);
  for (const command of [program, ...program.commands.filter((each) => each.name() === 'run')])
    command.addHelpText('after', variablesHelp);
  if (line.length === 0) {
    program.outputHelp();
    return undefined;
  }
  program.parse([...line], { from: 'user' });
  return chosen;
}

/** The two forms of output that are no screen. */
const plainOption = (what: string) => new Option('--plain', what).conflicts('json');
const jsonOption = () => new Option('--json', 'one JSON object on stdout and nothing else');

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];
const collectList = (value: string, before: string[] | undefined) => [...(before ?? []), ...value.split(',')];

function addRun(
  program: Command,
  line: readonly string[],
  io: CommandIo,
  choose: (command: Chosen) => void,
): void {
  program
    .command('run')
    .description('run suites')
    .argument('[suites...]', 'names of suites; may be left out when there is only one')
    .option('--suite <name>', 'the same, as a flag; repeatable', collect)
    .option('--scenario <glob>', 'only scenarios whose id fits, as in "refund-*"; repeatable', collect)
    .option('--tag <tag>', 'only scenarios with the tag; repeatable', collect)
    .option(
      '--model <model>',
      'a name from the config or provider:model; the second of two is compared with the first, more stand side by side',
      collectList,
    )
    .option(
      '--candidate [prompt]',
      "a prompt version instead of the deployed one: the config's candidate, v15, a path or REF:PATH",
    )
    .option(
      '--baseline <prompt>',
      'what to compare with: a prompt version, or a baseline file; the stored baseline when left out',
    )
    .option('--no-baseline', 'compare with nothing')
    .option(
      '--fail-on <list>',
      'what fails the gate: hard-criteria,score-drop,regression,drift,axis-drop,tokens,unknown,quarantine-expired',
    )
    .option('--aa', 'run one condition twice, for the noise floor of the suite; kept in its noise.yaml')
    .option(
      '--compare-simulated-users',
      'compare scenarios in which a model plays the user too; marked as confounded',
    )
    .option('--no-confirm', 'go red at once, without running suspects again')
    .option('--fixtures <folder>', "SCENARIO.yaml files whose fixtures stand in the place of the suite's")
    .addOption(
      new Option('--live-tools', 'call tools for real, as "live" in the file of tools says').conflicts(
        'fixtures',
      ),
    )
    .option('--repeat <n>', 'trials of every scenario')
    .option('--concurrency <n>', 'trials in flight at once')
    .option('--max-tokens <n>', 'start no further trial once the agent has used so many tokens')
    .option('--seed <seed>', 'seed of all draws, to see a run again')
    .option('--label <text>', 'a short name for the run')
    .option('--note <text>', 'a remark that is kept with the run')
    .option('--report <file>', 'also write a report: .json, .xml (JUnit), .md or .txt; repeatable', collect)
    .option('--resume <run>', 'go on with a run: its id, the beginning of one, or "last"')
    .addOption(plainOption('lines instead of the screen'))
    .addOption(jsonOption())
    .option('--dry-run', 'print the plan and run nothing')
    .action((suites: string[], options: Omit<RunArgs, 'suites' | 'line'> & { suite?: string[] }) => {
      const { suite = [], ...flags } = options;
      choose(async () => {
        const { runCommand } = await import('./commands/run.js');
        return runCommand({ ...flags, suites: [...suites, ...suite], line }, io);
      });
    });
}

function addAttribute(
  program: Command,
  line: readonly string[],
  io: CommandIo,
  choose: (command: Chosen) => void,
): void {
  program
    .command('attribute')
    .description('what of the difference between two prompts is theirs, and what is noise: each is run twice')
    .argument('[suite]', 'name of a suite; may be left out when there is only one')
    .option('--a <prompt>', 'a prompt version: v14, a path or REF:PATH; the deployed one when left out')
    .option('--b <prompt>', "the same; the config's candidate when left out")
    .option('--model <model>', 'a name from the config or provider:model')
    .option('--scenario <glob>', 'only scenarios whose id fits, as in "refund-*"; repeatable', collect)
    .option('--tag <tag>', 'only scenarios with the tag; repeatable', collect)
    .option('--compare-simulated-users', 'take scenarios in too in which a model plays the user; confounded')
    .option('--concurrency <n>', 'trials in flight at once')
    .option('--seed <seed>', 'seed of all draws, to see a run again')
    .option('--label <text>', 'a short name for the run')
    .addOption(plainOption('lines instead of the screen'))
    .addOption(jsonOption())
    .option('--dry-run', 'print the plan and run nothing')
    .action((suite: string | undefined, options: Omit<AttributeArgs, 'suite' | 'line'>) => {
      choose(async () => {
        const { attributeCommand } = await import('./commands/attribute.js');
        return attributeCommand({ ...(suite !== undefined && { suite }), ...options, line }, io);
      });
    });
}

function addShow(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('show')
    .description('open a past run again')
    .argument('[run]', 'its id, the beginning of one, or "last"', 'last')
    .option('--trial <scenario#n>', 'print a transcript; without #n all of the scenario')
    .addOption(plainOption('the closing report instead of the screen'))
    .option('--json', 'the report as JSON')
    .action((run: string, options: { trial?: string; plain?: boolean; json?: boolean }) => {
      choose(async () => {
        const { showCommand } = await import('./commands/show.js');
        return showCommand({ run, ...options }, io);
      });
    });
}

function addRuns(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('runs')
    .description('list past runs, newest first')
    .option('--json', 'the list as JSON')
    .option('--rebuild', 'derive all summaries from the journals again')
    .action((options: { json?: boolean; rebuild?: boolean }) => {
      choose(async () => {
        const { runsCommand } = await import('./commands/runs.js');
        return runsCommand(options, io);
      });
    });
}

function addHistory(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('history')
    .description('scores over time per suite and model, and whether they fall slowly')
    .argument('[suite]', 'its name; all when left out')
    .option('--model <model>', 'a name from the config or provider:model; all when left out')
    .addOption(plainOption('lines instead of the screen'))
    .option('--json', 'the scores as JSON')
    .action((suite: string | undefined, options: Omit<HistoryArgs, 'suite'>) => {
      choose(async () => {
        const { historyCommand } = await import('./commands/history.js');
        return historyCommand({ ...(suite !== undefined && { suite }), ...options }, io);
      });
    });
}

function addPrice(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('price')
    .description('what runs cost, from their tokens and a dated table of prices')
    .argument('<runs...>', 'their ids, beginnings of ids, or "last"')
    .option('--json', 'the same as JSON')
    .action((runs: string[], options: { json?: boolean }) => {
      choose(async () => {
        const { priceCommand } = await import('./commands/price.js');
        return priceCommand({ runs, ...options }, io);
      });
    });
}

function addRegrade(
  program: Command,
  line: readonly string[],
  io: CommandIo,
  choose: (command: Chosen) => void,
): void {
  program
    .command('regrade')
    .description("today's checks on the conversations of a past run; no agent is asked")
    .argument('<run>', 'its id, the beginning of one, or "last"')
    .option('--dry-run', 'print which verdicts would change and keep nothing')
    .addOption(plainOption('lines instead of the screen'))
    .addOption(jsonOption())
    .action((run: string, options: Omit<RegradeArgs, 'run' | 'line'>) => {
      choose(async () => {
        const { regradeCommand } = await import('./commands/regrade.js');
        return regradeCommand({ run, ...options, line }, io);
      });
    });
}

function addReview(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('review')
    .description("give your verdict on what the judge judged, one at a time, before you see the judge's")
    .argument('[run]', 'its id, the beginning of one, or "last"', 'last')
    .addOption(plainOption('list what is to be reviewed'))
    .option('--json', 'the same as JSON, with the conversations')
    .option('--transcript', 'have the model "reviewer" of the config read conversations, turn by turn')
    .option('--trial <scenario#n>', 'with --transcript: which; those that do not pass when left out')
    .action((run: string, options: Omit<ReviewArgs, 'run'> & { transcript?: boolean; trial?: string }) => {
      choose(async () => {
        if (options.transcript === true) {
          const { transcriptReviewCommand } = await import('./commands/review-transcript.js');
          return transcriptReviewCommand({ run, ...options }, io);
        }
        if (options.trial !== undefined) throw new UserError('--trial goes with --transcript');
        const { reviewCommand } = await import('./commands/review.js');
        return reviewCommand({ run, ...options }, io);
      });
    });
}

function addJudge(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('judge')
    .description('look after the judge')
    .command('test')
    .description('hold the judge against the verdicts of people in judges/NAME.labels.yaml')
    .argument('[name]', 'a judge prompt, as in default or default@2; that of the suites when left out')
    .option('--model <model>', 'a name from the config or provider:model; that of the suites when left out')
    .option('--floor <kappa>', 'fail when kappa is below this, as in 0.8')
    .option('--all', "with the labels that were given with the judge's verdict in view")
    .option('--save', "write the judge's answers into the labels, for the calibration that reports show")
    .addOption(jsonOption())
    .action((name: string | undefined, options: Omit<JudgeTestArgs, 'name'>) => {
      choose(async () => {
        const { judgeTestCommand } = await import('./commands/judge.js');
        return judgeTestCommand({ ...(name !== undefined && { name }), ...options }, io);
      });
    });
}

function addCheck(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('check')
    .description('read config and suites and name every mistake in them')
    .argument('[suites...]', 'names of suites; all when left out')
    .option('--show-config', 'print every setting and where it comes from')
    .action((suites: string[], options: { showConfig?: boolean }) => {
      choose(async () => {
        const { checkCommand } = await import('./commands/check.js');
        return checkCommand({ suites, ...options }, io);
      });
    });
}

function addCompare(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('compare')
    .description('hold a run against another or against a baseline, criterion by criterion')
    .argument(
      '<base>',
      'a run (its id, the beginning of one, "last"; RUN:CONDITION), a baseline file, "baseline"',
    )
    .argument('<candidate>', 'the same; "baseline" is that of the suite and model of the other side')
    .option('--compare-simulated-users', 'take scenarios in too in which a model plays the user; confounded')
    .addOption(plainOption('lines instead of the screen'))
    .addOption(jsonOption())
    .action((base: string, candidate: string, options: Omit<CompareArgs, 'base' | 'candidate'>) => {
      choose(async () => {
        const { compareCommand } = await import('./commands/compare.js');
        return compareCommand({ base, candidate, ...options }, io);
      });
    });
}

function addBaseline(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  const baseline = program.command('baseline').description('what the deployed version is known to do');
  baseline
    .command('save')
    .description('count a clean run in the baseline of its suite and model')
    .argument('[run]', 'its id, the beginning of one, or "last"', 'last')
    .option('--condition <name>', 'of several: its id, its model, or the name of its prompt')
    .option(
      '--known <scenario/check>',
      'a check that is known to fail, as in "refund/offers-credit: v16 mends it"; repeatable',
      collect,
    )
    .option('--note <text>', 'a remark that is kept in the file')
    .option('--yes', 'save without asking')
    .action((run: string, options: Omit<BaselineSaveArgs, 'run'>) => {
      choose(async () => {
        const { baselineSaveCommand } = await import('./commands/baseline-save.js');
        return baselineSaveCommand({ run, ...options }, io);
      });
    });
  for (const [name, description] of [
    ['show', 'print what is expected'],
    ['log', 'print how that came about: commits and superseded expectations, newest first'],
  ] as const) {
    baseline
      .command(name)
      .description(description)
      .argument('[suite]', 'name of a suite; all when left out')
      .option('--model <model>', 'only the baseline of this model')
      .option('--live', 'only those of live tools')
      .option('--json', 'one JSON object on stdout and nothing else')
      .action((suite: string | undefined, options: Omit<BaselineShowArgs, 'suite'>) => {
        choose(async () => {
          const { baselineShowCommand, baselineLogCommand } = await import('./commands/baseline.js');
          const command = name === 'show' ? baselineShowCommand : baselineLogCommand;
          return command({ ...(suite !== undefined && { suite }), ...options }, io);
        });
      });
  }
  baseline
    .command('bless')
    .description(
      'accept what a run shows of one criterion; there is no way to accept several at once, for each wants a look of its own',
    )
    .argument('<scenario>', 'id of the scenario')
    .argument('<check>', 'id of the check')
    .requiredOption('--reason <text>', 'why; it is kept in the file, and belongs into the commit message')
    .option('--run <run>', 'its id, the beginning of one, or "last"', 'last')
    .option('--condition <name>', 'of several: its id, its model, or the name of its prompt')
    .action((scenario: string, check: string, options: Omit<BaselineBlessArgs, 'scenario' | 'check'>) => {
      choose(async () => {
        const { baselineBlessCommand } = await import('./commands/baseline.js');
        return baselineBlessCommand({ scenario, check, ...options }, io);
      });
    });
}

function addGuard(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('guard')
    .description('refuse commits that change a prompt and what it is held against together')
    .argument('[range]', 'a commit, or a range as in origin/main..HEAD; the last commit when left out')
    .option('--staged', 'look at what is about to be committed, for a pre-commit hook')
    .option('--json', 'one JSON object on stdout and nothing else')
    .action((range: string | undefined, options: Omit<GuardArgs, 'range'>) => {
      choose(async () => {
        const { guardCommand } = await import('./commands/guard.js');
        return guardCommand({ ...(range !== undefined && { range }), ...options }, io);
      });
    });
}

function addSchema(program: Command, io: CommandIo, choose: (command: Chosen) => void): void {
  program
    .command('schema')
    .description('JSON Schemas of the files, for editors')
    .argument('[name]', 'which one; their names are listed when left out')
    .option('--out <folder>', 'write all of them, or the one, to this folder')
    .action((name: string | undefined, options: { out?: string }) => {
      choose(async () => {
        const { schemaCommand } = await import('./commands/schema.js');
        return schemaCommand({ ...(name !== undefined && { name }), ...options }, io);
      });
    });
}

/** What the system refused, a folder that cannot be read, say: its message names what and where. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
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
