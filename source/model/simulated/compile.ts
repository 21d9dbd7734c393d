import { RE2JS } from 're2js';
import { contentHash } from '../../base/hash.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { parseJsonText } from '../../base/json-text.js';
import type {
  Alternative,
  Behaviour,
  Condition,
  ReplayNode,
  SimulatedBehaviours,
  Step,
  TextCondition,
} from './behaviours.js';
import { foldWhiteSpace } from './conditions.js';
import type { AnswerFile, BehavioursFile, ConditionFile, StepFile, TextConditionFile } from './schema.js';

const defaultLatency = { firstTokenMs: 250, wordMs: 14 };
const defaultCache = { minTokens: 1024, ttlSeconds: 300 };

type Texts = string | string[] | undefined;

function toList(texts: Texts): string[] {
  return texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts;
}

/** Folded as the text will be; a block text in YAML ends in a line end that nobody meant. */
function toFoldedList(texts: Texts): string[] {
  return toList(texts).map((text) => foldWhiteSpace(text.replace(/\n$/, '')));
}

function compileText(condition: TextConditionFile): TextCondition {
  return {
    has: toFoldedList(condition.has),
    lacks: toFoldedList(condition.lacks),
    matches: toList(condition.matches).map((pattern) => RE2JS.compile(pattern)),
    is: toList(condition.is),
  };
}

function compileCondition(file: ConditionFile): Condition {
  const { prompt, user, conversation, section, turn } = file;
  const condition: Condition = {
    sections: Object.entries(section ?? {}).map(([name, of]) => ({ name, condition: compileText(of) })),
    called: file.called ?? [],
    notCalled: file.notCalled ?? [],
  };
  if (prompt !== undefined) condition.prompt = compileText(prompt);
  if (user !== undefined) condition.user = compileText(user);
  if (conversation !== undefined) condition.conversation = compileText(conversation);
  if (typeof turn === 'number') condition.turn = { min: turn, max: turn };
  else if (turn !== undefined) {
    condition.turn = { min: turn.min ?? 1, max: turn.max ?? Number.POSITIVE_INFINITY };
  }
  return condition;
}

/** Arguments as a model's answer is read: a text that turns out to be a JSON object is one. */
function readArguments(args: StepFile['args']): JsonObject | string {
  if (typeof args !== 'string') return args ?? {};
  try {
    const parsed: unknown = parseJsonText(args);
    return isJsonObject(parsed) ? (parsed as JsonObject) : args;
  } catch {
    return args;
  }
}

function compileStep({ say, call, args, calls }: StepFile): Step {
  const all = call === undefined ? (calls ?? []) : [{ call, args }];
  return {
    say: say ?? '',
    calls: all.map((one) => ({ name: one.call, args: readArguments(one.args) })),
  };
}

function compileBehaviour(id: string, { steps, do: alternatives }: AnswerFile): Behaviour {
  const compiled = (alternatives ?? [{ steps: steps ?? [] }]).map(
    (alternative: NonNullable<AnswerFile['do']>[number]): Alternative => ({
      weight: alternative.weight ?? 1,
      when: alternative.when === undefined ? undefined : compileCondition(alternative.when),
      steps: alternative.steps.map(compileStep),
    }),
  );
  return { id, alternatives: compiled };
}

function compileReplays(replays: NonNullable<BehavioursFile['replays']>): ReplayNode {
  const root: ReplayNode = { behaviours: [], next: new Map() };
  for (const { id, turns } of replays) {
    let node = root;
    for (const [at, turn] of turns.entries()) {
      let next = node.next.get(turn.user);
      if (next === undefined) {
        next = { behaviours: [], next: new Map() };
        node.next.set(turn.user, next);
      }
      next.behaviours.push(compileBehaviour(`${id}/${at + 1}`, turn));
      node = next;
    }
  }
  return root;
}

/** Makes a file that has no mistakes ready to answer: patterns compiled, replays as a tree, defaults filled in. */
export function compileBehaviours(file: BehavioursFile): SimulatedBehaviours {
  return {
    name: file.name,
    about: file.about ?? '',
    hash: contentHash({ rules: file.rules, replays: file.replays, otherwise: file.otherwise }),
    latency: {
      firstTokenMs: file.latency?.firstTokenMs ?? defaultLatency.firstTokenMs,
      wordMs: file.latency?.wordMs ?? defaultLatency.wordMs,
    },
    cache: {
      minTokens: file.cache?.minTokens ?? defaultCache.minTokens,
      ttlSeconds: file.cache?.ttlSeconds ?? defaultCache.ttlSeconds,
    },
    rules: (file.rules ?? []).map((rule) => ({
      ...compileBehaviour(rule.id, rule),
      when: compileCondition(rule.when),
    })),
    replays: compileReplays(file.replays ?? []),
    otherwise: compileBehaviour('otherwise', file.otherwise),
  };
}
