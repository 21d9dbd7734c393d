import type { Reporter, ReporterOptions } from './reporter.js';

export type ReporterName = 'plain' | 'json';

/** Every reporter by name, loaded when it is chosen. */
export const reporters: { [name in ReporterName]: (options: ReporterOptions) => Promise<Reporter> } = {
  plain: async (options) => (await import('./plain.js')).createPlainReporter(options),
  json: async (options) => (await import('./json.js')).createJsonReporter(options),
};
