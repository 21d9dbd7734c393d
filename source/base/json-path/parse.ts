import { readTest } from './filter.js';
import { createScanner, readText, readWhole, type Scanner } from './scanner.js';
import type { Query, Segment, Selector } from './types.js';

const nameShorthand = /[A-Za-z_\u0080-\ud7ff\ue000-\u{10ffff}][\w\u0080-\ud7ff\ue000-\u{10ffff}]*/uy;

/** Reads a JSONPath of RFC 9535. Throws JsonPathError. */
export function parseJsonPath(text: string): Query {
  const scanner = createScanner(text);
  if (!scanner.takes('$')) throw scanner.fail('"$"');
  const segments = readSegments(scanner, 0);
  if (!scanner.isOver()) throw scanner.fail('"." or "["');
  return { from: 'root', segments };
}

/** The segments after `$` or `@`; `depth`: of filters and brackets around them. */
function readSegments(scanner: Scanner, depth: number): Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    const from = scanner.at();
    scanner.skipBlank();
    const segment = readSegment(scanner, depth);
    if (!segment) {
      scanner.back(from);
      return segments;
    }
    segments.push(segment);
  }
}

function readSegment(scanner: Scanner, depth: number): Segment | undefined {
  const isDescendant = scanner.takes('..');
  if (scanner.sees('[')) return { isDescendant, selectors: readBracket(scanner, depth) };
  if (!isDescendant && !scanner.takes('.')) return undefined;
  if (scanner.takes('*')) return { isDescendant, selectors: [{ kind: 'wildcard' }] };
  const name = scanner.match(nameShorthand);
  if (name === undefined)
    throw scanner.fail('a name (others than letters, digits and "_" stand in [\'…\']) or "*"');
  return { isDescendant, selectors: [{ kind: 'name', name }] };
}

function readBracket(scanner: Scanner, depth: number): Selector[] {
  scanner.takes('[');
  const selectors: Selector[] = [];
  do {
    scanner.skipBlank();
    selectors.push(readSelector(scanner, depth));
    scanner.skipBlank();
  } while (scanner.takes(','));
  if (!scanner.takes(']')) throw scanner.fail('"]"');
  return selectors;
}

function readSelector(scanner: Scanner, depth: number): Selector {
  const name = readText(scanner);
  if (name !== undefined) return { kind: 'name', name };
  if (scanner.takes('*')) return { kind: 'wildcard' };
  if (scanner.takes('?')) {
    scanner.skipBlank();
    return { kind: 'filter', test: readTest(scanner, depth + 1, readSegments) };
  }
  const start = readWhole(scanner);
  const from = scanner.at();
  scanner.skipBlank();
  if (scanner.takes(':')) return readSlice(scanner, start);
  scanner.back(from);
  if (start === undefined) throw scanner.fail('a name in quotes, a number, "*", ":" or "?"');
  return { kind: 'index', index: start };
}

function readSlice(scanner: Scanner, start: number | undefined): Selector {
  scanner.skipBlank();
  const end = readWhole(scanner);
  scanner.skipBlank();
  if (!scanner.takes(':')) return { kind: 'slice', start, end, step: 1 };
  scanner.skipBlank();
  return { kind: 'slice', start, end, step: readWhole(scanner) ?? 1 };
}
