import { z } from 'zod';

const line = z.string().min(1).max(500);
const hash = z.string().regex(/^[0-9a-f]{12,64}$/, { error: 'expected the hexadecimal digits of a hash' });

const partSchema = z
  .strictObject({
    say: z.string().exactOptional().describe('What the agent said.'),
    call: line.exactOptional().describe('The tool that it called.'),
    args: z.unknown().optional().describe('With call: the arguments.'),
    result: z.unknown().optional().describe('With call: what the tool answered.'),
    error: z.string().exactOptional().describe('With call: the error that the tool answered.'),
  })
  .superRefine((part, context) => {
    // Of a mistyped key everything is said already.
    if (context.issues.length > 0) return;
    if ((part.say === undefined) === (part.call === undefined))
      context.addIssue({ code: 'custom', message: 'expected a part {say: …} or {call: …, args, result}' });
  });

const turnSchema = z.strictObject({
  user: z.string().describe('What the user said.'),
  agent: z
    .union([z.string(), z.array(partSchema)])
    .describe('What the agent replied: a text, or its parts in order, {say: …} and {call: …}.'),
});

const saidSchema = z.union([z.enum(['pass', 'fail']), z.int().min(1).max(5)], {
  error: 'expected pass, fail, or a score of 1 to 5',
});

/** One label, but for its `check`, which has the schema of its type. */
export const labelShape = {
  transcript: z.array(turnSchema).min(1).describe('The turns that the check reads.'),
  expected: saidSchema.describe('What is right: pass or fail, or a score of 1 to 5.'),
  by: line.exactOptional().describe('Who says so.'),
  at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, { error: 'expected a date, as in 2026-11-30' })
    .exactOptional()
    .describe('When it was said.'),
  note: z.string().exactOptional().describe('Why, or what made it hard.'),
  revised: z.literal(true).exactOptional().describe("Changed after the judge's verdict had been seen."),
  blind: z
    .boolean()
    .exactOptional()
    .describe("false: the judge's verdict was in view when this was said. Such labels count in no kappa."),
  rubric: hash.exactOptional().describe('Hash of what was asked when it was labelled.'),
  from: z
    .strictObject({
      suite: line,
      scenario: line,
      check: line,
      run: line.exactOptional(),
      trial: z.int().min(1).exactOptional(),
    })
    .exactOptional()
    .describe('Where the case was taken from.'),
  judged: z
    .strictObject({
      model: line,
      prompt: line,
      sha256: hash,
      verdict: z.union([saidSchema, z.literal('unknown')]),
    })
    .exactOptional()
    .describe('What the judge said of it, by which prompt.'),
};

export const labelSchema = z.strictObject(labelShape);
/** A label whole, for editors. */
export const labelFileSchema = z.strictObject({
  check: z
    .looseObject({ type: z.enum(['judge', 'conveys', 'fact_present', 'fact_absent', 'refusal']) })
    .describe('The judged check, as a scenario would have it.'),
  ...labelShape,
});

export type WrittenLabel = z.output<typeof labelSchema>;
