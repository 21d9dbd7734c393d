import type { Document, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { UserError } from '../base/errors.js';
import { canonicalJson } from '../base/hash.js';
import type { QuarantineEntry } from '../run/planned.js';
import { allChecks, parseQuarantine } from './quarantine-file.js';

/** One change of a quarantine file. `release` and `extend` name an entry by its place in the list, from 0. */
export type QuarantineEdit =
  | { kind: 'add'; entry: QuarantineEntry }
  | { kind: 'release'; index: number }
  | { kind: 'extend'; index: number; until: string };

type Yaml = typeof import('../base/yaml.js');

const about = `# What flips without a change: it keeps running and is shown, and counts in no verdict until its last day.
# evalrun triage says what belongs here; evalrun quarantine add, release and extend write it.
`;

/**
 * Loads what changing a file takes; the change itself gives the new text of one that can be read. All other entries,
 * their order and what is written beside them stay as they are: only the lines of the entry that is meant change.
 */
export async function createQuarantineEditor(): Promise<(text: string, edit: QuarantineEdit) => string> {
  const yaml = await import('../base/yaml.js');
  return (text, edit) => {
    const document = yaml.parseDocument(text, { schema: 'core' });
    const list = yaml.isSeq(document.contents) ? (document.contents as YAMLSeq<ParsedNode>) : undefined;
    if (list?.flow === true && list.items.length > 0) return changeFlow(yaml, document, list, edit);
    switch (edit.kind) {
      case 'add':
        return addEntry(yaml, text, list, edit.entry);
      case 'release':
        return dropEntry(text, list, edit.index);
      case 'extend':
        return extendEntry(yaml, text, list, edit);
    }
  };
}

/** Throws UserError where an edit did not do what it says and nothing else: then a person has to. */
export async function proveEdit(
  before: readonly QuarantineEntry[],
  text: string,
  edit: QuarantineEdit,
  file: string,
): Promise<void> {
  const wanted = editedEntries(before, edit);
  const after = await parseQuarantine(text, file).then(
    ({ entries }) => entries,
    () => undefined,
  );
  if (after && canonicalJson(after) === canonicalJson(wanted)) return;
  throw new UserError(`${file} is written in a way that cannot be changed safely; change it by hand`);
}

/** The entries after an edit. */
export function editedEntries(before: readonly QuarantineEntry[], edit: QuarantineEdit): QuarantineEntry[] {
  switch (edit.kind) {
    case 'add':
      return [...before, edit.entry];
    case 'release':
      return before.filter((_entry, index) => index !== edit.index);
    case 'extend':
      return before.map((entry, index) => (index === edit.index ? { ...entry, until: edit.until } : entry));
  }
}

function addEntry(
  yaml: Yaml,
  text: string,
  list: YAMLSeq<ParsedNode> | undefined,
  entry: QuarantineEntry,
): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const first = list?.items[0]?.range?.[0];
  const dash = first === undefined ? '' : indentBefore(text, first);
  const lines = entryText(yaml, entry)
    .trimEnd()
    .split('\n')
    .map((line) => `${dash}${line}${lineEnd}`);
  let before = text.trim() === '' ? about.replaceAll('\n', lineEnd) : text;
  // `[]` holds nothing, and an entry cannot follow it.
  if (list?.flow && list.range)
    before = text.slice(0, list.range[0]) + text.slice(list.range[1]).replace(/^[ \t]*\r?\n/, '');
  return `${before}${before === '' || before.endsWith('\n') ? '' : lineEnd}${lines.join('')}`;
}

/** White space before the dash of the item that begins at an offset. */
function indentBefore(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function dropEntry(text: string, list: YAMLSeq<ParsedNode> | undefined, index: number): string {
  const item = list?.items[index];
  if (!list || !item?.range) throw new Error(`there is no entry ${index}`);
  const start = lineStart(text, item.range[0]);
  const end = lineEndAfter(text, item.range[1]);
  // Comments right above belong to the entry; above the first they may speak of the whole file.
  const from = index === 0 ? start : commentStart(text, start, list.items[index - 1]?.range?.[1] ?? 0);
  return text.slice(0, from) + text.slice(end);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** After the line that holds the last character of what ends at an offset, which may lie on the next line. */
function lineEndAfter(text: string, end: number): number {
  const last = text.slice(0, end).trimEnd().length;
  const at = text.indexOf('\n', last);
  return at < 0 ? text.length : at + 1;
}

/** Where the comment lines right above a line begin, no further up than `least`. */
function commentStart(text: string, start: number, least: number): number {
  const floor = lineEndAfter(text, least);
  let from = start;
  while (from > floor) {
    const above = lineStart(text, from - 1);
    if (above < floor || !/^[ \t]*#/.test(text.slice(above, from))) break;
    from = above;
  }
  return from;
}

function extendEntry(
  yaml: Yaml,
  text: string,
  list: YAMLSeq<ParsedNode> | undefined,
  { index, until }: { index: number; until: string },
): string {
  const item = list?.items[index];
  const value = yaml.isMap(item) ? (item as YAMLMap).get('until', true) : undefined;
  if (!yaml.isScalar(value) || !value.range) throw new Error(`there is no entry ${index}`);
  const [from, to] = value.range;
  return text.slice(0, from) + until + text.slice(to);
}

/** A list in brackets is written anew by the library, which keeps its comments. */
function changeFlow(yaml: Yaml, document: Document, list: YAMLSeq<ParsedNode>, edit: QuarantineEdit): string {
  if (edit.kind === 'add') list.items.push(document.createNode(plainEntry(edit.entry)) as ParsedNode);
  if (edit.kind === 'release') list.items.splice(edit.index, 1);
  if (edit.kind === 'extend') {
    const item = list.items[edit.index];
    if (yaml.isMap(item)) (item as YAMLMap).set('until', edit.until);
  }
  return document.toString({ lineWidth: 0 });
}

function entryText(yaml: Yaml, entry: QuarantineEntry): string {
  const document = new yaml.Document([plainEntry(entry)]);
  const evidence = document.getIn([0, 'evidence'], true);
  if (yaml.isSeq(evidence)) evidence.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function plainEntry({ scenario, check, owner, reason, since, until, evidence }: QuarantineEntry) {
  return { scenario, check: check ?? allChecks, owner, reason, since, until, evidence };
}
