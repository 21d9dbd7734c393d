import { formatProblem, type Problem } from '../base/errors.js';
import { contentHash } from '../base/hash.js';
import { type MapNode, type Position, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import type { CheckSpec, Place } from './types.js';

/** A check that has been read and has no id yet. */
export interface ReadCheck {
  /** As the file gives it. */
  givenId: string | undefined;
  /** Where it does, or where the check begins. */
  idAt: Position;
  /** Made from type and main argument. */
  madeId: string;
  /** Where `on` is written, or where the check begins. */
  onAt: Position;
  spec: Omit<CheckSpec, 'id'>;
  /** All that decides how it grades, defaults filled in. */
  content: Record<string, unknown>;
  /** The arguments as written, for the places of mistakes that are found later. */
  argsNode: MapNode;
}

const longestArgument = 48;

/**
 * The id of a check that has none: `pattern_absent-full-refund`. A long argument is cut between words. Letters
 * and digits of every script stay; a text without any gives the type alone.
 */
export function makeCheckId(type: string, mainArgument: string): string {
  const words = mainArgument
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > longestArgument && slug !== '') break;
    slug = longer;
  }
  slug = Array.from(slug).slice(0, longestArgument).join('');
  return slug === '' ? type : `${type}-${slug}`;
}

/**
 * Gives every check of a scenario its id. Checks whose made-up ids are the same are told apart by a piece of
 * their content hash, all of them, so that no id depends on the order. Reported: an id that is given twice, and
 * two checks that are the same in all that counts.
 */
export function assignCheckIds(checks: readonly ReadCheck[]): { specs: CheckSpec[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (place: Place, message: string) => problems.push({ ...place, message });
  const byContent = new Map<string, ReadCheck>();
  const given = new Map<string, ReadCheck>();
  const madeCount = new Map<string, number>();
  const kept: ReadCheck[] = [];

  for (const check of checks) {
    const content = contentHash(check.content);
    const same = byContent.get(content);
    if (same !== undefined) {
      report(check.spec.place, `this check is the same as the one at ${shown(same)}; keep one`);
      continue;
    }
    byContent.set(content, check);
    const namesake = check.givenId === undefined ? undefined : given.get(check.givenId);
    if (namesake !== undefined) {
      report(
        { file: check.spec.place.file, ...check.idAt },
        `check id ${quote(check.givenId ?? '')} is given twice, first at ${shown(namesake, namesake.idAt)}; give one of them another`,
      );
      continue;
    }
    if (check.givenId !== undefined) given.set(check.givenId, check);
    else madeCount.set(check.madeId, (madeCount.get(check.madeId) ?? 0) + 1);
    kept.push(check);
  }

  const taken = new Map<string, ReadCheck>(given);
  const specs: CheckSpec[] = [];
  for (const check of kept) {
    let id = check.givenId;
    if (id === undefined) {
      const isAmbiguous = (madeCount.get(check.madeId) ?? 0) > 1 || given.has(check.madeId);
      id = isAmbiguous ? `${check.madeId}-${contentHash(check.content).slice(0, 6)}` : check.madeId;
      const namesake = taken.get(id);
      if (namesake !== undefined) {
        report(
          check.spec.place,
          `the id ${quote(id)} is also that of the check at ${shown(namesake)}; give it an id`,
        );
        continue;
      }
      taken.set(id, check);
    }
    specs.push({ id, ...check.spec });
  }
  return { specs, problems };
}

function shown(check: ReadCheck, at: Position = check.spec.place): string {
  return formatProblem(problemAt(check.spec.place.file, at, '')).replace(/: $/, '');
}
