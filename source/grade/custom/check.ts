import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../../base/clock.js';
import type { CheckSpec } from '../../suite/types.js';
import { defineCheck } from '../define.js';
import { listed, oneLine } from '../quote.js';
import { selectTurns, undecided } from '../turns.js';
import type { ArgumentMistake, GradeContext, ScenarioFacts } from '../types.js';
import { readCustomAnswer } from './answer.js';
import type { CustomReply, TimeLimit } from './limit.js';
import type { CustomCheckInput } from './types.js';

const argsSchema = z.strictObject({
  module: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A TypeScript or JavaScript file, from the folder of the suite. It exports a function, as its default or as ' +
        '`check`, that takes the input and returns the answer.',
    ),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'Instead of module: a program and its arguments; there is no shell. It runs in the folder of the suite, reads ' +
        'the input as JSON from its standard input and writes the answer as JSON to its standard output.',
    ),
  args: z.record(z.string(), z.json()).optional().describe('What else the check is told, as it stands here.'),
  kind: z
    .enum(['hard', 'judged'])
    .default('hard')
    .describe('judged: it is a matter of judgement, counted with the judged checks, and may give a score.'),
  timeout_seconds: z.number().positive().max(600).default(30).describe('It is stopped after this long.'),
});
type Args = z.infer<typeof argsSchema>;

export const custom = defineCheck<Args>({
  type: 'custom',
  kind: 'hard',
  kindOf: (args) => args.kind,
  summary: 'A check of your own, as a module or a command.',
  schema: argsSchema,
  example: { module: 'checks/plain-words.ts', args: { most: 20 } },
  untunable: ['module', 'command'],
  notes: [
    'The input is `{check, args, turns, transcript: {turns, end, unsent}, scenario, tuning, folder}`: `turns` are ' +
      'those that `on` names, `scenario` is `{id, tags, tenant, variables, profile, history}`. A turn is ' +
      '`{index, message, reply: {text, parts, signals, stop, …}, ms}`, a part `{kind: "text", text}` or ' +
      '`{kind: "tool", call: {name, args, result, error}}`.',
    'The answer is `{verdict, reason, score?, axes?, evidence?}`: verdict is `pass`, `warn`, `fail` or `unknown`, ' +
      'reason one sentence, score 1 to 5 where `kind: judged`, axes shares of 0 to 1 by name, evidence a list of ' +
      '`{turn, part?, start?, end?}` (part: index into the parts of the reply; start and end: UTF-16 offsets into ' +
      'its text). Nothing else may be in it.',
    'A check that crashes, runs out of time, prints something else, or gives an answer that is not valid is unknown: ' +
      'that says nothing of the agent. It is not asked about turns that a missing fixture left open. A module runs ' +
      'in a thread of its own and keeps what it has loaded for the next trial; `examples/custom-check` has one in ' +
      'TypeScript and a command. The types are `import type { CustomCheck } from "evalrun/check"`.',
  ],
  defaultOn: 'replies',
  mainArgument: (args) => args.module ?? (args.command ?? []).join(' '),
  validate: mistakes,
  async grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    if (selection.open) return undecided(selection.open);
    const input = JSON.stringify(inputOf(args, selection.turns, context, spec));
    const limit = {
      ms: args.timeout_seconds * 1000,
      clock: context.clock ?? systemClock,
      signal: context.signal,
    };
    const reply = await ask(args, context, input, limit);
    const outcome =
      'problem' in reply ? reply.problem : readCustomAnswer(reply.answer, args.kind, context.transcript);
    if (typeof outcome !== 'string') return outcome;
    const name = oneLine(args.module ?? args.command?.join(' ') ?? '', 80);
    return { verdict: 'unknown', reason: `cannot be decided: ${name}: ${outcome}` };
  },
});

async function ask(args: Args, context: GradeContext, input: string, limit: TimeLimit): Promise<CustomReply> {
  if (args.module !== undefined) {
    const { askModule } = await import('./module.js');
    return askModule(resolve(context.suiteFolder, args.module), input, limit);
  }
  const { askCommand } = await import('./command.js');
  const { command = [] } = args;
  return askCommand({ command, folder: context.suiteFolder, env: context.env ?? process.env }, input, limit);
}

function inputOf(
  args: Args,
  turns: CustomCheckInput['turns'],
  context: GradeContext,
  spec: CheckSpec,
): CustomCheckInput {
  const { transcript, scenario, tuning, suiteFolder } = context;
  return {
    check: spec.id,
    args: args.args ?? {},
    turns,
    transcript,
    ...(scenario && { scenario: factsOf(scenario) }),
    ...(tuning !== undefined && { tuning }),
    folder: suiteFolder,
  };
}

/** A whole scenario has its checks and fixtures too, which are no business of a check. */
function factsOf(scenario: ScenarioFacts): ScenarioFacts {
  const { id, tags, tenant, variables, profile, history } = scenario;
  return {
    id,
    tags,
    variables,
    ...(tenant !== undefined && { tenant }),
    ...(profile && { profile }),
    ...(history !== undefined && { history }),
  };
}

function mistakes(args: Args, suiteFolder?: string): ArgumentMistake[] {
  const given = (['module', 'command'] as const).filter((key) => args[key] !== undefined);
  if (given.length !== 1)
    return [
      {
        path: [],
        message: given.length === 0 ? 'needs module or command' : `give one of ${listed(given)}, not both`,
      },
    ];
  if (args.command?.[0]?.trim() === '') return [{ path: ['command', 0], message: 'the program has no name' }];
  if (args.module === undefined || suiteFolder === undefined) return [];
  return existsSync(resolve(suiteFolder, args.module))
    ? []
    : [{ path: ['module'], message: `there is no file "${args.module}" in the folder of the suite` }];
}
