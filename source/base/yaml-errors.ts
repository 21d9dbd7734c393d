import { type Document, isScalar, visit, type YAMLError } from 'yaml';
import { quote } from './quote.js';

/** Start of the scalar that an error is the end of; the error's own place where there is none. */
function startOfScalarAround(document: Document.Parsed, offset: number): number {
  let start = offset;
  visit(document, (_key, node) => {
    if (isScalar(node) && node.range && node.range[0] < offset && offset <= node.range[2] + 1)
      start = node.range[0];
  });
  return start;
}

const missingColon =
  'expected "key: value" here: a colon is missing, or the line belongs to the text above and must be indented like it';

/**
 * What a syntax error of the YAML parser means to the person who wrote the file, and the offset of what has to be
 * changed. The parser says where it gave up and in the words of the YAML grammar.
 */
export function explainYamlError(
  error: YAMLError,
  document: Document.Parsed,
  text: string,
): { offset: number; message: string } {
  const [offset, end] = error.pos;
  const here = text.slice(offset, end);
  const first = text.charAt(offset);
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { offset, message: 'a tab is used for indentation; YAML takes spaces only' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        offset,
        message:
          'a second "key: value" stands inside of this value; put the value in quotes if the colon belongs to it, else check the indentation of this line and the next',
      };
    case 'BAD_SCALAR_START':
      return { offset, message: `a text cannot begin with ${quote(first)} unless it stands in quotes` };
    case 'MULTILINE_IMPLICIT_KEY':
      return { offset, message: missingColon };
    case 'MISSING_CHAR': {
      if (error.message.includes('quote')) {
        return {
          offset: startOfScalarAround(document, offset),
          message: 'the quotes that open here are never closed',
        };
      }
      if (error.message.includes('map values')) return { offset, message: missingColon };
      break;
    }
    case 'BAD_DQ_ESCAPE':
      return {
        offset,
        message: `${quote(text.slice(offset, offset + 2))
          .slice(1, -1)
          .replaceAll(
            '\\\\',
            '\\',
          )} is no escape in double quotes; double the backslash, or use single quotes`,
      };
    case 'UNEXPECTED_TOKEN':
      if (error.message.includes('node end')) {
        return {
          offset,
          message: `nothing may follow the value, found ${quote(here.split('\n')[0] ?? '', 20)}; put the whole value in one pair of quotes, or check the indentation`,
        };
      }
      break;
    case 'TAG_RESOLVE_FAILED':
      return {
        offset,
        message: `the tag ${quote(here)} is not known; if it is meant as text, put it in quotes`,
      };
    case 'BAD_INDENT':
      return { offset, message: `${lowered(error.message)}; check the indentation and the closing bracket` };
    default:
  }
  return { offset, message: lowered(error.message) };
}

function lowered(message: string): string {
  const line = message.split('\n')[0] ?? '';
  return line.charAt(0).toLowerCase() + line.slice(1);
}
