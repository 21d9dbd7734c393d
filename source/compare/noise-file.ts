import { access } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../base/atomic.js';
import { parseDocuments, readTextFile } from '../base/document.js';
import { InputError } from '../base/errors.js';
import { validateNode } from '../base/validate.js';
import type { Project } from '../project/config.js';
import { type FailOn, failOnNames, type GateSettings } from '../project/gate-settings.js';
import { shownPath } from '../project/paths.js';
import type { Condition, KnownNoise } from '../run/planned.js';
import type { Suite } from '../suite/types.js';
import type { RunTally } from '../tally/types.js';
import { differentParts } from './differences.js';
import type { NoiseFloor } from './noise-floor.js';

const line = z.string().min(1).max(2000);
const count = z.int().min(0);
const share = z.number().min(0).max(1);
const hash = z.string().regex(/^[0-9a-f]{12,64}$/, { error: 'expected the hexadecimal digits of a hash' });

const entrySchema = z.strictObject({
  model: line,
  live: z.literal(true).exactOptional(),
  run: line,
  date: z.iso.datetime({ error: 'expected a time, as in 2026-11-30T14:25:30Z' }),
  prompt: line,
  repeat: z.int().min(1),
  trials: count,
  checks: count,
  flipped: count,
  falseRed: share,
  smallestDrop: share.exactOptional(),
  gate: z.strictObject({ failOn: z.array(z.enum(failOnNames)), confirm: z.boolean() }),
  noisy: z.array(
    z.strictObject({
      check: line,
      passed: count,
      of: count,
      flipped: z.literal(true).exactOptional(),
    }),
  ),
  parts: z.strictObject({
    prompt: hash.exactOptional(),
    model: hash,
    settings: hash.exactOptional(),
    tools: hash.exactOptional(),
    target: hash,
    liveTools: hash.exactOptional(),
  }),
});

const noiseSchema = z.strictObject({ noise: z.array(entrySchema) });

/** The noise floor of a suite on one model, as the file keeps it. */
export type NoiseEntry = z.infer<typeof entrySchema>;

const about = `# What this suite does when nothing has changed, an entry a model. Written by evalrun run --aa.
`;

/** Where the noise floors of a suite stand, absolute. */
export function noisePath({ folder }: Pick<Suite, 'folder'>): string {
  return path.join(folder, 'noise.yaml');
}

/** The noise floors of a suite; none where there is no file. Throws InputError with every mistake of it. */
export async function readNoise(project: Pick<Project, 'root'>, file: string): Promise<NoiseEntry[]> {
  const shown = shownPath(project.root, file);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const { text, problems } = await readTextFile(file, shown);
  if (text === undefined) throw new InputError(problems);
  const { documents, problems: mistakes } = await parseDocuments(text, shown, 'yaml');
  if (mistakes.length > 0) throw new InputError(mistakes.slice(0, 20));
  const [node] = documents;
  if (node === undefined) return [];
  const { value, problems: found } = validateNode(noiseSchema, node, { file: shown });
  if (!value || found.length > 0) throw new InputError(found);
  return value.noise;
}

/** Puts the noise floor of one model in the place of the one before; the others stay. The same gives the same text. */
export async function writeNoise(
  project: Pick<Project, 'root'>,
  file: string,
  entry: NoiseEntry,
): Promise<void> {
  const others = (await readNoise(project, file)).filter((one) => keyOf(one) !== keyOf(entry));
  // In the order of the schema, so that what was read and what is new are written alike.
  const noise = [...others, entrySchema.parse(entry)].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { stringify } = await import('../base/yaml.js');
  const text = stringify({ noise }, { lineWidth: 0, flowCollectionPadding: false });
  await writeFileAtomically(file, `${about}${text}`, 0o644);
}

/** What is to be kept of an A/A run. */
export function noiseEntry(
  { started, conditions, trials }: RunTally,
  noise: NoiseFloor,
  gate: GateSettings,
): NoiseEntry {
  const [condition] = conditions;
  if (!condition) throw new Error(`the run ${started.runId} has no condition`);
  const { model, liveTools, promptName, parts } = condition;
  const { smallestDrop } = noise;
  return {
    model,
    ...(liveTools && { live: true as const }),
    run: started.runId,
    date: new Date(started.at).toISOString().replace(/\.\d+Z$/, 'Z'),
    prompt: promptName,
    repeat: started.plan.repeat,
    trials: trials.total,
    checks: noise.checks,
    flipped: noise.flipped,
    falseRed: noise.falseRed,
    ...(smallestDrop !== undefined && { smallestDrop }),
    gate: { failOn: gate.failOn, confirm: gate.confirm },
    noisy: noise.noisy.map(({ scenario, check, passed, of, isFlipped }) => ({
      check: `${scenario}/${check}`,
      passed,
      of,
      ...(isFlipped && { flipped: true as const }),
    })),
    parts: { ...parts },
  };
}

/** What a run goes by, as far as its noise depends on it. */
export interface NoiseConditions {
  gate: Pick<GateSettings, 'failOn' | 'confirm'>;
  repeat: number;
  /** Scenarios of the suite are left out. */
  isFiltered: boolean;
}

/** What a run is told of the noise floor of its suite and model; undefined where none is kept. */
export function knownNoise(
  entries: readonly NoiseEntry[],
  condition: Pick<Condition, 'model' | 'liveTools' | 'parts'>,
  { gate, repeat, isFiltered }: NoiseConditions,
): KnownNoise | undefined {
  const wanted = keyOf({ model: condition.model, ...(condition.liveTools && { live: true as const }) });
  const entry = entries.find((one) => keyOf(one) === wanted);
  if (!entry) return undefined;
  const { run: runId, date, trials, falseRed, smallestDrop } = entry;
  const differs = [
    ...differentParts(entry.parts, condition.parts).map((part) => `another ${part}`),
    ...(isSameGate(entry.gate, gate) ? [] : ['another gate']),
    ...(entry.repeat === repeat ? [] : [`${entry.repeat} repeats`]),
    ...(isFiltered ? ['all scenarios'] : []),
  ];
  return {
    runId,
    at: Date.parse(date),
    trials,
    falseRed,
    ...(smallestDrop !== undefined && { smallestDrop }),
    ...(differs.length > 0 && { differs }),
  };
}

function isSameGate(a: NoiseEntry['gate'], b: Pick<GateSettings, 'failOn' | 'confirm'>): boolean {
  const names = (failOn: readonly FailOn[]) => [...failOn].sort().join();
  return a.confirm === b.confirm && names(a.failOn) === names(b.failOn);
}

function keyOf({ model, live }: Pick<NoiseEntry, 'model' | 'live'>): string {
  return `${model}${live ? ' live' : ''}`;
}
