import { z } from 'zod';
import { hunkSplits, strategyNames } from '../run/bisect-events.js';

const strategy = z.enum(strategyNames);
const count = z.int().min(0);
const hunkNumber = z.int().min(1);
const share = z.number().min(0).max(1);
const text = z.string();
const passed = z.object({ passed: count, of: count.describe('Graded trials.') });
const usage = z.looseObject({ input: count, output: count, cacheRead: count, cacheWrite: count });

const end = z.looseObject({ name: text, path: text, sha256: text, commit: text.nullable() });

const hunk = z.looseObject({
  number: hunkNumber,
  id: text,
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  title: text,
  goodLine: hunkNumber.describe('Line in the good prompt, from 1.'),
  badLine: hunkNumber,
  old: text.describe('What it takes from the good prompt.'),
  new: text.describe('What it puts into the bad one.'),
  needs: z.array(hunkNumber).describe('Hunks without which it is never applied.'),
  belief: share
    .nullable()
    .describe('Probability that it is guilty; null under a strategy that believes nothing.'),
  guilty: z.boolean(),
  tested: z.boolean().describe('Graded trials tell it from every other hunk.'),
  applied: passed.describe('On prompts between the two with it.'),
  reverted: passed.describe('On prompts between the two without it.'),
  alone: passed.describe('On the bad prompt without it and what hangs on it.'),
  word: z.enum(['guilty', 'innocent', 'skipped']).nullable().describe('What a person said.'),
});

/** What a bisect found, see `findingFacts`. */
export const finding = z.looseObject({
  kind: z.enum(['hunks', 'not-the-prompt', 'good-fails-too', 'inconclusive']),
  hunks: z.array(hunkNumber),
  belief: share.nullable(),
  why: z.enum(['budget', 'errors', 'ungradable', 'no-recovery']).optional(),
  leader: z
    .object({ hunks: z.array(hunkNumber), belief: share })
    .nullable()
    .optional()
    .describe('The answer that is believed most; no hunks: it is not the prompt.'),
  wouldTake: count.nullable().optional().describe('About how many more trials would settle it.'),
});

const trial = z.looseObject({
  trial: hunkNumber,
  candidate: text.describe('A digit a hunk: 1 applied to the good prompt, 0 not.'),
  name: text,
  purpose: z.object({
    kind: z.enum(['ends', 'step', 'search', 'confirm', 'cure', 'suite']),
    hunks: z.array(hunkNumber),
  }),
  outcome: z
    .enum(['pass', 'fail', 'unknown', 'error', 'unwatched'])
    .nullable()
    .describe('By what is watched; null while it goes on, and for the rest of the suite.'),
  takenBack: z.boolean().describe('A person took it back: it is no evidence.'),
  conversations: z.array(
    z.looseObject({
      scenario: text,
      condition: text,
      repeat: count,
      state: z.enum(['waiting', 'running', 'ended', 'error']),
      checks: z.record(text, z.enum(['pass', 'warn', 'fail', 'unknown'])),
    }),
  ),
});

const narrowed = z.looseObject({
  name: text,
  reverted: z.array(hunkNumber).describe('The hunks that were found, and those that cannot be without them.'),
  text,
  sha256: text,
  diff: text.describe('Unified, from the bad prompt to the narrowed one.'),
  confirmation: z
    .object({ narrowed: passed, bad: passed })
    .describe('The narrowed prompt against the bad one, in turns.'),
  cure: passed.describe('More trials of the narrowed prompt.'),
  all: passed.describe('All graded trials of the narrowed prompt.'),
  suite: z
    .array(
      z.looseObject({
        scenario: text,
        passed: count,
        of: count,
        run: count,
        good: z.looseObject({ passed: count, of: count, run: count }).optional(),
      }),
    )
    .describe(
      'The rest of the suite on the narrowed prompt; empty where it was not run. `good`: the same under the good prompt, of what failed.',
    ),
  file: text.nullable().describe('Where --write put it.'),
});

/**
 * What `evalrun bisect --json` prints and `--report FILE.json` writes. `format` grows when something is renamed or taken
 * away; what is added does not change it.
 */
export const bisectSchema = z
  .looseObject({
    format: z.literal(1),
    evalrun: text.describe('Version of evalrun.'),
    runId: text,
    suite: text,
    simulated: z.boolean().describe('A part was played by a seeded stand-in, which is no language model.'),
    exitCode: z
      .int()
      .describe(
        '0 found and confirmed, 1 not the prompt, 3 inconclusive, 130 interrupted; 2 where something that was asked for could not be written.',
      ),
    state: z.enum(['running', 'completed', 'interrupted', 'stopped', 'unfinished']),
    stopReason: text.nullable(),
    headline: text,
    reasons: z.array(text),
    finding: finding.nullable().describe('Null where it was left before it came to one.'),
    of: text.nullable().describe('The run whose red verdict it looks into.'),
    good: end,
    bad: end,
    model: text,
    split: z.enum(hunkSplits),
    strategy: strategy.describe('The one that it was handed over to last, or begun with.'),
    begunAs: strategy,
    seed: text,
    label: text.nullable(),
    note: text.nullable().describe('Of the run.'),
    notes: z
      .array(z.looseObject({ hunk: hunkNumber.nullable(), text }))
      .describe('What a person wrote down, of a hunk or of all of it.'),
    watched: z
      .array(z.object({ scenario: text, check: text.nullable() }))
      .describe('All as one outcome; no check: all of the scenario.'),
    ends: z.object({ good: passed, bad: passed }),
    notThePrompt: share.nullable().describe('Probability that no hunk is guilty.'),
    hunks: z.array(hunk),
    notTested: z.array(hunkNumber).describe('Hunks that no graded trial tells from some other one.'),
    trials: z.array(trial),
    takenBack: z
      .looseObject({
        trials: count,
        shown: z.array(z.looseObject({ candidate: text, name: text, passed: count, of: count })),
      })
      .describe(
        'Trials that a person took back, and what they showed by prompt. They are spent, and no evidence.',
      ),
    spent: z.looseObject({
      trials: count,
      budget: count,
      conversations: count,
      ms: z.number().min(0),
      tokens: z.object({ agent: usage, judge: usage, user: usage.nullable(), agentPartial: z.boolean() }),
    }),
    narrowed: narrowed.nullable().describe('The bad prompt without the guilty hunks.'),
    journal: text,
  })
  .describe('What a bisect found');
