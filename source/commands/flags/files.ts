import type { Declare } from './declare.js';

export const declareCheck: Declare = (program, choose) => {
  program
    .command('check')
    .description('read config and suites and name every mistake in them')
    .argument('[suites...]', 'names of suites; all when left out')
    .option('--show-config', 'print every setting and where it comes from')
    .action((suites: string[], options: { showConfig?: boolean }) => {
      choose(async (io) => {
        const { checkCommand } = await import('../check.js');
        return checkCommand({ suites, ...options }, io);
      });
    });
};

export const declareSchema: Declare = (program, choose) => {
  program
    .command('schema')
    .description('JSON Schemas of the files, for editors')
    .argument('[name]', 'which one; their names are listed when left out')
    .option('--out <folder>', 'write all of them, or the one, to this folder')
    .action((name: string | undefined, options: { out?: string }) => {
      choose(async (io) => {
        const { schemaCommand } = await import('../schema.js');
        return schemaCommand({ name, ...options }, io);
      });
    });
};
