/** A JSONPath of RFC 9535 as it was read. `root` begins at `$`, `current` at the `@` of a filter. */
export interface Query {
  from: 'root' | 'current';
  segments: Segment[];
}

export interface Segment {
  /** `..`: of every value below as well. */
  isDescendant: boolean;
  selectors: Selector[];
}

export type Selector =
  | { kind: 'name'; name: string }
  | { kind: 'wildcard' }
  | { kind: 'index'; index: number }
  | { kind: 'slice'; start: number | undefined; end: number | undefined; step: number }
  | { kind: 'filter'; test: Test };

/** What is true or false of a value. */
export type Test =
  | { kind: 'or' | 'and'; tests: Test[] }
  | { kind: 'not'; test: Test }
  | { kind: 'exists'; query: Query }
  | { kind: 'compare'; left: Operand; operator: Operator; right: Operand }
  | { kind: 'pattern'; whole: boolean; value: Operand; pattern: Operand };

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What gives one value, or none. `query` finds at most one; `count` and `value` take any. */
export type Operand =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'query'; query: Query }
  | { kind: 'length'; of: Operand }
  | { kind: 'count' | 'value'; query: Query };

/** Why a text is no JSONPath, or why a path could not be followed to its end. */
export class JsonPathError extends Error {
  /** UTF-16 units from the start of the path to where it goes wrong; not set where it is right. */
  readonly offset: number | undefined;
  constructor(message: string, offset?: number) {
    super(message);
    this.name = 'JsonPathError';
    this.offset = offset;
  }
}
