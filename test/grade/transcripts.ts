import type { Json, JsonObject } from '../../source/base/json.js';
import { checkDefinitions, findCheck } from '../../source/grade/registry.js';
import type { CheckOutcome, GradeContext } from '../../source/grade/types.js';
import { noUsage, type Usage } from '../../source/model/types.js';
import type { Transcript, Turn } from '../../source/play/types.js';
import type { CheckSpec, TurnSelector } from '../../source/suite/types.js';
import type { AgentReply, ReplyPart, ToolCall } from '../../source/target/types.js';

/** A tool call that was answered with an empty object. */
export function call(name: string, args: JsonObject | string = {}): ReplyPart {
  return { kind: 'tool', call: { name, args, result: {}, from: 'fixture' } };
}

/** The call that ends a trial: no fixture answers it. */
export function unanswered(name: string, args: JsonObject = {}): ReplyPart {
  const open: ToolCall = { name, args, from: 'none' };
  return { kind: 'tool', call: open };
}

export interface TurnFacts {
  message?: string;
  stop?: AgentReply['stop'];
  usage?: Partial<Usage>;
  steps?: number;
  ms?: number;
  signals?: Record<string, Json>;
  ended?: boolean;
}

/** What the agent said and did in one turn: texts and calls in order. */
export type Said = string | ReplyPart;

/** A conversation; each list is one turn. Ends for want of a fixture when its last part is an unanswered call. */
export function conversation(...turns: (Said | Said[])[]): Transcript {
  return conversationOf(turns.map((said) => ({ said: Array.isArray(said) ? said : [said] })));
}

export function conversationOf(turns: (TurnFacts & { said: Said[] })[]): Transcript {
  const played = turns.map(({ said, ...facts }, index) => turnOf(index + 1, said, facts));
  const last = played.at(-1)?.reply.parts.at(-1);
  if (last?.kind === 'tool' && last.call.from === 'none') {
    const { name, args } = last.call;
    return {
      turns: played,
      end: { kind: 'no-fixture', tool: name, args: JSON.stringify(args) },
      unsent: [],
    };
  }
  return { turns: played, end: { kind: 'completed' }, unsent: [] };
}

/** A conversation whose turns report these signals; undefined: a turn that reports none. */
export function reporting(...signals: (Record<string, Json> | undefined)[]): Transcript {
  return conversationOf(
    signals.map((reported, index) => ({
      said: [`Reply ${index + 1}.`],
      ...(reported && { signals: reported }),
    })),
  );
}

/** The same conversation, broken off in a further turn for want of a fixture. */
export function brokenOff(transcript: Transcript): Transcript {
  const index = transcript.turns.length + 1;
  const end = { kind: 'no-fixture' as const, tool: 'get_policy', args: '{}' };
  return { turns: [...transcript.turns, turnOf(index, [unanswered('get_policy')], {})], end, unsent: [] };
}

function turnOf(index: number, said: Said[], facts: TurnFacts): Turn {
  const parts = said.map((one): ReplyPart => (typeof one === 'string' ? { kind: 'text', text: one } : one));
  const last = parts.at(-1);
  const isOpen = last?.kind === 'tool' && last.call.from === 'none';
  return {
    index,
    message: facts.message ?? `message ${index}`,
    reply: {
      parts,
      text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
      usage: { ...noUsage, ...facts.usage },
      steps: facts.steps ?? 1,
      stop: facts.stop ?? (isOpen ? 'no-fixture' : 'end'),
      model: 'simulated:test',
      ...(facts.signals && { signals: facts.signals }),
      ...(facts.ended !== undefined && { ended: facts.ended }),
    },
    ms: facts.ms ?? 0,
  };
}

/** A check as a suite would hold it, its arguments parsed. Throws for arguments that a suite would be refused for. */
export function check(
  type: string,
  args: JsonObject,
  common: { id?: string; on?: TurnSelector } = {},
): CheckSpec {
  const definition = findCheck(type);
  if (!definition) throw new Error(`no check ${type} among ${checkDefinitions.length}`);
  const parsed = definition.schema.parse(args);
  const mistakes = definition.validate?.(parsed) ?? [];
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes));
  return {
    id: common.id ?? type,
    type,
    args: parsed,
    ...(common.on !== undefined && { on: common.on }),
    place: { file: 'scenario.yaml', line: 1, column: 1 },
  };
}

/** Grades a check that is not judged. */
export function grade(
  transcript: Transcript,
  type: string,
  args: JsonObject,
  options: { on?: TurnSelector; suiteFolder?: string } = {},
): CheckOutcome {
  const spec = check(type, args, options);
  const context: GradeContext = { transcript, suiteFolder: options.suiteFolder ?? '/nowhere', seed: 'seed' };
  const outcome = findCheck(type)?.grade(spec.args, context, spec);
  if (outcome === undefined || outcome instanceof Promise) throw new Error(`${type} is not graded at once`);
  return outcome;
}

/** What a suite would be told of these arguments. */
export function mistakesOf(type: string, args: JsonObject, suiteFolder?: string): string[] {
  const definition = findCheck(type);
  if (!definition) throw new Error(`no check ${type}`);
  const parsed = definition.schema.parse(args);
  return (definition.validate?.(parsed, suiteFolder) ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
}
