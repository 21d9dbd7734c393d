import { parseDocuments, readTextFile } from '../../base/document.js';
import { InputError, type Problem } from '../../base/errors.js';
import {
  type DataNode,
  entryOf,
  nodeAt,
  type Position,
  positionAt,
  problemAt,
  toPlain,
} from '../../base/nodes.js';
import { validateNode } from '../../base/validate.js';
import type { SimulatedBehaviours } from './behaviours.js';
import { compileBehaviours } from './compile.js';
import { findMistakes, type Mistake } from './mistakes.js';
import { behavioursSchema } from './schema.js';

/** Which model a file describes, and how the file is called in mistakes. */
export interface BehavioursSource {
  name: string;
  file: string;
}

function byPlace(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}

function placeOf(node: DataNode, { path, isKey }: Mistake): Position {
  const parent = isKey ? nodeAt(node, path.slice(0, -1)) : undefined;
  const keyAt = parent && entryOf(parent, String(path.at(-1)))?.keyAt;
  return keyAt ?? positionAt(node, path);
}

/**
 * Reads a text of behaviours (YAML) of one simulated model. Throws InputError with all mistakes, in the order of
 * the file.
 */
export async function parseBehaviours(
  text: string,
  { name, file }: BehavioursSource,
): Promise<SimulatedBehaviours> {
  const { documents, problems } = await parseDocuments(text, file, 'yaml');
  const [node, second] = documents;
  if (second !== undefined) {
    problems.push(
      problemAt(file, second.at, 'a second document starts here; a file describes one simulated model'),
    );
  }
  if (node === undefined) throw new InputError(problems);
  const { value, problems: misshapen } = validateNode(behavioursSchema, node, { file });
  problems.push(...misshapen);
  for (const mistake of findMistakes(toPlain(node), name)) {
    problems.push(problemAt(file, placeOf(node, mistake), mistake.message));
  }
  if (value === undefined || problems.length > 0) throw new InputError(problems.sort(byPlace));
  return compileBehaviours(value);
}

/** As `parseBehaviours`, of a file. One that is missing, unreadable or not UTF-8 is a mistake too. */
export async function loadBehaviours(path: string, source: BehavioursSource): Promise<SimulatedBehaviours> {
  const { text, problems } = await readTextFile(path, source.file);
  if (text === undefined) throw new InputError(problems);
  return parseBehaviours(text, source);
}
