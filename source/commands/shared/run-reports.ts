import path from 'node:path';
import { textForLocale } from '../../base/ascii.js';
import { systemClock } from '../../base/clock.js';
import { exitCodeOf, UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { readVersion } from '../../base/version.js';
import type { Reporter, ReporterOptions } from '../../report/reporter.js';
import { type ReportChoice, readReportChoice } from '../../report/reporters.js';
import type { Place, Scenario } from '../../suite/types.js';
import type { CommandIo } from '../io.js';
import { createOutput } from './output.js';

/** What an invocation tells of beside its screen or its lines. */
export interface ReportOrder {
  /** The values of `--report`. */
  files: readonly string[];
  /** Runs that will be told of. */
  runs: number;
  /** Standard output is for JSON alone. */
  isJson: boolean;
}

/** What `--report` says, each file absolute, in the order in which they are written. Throws UserError for a kind that there is none of, and for a file named twice. */
export function readReports(files: readonly string[], { cwd }: Pick<CommandIo, 'cwd'>): ReportChoice[] {
  const choices = files
    .map(readReportChoice)
    .map((choice) => ({ ...choice, file: path.resolve(cwd, choice.file) }));
  const twice = choices.find(({ file }, index) => choices.findIndex((other) => other.file === file) < index);
  if (twice) throw new UserError(`--report names ${quote(twice.file)} twice`);
  // They tell the exit code, which is another one where a report before them cannot be written.
  const isLast = ({ reporter }: ReportChoice) => Number(reporter === 'json');
  return choices.sort((a, b) => isLast(a) - isLast(b));
}

/**
 * The reports of an invocation as one reporter: those of `--report`, and in GitHub Actions annotations and the summary of
 * the job. Throws UserError when a file cannot be written, before anything has run.
 */
export async function openReports(order: ReportOrder, io: CommandIo): Promise<Reporter> {
  const options = { clock: systemClock, version: readVersion(), program: io.program, runs: order.runs };
  const opened: Reporter[] = [];
  for (const choice of readReports(order.files, io)) opened.push(await openFile(choice, options));
  if (io.env.GITHUB_ACTIONS === 'true') opened.push(await openGithub(order, options, io));
  return joinReporters(opened);
}

/**
 * Several reporters as one; each is told in turn, also of the end where one before it could not write it: then with the code
 * that this makes of it. The first failure is thrown when all are told.
 */
export function joinReporters(all: readonly Reporter[]): Reporter {
  return {
    hear(...told) {
      for (const one of all) one.hear(...told);
    },
    waits(accounts) {
      for (const one of all) one.waits?.(accounts);
    },
    async finishRun(finished) {
      const failures: unknown[] = [];
      for (const one of all) await one.finishRun(finished).catch((error) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
    async finish(exitCode) {
      const failures: unknown[] = [];
      for (const one of all) {
        const code = failures.length > 0 ? exitCodeOf(failures[0]) : exitCode;
        await one.finish(code).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function openFile({ reporter: name, file }: ReportChoice, options: Omit<ReporterOptions, 'write'>) {
  const [{ createReportFile }, { reporters }] = await Promise.all([
    import('../../report/report-file.js'),
    import('../../report/reporters.js'),
  ]);
  const opened = await createReportFile(file);
  // Lines are heard one after another, and their writes are put in a row.
  let writing = Promise.resolve();
  const write = (text: string) => {
    writing = writing.then(() => opened.write(text));
    // Whoever does not wait for a line hears of its failure when the run is finished.
    writing.catch(() => {});
    return writing;
  };
  const reporter = await reporters[name]({ ...options, write });
  return {
    ...reporter,
    async finish(exitCode: Parameters<Reporter['finish']>[0]) {
      try {
        await reporter.finish(exitCode);
        await writing;
        await opened.close();
      } catch (error) {
        await opened.discard();
        throw error;
      }
    },
  };
}

async function openGithub(order: ReportOrder, options: Omit<ReporterOptions, 'write'>, io: CommandIo) {
  const { createGithubReporter } = await import('../../report/github.js');
  // The runner reads commands from either.
  const output = createOutput(order.isJson ? io.stderr : io.stdout);
  const forLocale = textForLocale(io.env);
  const write = (text: string) => output.write(forLocale(text));
  return createGithubReporter({ ...options, write, summaryFile: io.env.GITHUB_STEP_SUMMARY });
}

/** Where scenarios stand as annotations name it: from the top of the checkout, else from that of the project. */
export function scenarioPlaces(
  scenarios: readonly Scenario[],
  root: string,
  { env }: Pick<CommandIo, 'env'>,
): ReadonlyMap<string, Place> {
  const top = env.GITHUB_WORKSPACE || root;
  const fromTop = (file: string) => path.relative(top, path.resolve(root, file)).split(path.sep).join('/');
  return new Map(scenarios.map(({ id, place }) => [id, { ...place, file: fromTop(place.file) }]));
}
