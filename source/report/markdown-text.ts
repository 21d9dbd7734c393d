import { withoutCommands } from '../base/ci-commands.js';
import { makeVisible } from '../base/text.js';

/**
 * All ASCII punctuation that means something to Markdown or HTML within a line: of a table, a list or a sentence. An
 * underscore within a word does not, and a colon only in an address.
 */
const markup = /[&<>`*[\]\\|~#@$]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=\/\/)|(?<=www)\./gi;

/**
 * A text of a file, a model or a server in one line of Markdown, as code: in there GitHub makes neither mentions nor
 * references to issues of it. What Markdown or HTML would take for markup, the bar between cells of a table too, is
 * written as a character reference, which is never markup.
 */
export function markdownCode(text: string): string {
  const visible = makeVisible(text);
  return visible === '' ? '' : `<code>${escapeMarkup(visible)}</code>`;
}

/** Our own words with nothing of anybody else in them, in a sentence of Markdown. */
export function escapeMarkup(text: string): string {
  return text.replace(markup, (found) => `&#${found.charCodeAt(0)};`);
}

/** Lines as a block of code, behind a fence that is longer than any within. Lines have been made visible. */
export function markdownBlock(lines: readonly string[], language: 'text' | 'diff' = 'text'): string {
  const text = lines.map(withoutCommands).join('\n');
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The first two lines of a table. */
export function tableHead(...names: string[]): string[] {
  return [`| ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length)}`];
}

/** A row of a table, with its line end. Cells have been made safe. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}
