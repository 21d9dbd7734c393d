import path from 'node:path';
import { z } from 'zod';
import { parseDocuments, readTextFile } from '../base/document.js';
import { InputError, type Problem } from '../base/errors.js';
import { mergeConflict } from '../base/merge-conflict.js';
import { type DataNode, positionAt, problemAt } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import { validateNode } from '../base/validate.js';
import type { Project } from '../project/config.js';
import { shownPath } from '../project/paths.js';
import type { QuarantineEntry } from '../run/planned.js';
import type { Suite } from '../suite/types.js';

const line = z.string().min(1).max(500);
const day = z.iso.date({ error: 'expected a day, as in 2026-11-30' });

/** Whether a text is a day as the file writes it. */
export function isDay(text: string): boolean {
  return day.safeParse(text).success;
}

/** What `check` says of all checks of a scenario. */
export const allChecks = 'all';

const entrySchema = z.strictObject({
  scenario: line.describe('Id of the scenario.'),
  check: line.describe(`Id of the check, or "${allChecks}".`),
  owner: line.describe('Who sees to it that it ends.'),
  reason: line.describe('Why it may flip.'),
  since: day.describe('First day.'),
  until: day.describe('Last day; after it the gate fails.'),
  evidence: z.array(line).exactOptional().describe('Ids of the runs that showed it.'),
});

/** `quarantine.yaml`, for editors. */
export const quarantineSchema = z.array(entrySchema);

/** What a quarantine file says, with where each entry stands in it. */
export interface QuarantineFile {
  /** As it is called in problems. */
  file: string;
  entries: QuarantineEntry[];
  /** The whole list; not set where there is no file or nothing in it. */
  node?: DataNode;
}

/** Where the quarantine of a suite stands, absolute. */
export function quarantinePath({ folder }: Pick<Suite, 'folder'>): string {
  return path.join(folder, 'quarantine.yaml');
}

/** Reads a quarantine file; without one nothing is quarantined. Throws InputError with every mistake of it. */
export async function readQuarantine(
  project: Pick<Project, 'root'>,
  suite: Pick<Suite, 'folder'>,
): Promise<QuarantineFile> {
  const full = quarantinePath(suite);
  const file = shownPath(project.root, full);
  const { text, problems } = await readTextFile(full, file);
  if (text !== undefined) return parseQuarantine(text, file);
  if (problems.every(({ message }) => message === 'there is no such file')) return { file, entries: [] };
  throw new InputError(problems);
}

/** As `readQuarantine`, of a text. */
export async function parseQuarantine(text: string, file: string): Promise<QuarantineFile> {
  const conflict = mergeConflict(text, file, 'keep the entries that still hold');
  if (conflict.length > 0) throw new InputError(conflict);
  if (isBlank(text)) return { file, entries: [] };
  const { documents, problems } = await parseDocuments(text, file, 'yaml');
  const [node, second] = documents;
  if (second) problems.push(problemAt(file, second.at, 'a second document; a quarantine is one list'));
  if (problems.length > 0 || !node) throw new InputError(problems.slice(0, 20));
  const { value, problems: found } = validateNode(quarantineSchema, node, { file });
  if (!value || found.length > 0) throw new InputError(inReadingOrder(found));
  const entries = value.map(
    ({ scenario, check, owner, reason, since, until, evidence = [] }): QuarantineEntry => ({
      scenario,
      ...(check !== allChecks && { check }),
      owner,
      reason,
      since,
      until,
      evidence,
    }),
  );
  const mistakes = ownMistakes({ file, entries, node });
  if (mistakes.length > 0) throw new InputError(inReadingOrder(mistakes));
  return { file, entries, node };
}

/** Whether there is nothing but comments, and perhaps the mark that a document begins. */
function isBlank(text: string): boolean {
  // Line by line: one pattern for all of it takes twice as long with every empty line.
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .every((line) => /^\s*(#.*|---\s*)?$/.test(line));
}

/** What is wrong with a file by itself. */
function ownMistakes({ file, entries, node }: Required<QuarantineFile>): Problem[] {
  const found: Problem[] = [];
  for (const [index, entry] of entries.entries()) {
    const add = (key: string, message: string) =>
      found.push(problemAt(file, positionAt(node, [index, key]), message));
    if (entry.until < entry.since) add('until', `it would end before it began on ${entry.since}`);
    const other = entries.findIndex((one, at) => at < index && overlaps(one, entry));
    if (other >= 0) {
      const { line: at } = positionAt(node, [other]);
      add('scenario', `this is quarantined already by the entry of line ${at}; keep one of them`);
    }
  }
  return found;
}

/** Whether two entries are about a check in common. */
export function overlaps(
  a: Pick<QuarantineEntry, 'scenario' | 'check'>,
  b: Pick<QuarantineEntry, 'scenario' | 'check'>,
): boolean {
  const isAll = a.check === undefined || b.check === undefined;
  return a.scenario === b.scenario && (isAll || a.check === b.check);
}
