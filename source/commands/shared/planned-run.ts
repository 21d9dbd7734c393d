import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { readVersion } from '../../base/version.js';
import { knownNoise, noisePath, readNoise } from '../../compare/noise-file.js';
import type { Project } from '../../project/config.js';
import type { GateSettings } from '../../project/gate-settings.js';
import { gitFacts } from '../../project/git.js';
import { logsFolder, shownPath, suiteLogs } from '../../project/paths.js';
import { gateSettings } from '../../project/run-gate.js';
import type { RunSettings } from '../../project/run-settings.js';
import { redactSecrets } from '../../project/secrets.js';
import type { Condition, KnownNoise, QuarantineEntry } from '../../run/planned.js';
import type { RunStarted } from '../../run/reader.js';
import type { CommandIo } from '../io.js';
import { readBudget } from './bisect-choice.js';
import { type Input, inputsOf } from './inputs.js';
import { suiteNotes } from './notes.js';
import { type PreparedRun, runLimits } from './prepare.js';
import { type RunArgs, readMaxTokens } from './run-args.js';
import { scenarioPlaces } from './run-reports.js';
import type { RunToMake } from './run-to-make.js';

/** One suite with all that its run is made of. */
export interface PlannedSuite {
  prepared: PreparedRun;
  settings: RunSettings;
  gate: GateSettings;
  purpose?: NonNullable<RunStarted['purpose']>;
  /** What is quarantined of the suite. */
  quarantine: QuarantineEntry[];
  /** What an A/A run found, where the run is of that suite and model. */
  noise?: KnownNoise;
  /** What was noticed on the way, see `RunToMake`. */
  notes: string[];
}

/** The flags of `run` that say how a run is made, whatever it is for. */
export type MakeArgs = Pick<
  RunArgs,
  | 'scenario'
  | 'tag'
  | 'fixtures'
  | 'maxTokens'
  | 'label'
  | 'note'
  | 'line'
  | 'compareSimulatedUsers'
  | 'bisectOnRed'
  | 'budget'
  | 'json'
>;

/**
 * What a prepared run goes by. Between models nothing blocks, unless flag or environment say what does: a model that is
 * another one is meant to differ, and which differences matter is for a person to say.
 */
export async function planSuite(
  {
    prepared,
    settings,
    purpose,
    quarantine,
    notes,
  }: Pick<PlannedSuite, 'prepared' | 'settings' | 'quarantine' | 'notes'> & {
    purpose: PlannedSuite['purpose'] | undefined;
  },
  args: MakeArgs,
  project: Project,
): Promise<PlannedSuite> {
  const written = gateSettings(settings, project.config.gate);
  const { from } = settings.failOn;
  const models = new Set(prepared.conditions.map(({ condition }) => condition.model));
  const isTold = models.size > 1 && from !== 'flag' && from !== 'environment';
  const gate: GateSettings = {
    ...written,
    ...(isTold && { failOn: [] }),
    ...(args.compareSimulatedUsers && { compareSimulatedUsers: true }),
  };
  const noise =
    purpose === undefined && !isTold ? await findNoise(prepared, settings, gate, args, project) : undefined;
  return {
    prepared,
    settings,
    gate,
    quarantine,
    ...(purpose && { purpose }),
    ...(noise && { noise }),
    notes: [
      ...suiteNotes(prepared.suite),
      ...(prepared.notes ?? []).map((note) => `note: ${note}`),
      ...(isTold ? ['note: nothing blocks between models; --fail-on says what is to'] : []),
      ...notes,
    ],
  };
}

/** The noise floor of what the run is compared with: that is what nothing has changed of. */
async function findNoise(
  prepared: PreparedRun,
  settings: RunSettings,
  gate: GateSettings,
  args: MakeArgs,
  project: Project,
): Promise<KnownNoise | undefined> {
  const condition = baseCondition(prepared) ?? prepared.conditions[0]?.condition;
  if (!condition) return undefined;
  const entries = await readNoise(project, noisePath(prepared.suite));
  return knownNoise(entries, condition, {
    gate,
    repeat: settings.repeat.value,
    isFiltered: isFiltered(args),
  });
}

