import type { BaselineBlessArgs, BaselineShowArgs } from '../baseline.js';
import type { BaselineSaveArgs } from '../baseline-save.js';
import type { GuardArgs } from '../guard.js';
import { collect, type Declare } from './declare.js';

export const declareBaseline: Declare = (program, choose) => {
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
      choose(async (io) => {
        const { baselineSaveCommand } = await import('../baseline-save.js');
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
        choose(async (io) => {
          const { baselineShowCommand, baselineLogCommand } = await import('../baseline.js');
          const command = name === 'show' ? baselineShowCommand : baselineLogCommand;
          return command({ suite, ...options }, io);
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
      choose(async (io) => {
        const { baselineBlessCommand } = await import('../baseline.js');
        return baselineBlessCommand({ scenario, check, ...options }, io);
      });
    });
};

export const declareGuard: Declare = (program, choose) => {
  program
    .command('guard')
    .description('refuse commits that change a prompt and what it is held against together')
    .argument('[range]', 'a commit, or a range as in origin/main..HEAD; the last commit when left out')
    .option('--staged', 'look at what is about to be committed, for a pre-commit hook')
    .option('--json', 'one JSON object on stdout and nothing else')
    .action((range: string | undefined, options: Omit<GuardArgs, 'range'>) => {
      choose(async (io) => {
        const { guardCommand } = await import('../guard.js');
        return guardCommand({ range, ...options }, io);
      });
    });
};
