import type { ConfigArgs } from '../config.js';
import { type Declare, jsonOption } from './declare.js';

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
