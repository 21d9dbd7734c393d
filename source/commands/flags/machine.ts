import type { ConfigArgs } from '../config.js';
import type { DoctorArgs } from '../doctor.js';
import type { InitArgs } from '../init.js';
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

export const declareInit: Declare = (program, choose) => {
  program
    .command('init')
    .description('write a first suite into a project, and run it on a simulated model')
    .argument('[folder]', 'where the project is; this one when left out')
    .option('--target <kind>', 'what is tested: prompt, http, command or module')
    .option('--suite <name>', 'name of the suite')
    .option('--prompt <file>', 'the prompt that is tested, or that reaches the product')
    .option('--url <address>', 'where a backend takes messages, as in http://127.0.0.1:3000/chat')
    .option('--command <line>', 'how a program is started, as in "python3 agent.py"')
    .option('--module <file>', 'a TypeScript or JavaScript module')
    .option('--no-simulated', 'no simulated suite beside that of a product')
    .option('--no-run', 'write and check it only')
    .option('--yes', 'ask nobody; what is not said is as usual')
    .addOption(plainOption('lines instead of the screen'))
    .addHelpText(
      'after',
      `
Nothing is overwritten, and nothing is written before the last question is answered. Without a terminal nobody is
asked: give --yes, or flags that say what is tested. Of a product only the simulated suite is run; "evalrun doctor"
is the first to ask the product itself.`,
    )
    .action((folder: string | undefined, options: Omit<InitArgs, 'folder' | 'line'>) => {
      choose(async (io, line) => {
        const { initCommand } = await import('../init.js');
        return initCommand({ folder, ...options, line }, io);
      });
    });
};
