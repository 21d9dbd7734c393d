import type { ConfigArgs } from '../config.js';
import type { DoctorArgs } from '../doctor.js';
import { type Declare, jsonOption, plainOption } from './declare.js';

export const declareDoctor: Declare = (program, choose) => {
  program
    .command('doctor')
    .description('look at machine, terminal, keys, models and targets, and say what to do')
    .argument('[suites...]', 'whose models and targets to ask; those of all suites when left out')
    .option('--offline', 'ask no model and no product')
    .option('--timeout <seconds>', 'how long whoever is asked may take', '20')
    .addOption(plainOption('no spinner while something is waited for'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
One line a finding: ok, warn or fail, what, and what to do. Keys are looked at by name alone. Models are asked for
one word, backends for "reset" and "open", programs to start and answer "open", modules to load; nothing is sent to a
simulated model over a network. The account of a product that is asked is called evalrun-doctor.

Exit code 0: nothing is to be mended, though there may be warnings; 2: something is.`,
    )
    .action((suites: string[], options: Omit<DoctorArgs, 'suites'>) => {
      choose(async (io) => {
        const { doctorCommand } = await import('../doctor.js');
        return doctorCommand({ suites, ...options }, io);
      });
    });
};

export const declareConfig: Declare = (program, choose) => {
  const config = program
    .command('config')
    .description("your own settings, and where each comes from; they are yours, not the project's")
    .addOption(jsonOption())
    .action((options: { json?: boolean }) => run(choose, { do: 'show', ...options }));
  config
    .command('set')
    .description('keep a setting')
    .argument('<name>', 'theme, sort, suite or reviewer')
    .argument('<value>', 'what it is to be')
    .action((name: string, value: string) => run(choose, { do: 'set', name, value }));
  config
    .command('reset')
    .description('forget a setting, or all of them; asks first')
    .argument('[name]', 'theme, sort, suite or reviewer; all when left out')
    .option('--yes', 'ask nobody')
    .action((name: string | undefined, options: { yes?: boolean }) =>
      run(choose, { do: 'reset', name, ...options }),
    );
};

function run(choose: Parameters<Declare>[1], args: ConfigArgs): void {
  choose(async (io) => {
    const { configCommand } = await import('../config.js');
    return configCommand(args, io);
  });
}
