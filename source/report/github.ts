import { appendFile } from 'node:fs/promises';
import { messageOf } from '../base/errors.js';
import type { CriterionChange } from '../compare/types.js';
import { groupReason } from '../tally/group.js';
import { bisectedSentence } from './bisected.js';
import { changeTexts, changeTiers } from './changes.js';
import { failingRows } from './excerpts.js';
import { type Annotation, annotationLine } from './github-commands.js';
import { markdownReport } from './markdown.js';
import type { FinishedRun, Reporter, ReporterOptions } from './reporter.js';

/** GitHub shows ten errors and ten warnings of a step; one of each is kept for what is left out. */
const mostOfALevel = 9;

/** Characters of one run in the summary of a job; a step may write a megabyte. */
const summaryLimit = 100_000;

export interface GithubOptions extends ReporterOptions {
  /** File that the summary of the job is added to, $GITHUB_STEP_SUMMARY. */
  summaryFile: string | undefined;
}

/** Annotations on the files of scenarios, and the report as Markdown in the summary of the job. */
export function createGithubReporter(options: GithubOptions): Reporter {
  return {
    hear() {},
    async finishRun(finished) {
      for (const annotation of annotationsOf(finished))
        await options.write(`${annotationLine(annotation)}\n`);
      if (!options.summaryFile) return;
      const text = await markdownReport(finished, options.program, summaryLimit);
      try {
        await appendFile(options.summaryFile, `${text}\n`);
      } catch (error) {
        const message = `the summary of the job cannot be written: ${messageOf(error)}`;
        await options.write(`${annotationLine({ level: 'warning', title: 'evalrun', message })}\n`);
      }
    },
    async finish() {},
  };
}

/** The verdict, where it is not a pass, then what blocks as errors and what does not as warnings. */
export function* annotationsOf(finished: FinishedRun): Generator<Annotation> {
  const { decision, tally } = finished;
  const title = `evalrun ${tally.started.suite}`;
  const blocks = decision.verdict === 'fail';
  const words = (finished.bisects ?? []).map(bisectedSentence);
  if (decision.verdict !== 'pass' && decision.verdict !== 'measured') {
    yield { level: 'error', title, message: [decision.headline, ...decision.reasons, ...words].join('\n') };
  }
  const { worst, suspected } = found(finished);
  // The error of the verdict is one of the ten.
  yield* bounded(worst, blocks ? 'error' : 'warning', title, mostOfALevel - 1);
  yield* bounded(suspected, 'warning', title, mostOfALevel - (blocks ? 0 : worst.length));
}

type Found = Pick<Annotation, 'title' | 'message' | 'place'>;

function found(finished: FinishedRun): { worst: Found[]; suspected: Found[] } {
  const { comparison, decision, tally, places } = finished;
  if (!comparison) return { worst: failingRows(tally).map((row) => ofRow(row)), suspected: [] };
  const { blocks, suspected, beyond } = changeTiers(comparison, decision);
  const others = beyond.map((message) => ({ title: 'blocks', message, place: undefined }));
  return { worst: [...blocks.map(ofChange), ...others], suspected: suspected.map(ofChange) };

  function ofChange(change: CriterionChange): Found {
    const { word, rate, proof, why } = changeTexts(change);
    const facts = [rate, proof].filter((fact) => fact !== '').join(', ');
    return {
      title: `${word}: ${change.scenario} ${change.check}`,
      message: why === '' ? facts : `${facts}\n${why}`,
      place: places?.get(change.scenario),
    };
  }
  function ofRow(row: (typeof tally.rows)[number]): Found {
    const worst = row.groups.find(({ verdict }) => verdict === 'fail');
    const why = worst && groupReason(worst);
    return {
      title: `fails: ${row.scenario.id}${why?.checkId === undefined ? '' : ` ${why.checkId}`}`,
      message: why?.reason ?? 'fails',
      place: places?.get(row.scenario.id),
    };
  }
}

function* bounded(
  all: readonly Found[],
  level: Annotation['level'],
  title: string,
  most: number,
): Generator<Annotation> {
  const room = Math.max(0, most);
  for (const one of all.slice(0, room)) yield { level, ...one };
  const left = all.length - room;
  if (left > 0) yield { level, title, message: `${left} more; the summary of the job has them all` };
}
