import { z } from 'zod';
import { finding } from './bisect-schema.js';

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const text = z.string();
const verdict = z.enum(['pass', 'warn', 'fail', 'unknown', 'error']);
const checkVerdict = z.enum(['pass', 'warn', 'fail', 'unknown']);
const time = z.iso.datetime();

const usage = z.object({
  input: count.describe('All input tokens, of which cacheRead and cacheWrite are parts.'),
  output: count,
  cacheRead: count,
  cacheWrite: count,
});

const ledger = usage.extend({
  cacheHitRate: share.nullable(),
  effectiveInput: z
    .number()
    .describe('In uncached tokens: one from the cache counts 0.1, one written to it 1.25.'),
});

const ledgers = z.object({
  agent: usage,
  judge: usage,
  user: usage.optional(),
  isAgentPartial: z.literal(true).optional(),
});

const condition = z.object({
  id: text,
  target: z.enum(['prompt', 'http', 'command', 'module']),
  promptName: text,
  promptPath: text.optional(),
  promptSha256: text.optional(),
  promptCommit: text.optional(),
  promptDirty: z.boolean(),
  model: text,
  temperature: z.number().optional(),
  maxTokens: count.optional(),
  maxSteps: count.optional(),
  liveTools: z.literal(true).optional(),
  standby: z.literal(true).optional(),
  parts: z.record(text, text),
  hash: text,
});

const rate = z.object({ passed: count, of: count, scenarios: count, interval: z.tuple([share, share]) });
const axisRate = rate.extend({ axis: text, share });

const passRate = z.object({ passed: count, of: count });
const criterion = z.object({ scenario: text, check: text });
const proof = z.enum(['violation', 'suspect', 'confirmed', 'not-confirmed']);
const movement = z.object({ from: z.number(), to: z.number() });

const evidence = z.looseObject({
  id: text,
  kind: z.enum(['hard', 'judged']),
  absolute: z.boolean(),
  verdict: checkVerdict,
  passed: count,
  of: count,
  score: z.number().optional(),
  fresh: passRate
    .extend({
      score: z.number().optional(),
      ungraded: count.optional().describe('Trials of the re-run that could not be graded.'),
    })
    .optional(),
  why: text.optional(),
});

const side = z.looseObject({
  kind: z.enum(['run', 'baseline']),
  suite: text,
  runId: text,
  at: time,
  repeat: count,
  condition: z.looseObject({ promptName: text, model: text, hash: text }),
  cache: z.enum(['cold', 'warm', 'mixed', 'unknown']),
  tokens: ledgers,
  trials: count,
  taints: z.array(text),
  isComplete: z.boolean(),
});

const comparison = z.looseObject({
  refused: z.array(text).optional().describe('Why nothing can be compared.'),
  base: side,
  candidate: side,
  differences: z.array(z.object({ part: text, from: text, to: text })),
  changes: z.array(
    criterion.extend({
      kind: z.enum(['hard', 'judged']),
      absolute: z.boolean(),
      direction: z.enum(['regression', 'drift', 'fixed', 'better', 'new', 'gone', 'not-comparable']),
      from: evidence.optional(),
      to: evidence.optional(),
      why: z.array(text).optional(),
      proof: proof.optional(),
      p: z.number().optional(),
      needs: z.number().optional(),
    }),
  ),
  same: count.describe('Criteria on both sides that did not change.'),
  quarantined: z
    .array(criterion.extend({ verdict: checkVerdict, passed: count, of: count }))
    .optional()
    .describe('Criteria that are quarantined in the candidate: in none of the lists.'),
  sign: z.object({ better: count, worse: count, p: z.number() }),
  score: z
    .looseObject({
      from: z.number(),
      to: z.number(),
      cases: count,
      pooled: movement.optional(),
      p: z.number().optional(),
      proof: proof.optional(),
    })
    .nullable(),
  axes: z.array(z.looseObject({ axis: text, from: passRate, to: passRate })),
  tokens: z.object({
    notComparable: text.optional(),
    inputRatio: z.number().optional(),
    hitRate: movement.optional(),
    level: z.enum(['ok', 'warn', 'fail']),
  }),
});

const check = z.looseObject({
  id: text,
  type: text.nullable(),
  kind: z.enum(['hard', 'judged']).nullable(),
  verdict: checkVerdict.nullable(),
  passed: count,
  of: count.describe('Graded trials.'),
  interval: z.tuple([share, share]).describe("Jeffreys' interval of the rate, 95 %."),
  counts: z.object({ pass: count, warn: count, fail: count, unknown: count, error: count }),
  scores: z.array(z.number()).nullable(),
  quarantined: z.boolean().describe('It counts in no verdict.'),
  calibration: z
    .union([
      z.object({
        calibrated: z.literal(true),
        cases: count,
        agreed: count,
        kappa: z.looseObject({}).nullable(),
      }),
      z.object({ calibrated: z.literal(false), why: text }),
    ])
    .nullable()
    .describe(
      'How far the judge agrees with the labels of people on this rubric; null where no judge is asked.',
    ),
  why: text.nullable(),
});

