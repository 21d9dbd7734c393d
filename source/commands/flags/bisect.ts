import type { BisectArgs } from '../bisect.js';
import { type Declare, jsonOption } from './declare.js';

export const declareBisect: Declare = (program, choose) => {
  program
    .command('bisect')
    .description('how well the guilty words of an edit can be found, by simulation; no agent is asked')
    .option('--simulate', 'play bisects of drawn prompts and print who is right with how many trials')
    .option('--rates <good,bad>', 'true pass rates without the guilty hunks and with them: .95,.3')
    .option('--hunks <n>', 'hunks between the two prompts: 16')
    .option('--guilty <kind>', 'single, both, either, additive, any-of-three, none or a-broken: single')
    .option('--strategy <name>', 'auto, guided, one-by-one, binary or all: all')
    .option('--runs <n>', 'bisects of each strategy: 100')
    .option('--budget <n>', 'trials after which a bisect stops; 200, or 300 for more than 16 hunks')
    .option('--seed <seed>', 'seed of all draws: 1')
    .addOption(jsonOption())
    .action((options: BisectArgs) => {
      choose(async (io) => {
        const { bisectCommand } = await import('../bisect.js');
        return bisectCommand(options, io);
      });
    });
};
