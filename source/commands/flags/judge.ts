import { UserError } from '../../base/errors.js';
import type { JudgeTestArgs } from '../judge.js';
import type { ReviewArgs } from '../review.js';
import { type Declare, jsonOption, plainOption } from './declare.js';

export const declareReview: Declare = (program, choose) => {
  program
    .command('review')
    .description("give your verdict on what the judge judged, one at a time, before you see the judge's")
    .argument('[run]', 'its id, the beginning of one, or "last"', 'last')
    .addOption(plainOption('list what is to be reviewed'))
    .option('--json', 'the same as JSON, with the conversations')
    .option('--transcript', 'have the model "reviewer" of the config read conversations, turn by turn')
    .option('--trial <scenario#n>', 'with --transcript: which; those that do not pass when left out')
    .action((run: string, options: Omit<ReviewArgs, 'run'> & { transcript?: boolean; trial?: string }) => {
      choose(async (io) => {
        if (options.transcript === true) {
          const { transcriptReviewCommand } = await import('../review-transcript.js');
          return transcriptReviewCommand({ run, ...options }, io);
        }
        if (options.trial !== undefined) throw new UserError('--trial goes with --transcript');
        const { reviewCommand } = await import('../review.js');
        return reviewCommand({ run, ...options }, io);
      });
    });
};

export const declareJudge: Declare = (program, choose) => {
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
      choose(async (io) => {
        const { judgeTestCommand } = await import('../judge.js');
        return judgeTestCommand({ name, ...options }, io);
      });
    });
};
