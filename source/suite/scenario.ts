import { describeNode } from '../base/describe.js';
import type { Problem } from '../base/errors.js';
import { canonicalJson, contentHash } from '../base/hash.js';
import { isJsonObject, type Json } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import {
  type DataNode,
  entryOf,
  type MapNode,
  type Position,
  positionAt,
  problemAt,
  toPlain,
} from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import type { ReadCheck } from './check-ids.js';
import { type CheckContext, readChecks, readId } from './checks.js';
import { dialectKeys, meaningOf, normaliseScenario } from './dialects.js';
import { readFixtures } from './fixtures.js';
import { foreignScenarioKeys } from './foreign-names.js';
import { scenarioSchema } from './schema.js';
import type { Place, Profile, Scenario } from './types.js';

/** A scenario as its file alone gives it: without the checks of the suite, and so without ids of checks and hash. */
export interface ReadScenario {
  /** Also of a scenario with mistakes, so that ids given twice are found. */
  id: string | undefined;
  place: Place;
  /** Where its id is written; its own place where it has none. */
  idAt: Position;
  /** Undefined where something is wrong with it. */
  content: Omit<Scenario, 'checks' | 'hash'> | undefined;
  checks: ReadCheck[];
  /** User messages at most; 0 where the turns could not be read. */
  turnCount: number;
  /** Where each turn that a model plays stands. */
  simulatedAt: Position[];
  /** The fixtures as written, for the places of mistakes that are found later. */
  fixturesNode: MapNode | undefined;
}

/** Reads one scenario in any of its forms. */
export function readScenario(
  written: DataNode,
  file: string,
  context: CheckContext,
): { read: ReadScenario; problems: Problem[] } {
  const place = { file, ...written.at };
  if (written.kind !== 'map') {
    const read = {
      id: undefined,
      place,
      idAt: written.at,
      content: undefined,
      checks: [],
      turnCount: 0,
      simulatedAt: [],
      fixturesNode: undefined,
    };
    const message = `expected a scenario {id, turns, checks}, found ${describeNode(written)}`;
    return { read, problems: [problemAt(file, written.at, message)] };
  }
  const problems: Problem[] = [];
  const report = (at: Position, message: string) => problems.push(problemAt(file, at, message));
  const node = normaliseScenario(written, report);
  const validated = validateNode(scenarioSchema, node, {
    file,
    alsoKnown: dialectKeys,
    standsFor: meaningOf,
    explainKey,
  });
  problems.push(...validated.problems);
  const checks = readChecks(entryOf(node, 'checks')?.value ?? node, file, context);
  const fixturesNode = entryOf(node, 'fixtures')?.value;
  const fixtures = readFixtures(fixturesNode?.kind === 'map' ? fixturesNode : noFixtures, file);
  problems.push(...checks.problems, ...fixtures.problems);

  const { value } = validated;
  const id = readId(node);
  const profile = readProfile(entryOf(node, 'profile')?.value, file);
  problems.push(...profile.problems);
  const history = entryOf(node, 'history')?.value;
  const turns = entryOf(node, 'turns')?.value;
  const content =
    value === undefined || id === undefined
      ? undefined
      : {
          id,
          place,
          tags: [...new Set(value.tags)],
          ...(value.source !== undefined && { source: value.source }),
          ...(value.origin !== undefined && { origin: value.origin }),
          ...(value.tenant !== undefined && { tenant: value.tenant }),
          variables: value.variables,
          ...(profile.profile !== undefined && { profile: profile.profile }),
          ...(history !== undefined && { history: toPlain(history) }),
          turns: value.turns,
          fixtures: fixtures.fixtures,
        };
  const read = {
    id,
    place,
    idAt: positionAt(node, ['id']),
    content,
    checks: checks.checks,
    turnCount: countTurns(turns),
    simulatedAt:
      turns?.kind === 'list' ? turns.items.flatMap((turn) => entryOf(turn, 'simulate')?.keyAt ?? []) : [],
    fixturesNode: fixturesNode?.kind === 'map' ? fixturesNode : undefined,
  };
  return { read, problems };
}

const noFixtures: MapNode = { kind: 'map', at: { line: 1, column: 1 }, entries: [] };

function explainKey(key: string, path: readonly PropertyKey[]): string | undefined {
  const own = foreignScenarioKeys.get(key.toLowerCase());
  return path.length === 0 && own !== undefined ? `here it is called ${quote(own)}` : undefined;
}

/** User messages at most, as far as the turns can be read: a check of a turn beyond them is a mistake of its own. */
function countTurns(turns: DataNode | undefined): number {
  if (turns?.kind !== 'list') return 0;
  return turns.items.reduce((sum, turn) => {
    const most = entryOf(turn, 'simulate') && entryOf(turn, 'maxTurns')?.value;
    return sum + (most?.kind === 'scalar' && typeof most.value === 'number' ? most.value : 1);
  }, 0);
}

const profileKeys = ['name', 'facts', 'unknown'];

/** A text or a list of texts are facts; of a map, keys beside `name`, `facts` and `unknown` are details. */
function readProfile(
  node: DataNode | undefined,
  file: string,
): { profile: Profile | undefined; problems: Problem[] } {
  if (node === undefined) return { profile: undefined, problems: [] };
  const texts = (value: Json | undefined): string[] =>
    (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  const plain = toPlain(node);
  if (!isJsonObject(plain)) return { profile: { facts: texts(plain) }, problems: [] };

  const problems: Problem[] = [];
  const details: [string, Json][] = [];
  for (const [key, value] of Object.entries(plain)) {
    if (profileKeys.includes(key)) continue;
    details.push([key, value]);
    // Any key is allowed, but one that is nearly `facts` would silently be something else.
    const near = nearest(key, profileKeys);
    if (near !== undefined && !(near in plain)) {
      const at = entryOf(node, key)?.keyAt ?? positionAt(node, [key]);
      problems.push(problemAt(file, at, `unknown key ${quote(key)}; did you mean ${quote(near)}?`));
    }
  }
  const { name, facts, unknown } = plain;
  const profile: Profile = {
    ...(typeof name === 'string' && { name }),
    facts: texts(facts),
    ...(unknown !== undefined && { unknown: texts(unknown) }),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  };
  return { profile, problems };
}

/**
 * Hash of all that decides what a trial of the scenario does and how it is graded: turns, fixtures, tenant,
 * variables, profile, history, and the contents of its checks in any order. Not of ids, tags, origin and place.
 */
export function hashScenario(
  content: NonNullable<ReadScenario['content']>,
  checks: readonly ReadCheck[],
): string {
  return contentHash({
    turns: content.turns,
    fixtures: content.fixtures,
    tenant: content.tenant,
    variables: content.variables,
    profile: content.profile,
    history: content.history,
    checks: checks.map((check) => canonicalJson(check.content)).sort(),
  });
}
