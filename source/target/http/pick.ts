import { query } from 'jsonpath-rfc9535';
import parse from 'jsonpath-rfc9535/parser';
import { UserError } from '../../base/errors.js';
import { isJsonObject, type Json } from '../../base/json.js';
import { jsonPathMistake } from '../../suite/http-mistakes.js';

/** A JSONPath, read once. Gives every value that it finds, in order. */
export interface Pick {
  path: string;
  from(value: Json): Json[];
}

type Step = { name: string } | { index: number };
type Segment = ReturnType<typeof parse>['segments'][number];

/**
 * Names and indexes alone, or undefined when the path can find more than one value. Nearly every path is of
 * this kind, and is then followed without reading its text again for each event of a stream.
 */
function singleSteps(segments: readonly Segment[]): Step[] | undefined {
  const steps: Step[] = [];
  for (const { type, node } of segments) {
    if (type !== 'ChildSegment') return undefined;
    const selector =
      node.type === 'BracketedSelection' && node.selectors.length === 1 ? node.selectors[0] : node;
    if (selector?.type === 'MemberNameShorthand' || selector?.type === 'NameSelector')
      steps.push({ name: selector.value });
    else if (selector?.type === 'IndexSelector') steps.push({ index: selector.value });
    else return undefined;
  }
  return steps;
}

function follow(value: Json, steps: readonly Step[]): Json[] {
  let at: Json | undefined = value;
  for (const step of steps) {
    if ('name' in step) at = isJsonObject(at) && Object.hasOwn(at, step.name) ? at[step.name] : undefined;
    else at = Array.isArray(at) ? at.at(step.index) : undefined;
    if (at === undefined) return [];
  }
  return [at];
}

/** Reads a JSONPath (RFC 9535). `where` names its key in the error. Throws UserError. */
export function compilePick(path: string, where: string): Pick {
  const mistake = jsonPathMistake(path);
  if (mistake !== undefined) throw new UserError(`${where}: ${mistake}`);
  const steps = singleSteps(parse(path).segments);
  return { path, from: steps ? (value) => follow(value, steps) : (value) => query(value, path) };
}
