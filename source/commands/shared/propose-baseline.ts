import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readTextFile } from '../../base/document.js';
import { UserError } from '../../base/errors.js';
import { makeVisible } from '../../base/text.js';
import {
  type Accumulated,
  accumulate,
  type SavedRun,
  UncountableRun,
} from '../../compare/baseline-accumulate.js';
import {
  type BaselinePlace,
  baselinePath,
  modelOfBaseline,
  readBaseline,
} from '../../compare/baseline-file.js';
import type { BaselineProposal } from '../../compare/baseline-proposal.js';
import { failingChecks, readKnown, unnamedLines, whyNoEvidence } from '../../compare/baseline-save.js';
import type { Baseline } from '../../compare/baseline-schema.js';
import { writeBaseline } from '../../compare/baseline-write.js';
import type { Evidence } from '../../compare/types.js';
import { checkCatalogue } from '../../grade/registry.js';
import type { Project } from '../../project/config.js';
import { gitFileFacts, gitUser } from '../../project/git.js';
import { logsFolder, shownPath } from '../../project/paths.js';
import { loadPrompt } from '../../project/prompts.js';
import { savingLines } from '../../report/baseline.js';
import { findSuite } from '../../suite/find.js';
import { listSuites, loadSuite } from '../../suite/load.js';
import { promptOf } from '../../suite/target.js';
import type { Suite } from '../../suite/types.js';
import type { CommandIo } from '../io.js';
import { type RunEvidence, readRunEvidence } from './run-evidence.js';

/** Which run is to be counted, and what a person says of it. */
export interface ProposedRun {
  /** An id, the beginning of one, or `last` (default). */
  run?: string;
  /** Which condition of the run: its id, its model, or the name of its prompt. */
  condition?: string;
  /** Failing checks that are known to fail: `scenario/check` or `scenario/check: reason`. */
  known?: readonly string[];
  note?: string;
}

/**
 * What counting a run in the baseline of its suite and model would do; nothing is written yet. Throws UserError where the
 * run is no evidence, cannot be counted, or has a failing check that was not named; InputError where a file has mistakes.
 */
export async function proposeBaseline(
  args: ProposedRun,
  project: Project,
  io: Pick<CommandIo, 'env' | 'program'>,
): Promise<BaselineProposal> {
  const found = await readRunEvidence(logsFolder(project, io.env), args.run ?? 'last', args.condition);
  const { started, evidence } = found;
  const why = whyNoEvidence(evidence);
  if (why !== undefined) throw new UserError(`run ${evidence.runId} ${why}`);
  const place = placeOf(project, evidence);
  const { text } = await readTextFile(place.path, place.shown);
  const before = await readIfThere(project, place);
  const suite = await suiteOf(project, evidence.suite);
  const run = await savedRun(project, found, suite, args.note);
  const first = count(before, evidence, run);
  if (first.isCounted) {
    const line = `run ${evidence.runId} is counted in ${place.shown} already; nothing changes`;
    return { kind: 'counted', line };
  }
  const failing = failingChecks(evidence, before, first.changes);
  const known = readKnown(args.known ?? [], failing);
  const unnamed = failing.filter(({ scenario, check }) => !known.has(`${scenario}/${check}`));
  if (unnamed.length > 0) {
    throw new UserError(unnamedLines(evidence.runId, unnamed, io.program).join('\n'));
  }
  const { baseline, changes, differences } = count(before, evidence, { ...run, known });
  return {
    kind: 'change',
    file: place.shown,
    isNew: before === undefined,
    replaced: changes.filter(({ kind }) => kind === 'superseded' || kind === 'anew' || kind === 'gone')
      .length,
    lines: [
      `run ${evidence.runId}: ${evidence.condition.promptName}, ${evidence.condition.model}, ${evidence.trials} trials`,
      ...(await remarks(project, suite, evidence, started.regradeOf?.runId)),
      ...savingLines(changes, differences),
      ...Array.from(known, ([name, reason]) =>
        makeVisible(`known to fail: ${name}${reason === true ? '' : `: ${reason}`}`),
      ),
    ],
    message: `Baseline of ${evidence.suite} on ${evidence.condition.model}: run ${evidence.runId}`,
    async isInGit() {
      const facts = await gitFileFacts(project.root, place.path);
      return facts?.commit !== undefined && !facts.dirty;
    },
    async write() {
      // Between the question and its answer somebody else may have saved a run.
      if ((await readTextFile(place.path, place.shown)).text !== text) {
        throw new UserError(`${place.shown} was changed meanwhile, and is left as it is; save the run again`);
      }
      await writeBaseline(place.path, baseline, await schemaLine(project, evidence.suite, place.path));
    },
  };
}

