import type { JsonObject } from '../base/json.js';
import type { CheckCatalogue, CheckEntry } from '../suite/catalogue.js';
import { hasTuning, replaceTuning, tuningMistakes } from './tuning.js';
import { withTuning } from './tuning-schema.js';
import type { ArgumentMistake, CheckDefinition } from './types.js';

/** A table of checks as loading a suite wants it: arguments may name tuning values. */
export function createCatalogue(definitions: readonly CheckDefinition[]): CheckCatalogue {
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const entries = new Map<string, CheckEntry>();
  return {
    types: () => [...byType.keys()],
    find(type) {
      const definition = byType.get(type);
      if (!definition) return undefined;
      const entry = entries.get(type) ?? entryOf(definition);
      entries.set(type, entry);
      return entry;
    },
  };
}

function entryOf(definition: CheckDefinition): CheckEntry & Pick<CheckDefinition, 'type'> {
  const { kind, summary, defaultOn, absoluteByDefault } = definition;
  return {
    type: definition.type,
    kind,
    summary,
    schema: withTuning(definition.schema, definition.untunable),
    // A check is told from others by where its values come from: what they are is not known yet.
    mainArgument: (args) =>
      definition.mainArgument(hasTuning(args) ? (replaceTuning(args, (path) => path) as JsonObject) : args),
    validate: (args: JsonObject, suiteFolder?: string) => mistakesOf(definition, args, suiteFolder),
    ...(defaultOn !== undefined && { defaultOn }),
    ...(absoluteByDefault !== undefined && { absoluteByDefault }),
  };
}

/** With tuning values to come, whether they fit is found out when a trial is graded. */
function mistakesOf(
  definition: CheckDefinition,
  args: JsonObject,
  suiteFolder: string | undefined,
): ArgumentMistake[] {
  return hasTuning(args) ? tuningMistakes(args) : (definition.validate?.(args, suiteFolder) ?? []);
}
