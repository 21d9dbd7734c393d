import type { BisectArgs } from '../bisect.js';
import { collect, type Declare, jsonOption, plainOption } from './declare.js';

export const declareBisect: Declare = (program, choose) => {
  program
    .command('bisect')
    .description('which words of an edited prompt broke a check')
    .argument(
      '[suite]',
      'name of a suite; may be left out when there is only one, or it was run last in a terminal',
    )
    .optionsGroup('What is looked into:')
    .option(
      '--good <prompt>',
      'passes: v14, a path, REF:PATH or a git revision; the deployed one when left out',
    )
    .option('--bad <prompt>', "fails: the same; the config's candidate when left out")
    .option(
      '--scenario <id>',
      'a scenario that fails under the bad prompt; repeatable, all as one outcome',
      collect,
    )
    .option(
      '--check <check>',
      'a check that does: its id, or SCENARIO/CHECK; repeatable. Without any, those that the last run of the bad prompt confirmed as regressions',
      collect,
    )
    .option('--split <unit>', 'how fine the change is cut: hunk, line or sentence; hunk when left out')
    .option(
      '--model <model>',
      "a name from the config or provider:model; the run's or the suite's when left out",
    )
    .option('--live-tools', 'call tools for real, as "live" in the file of tools says')
    .optionsGroup('How it goes:')
    .option(
      '--strategy <name>',
      'guided (a person steps through, in a terminal), auto, one-by-one or binary; with --simulate also all',
    )
    .option('--budget <n>', 'trials after which it stops; 200, or 300 for more than 16 hunks')
    .option('--repeat <n>', 'trials of a guided step: 6')
    .option(
      '--no-cure-check',
      'end with the finding, without trials of the narrowed prompt and the rest of the suite on it',
    )
    .option('--concurrency <n>', 'conversations in flight at once')
    .option('--seed <seed>', 'seed of all draws, to see a bisect again')
    .option(
      '--resume <bisect>',
      'go on with one: its id, the beginning of one, "last", or the path of its folder or journal',
    )
    .option('--dry-run', 'print what it would cost, and try nothing')
    .optionsGroup('What is kept:')
    .option(
      '--write [file]',
      'write the narrowed prompt, the bad one without the guilty hunks, as a new version',
    )
    .option('--report <file>', 'also write what was found: .md or .json; repeatable', collect)
    .option('--label <text>', 'a short name for the run')
    .option('--note <text>', 'a remark that is kept with the run')
    .addOption(plainOption('lines instead of the screen'))
    .addOption(jsonOption())
    .optionsGroup('How well it works, no agent asked:')
    .option('--simulate', 'play bisects of drawn prompts and print who is right with how many trials')
    .option('--rates <good,bad>', 'true pass rates without the guilty hunks and with them: .95,.3')
    .option('--hunks <n>', 'hunks between the two prompts: 16')
    .option('--guilty <kind>', 'single, both, either, additive, any-of-three, none or a-broken: single')
    .option('--runs <n>', 'bisects of each strategy: 100')
    .optionsGroup('Help:')
    .action((suite: string | undefined, options: Omit<BisectArgs, 'suite' | 'line'>) => {
      choose(async (io, line) => {
        const { bisectCommand } = await import('../bisect.js');
        return bisectCommand({ suite, ...options, line }, io);
      });
    });
};
