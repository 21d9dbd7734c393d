import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLError,
} from 'yaml';
import type { Problem } from './errors.js';
import { duplicateKey, keyMistake } from './json-nodes.js';
import {
  createLineTable,
  type DataNode,
  deepestNesting,
  type MapEntry,
  numberMistake,
  type Position,
  problemAt,
  textMistake,
} from './nodes.js';
import { quote } from './quote.js';
import { explainYamlError } from './yaml-errors.js';

/** Values that aliases of one file may add: far more than a person repeats, far less than what fills the memory. */
const mostAliasedValues = 250_000;

const tooDeep = `nested deeper than ${deepestNesting} levels`;

/** What YAML does not allow unescaped in a file. */
const rawControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A comment that begins like a word: `order #W123`, meant as text more often than not. */
const wordlikeComment = /^[ \t]+(#[\p{L}\p{N}]\S*)/u;

/** A node with how many values it holds when every alias is followed. */
interface Sized {
  node: DataNode;
  size: number;
}

/**
 * Reads all documents of a YAML text (line ends `\n`) with the place of each part: YAML 1.2, so `no` and `on`
 * are texts. Anchors, aliases and merge keys (`<<`) work; what an alias repeats keeps the place where it is
 * written. Documents with a syntax error are left out, and so are empty ones.
 */
export function parseYamlNodes(text: string, file: string): { nodes: DataNode[]; problems: Problem[] } {
  const toPosition = createLineTable(text);
  const problems: Problem[] = [];
  const nodes: DataNode[] = [];

  const control = rawControl.exec(text);
  if (control !== null) {
    const at = toPosition(control.index);
    const message = `the control character ${quote(control[0]).slice(1, -1)} stands in the file; write it as an escape in double quotes`;
    return { nodes, problems: [problemAt(file, at, message)] };
  }

  let documents: Document.Parsed[];
  try {
    documents = parseAllDocuments(text, {
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { nodes, problems: [problemAt(file, { line: 1, column: 1 }, tooDeep)] };
  }
  for (const document of documents) {
    const errors = [...document.errors, ...document.warnings];
    const exhausted = errors.find(isStackError);
    if (exhausted) {
      problems.push(problemAt(file, toPosition(exhausted.pos[0]), tooDeep));
      continue;
    }
    if (errors.length > 0) {
      // One mistake often shows as several errors of its line; the first one is the one to read.
      const lines = new Set<number>();
      for (const error of errors) {
        const { offset, message } = explainYamlError(error, document, text);
        const at = toPosition(offset);
        if (lines.has(at.line)) continue;
        lines.add(at.line);
        problems.push(problemAt(file, at, message));
      }
      continue;
    }
    if (isEmptyDocument(document)) continue;
    const converted = convertDocument(document, text, toPosition, (at, message) =>
      problems.push(problemAt(file, at, message)),
    );
    if (converted !== undefined) nodes.push(converted);
  }
  return { nodes, problems };
}

/** The parser reports as an error of the file what in truth is the end of its stack. */
function isStackError({ message }: YAMLError): boolean {
  return message.startsWith('Maximum call stack');
}

function isEmptyDocument(document: Document.Parsed): boolean {
  const { contents } = document;
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

/** Thrown to give up a document whose mistake makes the rest of it meaningless. */
class Unreadable extends Error {}

function convertDocument(
  document: Document.Parsed,
  text: string,
  toPosition: (offset: number) => Position,
  report: (at: Position, message: string) => void,
): DataNode | undefined {
  const anchors = new Map<string, Sized | 'open'>();
  let aliased = 0;

  const startOf = (node: unknown): Position => toPosition((isNode(node) && node.range?.[0]) || 0);
  const giveUp = (at: Position, message: string): never => {
    report(at, message);
    throw new Unreadable();
  };

  function convert(node: unknown, depth: number, fallback: Position): Sized {
    if (node === null || node === undefined) {
      return { node: { kind: 'scalar', at: fallback, value: null, source: '' }, size: 1 };
    }
    if (depth > deepestNesting) giveUp(startOf(node), tooDeep);
    if (isAlias(node)) return convertAlias(node.source, startOf(node));
    const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, 'open');
    const sized = convertOwn(node, depth, fallback);
    if (anchor !== undefined) anchors.set(anchor, sized);
    return sized;
  }

  function convertAlias(name: string, at: Position): Sized {
    const target = anchors.get(name);
    if (target === undefined) {
      return giveUp(
        at,
        `*${name} repeats &${name}, which is not above it; if this is meant as text, put it in quotes`,
      );
    }
    if (target === 'open') return giveUp(at, `*${name} stands inside of &${name}, so it would never end`);
    aliased += target.size;
    if (aliased > mostAliasedValues) {
      giveUp(at, `aliases repeat more than ${mostAliasedValues} values in this file; write less of them`);
    }
    return { node: { ...target.node, at }, size: target.size };
  }

  function convertOwn(node: unknown, depth: number, fallback: Position): Sized {
    if (isScalar(node)) return { node: convertScalar(node, fallback), size: 1 };
    if (isSeq(node)) {
      const at = startOf(node);
      const items = node.items.map((item) => convert(isPair(item) ? undefined : item, depth + 1, at));
      const size = items.reduce((sum, item) => sum + item.size, 1);
      return { node: { kind: 'list', at, items: items.map((item) => item.node) }, size };
    }
    if (isMap(node)) return convertMap(node.items, startOf(node), depth);
    return giveUp(startOf(node), 'this is no text, number, list or map');
  }

  function convertScalar(scalar: Scalar, fallback: Position): DataNode {
    const { value, source = '' } = scalar;
    // Nothing is written after the colon: what is missing is missed at its key.
    const at = value === null && source === '' ? fallback : startOf(scalar);
    if (typeof value === 'string') {
      const mistake = textMistake(value) ?? cutMistake(scalar);
      if (mistake !== undefined) report(at, mistake);
      return { kind: 'scalar', at, value };
    }
    if (typeof value === 'number') {
      const mistake = numberMistake(source, value);
      if (mistake !== undefined) report(at, mistake);
      return { kind: 'scalar', at, value, source };
    }
    if (value === null || typeof value === 'boolean') return { kind: 'scalar', at, value, source };
    return giveUp(at, `a value of this type cannot be kept in JSON; put it in quotes`);
  }

  /** A text without quotes ends where YAML sees a comment, and nobody would notice half a message. */
  function cutMistake({ type, range }: Scalar): string | undefined {
    if (type !== 'PLAIN' || !range) return undefined;
    const comment = wordlikeComment.exec(text.slice(range[1], range[1] + 200))?.[1];
    if (comment === undefined) return undefined;
    return `the text ends before ${quote(comment, 20)}, which YAML takes for a comment; put the text in quotes, or a space after the "#"`;
  }

  function convertMap(items: Pair[], at: Position, depth: number): Sized {
    const entries: MapEntry[] = [];
    const seen = new Map<string, Position>();
    const merged: { sized: Sized; at: Position }[] = [];
    let size = 1;
    for (const { key: keyNode, value: valueNode } of items) {
      const keyAt = startOf(keyNode);
      const value = convert(valueNode, depth + 1, keyAt);
      if (isScalar(keyNode) && keyNode.value === '<<' && keyNode.type === 'PLAIN') {
        merged.push({ sized: value, at: keyAt });
        continue;
      }
      const key = readKey(keyNode, keyAt);
      const mistake = keyMistake(key);
      if (mistake !== undefined) report(keyAt, mistake);
      const first = seen.get(key);
      if (first !== undefined) {
        report(keyAt, duplicateKey(key, first));
        continue;
      }
      seen.set(key, keyAt);
      size += value.size;
      entries.push({ key, keyAt, value: value.node });
    }
    // Keys that are written win over merged ones, earlier merged maps over later ones.
    for (const { sized, at: mergeAt } of merged) {
      size += sized.size;
      for (const map of sized.node.kind === 'list' ? sized.node.items : [sized.node]) {
        if (map.kind !== 'map') {
          report(mergeAt, 'the merge key << takes an alias of a map, or a list of such aliases');
          continue;
        }
        for (const entry of map.entries) {
          if (seen.has(entry.key)) continue;
          seen.set(entry.key, entry.keyAt);
          entries.push(entry);
        }
      }
    }
    return { node: { kind: 'map', at, entries }, size };
  }

  function readKey(node: unknown, at: Position): string {
    const target = isAlias(node) ? convertAlias(node.source, at).node : undefined;
    if (target?.kind === 'scalar') return target.source ?? String(target.value);
    if (isScalar(node)) {
      if (node.anchor !== undefined) convert(node, 0, at);
      // As it is written: `1.0` and `007` are keys of three characters.
      const key = typeof node.value === 'string' ? node.value : (node.source ?? '');
      if (key !== '' || typeof node.value === 'string') return key;
    }
    return giveUp(at, 'a key must be a text; put it in quotes, or add what is missing before the colon');
  }

  try {
    return convert(document.contents, 0, toPosition(document.range[0])).node;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
