import type { CheckSpec } from '../suite/types.js';
import { action } from './action.js';
import { budget } from './budget.js';
import { createCatalogue } from './catalogue.js';
import { custom } from './custom/check.js';
import { fieldEquals, fieldPresent } from './json-fields.js';
import { jsonSchema } from './json-schema.js';
import { judge } from './judge/check.js';
import { conveys } from './judge/conveys.js';
import { factAbsent, factPresent } from './judge/facts.js';
import { refusal } from './judge/refusal.js';
import { keywordsAbsent, keywordsPresent } from './keywords.js';
import { noDuplicates } from './no-duplicates.js';
import { patternAbsent, patternPresent } from './patterns.js';
import { sessionEnded } from './session-ended.js';
import { signal } from './signal.js';
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
  signal,
  noDuplicates,
  sessionEnded,
  action,
  budget,
  factPresent,
  factAbsent,
  refusal,
  conveys,
  judge,
  custom,
];

const byType = new Map(checkDefinitions.map((definition) => [definition.type, definition]));

/** The definition of a type; undefined where there is none. */
export function findCheck(type: string): CheckDefinition | undefined {
  return byType.get(type);
}

/** Whether a check of a scenario is hard or judged. */
export function checkKind(spec: Pick<CheckSpec, 'type' | 'args'>): 'hard' | 'judged' {
  const definition = findCheck(spec.type);
  return definition?.kindOf?.(spec.args) ?? definition?.kind ?? 'hard';
}

/** The same table as loading a suite wants it. */
export const checkCatalogue = createCatalogue(checkDefinitions);
