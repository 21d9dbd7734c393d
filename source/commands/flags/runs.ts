import { Option } from 'commander';
import { failOnNames } from '../../project/gate-settings.js';
import { variablesHelp } from '../../project/variables.js';
import type { AttributeArgs } from '../attribute.js';
import type { RegradeArgs } from '../regrade.js';
import type { RunArgs } from '../shared/run-args.js';
import { collect, collectList, type Declare, jsonOption, plainOption } from './declare.js';

export const declareRun: Declare = (program, choose) => {
  program
    .command('run')
    .description('run suites')
    .argument(
      '[suites...]',
      'names of suites; may be left out when there is only one, or it was run last in a terminal',
    )
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
    .option('--fail-on <list>', `what fails the gate: ${failOnNames.join(',')}`)
    .option('--aa', 'run one condition twice, for the noise floor of the suite; kept in its noise.yaml')
    .option(
      '--compare-simulated-users',
      'compare scenarios in which a model plays the user too; marked as confounded',
    )
    .option('--no-confirm', 'go red at once, without running suspects again')
    .option(
      '--bisect-on-red',
      'after a red gate find the words that did it, a bisect for each scenario that regressed; on a screen when it has closed',
    )
    .option('--budget <n>', 'trials of all these bisects together: 200')
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
    .addHelpText('after', variablesHelp)
    .action((suites: string[], options: Omit<RunArgs, 'suites' | 'line'> & { suite?: string[] }) => {
      const { suite = [], ...flags } = options;
      choose(async (io, line) => {
        const { runCommand } = await import('../run.js');
        return runCommand({ ...flags, suites: [...suites, ...suite], line }, io);
      });
    });
};

export const declareAttribute: Declare = (program, choose) => {
  program
    .command('attribute')
    .description('what of the difference between two prompts is theirs, and what is noise: each is run twice')
    .argument(
      '[suite]',
      'name of a suite; may be left out when there is only one, or it was run last in a terminal',
    )
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
      choose(async (io, line) => {
        const { attributeCommand } = await import('../attribute.js');
        return attributeCommand({ suite, ...options, line }, io);
      });
    });
};

export const declareRegrade: Declare = (program, choose) => {
  program
    .command('regrade')
    .description("today's checks on the conversations of a past run; no agent is asked")
    .argument('<run>', 'its id, the beginning of one, or "last"')
    .option('--dry-run', 'print which verdicts would change and keep nothing')
    .addOption(plainOption('lines instead of the screen'))
    .addOption(jsonOption())
    .action((run: string, options: Omit<RegradeArgs, 'run' | 'line'>) => {
      choose(async (io, line) => {
        const { regradeCommand } = await import('../regrade.js');
        return regradeCommand({ run, ...options, line }, io);
      });
    });
};
