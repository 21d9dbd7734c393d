import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../base/json.js';

/** What a person found a change to be. */
const changeClasses = ['regression', 'intended-change', 'bad-criterion'] as const;
export type ChangeClass = (typeof changeClasses)[number];

/** What was said of the change of one criterion, as it is kept beside the journal. */
export interface GivenClass {
  scenario: string;
  check: string;
  class: ChangeClass;
  by?: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A line of the file: one with `null` takes back what was said before. */
export type ClassEntry = Omit<GivenClass, 'class'> & { class: ChangeClass | null };

const classesFile = 'classes.jsonl';

/** One text for one criterion, for maps. */
export function criterionId({ scenario, check }: { scenario: string; check: string }): string {
  return JSON.stringify([scenario, check]);
}

/** Adds what was said of a change to the run in `folder`; nothing is replaced, and the last word counts. */
export async function saveClass(folder: string, entry: ClassEntry): Promise<void> {
  await appendFile(path.join(folder, classesFile), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

/** What stands of each change of the run in `folder`, by `criterionId`. A line that was cut off is left out. */
export async function readClasses(folder: string): Promise<Map<string, GivenClass>> {
  const classes = new Map<string, GivenClass>();
  let text: string;
  try {
    text = await readFile(path.join(folder, classesFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return classes;
    throw error;
  }
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (!entry) continue;
    const { class: given, ...rest } = entry;
    if (given === null) classes.delete(criterionId(entry));
    else classes.set(criterionId(entry), { ...rest, class: given });
  }
  return classes;
}

function readLine(line: string): ClassEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry =
      isJsonObject(value) &&
      typeof value.scenario === 'string' &&
      typeof value.check === 'string' &&
      (value.class === null || changeClasses.some((name) => name === value.class));
    return isEntry ? (value as unknown as ClassEntry) : undefined;
  } catch {
    return undefined;
  }
}