/** The condition that a run is compared with; undefined where there is none. */
export function baseCondition({ base, baseline, conditions }: PreparedRun): Condition | undefined {
  if (baseline) return baseline.evidence.condition;
  return conditions.find(({ condition }) => condition.id === base?.condition)?.condition;
}

/** What is read for a planned run. */
export function inputsOfPlanned(
  { prepared: { suite, conditions, base } }: Pick<PlannedSuite, 'prepared'>,
  project: Project,
): Promise<Input[]> {
  return inputsOf(project, {
    suite,
    prompts: conditions.map(({ prompt }) => prompt?.path),
    baseline: base?.kind === 'baseline' ? base.file : undefined,
  });
}

/** Makes ready what was planned. */
export function toMake(args: MakeArgs, planned: PlannedSuite, project: Project, io: CommandIo): RunToMake {
  const { prepared, settings, gate, purpose, quarantine, noise, notes } = planned;
  const { base, baseline, ...parts } = prepared;
  return {
    suite: prepared.suite.name,
    suiteFolder: prepared.suite.folder,
    notes,
    judging: { gate, ...(baseline && { baseline: baseline.evidence }) },
    inputs: () => inputsOfPlanned(planned, project),
    accounts: prepared.accounts,
    places: scenarioPlaces(prepared.suite.scenarios, project.root, io),
    ...lookingInto(args, settings, project, io),
    async open(summariser) {
      const [{ startRun }, { createRunSeed }, git] = await Promise.all([
        import('../../run/start.js'),
        import('../../run/run-id.js'),
        gitFacts(project.root),
      ]);
      return startRun({
        ...parts,
        ...(base && { base }),
        ...(baseline && { baselineText: baseline.text }),
        gate,
        quarantine,
        ...(purpose && { purpose }),
        ...(noise && { noise }),
        ...(isFiltered(args) && { filtered: true as const }),
        ...runLimits(settings),
        ...readMaxTokens(args),
        clock: systemClock,
        summariser,
        runsFolder: suiteLogs(logsFolder(project, io.env), prepared.suite.name),
        repeat: settings.repeat.value,
        seed: settings.seed.value ?? createRunSeed(),
        ...(args.label !== undefined && { label: redactSecrets(args.label) }),
        ...(args.note !== undefined && { note: redactSecrets(args.note) }),
        ...fixturesFact(args, project, io),
        ...(git && { git }),
        evalrun: readVersion(),
        command: redactSecrets(['evalrun', ...args.line].join(' ')),
      });
    },
  };
}

/** What follows a red gate, where the line asks for it. */
export function lookingInto(
  args: Pick<RunArgs, 'bisectOnRed' | 'budget' | 'json' | 'line'>,
  settings: RunSettings,
  project: Project,
  io: CommandIo,
): Pick<RunToMake, 'lookInto'> {
  if (args.bisectOnRed !== true) return {};
  const { json, line } = args;
  return {
    async lookInto(run) {
      // Cuts prompts and drives bisects: loaded where the gate is red alone.
      if (run.decision.verdict !== 'fail') return;
      const { bisectOnRed, budgetOnRed } = await import('./bisect-on-red.js');
      const budget = readBudget(args) ?? budgetOnRed;
      await bisectOnRed(run, { budget, settings, isJson: json === true, line }, project, io);
    },
  };
}

function isFiltered({ scenario, tag }: MakeArgs): boolean {
  return scenario !== undefined || tag !== undefined;
}

/** Where the fixtures were, so that the run can go on: from the top of the project. */
function fixturesFact(args: MakeArgs, project: Project, io: CommandIo): { fixtures?: string } {
  const folder = fixturesFolder(args, io);
  return folder === undefined ? {} : { fixtures: shownPath(project.root, folder) };
}

/** Absolute. */
export function fixturesFolder({ fixtures }: MakeArgs, { cwd }: CommandIo): string | undefined {
  return fixtures === undefined ? undefined : path.resolve(cwd, fixtures);
}
