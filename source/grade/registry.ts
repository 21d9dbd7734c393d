import type { CheckCatalogue } from '../suite/catalogue.js';
import { action } from './action.js';
import { budget } from './budget.js';
import { fieldEquals, fieldPresent } from './json-fields.js';
import { jsonSchema } from './json-schema.js';
import { judge } from './judge/check.js';
import { keywordsAbsent, keywordsPresent } from './keywords.js';
import { patternAbsent, patternPresent } from './patterns.js';
import { toolCalled, toolNotCalled, toolOrder } from './tools.js';
import type { CheckDefinition } from './types.js';

/** Every type of check there is, in the order of the documentation. A new type is one new file and one line here. */
export const checkDefinitions: readonly CheckDefinition[] = [
  toolCalled,
  toolNotCalled,
  toolOrder,
  fieldEquals,
  fieldPresent,
  jsonSchema,
  patternPresent,
  patternAbsent,
  keywordsPresent,
  keywordsAbsent,
  action,
  budget,
  judge,
];

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
