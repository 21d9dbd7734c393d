import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type ExitCode, UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { readVersion } from '../../base/version.js';
import type { BisectRecord } from '../../bisect/record.js';
import { mostTrials, spentTrials } from '../../bisect/session.js';
import type { Project } from '../../project/config.js';
import { shownPath } from '../../project/paths.js';
import { bisectLines } from '../../report/bisect.js';
import type { FinishedBisect } from '../../report/bisect-finished.js';
import { inline } from '../../report/format.js';
import { checkReportFile } from '../../report/report-file.js';
import type { ReportChoice } from '../../report/reporters.js';
import type { CommandIo } from '../io.js';
import type { LookArgs } from './bisect-choice.js';
import type { ReadParts } from './inputs.js';
import { tellNotes } from './notes.js';
import { writeLines } from './output.js';
import { readReports } from './run-reports.js';
import { type WrittenPrompt, writeNarrowed } from './write-narrowed.js';

/** A bisect that is closed. */
export type EndedBisect = Pick<FinishedBisect, 'record' | 'tally' | 'decision' | 'journal'> & {
  /** Why it could not go on, where nobody told it to stop: thrown when what there is of it is told. */
  failure?: UserError;
};

/** What the line wants of the end of a bisect. */
export interface WantedEnds {
  isJson: boolean;
  /** See `LookArgs`. */
  write: string | true | undefined;
  reports: readonly ReportChoice[];
}

/**
 * Reads what is wanted, before anything is tried. Throws UserError for a report of another kind or that cannot be
 * written, and for a file that would be overwritten.
 */
export async function readWantedEnds(args: LookArgs, io: CommandIo): Promise<WantedEnds> {
  const reports = readReports(args.report ?? [], io);
  const other = reports.find(({ reporter }) => reporter !== 'markdown' && reporter !== 'json');
  if (other) throw new UserError(`--report ${quote(other.file)}: a bisect is reported as .md or .json`);
  // Nobody waits for a report that never comes; one that nobody wants yet needs no folder.
  if (args.dryRun !== true) for (const { file } of reports) await checkReportFile(file);
  const { write } = args;
  if (typeof write === 'string') {
    const file = path.resolve(io.cwd, write);
    if (reports.some((report) => report.file === file))
      throw new UserError(`--write and --report both name ${quote(file)}; name another file`);
    const isThere = await stat(file).then(
      () => true,
      () => false,
    );
    if (isThere)
      throw new UserError(
        `--write: ${quote(file)} is there already, and nothing is overwritten; name another file`,
      );
  }
  return { isJson: args.json === true, write, reports };
}

/** Throws UserError for a report that would take the place of what the bisect reads. */
export async function refuseReports(
  { reports }: WantedEnds,
  project: Project,
  parts: () => ReadParts | Promise<ReadParts>,
): Promise<void> {
  if (reports.length === 0) return;
  const { inputsOf, refuseOverInputs } = await import('./inputs.js');
  const files = reports.map(({ file }) => file);
  await refuseOverInputs('--report', files, async () => inputsOf(project, await parts()));
}

/**
 * Tells what a bisect has come to: the narrowed prompt, the reports, and the finding on standard output. Throws UserError
 * for what could not be written, when all else is told.
 */
export async function tellEnds(
  ended: EndedBisect,
  wanted: WantedEnds,
  project: Project,
  io: CommandIo,
): Promise<ExitCode> {
  const { record, tally, decision, journal, failure: before } = ended;
  const { found } = tally;
  let written: WrittenPrompt | undefined;
  let finished: FinishedBisect = {
    ...{ record, tally, decision, journal },
    ...{ version: readVersion(), program: io.program },
  };
  let failure: UserError | undefined;
  const failed = (error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    failure ??= error;
    finished = { ...finished, exitCode: failure.exitCode };
  };
  if (before) failed(before);
  if (wanted.write !== undefined && found?.finding.kind === 'hunks') {
    const target = wanted.write === true ? undefined : wanted.write;
    written = await writeNarrowed(record, target, project).catch((error) => void failed(error));
    if (written) finished = { ...finished, written: shownPath(project.root, written.path) };
  } else if (wanted.write !== undefined)
    tellNotes(['note: no hunks were found, so no narrowed prompt is written'], io);
  for (const choice of wanted.reports) {
    const { writeBisectReport } = await import('./bisect-report-files.js');
    await writeBisectReport(choice, finished).catch(failed);
  }
  // What took so long to find is said, whatever cannot be written.
  if (wanted.isJson) {
    const [{ bisectFacts }, { safeJson }] = await Promise.all([
      import('../../report/bisect-facts.js'),
      import('../../report/json.js'),
    ]);
    await writeLines(io.stdout, [safeJson(bisectFacts(finished))]);
    if (decision.exitCode === 130) tellNotes([`note: ${goOnText(finished)}`], io);
  } else await writeLines(io.stdout, closing(finished, written), io.env);
  if (failure) throw failure;
  return decision.exitCode;
}

function goOnText({ record, program }: FinishedBisect): string {
  return `go on with it: ${program} bisect --resume ${record.started.runId}`;
}

function* closing(finished: FinishedBisect, written: WrittenPrompt | undefined): Generator<string> {
  const { record, tally, decision, journal, program } = finished;
  const { runId } = record.started;
  yield '';
  yield* bisectLines(record, tally);
  if (finished.written !== undefined && written) {
    yield '';
    yield written.isOld
      ? `the narrowed prompt is there already: ${inline(finished.written)}; nothing was written`
      : `narrowed prompt written to ${inline(finished.written)}`;
    for (const line of written.diff.split('\n')) yield `  ${line}`;
  }
  yield `journal  ${journal}`;
  if (decision.exitCode === 130) yield goOnText(finished);
  else if (tally.found?.finding.kind === 'inconclusive')
    yield `${goOnText(finished)} --budget ${budgetText(record, tally.found.finding.wouldTake)}`;
  else if (tally.found?.finding.kind === 'hunks' && !written)
    yield `write the narrowed prompt: ${program} bisect --resume ${runId} --write`;
}

/** What is spent and what is thought to settle it, up to a whole ten: what it takes is a mean, and no promise. */
function budgetText(record: BisectRecord, wouldTake: number | undefined): string {
  if (wouldTake === undefined) return 'N';
  return String(Math.min(mostTrials, 10 * Math.ceil((spentTrials(record.session()) + wouldTake) / 10)));
}
