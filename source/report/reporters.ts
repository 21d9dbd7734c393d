import path from 'node:path';
import { UserError } from '../base/errors.js';
import { listed, quote } from '../base/quote.js';
import type { Reporter, ReporterOptions } from './reporter.js';

/** Every reporter by name, loaded when it is chosen. `extension`: that of files which get it. */
const table = {
  plain: {
    extension: '.txt',
    create: async (options: ReporterOptions) => (await import('./plain.js')).createPlainReporter(options),
  },
  json: {
    extension: '.json',
    create: async (options: ReporterOptions) => (await import('./json.js')).createJsonReporter(options),
  },
  junit: {
    extension: '.xml',
    create: async (options: ReporterOptions) => (await import('./junit.js')).createJunitReporter(options),
  },
  markdown: {
    extension: '.md',
    create: async (options: ReporterOptions) =>
      (await import('./markdown.js')).createMarkdownReporter(options),
  },
} satisfies Record<string, { extension: string; create(options: ReporterOptions): Promise<Reporter> }>;

export type ReporterName = keyof typeof table;

const names = Object.keys(table) as ReporterName[];

export const reporters: { [name in ReporterName]: (options: ReporterOptions) => Promise<Reporter> } = {
  plain: table.plain.create,
  json: table.json.create,
  junit: table.junit.create,
  markdown: table.markdown.create,
};

/** A report that goes to a file. */
export interface ReportChoice {
  reporter: ReporterName;
  file: string;
}

/**
 * What `--report` means: a file, whose ending says which report it gets, or `NAME=FILE`. Throws UserError for anything
 * else, with what there is.
 */
export function readReportChoice(text: string): ReportChoice {
  const [, name = '', rest = ''] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
  const named = names.find((one) => one === name);
  if (named !== undefined) return { reporter: named, file: rest };
  const extension = path.extname(text).toLowerCase();
  const found = names.find((one) => table[one].extension === extension);
  if (found !== undefined) return { reporter: found, file: text };
  const kinds = names.map((one) => `${table[one].extension} (${one})`);
  throw new UserError(
    `--report ${quote(text)}: the ending of the file says which report it gets, ${listed(kinds, 'or')}; for another ending write NAME=FILE, as in junit=${text || 'FILE'}`,
  );
}
