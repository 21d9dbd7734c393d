import { isJsonObject, type Json, type JsonObject } from '../base/json.js';
import { parseJsonText } from '../base/json-text.js';
import { quote } from '../base/quote.js';

const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Words that some YAML reader takes for a truth value or for nothing. */
const notAsKey = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** In double quotes, whole: what a terminal would obey or a reader could not see is written as an escape. */
function toText(text: string): string {
  return quote(text, Number.POSITIVE_INFINITY);
}

function toKey(key: string): string {
  return plainKey.test(key) && !notAsKey.test(key) ? key : toText(key);
}

/** JSON as YAML on one line, keys without quotes where they need none. */
function toFlow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, item]) => `${toKey(key)}: ${toFlow(item)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? toText(value) : JSON.stringify(value);
}

function parseArguments(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = parseJsonText(text);
    return isJsonObject(parsed) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The fixture that a call was missing, as YAML to paste into the scenario: only what the tool returns is left
 * to fill in. Safe to print whatever the model wrote. `args` may be the JSON text of the arguments.
 */
export function describeMissingFixture(tool: string, args: JsonObject | string): string {
  const given = typeof args === 'string' ? parseArguments(args) : args;
  const lines = ['fixtures:', `  ${toKey(tool)}:`];
  if (given === undefined || Object.keys(given).length === 0) lines.push('    - returns: {}');
  else lines.push(`    - when: ${toFlow(given)}`, '      returns: {}');
  return lines.join('\n');
}