/** What is kept of the run beside its evidence. A note that was given stands above that of the run. */
async function savedRun(
  project: Project,
  { started }: RunEvidence,
  suite: Suite | undefined,
  given: string | undefined,
): Promise<SavedRun> {
  const by = await gitUser(project.root);
  const note = given ?? started.note;
  return {
    now: Date.now(),
    ...(started.git && { commit: started.git.commit }),
    ...(started.regradeOf && { regradeOf: started.regradeOf.runId }),
    ...(note !== undefined && { note }),
    ...(by && { by: by.name }),
    ...(suite && { inSuite: new Set(suite.scenarios.map(({ id }) => id)) }),
  };
}

function placeOf(project: Project, { suite, condition, answered }: Evidence): BaselinePlace {
  const model = modelOfBaseline(condition, answered.models);
  if (model === undefined) {
    throw new UserError(
      'nobody said which model the product answers with, and a baseline is of one: have it report its model, or name it with evalrun run --model',
    );
  }
  const live = condition.liveTools === true;
  const file = baselinePath(project, suite, model, { live });
  return { path: file, shown: shownPath(project.root, file), model, live };
}

async function readIfThere(project: Project, { path: file }: BaselinePlace): Promise<Baseline | undefined> {
  const isThere = await readFile(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
  return isThere ? readBaseline(project, file) : undefined;
}

/** The suite as it stands today; undefined where it is gone. Throws InputError with its mistakes. */
async function suiteOf(project: Project, name: string): Promise<Suite | undefined> {
  return (await listSuites(project)).includes(name) ? loadSuite(project, name, checkCatalogue) : undefined;
}

function count(before: Baseline | undefined, evidence: Evidence, run: SavedRun): Accumulated {
  try {
    return accumulate(before, evidence, run);
  } catch (error) {
    if (!(error instanceof UncountableRun)) throw error;
    throw new UserError(`run ${evidence.runId} cannot be counted: ${error.message}`);
  }
}

/** What a person should know of the run before it is what others are held against. */
async function remarks(
  project: Project,
  suite: Suite | undefined,
  { condition, scenarios }: Evidence,
  regradeOf: string | undefined,
): Promise<string[]> {
  const lines: string[] = [];
  if (regradeOf !== undefined) lines.push(`note: it grades the conversations of run ${regradeOf} again`);
  if (condition.promptDirty) lines.push(`note: ${condition.promptPath} was not committed as it was run`);
  const name = suite && promptOf(suite);
  const deployed = name === undefined ? undefined : await loadPrompt(project, name).catch(() => undefined);
  if (deployed && deployed.sha256 !== condition.promptSha256)
    lines.push(`note: ${condition.promptName} is not what is deployed, which is ${deployed.name}`);
  const changed = (suite?.scenarios ?? []).filter(({ id, hash }) => {
    const ran = scenarios.get(id);
    return ran !== undefined && ran.hash !== hash;
  });
  if (changed.length > 0) {
    const ids = changed.slice(0, 5).map(({ id }) => id);
    lines.push(
      `note: changed since the run, so not comparable with it: ${ids.join(', ')}${changed.length > 5 ? ', …' : ''}`,
    );
  }
  return lines.map((line) => makeVisible(line));
}

/** Where editors find the schema, as the suite's own file says it; undefined where that says nothing. */
async function schemaLine(project: Project, suite: string, file: string): Promise<string | undefined> {
  const place = await findSuite(project, suite).catch(() => undefined);
  const text = place && (await readFile(place.file, 'utf8').catch(() => ''));
  const [, schema] = /^# yaml-language-server: \$schema=(\S+)suite\.json\s*$/m.exec(text ?? '') ?? [];
  if (!place || schema === undefined) return undefined;
  if (/^[a-z]+:\/\//.test(schema)) return `${schema}baseline.json`;
  const folder = path.resolve(place.folder, schema);
  return `${path.relative(path.dirname(file), folder).split(path.sep).join('/')}/baseline.json`;
}
