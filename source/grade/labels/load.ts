import { normaliseText, parseDocuments, readTextFile } from '../../base/document.js';
import { InputError, type Problem } from '../../base/errors.js';
import { isJsonObject, type Json } from '../../base/json.js';
import { mergeConflict } from '../../base/merge-conflict.js';
import { type DataNode, entryOf, type MapNode, positionAt, problemAt } from '../../base/nodes.js';
import { inReadingOrder } from '../../base/problem-order.js';
import { validateNode } from '../../base/validate.js';
import { noUsage } from '../../model/types.js';
import type { Turn } from '../../play/types.js';
import { readChecks } from '../../suite/checks.js';
import type { CheckSpec } from '../../suite/types.js';
import type { ReplyPart } from '../../target/types.js';
import { checkCatalogue, checkKind } from '../registry.js';
import { neededScore, rubricHash, verdictOn } from './rubric-hash.js';
import { labelSchema, type labelShape, type WrittenLabel } from './schema.js';
import type { JudgedLabel, Label } from './types.js';

/**
 * Reads the labels of a file, a YAML document each; none where there is no file. `file` is how it is called in problems.
 * Throws InputError with every mistake of the file.
 */
export async function loadLabels(path: string, file: string): Promise<Label[]> {
  const { text, problems } = await readTextFile(path, file);
  if (text === undefined) {
    if (problems.every(({ message }) => message === 'there is no such file')) return [];
    throw new InputError(problems);
  }
  return readLabels(text, file);
}

/** As `loadLabels`, of a text. */
export async function readLabels(text: string, file: string): Promise<Label[]> {
  const lines = normaliseText(text).split('\n');
  if (lines.every((line) => /^\s*(#.*|---\s*)?$/.test(line))) return [];
  const conflict = mergeConflict(text, file, 'keep both sides, each label once');
  if (conflict.length > 0) throw new InputError(conflict);
  const { documents, problems } = await parseDocuments(text, file, 'yaml');
  const labels: Label[] = [];
  const found = [...problems];
  for (const node of documents) {
    if (node.kind === 'scalar' && node.value === null) continue;
    const read = readLabel(node, file);
    if (Array.isArray(read)) found.push(...read);
    else labels.push(read);
  }
  if (found.length > 0) throw new InputError(inReadingOrder(found));
  return labels;
}

function readLabel(node: DataNode, file: string): Label | Problem[] {
  if (node.kind !== 'map')
    return [problemAt(file, node.at, 'expected a label {check, transcript, expected}, one a document')];
  const without: MapNode = { ...node, entries: node.entries.filter(({ key }) => key !== 'check') };
  const { value, problems } = validateNode(labelSchema, without, { file, alsoKnown: ['check'] });
  const read = readCheck(node, file);
  if (Array.isArray(read)) return [...problems, ...read];
  const found = [...problems];
  if (value) found.push(...mistakes(value, read, node, file));
  if (!value || found.length > 0) return found;
  const { judged } = value;
  return {
    place: { file, ...node.at },
    check: read,
    rubric: rubricHash(read),
    turns: value.transcript.map(turnOf),
    expected: verdictOn(read, value.expected),
    ...(value.by !== undefined && { by: value.by }),
    ...(value.at !== undefined && { at: value.at }),
    ...(value.note !== undefined && { note: value.note }),
    ...(value.revised && { isRevised: true as const }),
    ...(value.blind === false && { isSighted: true as const }),
    ...(value.from && { from: value.from }),
    ...(judged && { judged: judgedOf(judged, read) }),
  };
}

function readCheck(node: MapNode, file: string): CheckSpec | Problem[] {
  const entry = entryOf(node, 'check');
  if (!entry)
    return [problemAt(file, node.at, 'missing key "check": the judged check, {type: judge, rubric: …}')];
  const list: DataNode = { kind: 'list', at: entry.value.at, items: [entry.value] };
  const { checks, problems } = readChecks(list, file, { catalogue: checkCatalogue, suiteFolder: '.' });
  const [check] = checks;
  if (!check) return problems;
  if (checkKind(check.spec) !== 'judged')
    return [problemAt(file, positionAt(entry.value, ['type']), 'no judge is asked by a check of this type')];
  return { ...check.spec, id: check.givenId ?? check.madeId };
}

function mistakes(value: WrittenLabel, check: CheckSpec, node: MapNode, file: string): Problem[] {
  const found: Problem[] = [];
  const add = (key: keyof typeof labelShape, message: string) =>
    found.push(problemAt(file, positionAt(node, [key]), message));
  if (typeof value.expected === 'number' && neededScore(check) === undefined)
    add('expected', 'this check asks for pass or fail, not for a score; a score needs "min_score"');
  const hash = rubricHash(check);
  if (value.rubric !== undefined && !hash.startsWith(value.rubric.slice(0, hash.length)))
    add(
      'rubric',
      `the check was changed after it was labelled; label it again, or say rubric: ${hash} if it still holds`,
    );
  return found;
}

function judgedOf({ verdict, ...rest }: NonNullable<WrittenLabel['judged']>, check: CheckSpec): JudgedLabel {
  return { ...rest, ...(verdict === 'unknown' ? { pass: 'unknown' } : verdictOn(check, verdict)) };
}

function turnOf(written: WrittenLabel['transcript'][number], at: number): Turn {
  const parts: ReplyPart[] =
    typeof written.agent === 'string'
      ? [{ kind: 'text', text: written.agent }]
      : written.agent.map((part) => {
          if (part.call === undefined) return { kind: 'text', text: part.say ?? '' };
          const args = (part.args ?? {}) as Json;
          return {
            kind: 'tool',
            call: {
              name: part.call,
              args: isJsonObject(args) ? args : typeof args === 'string' ? args : JSON.stringify(args),
              ...(part.result !== undefined && { result: part.result as Json }),
              ...(part.error !== undefined && { error: part.error }),
              from: 'fixture',
            },
          };
        });
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  return {
    index: at + 1,
    message: written.user,
    reply: { parts, text, usage: noUsage, steps: 1, stop: 'end', model: '' },
    ms: 0,
  };
}
