import type { Json } from '../json.js';
import { evaluate } from './evaluate.js';
import { parseJsonPath } from './parse.js';

/** A JSONPath of RFC 9535, read once. */
export interface JsonPath {
  text: string;
  /** Every value that it finds, in order. Throws JsonPathError where that would take too long. */
  select(value: Json): Json[];
}

const compiled = new Map<string, JsonPath>();

/** Paths stand in the files of a suite, so there are few; those that a product is tuned with may change. */
const mostKept = 1000;

/**
 * Reads a JSONPath, once for each text. Throws JsonPathError, for patterns too that RE2 refuses. No library does it:
 * json-p3 2.3.1 refuses `@.a < 0.5`, reads `!@.a == 1`, orders texts by UTF-16 units and bounds no work, and
 * jsonpath-rfc9535 1.3.0 gets `a && b && c` wrong and leaves patterns to RegExp.
 */
export function compileJsonPath(text: string): JsonPath {
  const known = compiled.get(text);
  if (known) return known;
  const query = parseJsonPath(text);
  const fresh: JsonPath = { text, select: (value) => evaluate(query, value) };
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(text, fresh);
  return fresh;
}
