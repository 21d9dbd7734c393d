import { z } from 'zod';
import { addUsage, cacheHitRate, effectiveInput, noUsage } from '../model/types.js';
import type { Transcript } from '../play/types.js';
import { defineCheck } from './define.js';
import { selectTurns, undecided } from './turns.js';
import type { ArgumentMistake, CheckOutcome, CheckVerdict } from './types.js';

/** What can be limited, with the unit that a reason shows. `cache_hit_rate` has to be reached, all others kept. */
const measures = {
  input_tokens: { unit: 'tokens', says: 'All input tokens, those from the cache included.' },
  output_tokens: { unit: 'tokens', says: 'Output tokens.' },
  cache_read: { unit: 'tokens', says: 'Input tokens read from the cache.' },
  cache_write: { unit: 'tokens', says: 'Input tokens written to the cache.' },
  effective_input: {
    unit: 'tokens',
    says: 'Input in units of an uncached token: reads from the cache count 0.1, writes 1.25.',
  },
  cache_hit_rate: { unit: '', says: 'Share of the input read from the cache, 0 to 1; a lower limit.' },
  steps: { unit: 'model requests', says: 'Model requests.' },
  seconds: { unit: 'seconds', says: 'Seconds from each message to the end of its reply, added up.' },
} as const;
type Measure = keyof typeof measures;
const measureNames = Object.keys(measures) as Measure[];

const limit = (says: string) =>
  z
    .strictObject({
      warn: z.number().min(0).optional().describe('Past this the check warns.'),
      fail: z.number().min(0).optional().describe('Past this the check fails.'),
    })
    .optional()
    .describe(says);

const argsSchema = z.strictObject({
  input_tokens: limit(measures.input_tokens.says),
  output_tokens: limit(measures.output_tokens.says),
  cache_read: limit(measures.cache_read.says),
  cache_write: limit(measures.cache_write.says),
  effective_input: limit(measures.effective_input.says),
  cache_hit_rate: limit(measures.cache_hit_rate.says),
  steps: limit(measures.steps.says),
  seconds: limit(measures.seconds.says),
});
type Args = z.infer<typeof argsSchema>;

export const budget = defineCheck<Args>({
  type: 'budget',
  kind: 'hard',
  summary: 'What the agent used over the whole trial stays within limits; a limit itself is still allowed.',
  schema: argsSchema,
  example: { input_tokens: { warn: 20000, fail: 40000 }, cache_hit_rate: { warn: 0.5 } },
  mainArgument: (args) => measureNames.filter((name) => args[name]).join(' '),
  validate: mistakes,
  grade(args, context) {
    const { open } = selectTurns(context.transcript, 'replies');
    const used = measure(context.transcript);
    const outcomes = measureNames.flatMap((name) => {
      const limits = args[name];
      return limits ? [gradeLimit(name, limits, used[name], open)] : [];
    });
    const worst = (['fail', 'unknown', 'warn', 'pass'] as const).find((verdict) =>
      outcomes.some((outcome) => outcome.verdict === verdict),
    );
    if (!worst) return { verdict: 'unknown', reason: 'no limit is given' };
    if (worst === 'unknown' && open) return undecided(open);
    const reasons = outcomes.filter((outcome) => outcome.verdict === worst).map((outcome) => outcome.reason);
    return { verdict: worst, reason: reasons.join('; ') };
  },
});

/** What the agent used; undefined where that was not reported. */
function measure({ turns }: Transcript): Record<Measure, number | undefined> {
  const usage = turns.reduce((sum, turn) => addUsage(sum, turn.reply.usage), noUsage);
  const isReported = usage.input > 0 || usage.output > 0;
  const tokens = (count: number) => (isReported ? count : undefined);
  return {
    input_tokens: tokens(usage.input),
    output_tokens: tokens(usage.output),
    cache_read: tokens(usage.cacheRead),
    cache_write: tokens(usage.cacheWrite),
    effective_input: tokens(effectiveInput(usage)),
    cache_hit_rate: cacheHitRate(usage),
    steps: turns.reduce((sum, turn) => sum + turn.reply.steps, 0),
    seconds: turns.reduce((sum, turn) => sum + turn.ms, 0) / 1000,
  };
}

/** With `open` set the trial broke off: what is past its limit already stays so, everything else is unknown. */
function gradeLimit(
  name: Measure,
  limits: { warn?: number | undefined; fail?: number | undefined },
  used: number | undefined,
  open: string | undefined,
): CheckOutcome {
  if (used === undefined) return { verdict: 'unknown', reason: `${name}: the target reported no tokens` };
  const isLower = name === 'cache_hit_rate';
  const isPast = (edge: number | undefined) => edge !== undefined && (isLower ? used < edge : used > edge);
  const verdict: CheckVerdict = isPast(limits.fail) ? 'fail' : isPast(limits.warn) ? 'warn' : 'pass';
  if (open !== undefined && (verdict !== 'fail' || isLower)) return undecided(open);
  const edge = verdict === 'warn' ? limits.warn : (limits.fail ?? limits.warn);
  // Told of a warning, one wants to know how far from failing it is.
  const further =
    verdict === 'warn' && limits.fail !== undefined
      ? ` (fails ${isLower ? 'under' : 'over'} ${amount(name, limits.fail)})`
      : '';
  const relation = verdict === 'pass' ? 'within' : isLower ? 'under' : 'over';
  return {
    verdict,
    reason: `${name} ${amount(name, used)}, ${relation} the ${verdict === 'warn' ? 'warning' : 'limit'} of ${amount(name, edge ?? 0)}${further}`,
  };
}

function amount(name: Measure, value: number): string {
  // Three digits, so that a value just past its limit does not read as the limit itself.
  const text = value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  const { unit } = measures[name];
  return unit === '' ? text : `${text} ${unit}`;
}

function mistakes(args: Args): ArgumentMistake[] {
  const found: ArgumentMistake[] = [];
  const given = measureNames.filter((name) => args[name] !== undefined);
  if (given.length === 0)
    found.push({ path: [], message: `needs at least one limit: ${measureNames.join(', ')}` });
  for (const name of given) {
    const { warn, fail } = args[name] ?? {};
    if (warn === undefined && fail === undefined) found.push({ path: [name], message: 'needs warn or fail' });
    if (warn !== undefined && fail !== undefined && (name === 'cache_hit_rate' ? warn < fail : warn > fail))
      found.push({
        path: [name, 'warn'],
        message: `would never warn: it is past the limit at which the check fails (${fail})`,
      });
    if (name === 'cache_hit_rate' && ((warn ?? 0) > 1 || (fail ?? 0) > 1))
      found.push({ path: [name], message: 'is a share, 0 to 1' });
  }
  return found;
}
