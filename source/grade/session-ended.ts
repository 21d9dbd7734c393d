import { z } from 'zod';
import { defineCheck } from './define.js';
import { counted } from './quote.js';
import { selectTurns, undecided } from './turns.js';

const argsSchema = z.strictObject({
  by_turn: z
    .int()
    .min(1)
    .optional()
    .describe('In this turn (from 1) at the latest. Not given: in any turn of the conversation.'),
});
type Args = z.infer<typeof argsSchema>;

export const sessionEnded = defineCheck<Args>({
  type: 'session_ended',
  kind: 'hard',
  summary:
    'The product ended the session by itself. Unknown where the conversation was over before `by_turn` and the ' +
    'product had not ended it.',
  schema: argsSchema,
  example: { by_turn: 8 },
  mainArgument: (args) => (args.by_turn === undefined ? 'at all' : `by turn ${args.by_turn}`),
  grade(args, context) {
    const { turns, open } = selectTurns(context.transcript, 'replies');
    const { by_turn: deadline } = args;
    const ending = turns.find((turn) => turn.reply.ended === true);
    if (ending) {
      const evidence = [{ turn: ending.index }];
      const seen = `the product ended the session in turn ${ending.index}`;
      return deadline === undefined || ending.index <= deadline
        ? { verdict: 'pass', reason: seen, evidence }
        : { verdict: 'fail', reason: `expected an end by turn ${deadline}, but ${seen}`, evidence };
    }
    const finished = turns.filter((turn) => turn.reply.stop !== 'no-fixture');
    const isPast = deadline !== undefined && finished.some((turn) => turn.index >= deadline);
    if (open !== undefined && !isPast) return undecided(open);
    const had = counted(finished.length, 'turn');
    if (deadline !== undefined && !isPast)
      return {
        verdict: 'unknown',
        reason: `cannot be decided: the conversation had ${had}, and the product had until turn ${deadline} to end it`,
      };
    const last = finished.at(-1);
    return {
      verdict: 'fail',
      reason:
        deadline === undefined
          ? `expected the product to end the session, which it did not do in ${had}`
          : `expected the product to end the session by turn ${deadline}, which it did not do`,
      evidence: last ? [{ turn: last.index }] : [],
    };
  },
});
