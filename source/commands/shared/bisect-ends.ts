import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type ExitCode, UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { readVersion } from '../../base/version.js';
import type { Project } from '../../project/config.js';
import { shownPath } from '../../project/paths.js';
import { bisectLines } from '../../report/bisect.js';
import type { FinishedBisect } from '../../report/bisect-finished.js';
import type { ReportChoice } from '../../report/reporters.js';
import type { CommandIo } from '../io.js';
import type { LookArgs } from './bisect-choice.js';
import { tellNotes } from './notes.js';
import { writeLines } from './output.js';
import { readReports } from './run-reports.js';
import { type WrittenPrompt, writeNarrowed } from './write-narrowed.js';

/** A bisect that is closed. */
export type EndedBisect = Pick<FinishedBisect, 'record' | 'tally' | 'decision' | 'journal'>;

/** What the line wants of the end of a bisect. */
export interface WantedEnds {
  isJson: boolean;
  /** See `LookArgs`. */
  write: string | true | undefined;
  reports: readonly ReportChoice[];
}

/**
 * Reads what is wanted, before anything is tried. Throws UserError for a report of another kind, and for a file that
 * would be overwritten.
 */
export async function readWantedEnds(args: LookArgs, io: CommandIo): Promise<WantedEnds> {
  const reports = readReports(args.report ?? [], io);
  const other = reports.find(({ reporter }) => reporter !== 'markdown' && reporter !== 'json');
  if (other) throw new UserError(`--report ${quote(other.file)}: a bisect is reported as .md or .json`);
  const { write } = args;
  if (typeof write === 'string') {
    const file = path.resolve(io.cwd, write);
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

/** Tells what a bisect has come to: the narrowed prompt, the reports, and the finding on standard output. */
export async function tellEnds(
  ended: EndedBisect,
  wanted: WantedEnds,
  project: Project,
  io: CommandIo,
): Promise<ExitCode> {
  const { record, tally, decision } = ended;
  const { found } = tally;
  let written: WrittenPrompt | undefined;
  if (wanted.write !== undefined) {
    if (found?.finding.kind === 'hunks')
      written = await writeNarrowed(record, wanted.write === true ? undefined : wanted.write, project);
    else tellNotes(['note: no hunks were found, so no narrowed prompt is written'], io);
  }
  const finished: FinishedBisect = {
    ...ended,
    version: readVersion(),
    program: io.program,
    ...(written && { written: shownPath(project.root, written.path) }),
  };
  if (wanted.reports.length > 0) {
    const { writeBisectReport } = await import('./bisect-report-files.js');
    for (const choice of wanted.reports) await writeBisectReport(choice, finished);
  }
  if (wanted.isJson) {
    const [{ bisectFacts }, { safeJson }] = await Promise.all([
      import('../../report/bisect-facts.js'),
      import('../../report/json.js'),
    ]);
    await writeLines(io.stdout, [safeJson(bisectFacts(finished))]);
    return decision.exitCode;
  }
  await writeLines(io.stdout, closing(finished, written), io.env);
  return decision.exitCode;
}

function* closing(finished: FinishedBisect, written: WrittenPrompt | undefined): Generator<string> {
  const { record, tally, decision, journal, program } = finished;
  const { runId } = record.started;
  yield '';
  yield* bisectLines(record, tally, tally.found);
  if (finished.written !== undefined && written) {
    yield '';
    yield `narrowed prompt written to ${finished.written}`;
    for (const line of written.diff.split('\n')) yield `  ${line}`;
  }
  yield `journal  ${journal}`;
  if (decision.exitCode === 130) yield `go on with it: ${program} bisect --resume ${runId}`;
  else if (tally.found?.finding.kind === 'inconclusive')
    yield `go on with it: ${program} bisect --resume ${runId} --budget N`;
  else if (tally.found?.finding.kind === 'hunks' && !written)
    yield `write the narrowed prompt: ${program} bisect --resume ${runId} --write`;
}
