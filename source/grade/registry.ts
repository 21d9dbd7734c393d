import type { CheckCatalogue } from '../suite/catalogue.js';
import type { CheckDefinition } from './types.js';

/** Every type of check there is, in the order of the documentation. A new type is one new file and one line here. */
export const checkDefinitions: readonly CheckDefinition[] = [];

const byType = new Map(checkDefinitions.map((definition) => [definition.type, definition]));

/** The definition of a type; undefined where there is none. */
export function findCheck(type: string): CheckDefinition | undefined {
  return byType.get(type);
}

/** The same table as loading a suite wants it. */
export const checkCatalogue: CheckCatalogue = {
  types: () => checkDefinitions.map((definition) => definition.type),
  find: findCheck,
};
