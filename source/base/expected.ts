import { formatOf } from './document.js';
import type { DataNode, ScalarNode } from './nodes.js';
import { quote } from './quote.js';

/** What refuses a value, and the file that it stands in: a hint is written as that file writes values. */
export interface Wanted {
  /** The schema of zod, where it is known. */
  schema?: unknown;
  file?: string;
}

/** As much of the insides of a zod schema as messages are made of. */
interface Definition {
  type?: string;
  format?: string;
  element?: unknown;
  options?: unknown[];
  innerType?: unknown;
  in?: unknown;
  checks?: { _zod?: { def?: { check?: string; value?: unknown; inclusive?: boolean; format?: string } } }[];
}

function definitionOf(schema: unknown): Definition | undefined {
  return (schema as { _zod?: { def?: Definition } } | undefined)?._zod?.def;
}

/** A schema without its wrappings: defaults, optionality, what is made of the value afterwards. */
function unwrap(schema: unknown): Definition | undefined {
  let definition = definitionOf(schema);
  while (definition !== undefined) {
    const inner = definition.innerType ?? (definition.type === 'pipe' ? definition.in : undefined);
    if (inner === undefined) return definition;
    definition = definitionOf(inner);
  }
  return undefined;
}

/** The forms that a union takes, in the order in which zod tries them. */
export function formsOf(schema: unknown): readonly unknown[] {
  return unwrap(schema)?.options ?? [];
}

/** What a value should be: its type, and of a number its range where the schema has one. */
export function nameOfExpected(expected: string, schema?: unknown): string {
  return rangeOf(schema, expected === 'int') ?? nameOfType(expected);
}

/** `a whole number from 1 to 5`; undefined for what is no number, and for numbers without two bounds. */
export function rangeOf(schema: unknown, isWhole = false): string | undefined {
  const definition = unwrap(schema);
  if (definition?.type !== 'number') return undefined;
  const checks = (definition.checks ?? []).map((check) => check._zod?.def ?? {});
  const bound = (name: string) => checks.find(({ check }) => check === name);
  const least = bound('greater_than');
  const most = bound('less_than');
  if (typeof least?.value !== 'number' || typeof most?.value !== 'number') return undefined;
  const isInt = isWhole || [definition, ...checks].some(({ format }) => format === 'safeint');
  const noun = isInt ? 'a whole number' : 'a number';
  if (least.inclusive !== false && most.inclusive !== false)
    return `${noun} from ${least.value} to ${most.value}`;
  const from = least.inclusive === false ? `more than ${least.value}` : `at least ${least.value}`;
  const to = most.inclusive === false ? `less than ${most.value}` : `at most ${most.value}`;
  return `${noun} of ${from} and ${to}`;
}

/** A type of zod in the words of messages. */
export function nameOfType(expected: string): string {
  switch (expected) {
    case 'string':
      return 'a text';
    case 'number':
    case 'nan':
      return 'a number';
    case 'int':
    case 'bigint':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'array':
    case 'tuple':
    case 'set':
      return 'a list';
    case 'object':
    case 'record':
    case 'map':
      return 'a map of keys';
    case 'null':
      return 'null';
    case 'undefined':
    case 'never':
      return 'nothing';
    default:
      return expected;
  }
}

/** How the value that was found becomes one of the types that were expected, with `; ` before it; else nothing. */
export function hintFor(types: readonly string[], target: DataNode | undefined, wanted: Wanted = {}): string {
  const hint =
    target && types.map((type) => hintForType(type, target, wanted)).find((found) => found !== undefined);
  return hint === undefined ? '' : `; ${hint}`;
}

function hintForType(type: string, target: DataNode, wanted: Wanted): string | undefined {
  switch (type) {
    case 'string':
      return target.kind === 'scalar' && target.source ? 'put it in quotes' : undefined;
    case 'number':
    case 'int':
      return hintForNumber(target);
    case 'boolean':
      return hintForBoolean(target);
    case 'null':
      return textOf(target) === 'null' ? takeOffQuotes : undefined;
    case 'array':
      return hintForList(target, wanted);
    case 'object':
    case 'record':
      return hintForMap(target);
    default:
      return undefined;
  }
}

const takeOffQuotes = 'take off the quotes';

function textOf(target: DataNode): string | undefined {
  return target.kind === 'scalar' && typeof target.value === 'string' ? target.value.trim() : undefined;
}

function hintForNumber(target: DataNode): string | undefined {
  const text = textOf(target);
  if (text === undefined) return undefined;
  if (isNumber(text)) return takeOffQuotes;
  const percent = /^(\d+(?:\.\d+)?) ?%$/.exec(text)?.[1];
  if (percent !== undefined) return `write ${Number((Number(percent) / 100).toPrecision(12))}`;
  const plain = text.replace(/[_ ](?=\d{3}\b)/g, '');
  return isNumber(plain) ? `write ${plain}` : undefined;
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text);
}

function hintForBoolean(target: DataNode): string | undefined {
  const text = textOf(target)?.toLowerCase();
  if (text === 'true' || text === 'false') return takeOffQuotes;
  if (text === 'yes' || text === 'on') return 'write true';
  if (text === 'no' || text === 'off') return 'write false';
  return undefined;
}

/** One item where a list of them belongs. */
function hintForList(target: DataNode, { schema, file = '' }: Wanted): string | undefined {
  const element = unwrap(unwrap(schema)?.element);
  if (element?.type === 'object') return target.kind === 'map' ? 'a list of one is written [{…}]' : undefined;
  if (element?.type !== 'string' || target.kind !== 'scalar' || target.value === null) return undefined;
  const isJson = ['json', 'jsonl'].includes(formatOf(file) ?? '');
  const items = itemsOf(target).map((item) => (isJson || !isPlain(item) ? quote(item) : item));
  const list = `[${items.join(', ')}]`;
  return list.length > 80 || items.length === 0 ? 'write it in brackets, [one, two]' : `write ${list}`;
}

/** The items that a scalar was probably meant to be: words between commas are several. */
function itemsOf({ value, source }: ScalarNode): string[] {
  if (typeof value !== 'string') return [source ?? String(value)];
  return value
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Whether YAML takes it for a text in a list without quotes. */
function isPlain(item: string): boolean {
  return /^\p{L}[\p{L}\p{N} ._/-]*$/u.test(item) && !/^(?:true|false|null)$/i.test(item);
}

function hintForMap(target: DataNode): string | undefined {
  if (target.kind === 'list') {
    const [only, second] = target.items;
    return only?.kind === 'map' && second === undefined ? 'take it out of the list' : undefined;
  }
  const text = textOf(target);
  return text !== undefined && /^[\p{L}_$][\p{L}\p{N}_$-]*:\S/u.test(text)
    ? 'a space is missing after the colon'
    : undefined;
}
