import type { DataNode, ListNode, MapEntry, MapNode, Position } from '../base/nodes.js';
import { entryOf } from '../base/nodes.js';
import { quote } from '../base/quote.js';

export type Report = (at: Position, message: string) => void;

/** Other names of the keys of a scenario, and what they mean. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['input', 'turns'],
  ['message', 'turns'],
  ['messages', 'turns'],
  ['criteria', 'checks'],
  ['tool_fixtures', 'fixtures'],
]);

/** The key of `scenarioSchema` that another name stands for, undefined for keys that are no other name. */
export function meaningOf(key: string): string | undefined {
  return meanings.get(key);
}

/** Keys of a scenario that only these forms have. */
export const dialectKeys: readonly string[] = [...meanings.keys(), 'expected'];

/** Keys that every check has: inside of `expected` they would be taken for arguments. */
const checkKeys = ['type', 'id', 'on', 'absolute', 'axis'];

/**
 * A scenario in one of the forms met in the wild, in the form of `scenarioSchema`: scenario with `input`,
 * `criteria` and `tool_fixtures`; extraction case with `message` and `expected`; persona with `profile` and
 * `messages`. Works on nodes, so that every part keeps its place in the file. Two forms of one thing are reported.
 */
export function normaliseScenario(scenario: MapNode, report: Report): MapNode {
  const first = new Map<string, MapEntry>();
  const entries: MapEntry[] = [];
  for (const entry of scenario.entries) {
    const meaning = meanings.get(entry.key) ?? entry.key;
    const other = first.get(meaning);
    if (other !== undefined) {
      report(entry.keyAt, twoForms(entry.key, other.key, other.keyAt));
      continue;
    }
    first.set(meaning, entry);
    if (entry.key !== 'expected') entries.push({ ...entry, key: meaning, value: inNewForm(entry, report) });
  }
  const expected = first.get('expected');
  return { ...scenario, entries: expected ? withExpected(entries, expected, report) : entries };
}

function twoForms(key: string, other: string, at: Position): string {
  return `${quote(key)} and ${quote(other)} (${at.line}:${at.column}) say the same thing in two forms; keep one`;
}

function inNewForm({ key, keyAt, value }: MapEntry, report: Report): DataNode {
  if (key === 'input' || key === 'message') {
    return { kind: 'list', at: value.at, items: [asTurn(value, keyAt)] };
  }
  if (key === 'messages' && value.kind === 'list') {
    return { ...value, items: value.items.map((item) => readMessage(item, report)) };
  }
  return value;
}

function asTurn(text: DataNode, keyAt: Position): MapNode {
  return { kind: 'map', at: text.at, entries: [{ key: 'user', keyAt, value: text }] };
}

/** A message is a text, or `{role: user, content: text}` as chat logs have it. */
function readMessage(message: DataNode, report: Report): DataNode {
  if (message.kind !== 'map') return asTurn(message, message.at);
  const role = entryOf(message, 'role');
  const content = entryOf(message, 'content');
  if (role === undefined || content === undefined || message.entries.length !== 2) return message;
  const said = role.value.kind === 'scalar' ? String(role.value.value) : '';
  if (said !== 'user') {
    report(
      role.value.at,
      `messages are what the user says, and this one is by ${quote(said)}; leave it out: the agent answers anew`,
    );
  }
  return asTurn(content.value, content.keyAt);
}

/** `expected` of an extraction case is one `action` check. */
function withExpected(entries: MapEntry[], expected: MapEntry, report: Report): MapEntry[] {
  const { keyAt, value } = expected;
  if (value.kind !== 'map') {
    report(value.at, 'expected the action that the agent should take: {action_type, noop, fields}');
    return entries;
  }
  const args = value.entries.filter((entry) => {
    if (!checkKeys.includes(entry.key)) return true;
    const hint = entry.key === 'type' ? '; did you mean "action_type"?' : '; write the check under "checks"';
    report(entry.keyAt, `unknown key ${quote(entry.key)}${hint}`);
    return false;
  });
  const type: MapEntry = { key: 'type', keyAt, value: { kind: 'scalar', at: keyAt, value: 'action' } };
  const check: MapNode = { kind: 'map', at: keyAt, entries: [type, ...args] };

  const checks = entries.find((entry) => entry.key === 'checks');
  if (checks === undefined) {
    const list: ListNode = { kind: 'list', at: keyAt, items: [check] };
    return [...entries, { key: 'checks', keyAt, value: list }];
  }
  const list = checks.value;
  if (list.kind !== 'list') return entries;
  const written = list.items.find((item) => {
    const itemType = entryOf(item, 'type')?.value;
    return itemType?.kind === 'scalar' && itemType.value === 'action';
  });
  if (written !== undefined) {
    report(keyAt, twoForms('expected', 'checks: {type: action}', written.at));
    return entries;
  }
  const items = [...list.items, check];
  return entries.map((entry) => (entry === checks ? { ...entry, value: { ...list, items } } : entry));
}