const scenario = z.looseObject({
  id: text,
  hash: text,
  tags: z.array(text),
  source: text.nullable(),
  verdict: verdict.nullable(),
  partial: z.boolean().describe('Trials are missing: the verdict may still change.'),
  quarantined: z.boolean().describe('All of its checks are: its verdict counts for nothing.'),
  why: z.object({ check: text.nullable(), reason: text }).nullable(),
  conditions: z.array(
    z.looseObject({
      condition: text,
      verdict: verdict.nullable(),
      partial: z.boolean(),
      checks: z.array(check),
      trials: z.array(
        z.looseObject({
          repeat: count,
          verdict: verdict.nullable(),
          attempt: count,
          ms: z.number().nullable(),
          tokens: ledgers.nullable(),
          worstCheck: text.nullable(),
          why: text.nullable(),
        }),
      ),
    }),
  ),
});

const run = z.looseObject({
  runId: text,
  suite: text,
  simulated: z.boolean().describe('A part was played by a seeded stand-in, which is no language model.'),
  verdict: z.enum(['pass', 'fail', 'measured', 'none', 'interrupted']),
  exitCode: z.int(),
  headline: text,
  reasons: z.array(text),
  state: z.enum(['running', 'completed', 'interrupted', 'stopped', 'unfinished']),
  startedAt: time,
  finishedAt: time.nullable(),
  seed: text,
  repeat: count,
  label: text.nullable(),
  note: text.nullable(),
  regradeOf: z.looseObject({ runId: text }).nullable(),
  git: z.looseObject({ commit: text, dirty: z.boolean() }).nullable(),
  conditions: z.array(condition.extend({ simulated: z.boolean() })),
  judge: z.looseObject({ model: text, prompt: text, promptSha256: text, simulated: z.boolean() }).nullable(),
  user: z.looseObject({ model: text, prompt: text, simulated: z.boolean() }).nullable(),
  liveTools: z.boolean(),
  judgeSameVendor: z.union([z.boolean(), z.literal('unknown')]).nullable(),
  stopReason: text.nullable(),
  retries: count,
  trials: z.looseObject({ total: count, done: count, errors: count, coverage: share }),
  verdicts: z
    .object({ pass: count, warn: count, fail: count, unknown: count, error: count })
    .describe('Scenarios, those that are quarantined left out.'),
  quarantined: count.describe('Scenarios that are quarantined whole.'),
  quarantine: z
    .array(
      z.looseObject({
        scenario: text,
        check: text.optional().describe('Not set: all checks of the scenario.'),
        owner: text,
        reason: text,
        since: text,
        until: text,
        evidence: z.array(text),
        expired: z.boolean().describe('It had ended when the run began.'),
        checks: z.array(
          z.looseObject({
            check: text,
            condition: text,
            verdict: checkVerdict.nullable(),
            passed: count,
            of: count,
          }),
        ),
      }),
    )
    .describe('What was quarantined when the run began, and what its checks came to.'),
  tokens: z.object({ agent: ledger, judge: ledger, user: ledger.nullable(), agentPartial: z.boolean() }),
  scores: z.array(
    z.looseObject({
      condition: text,
      all: rate,
      axes: z.array(axisRate),
      tags: z.array(rate.extend({ tag: text, axes: z.array(axisRate) })),
      meanJudged: z.number().nullable(),
    }),
  ),
  taints: z.array(z.object({ kind: text, message: text })),
  journal: text,
  judgeNotes: z.array(text),
  comparison: comparison.nullable(),
  purpose: z.enum(['aa', 'attribution', 'bisect']).nullable(),
  knownNoise: z.looseObject({ runId: text, at: count, trials: count, falseRed: share }).nullable(),
  attribution: z
    .looseObject({
      checks: z.array(z.looseObject({ scenario: text, check: text, attribution: text })),
      same: count,
    })
    .nullable()
    .describe('What of the difference between two conditions is theirs.'),
  noise: z
    .looseObject({ checks: count, flipped: count, falseRed: share })
    .nullable()
    .describe('Of a run of the same condition twice.'),
  bisects: z
    .array(
      z.looseObject({
        runId: text,
        state: z.enum(['done', 'running', 'unfinished']),
        good: text,
        bad: text,
        hunks: count.describe('How many lie between the two prompts.'),
        watched: z.array(z.object({ scenario: text, check: text.nullable() })),
        headline: text.nullable(),
        reasons: z.array(text),
        finding: finding.nullable(),
        diff: z.array(text).describe('The words that are blamed, as a diff.'),
      }),
    )
    .describe('What bisects found that look into the run.'),
  scenarios: z.array(scenario),
});

/**
 * What `--json` prints and `--report FILE.json` writes. `format` grows when something is renamed or taken away; what is
 * added does not change it, so readers leave alone what they do not know.
 */
export const reportSchema = z
  .looseObject({
    format: z.literal(1),
    evalrun: text.describe('Version of evalrun.'),
    runs: z.array(run),
    exitCode: z.int().describe('What the process ended with.'),
  })
  .describe('Report of evalrun run');
