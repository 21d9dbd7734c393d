import { z } from 'zod';

const texts = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .describe('A text, or a list of texts that must all hold.');

const textCondition = z
  .strictObject({
    has: texts.optional().describe('Stands in the text; white space is folded.'),
    lacks: texts.optional().describe('Stands nowhere in the text; white space is folded.'),
    matches: texts.optional().describe('RE2 pattern that is found in the text.'),
    is: texts.optional().describe('The whole text, character for character.'),
  })
  .describe('Every one that is given must hold.');

const turnNumber = z.number().int().min(1);
const toolNames = z.array(z.string().min(1)).min(1);

const condition = z.strictObject({
  prompt: textCondition.optional().describe('The system prompt.'),
  user: textCondition.optional().describe('The last user message.'),
  conversation: textCondition.optional().describe('All user messages so far, joined by line ends.'),
  section: z
    .record(z.string(), textCondition)
    .optional()
    .describe('<name>…</name> sections of the last user message; one that is missing fulfils nothing.'),
  turn: z
    .union([turnNumber, z.strictObject({ min: turnNumber.optional(), max: turnNumber.optional() })])
    .optional()
    .describe('Number of user messages so far.'),
  called: toolNames.optional().describe('Tools that were all called before this turn.'),
  notCalled: toolNames.optional().describe('Tools of which none was called before this turn.'),
});

const args = z
  .union([z.record(z.string(), z.json()), z.string()])
  .describe('The arguments; a text stands for what a model wrote that is no JSON object.');

const call = z.strictObject({ call: z.string().min(1), args: args.optional() });

const step = z
  .strictObject({
    say: z.string().optional().describe('Said as it is; there are no templates.'),
    call: z.string().min(1).optional().describe('The tool to call.'),
    args: args.optional(),
    calls: z.array(call).min(1).optional().describe('Several calls at once.'),
  })
  .describe('Answers one model request of the turn.');

const steps = z.array(step).min(1).describe('Step n answers the n-th model request of the turn.');

const alternative = z.strictObject({
  weight: z.number().positive().optional().describe('Share in the draw; 1 if not given.'),
  when: condition.optional().describe('Not drawn unless this holds too.'),
  steps,
});

const answer = {
  steps: steps.optional().describe('What is always done.'),
  do: z.array(alternative).min(1).optional().describe('Alternatives, of which one is drawn each turn.'),
};

const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected an id of letters, digits, ".", "_" and "-"')
  .describe('Unique in the file; names the draw.');

/** At most a minute: what is longer is a mistake of units. */
const milliseconds = z.number().min(0).max(60_000);

/** A `simulated/<name>.yaml`. What one part says of another is checked in `mistakes.ts`. */
export const behavioursSchema = z
  .strictObject({
    name: z.string().min(1).describe('The name of the file without .yaml.'),
    about: z.string().optional().describe('One line for people.'),
    latency: z
      .strictObject({ firstTokenMs: milliseconds.optional(), wordMs: milliseconds.optional() })
      .optional()
      .describe('Milliseconds before the first word, and a word. EVALRUN_SIMULATED_LATENCY multiplies both.'),
    cache: z
      .strictObject({
        minTokens: z.number().int().min(0).optional(),
        ttlSeconds: z.number().min(0).optional(),
      })
      .optional()
      .describe('Prefix cache like that of a provider.'),
    rules: z
      .array(z.strictObject({ id, when: condition, ...answer }))
      .optional()
      .describe('The first rule whose conditions all hold answers the turn.'),
    replays: z
      .array(
        z.strictObject({
          id,
          turns: z.array(z.strictObject({ user: z.string(), ...answer })).min(1),
        }),
      )
      .optional()
      .describe('Scripted conversations, looked at when no rule holds.'),
    otherwise: z.strictObject(answer).describe('Answers when nothing else does.'),
  })
  .describe('Behaviours of a simulated model.');

export type BehavioursFile = z.infer<typeof behavioursSchema>;
export type ConditionFile = z.infer<typeof condition>;
export type TextConditionFile = z.infer<typeof textCondition>;
export type StepFile = z.infer<typeof step>;
export type AnswerFile = z.infer<z.ZodObject<typeof answer>>;
