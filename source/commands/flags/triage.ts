import type { QuarantineAddArgs } from '../quarantine.js';
import type { TriageArgs } from '../triage.js';
import { collect, type Declare, jsonOption, plainOption } from './declare.js';

export const declareTriage: Declare = (program, choose) => {
  program
    .command('triage')
    .description('what flips with nothing changed, what is quarantined, and what may be done about it')
    .argument('[suite]', 'its name; all when left out')
    .addOption(plainOption('lines'))
    .addOption(jsonOption())
    .action((suite: string | undefined, options: Omit<TriageArgs, 'suite'>) => {
      choose(async (io) => {
        const { triageCommand } = await import('../triage.js');
        return triageCommand({ suite, ...options }, io);
      });
    });
};

type Options<T> = Omit<T, 'scenario' | 'check'>;

export const declareQuarantine: Declare = (program, choose) => {
  const quarantine = program
    .command('quarantine')
    .description('what is known to flip: it runs and is shown, and counts in no verdict until a day');
  const command = (name: string, description: string) =>
    quarantine
      .command(name)
      .description(description)
      .argument('<scenario>', 'id of the scenario')
      .argument('[check]', 'id of the check; all of the scenario when left out')
      .option(
        '--suite <suite>',
        'its name; the only one, or in a terminal the one that was run last, when left out',
      )
      .option('--yes', 'write without asking');
  const until = '--until <day>';
  command('add', 'quarantine a scenario or one check of it')
    .requiredOption('--reason <text>', 'why it may flip; kept in the file')
    .option('--owner <name>', 'who sees to it that it ends; proposed from the git history of the scenario')
    .option(until, 'its last day, as in 2026-12-14; 14 days ahead when left out')
    .option(
      '--evidence <run>',
      'a run that showed it; the runs that flipped when left out; repeatable',
      collect,
    )
    .action((scenario: string, check: string | undefined, options: Options<QuarantineAddArgs>) => {
      choose(async (io) => {
        const { quarantineAddCommand } = await import('../quarantine.js');
        return quarantineAddCommand({ scenario, check, ...options }, io);
      });
    });
  command('release', 'let it count again').action(
    (scenario: string, check: string | undefined, options: { suite?: string; yes?: boolean }) => {
      choose(async (io) => {
        const { quarantineReleaseCommand } = await import('../quarantine.js');
        return quarantineReleaseCommand({ scenario, check, ...options }, io);
      });
    },
  );
  command('extend', 'move its last day')
    .option(until, 'its last day; 14 days ahead when left out')
    .action(
      (
        scenario: string,
        check: string | undefined,
        options: { suite?: string; yes?: boolean; until?: string },
      ) => {
        choose(async (io) => {
          const { quarantineExtendCommand } = await import('../quarantine.js');
          return quarantineExtendCommand({ scenario, check, ...options }, io);
        });
      },
    );
  quarantine
    .command('list')
    .description('what is quarantined')
    .argument('[suite]', 'its name; all when left out')
    .addOption(jsonOption())
    .action((suite: string | undefined, options: { json?: boolean }) => {
      choose(async (io) => {
        const { quarantineListCommand } = await import('../quarantine.js');
        return quarantineListCommand({ suite, ...options }, io);
      });
    });
};
