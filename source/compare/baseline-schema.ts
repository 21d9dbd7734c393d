import { z } from 'zod';

const line = z.string().min(1).max(2000);
const hash = z.string().regex(/^[0-9a-f]{12,64}$/, { error: 'expected the hexadecimal digits of a hash' });
const commit = z
  .string()
  .regex(/^[0-9a-f]{7,64}$/, { error: 'expected the hexadecimal digits of a commit' })
  .describe('Commit that the project stood at.');
const runId = z
  .string()
  .regex(/^\d{8}-\d{6}-[2-7a-z]{4}$/, { error: 'expected the id of a run, as in 20261130-142530-k3fz' });
const count = z.int().min(0);
/** Nobody runs a scenario more often, and counts are gone through one by one. */
const mostTrials = 100_000;
const trials = z
  .int()
  .min(0)
  .max(mostTrials, { error: `expected at most ${mostTrials} trials` });
const verdict = z.enum(['pass', 'warn', 'fail']);
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, { error: 'expected a time, as in 2026-11-30T14:25:30Z' });
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/, { error: 'expected a date, as in 2026-11-30' });

const usageSchema = z.strictObject({ input: count, output: count, cacheRead: count, cacheWrite: count });

const conditionSchema = z.strictObject({
  target: z.enum(['prompt', 'http', 'command', 'module']),
  model: line.describe('provider:model, or what --model says of a product.'),
  fixtures: z.enum(['recorded', 'live']).describe('What answered tool calls.'),
  prompt: z
    .strictObject({
      name: line,
      path: line,
      sha256: hash,
      commit: commit.exactOptional(),
      dirty: z.literal(true).exactOptional().describe('The file differed from that commit.'),
    })
    .exactOptional()
    .describe('Not set for a product that is given none.'),
  settings: z
    .strictObject({
      temperature: z.number().exactOptional(),
      maxTokens: count.exactOptional(),
      maxSteps: count.exactOptional(),
    })
    .exactOptional(),
  answered: z
    .strictObject({ models: z.array(line), versions: z.array(line) })
    .describe('What the product said of itself.'),
  judge: z.strictObject({ model: line, prompt: line, sha256: hash }).exactOptional(),
  user: z.strictObject({ model: line, prompt: line }).exactOptional().describe('Who plays the user.'),
  parts: z
    .strictObject({
      prompt: hash.exactOptional(),
      model: hash,
      settings: hash.exactOptional(),
      tools: hash.exactOptional(),
      target: hash,
      liveTools: hash.exactOptional(),
    })
    .describe('Hashes of what has to be the same for results to be of the same condition.'),
});

const expectationShape = {
  verdict: verdict.describe('What the counts say.'),
  passed: trials.describe('Trials that passed; one that warns counts.'),
  of: trials.min(1).describe('Graded trials of all runs that were counted.'),
  score: z.number().min(1).max(5).exactOptional().describe('Judged: the median over the trials.'),
  scores: z
    .record(z.string().regex(/^([1-4](\.\d+)?|5(\.0+)?)$/, { error: 'expected a score of 1 to 5' }), trials)
    .exactOptional()
    .describe('Judged: how many trials got which score.'),
};

const checkSchema = z.strictObject({
  ...expectationShape,
  axes: z
    .record(line, z.tuple([trials, trials]))
    .exactOptional()
    .describe('By axis that the check reports itself: trials that had it right, of how many.'),
  type: line,
  axis: line.exactOptional(),
  absolute: z.literal(true).exactOptional(),
  hash: hash.describe('Of what the check asks: when it changes, the check is not comparable.'),
  rubric: hash.exactOptional().describe('Judged: hash of what the judge is asked.'),
  known: z
    .union([z.literal(true), line])
    .exactOptional()
    .describe('It fails and that is known: why.'),
  condition: hash
    .exactOptional()
    .describe('Hash of the condition it was blessed under, where that is another than the one above.'),
});

const supersededSchema = z.strictObject({
  check: line,
  was: z
    .strictObject({ ...expectationShape, hash })
    .exactOptional()
    .describe('Not set: nothing was expected of it.'),
  how: z.enum(['blessed', 'saved']).describe('By evalrun baseline bless, or by a later save.'),
  reason: line.exactOptional(),
  by: line.exactOptional(),
  at: date,
  run: runId.describe('The run that the new expectation is from.'),
  prompt: line.exactOptional().describe('The prompt of that run.'),
  commit: commit.exactOptional(),
});

const scenarioSchema = z.strictObject({
  hash,
  parts: z.strictObject({ turns: hash, fixtures: hash, persona: hash }),
  simulatedUser: z.literal(true).exactOptional(),
  usage: z
    .strictObject({ trials: count, input: count, cacheRead: count })
    .exactOptional()
    .describe("The agent's tokens in the last run of the whole suite."),
  runs: z
    .array(runId)
    .exactOptional()
    .describe('Counted runs of this scenario and not of the whole suite, oldest first.'),
  checks: z.record(line, checkSchema),
  history: z.array(supersededSchema).exactOptional().describe('What was expected before, oldest first.'),
});

/** A baseline file: what one suite is known to do under one condition. */
export const baselineSchema = z.strictObject({
  suite: line,
  note: line.exactOptional(),
  condition: conditionSchema,
  lastRun: z
    .strictObject({
      id: runId,
      at: time.describe('When it started.'),
      commit: commit.exactOptional(),
      regradeOf: runId.exactOptional().describe('The run whose conversations it graded again.'),
      repeat: z.int().min(1),
      trials: count,
      cache: z.enum(['cold', 'warm', 'mixed', 'unknown']),
      tokens: z.strictObject({
        agent: usageSchema,
        judge: usageSchema,
        user: usageSchema.exactOptional(),
        isAgentPartial: z.literal(true).exactOptional(),
      }),
    })
    .describe('The last run of the whole suite that went in.'),
  runs: z.array(runId).describe('Runs that are counted, oldest first: none is counted twice.'),
  scenarios: z.record(line, scenarioSchema),
});

/** A baseline as it stands in its file. */
export type Baseline = z.output<typeof baselineSchema>;
export type BaselineScenario = Baseline['scenarios'][string];
export type BaselineCheck = BaselineScenario['checks'][string];
/** An expectation that another took the place of. */
export type Superseded = NonNullable<BaselineScenario['history']>[number];
