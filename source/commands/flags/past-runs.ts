import type { CompareArgs } from '../compare.js';
import type { HistoryArgs } from '../history.js';
import { type Declare, jsonOption, plainOption } from './declare.js';

export const declareShow: Declare = (program, choose) => {
  program
    .command('show')
    .description('open a past run again')
    .argument('[run]', 'its id, the beginning of one, or "last"', 'last')
    .option('--trial <scenario#n>', 'print a transcript; without #n all of the scenario')
    .addOption(plainOption('the closing report instead of the screen'))
    .option('--json', 'the report as JSON')
    .action((run: string, options: { trial?: string; plain?: boolean; json?: boolean }) => {
      choose(async (io) => {
        const { showCommand } = await import('../show.js');
        return showCommand({ run, ...options }, io);
      });
    });
};

export const declareRuns: Declare = (program, choose) => {
  program
    .command('runs')
    .description('list past runs, newest first')
    .option('--json', 'the list as JSON')
    .option('--rebuild', 'derive all summaries from the journals again')
    .action((options: { json?: boolean; rebuild?: boolean }) => {
      choose(async (io) => {
        const { runsCommand } = await import('../runs.js');
        return runsCommand(options, io);
      });
    });
};

export const declareHistory: Declare = (program, choose) => {
  program
    .command('history')
    .description('scores over time per suite and model, and whether they fall slowly')
    .argument('[suite]', 'its name; all when left out')
    .option('--model <model>', 'a name from the config or provider:model; all when left out')
    .addOption(plainOption('lines instead of the screen'))
    .option('--json', 'the scores as JSON')
    .action((suite: string | undefined, options: Omit<HistoryArgs, 'suite'>) => {
      choose(async (io) => {
        const { historyCommand } = await import('../history.js');
        return historyCommand({ suite, ...options }, io);
      });
    });
};

export const declarePrice: Declare = (program, choose) => {
  program
    .command('price')
    .description('what runs cost, from their tokens and a dated table of prices')
    .argument('<runs...>', 'their ids, beginnings of ids, or "last"')
    .option('--json', 'the same as JSON')
    .action((runs: string[], options: { json?: boolean }) => {
      choose(async (io) => {
        const { priceCommand } = await import('../price.js');
        return priceCommand({ runs, ...options }, io);
      });
    });
};

export const declareCompare: Declare = (program, choose) => {
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
      choose(async (io) => {
        const { compareCommand } = await import('../compare.js');
        return compareCommand({ base, candidate, ...options }, io);
      });
    });
};
