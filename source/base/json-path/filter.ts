import { patternMistake } from './pattern.js';
import { readText, type Scanner } from './scanner.js';
import { JsonPathError, type Operand, type Operator, type Query, type Segment, type Test } from './types.js';

type ReadSegments = (scanner: Scanner, depth: number) => Segment[];

/** Filters in filters and brackets in brackets; nobody writes more, and reading them takes stack. */
const deepest = 50;

const operators: readonly Operator[] = ['==', '!=', '<=', '>=', '<', '>'];

const functions = ['length', 'count', 'value', 'match', 'search'] as const;
type FunctionName = (typeof functions)[number];

/** What a piece of a filter can be, until what stands around it says what it has to be. */
type Piece =
  | { kind: 'operand'; operand: Operand }
  | { kind: 'query'; query: Query }
  | { kind: 'test'; test: Test };

/** Reads the condition of a filter. `readSegments` reads the paths in it. Throws JsonPathError. */
export function readTest(scanner: Scanner, depth: number, readSegments: ReadSegments): Test {
  if (depth > deepest)
    throw new JsonPathError(`the path has filters and brackets more than ${deepest} deep`, scanner.at());

  function readOr(): Test {
    const tests = readList('||', () => readList('&&', readBasic, 'and'), 'or');
    return tests;
  }

  function readList(operator: string, readOne: () => Test, kind: 'and' | 'or'): Test {
    const first = readOne();
    const tests = [first];
    for (;;) {
      const from = scanner.at();
      scanner.skipBlank();
      if (!scanner.takes(operator)) {
        scanner.back(from);
        return tests.length === 1 ? first : { kind, tests };
      }
      scanner.skipBlank();
      tests.push(readOne());
    }
  }

  function readBasic(): Test {
    const isNot = scanner.takes('!');
    if (isNot) scanner.skipBlank();
    if (scanner.takes('(')) {
      scanner.skipBlank();
      const test = readTest(scanner, depth + 1, readSegments);
      scanner.skipBlank();
      if (!scanner.takes(')')) throw scanner.fail('")"');
      return isNot ? { kind: 'not', test } : test;
    }
    const from = scanner.at();
    const piece = readPiece();
    const operator = isNot ? undefined : readOperator();
    if (operator === undefined) {
      const test = asTest(piece, from);
      return isNot ? { kind: 'not', test } : test;
    }
    const left = asOperand(piece, from);
    scanner.skipBlank();
    const rightFrom = scanner.at();
    return { kind: 'compare', left, operator, right: asOperand(readPiece(), rightFrom) };
  }

  function readOperator(): Operator | undefined {
    const from = scanner.at();
    scanner.skipBlank();
    const operator = operators.find((one) => scanner.takes(one));
    if (operator === undefined) scanner.back(from);
    return operator;
  }

  function readPiece(): Piece {
    const text = readText(scanner);
    if (text !== undefined) return literal(text);
    const number = scanner.match(/(?:-?(?:0(?!\d)|[1-9]\d*))(?:\.\d+)?(?:[eE][-+]?\d+)?/y);
    if (number !== undefined) return literal(Number(number));
    for (const from of ['current', 'root'] as const) {
      if (scanner.takes(from === 'root' ? '$' : '@'))
        return { kind: 'query', query: { from, segments: readSegments(scanner, depth) } };
    }
    const start = scanner.at();
    const word = scanner.match(/[a-z][a-z_0-9]*/y);
    if (word !== undefined && scanner.takes('(')) return readCall(word, start);
    if (word === 'true' || word === 'false') return literal(word === 'true');
    if (word === 'null') return literal(null);
    scanner.back(start);
    throw scanner.fail('"@", "$", a function, a text in quotes, a number, true, false or null');
  }

  function readCall(name: string, start: number): Piece {
    if (!isFunction(name))
      throw new JsonPathError(`there is no function ${name}; there are ${functions.join(', ')}`, start);
    const values: { piece: Piece; from: number }[] = [];
    scanner.skipBlank();
    if (!scanner.sees(')')) {
      do {
        scanner.skipBlank();
        const from = scanner.at();
        if (depth + 1 > deepest)
          throw new JsonPathError(`the path nests functions more than ${deepest} deep`, from);
        depth++;
        values.push({ piece: readPiece(), from });
        depth--;
        scanner.skipBlank();
      } while (scanner.takes(','));
    }
    if (!scanner.takes(')')) throw scanner.fail('")" or ","');
    const [first, second] = values;
    const isPattern = name === 'match' || name === 'search';
    if (!first || values.length !== (isPattern ? 2 : 1))
      throw new JsonPathError(`${name} takes ${isPattern ? 'a text and a pattern' : 'one value'}`, start);
    if (name === 'length')
      return { kind: 'operand', operand: { kind: name, of: asOperand(first.piece, first.from) } };
    if (name === 'count' || name === 'value') {
      if (first.piece.kind !== 'query')
        throw new JsonPathError(`${name} takes a path, as in ${name}(@.a)`, first.from);
      return { kind: 'operand', operand: { kind: name, query: first.piece.query } };
    }
    const pattern = second ? asOperand(second.piece, second.from) : literal('').operand;
    const mistake =
      pattern.kind === 'literal' && typeof pattern.value === 'string'
        ? patternMistake(pattern.value)
        : undefined;
    if (mistake !== undefined) throw new JsonPathError(mistake, second?.from);
    const value = asOperand(first.piece, first.from);
    return { kind: 'test', test: { kind: 'pattern', whole: name === 'match', value, pattern } };
  }

  return readOr();
}

function literal(value: string | number | boolean | null) {
  return { kind: 'operand', operand: { kind: 'literal', value } } as const;
}

function isFunction(name: string): name is FunctionName {
  return (functions as readonly string[]).includes(name);
}

function asTest(piece: Piece, from: number): Test {
  if (piece.kind === 'test') return piece.test;
  if (piece.kind === 'query') return { kind: 'exists', query: piece.query };
  throw new JsonPathError('a value alone is neither true nor false; compare it, as in @.a == 1', from);
}

function asOperand(piece: Piece, from: number): Operand {
  if (piece.kind === 'operand') return piece.operand;
  if (piece.kind === 'test')
    throw new JsonPathError('match and search are true or false and compare with nothing', from);
  if (!isSingular(piece.query))
    throw new JsonPathError(
      'this path may find several values; one is needed: names and indexes alone',
      from,
    );
  return piece;
}

/** Whether a path can find one value at most. */
export function isSingular({ segments }: Query): boolean {
  return segments.every(
    ({ isDescendant, selectors: [first, ...more] }) =>
      !isDescendant && more.length === 0 && (first?.kind === 'name' || first?.kind === 'index'),
  );
}
