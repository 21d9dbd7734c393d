import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ExitCode, UserError } from '../base/errors.js';
import type { JsonObject } from '../base/json.js';
import { makeFolder } from '../base/make-folder.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import type { CommandIo } from './io.js';

export interface SchemaArgs {
  /** Which schema; not set: all of them. */
  name?: string | undefined;
  /** Folder to write `<name>.json` files into, made where it is missing; not set: standard output. */
  out?: string;
}

/** The files that have a schema. */
const files = {
  config: '.evalrc.json',
  suite: 'suites/<suite>/suite.yaml',
  scenario: 'suites/<suite>/scenarios/…',
  tools: 'suites/<suite>/tools.yaml',
  simulated: 'simulated/<name>.yaml',
  labels: 'judges/<name>.labels.yaml',
  report: 'what --json prints and --report FILE.json writes',
  bisect: 'the same of evalrun bisect',
  baseline: 'baselines/<suite>/<model>.yaml',
  quarantine: 'suites/<suite>/quarantine.yaml',
} as const;

export type SchemaName = keyof typeof files;

export const schemaNames = Object.keys(files) as SchemaName[];

/** The JSON Schema of one kind of file, made from what the loader itself uses. */
export async function makeSchema(name: SchemaName): Promise<JsonObject> {
  const [schemas, { checkCatalogue }] = await Promise.all([
    import('../suite/json-schema.js'),
    import('../grade/registry.js'),
  ]);
  switch (name) {
    case 'config':
      return schemas.configJsonSchema();
    case 'suite':
      return schemas.suiteJsonSchema(checkCatalogue);
    case 'scenario':
      return schemas.scenarioJsonSchema(checkCatalogue);
    case 'tools':
      return schemas.toolsJsonSchema();
    case 'labels': {
      const { labelFileSchema } = await import('../grade/labels/schema.js');
      return schemas.plainJsonSchema('evalrun: a labelled verdict', labelFileSchema);
    }
    case 'baseline': {
      const { baselineSchema } = await import('../compare/baseline-schema.js');
      return schemas.plainJsonSchema('evalrun: a baseline', baselineSchema);
    }
    case 'quarantine': {
      const { quarantineSchema } = await import('../triage/quarantine-file.js');
      return schemas.plainJsonSchema('evalrun: what is quarantined', quarantineSchema);
    }
    case 'report': {
      const { reportSchema } = await import('../report/report-schema.js');
      return schemas.plainJsonSchema('evalrun: report of a run', reportSchema);
    }
    case 'bisect': {
      const { bisectSchema } = await import('../report/bisect-schema.js');
      return schemas.plainJsonSchema('evalrun: what a bisect found', bisectSchema);
    }
    case 'simulated': {
      const { behavioursSchema } = await import('../model/simulated/schema.js');
      return schemas.plainJsonSchema('evalrun: simulated model', behavioursSchema);
    }
  }
}

/** The text of a schema file: two spaces, a line end at the end. */
export function schemaText(schema: JsonObject): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/**
 * `evalrun schema`: JSON Schemas for editors. With a name it prints one, or writes it to a folder; without a name
 * it writes all of them, or tells which there are.
 */
export async function schemaCommand(args: SchemaArgs, io: CommandIo): Promise<ExitCode> {
  const names = args.name === undefined ? schemaNames : [readName(args.name)];
  if (args.out !== undefined) {
    const folder = resolve(io.cwd, args.out);
    await makeFolder(folder);
    for (const name of names) await refuseOther(join(folder, `${name}.json`));
    for (const name of names) {
      await writeFile(join(folder, `${name}.json`), schemaText(await makeSchema(name)));
      io.stdout.write(`${join(args.out, `${name}.json`)}\n`);
    }
    return 0;
  }
  if (args.name === undefined) {
    for (const name of names) io.stdout.write(`${name.padEnd(12)}${files[name]}\n`);
    return 0;
  }
  for (const name of names) io.stdout.write(schemaText(await makeSchema(name)));
  return 0;
}

/** Throws UserError where something else stands than an earlier version of a schema: a suite may be a suite.json. */
async function refuseOther(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || /^\{\s*"\$schema": "[^"]*",\s*"title": "evalrun/.test(text)) return;
  throw new UserError(
    `--out: ${quote(file)} is there and is no schema, and nothing takes its place; name another folder`,
  );
}

function readName(name: string): SchemaName {
  const found = schemaNames.find((known) => known === name);
  if (found === undefined) {
    throw new UserError(`there is no schema ${quote(name)}; ${suggest(name, schemaNames, 'schemas')}`);
  }
  return found;
}
