import { type ExitCode, UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { caseKey } from '../grade/labels/cases.js';
import {
  agreementSoFar,
  createDesk,
  type ReviewAnswer,
  type ReviewCase,
  type ReviewDesk,
} from '../grade/labels/desk.js';
import { neededScore } from '../grade/labels/rubric-hash.js';
import { checkCatalogue } from '../grade/registry.js';
import { loadProject, type Project } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { safeJson } from '../report/json.js';
import { agreementLines } from '../report/judge-test.js';
import { createTrialReader } from '../run/reader.js';
import { type Recording, readRecording } from '../run/recording.js';
import { findRun, type RunPlace } from '../run/runs.js';
import { listSuites, loadSuite } from '../suite/load.js';
import type { CommandIo } from './io.js';
import { labelsFile, loadLabelsOf } from './shared/labels.js';
import { writeLines } from './shared/output.js';
import { pastRun } from './shared/past-run.js';
import { reviewCase } from './shared/review-case.js';
import { openScreens } from './shared/screens.js';
import { reviewerName, today } from './shared/signature.js';
import { isOnScreen } from './shared/terminal.js';

export interface ReviewArgs {
  /** An id, the beginning of one, or `last`. */
  run: string;
  plain?: boolean;
  json?: boolean;
}

/** What of a run is to be reviewed. */
interface ReviewWork {
  cases: ReviewCase[];
  /** Verdicts whose case has a label already, or is like another one. */
  known: number;
  /** Verdicts of rubrics that have changed since, or are gone. */
  changed: number;
}

/** Cases of one review: more than a person sees in a day. */
const mostCases = 500;

/**
 * `evalrun review`: the verdicts of a run's judge, one at a time, for a person to give theirs before they see the judge's.
 * What they say is written to the labels of the judge prompt. Without a terminal the cases are listed, without what the
 * judge said of them. Exit code 0.
 */
export async function reviewCommand(args: ReviewArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const place = await findRun(logsFolder(project, io.env), args.run);
  const recording = await readRecording(place.journal);
  const { judge, suite, runId } = recording.started;
  if (!judge) throw new UserError(`no judge was asked in run ${runId}: there is nothing to review`);
  const file = labelsFile(project, judge.prompt);
  const work = await findCases(project, recording, place);
  const notes = [
    work.known > 0 && `${work.known} verdicts have a label, or are on the same words as another one`,
    work.changed > 0 &&
      `${work.changed} verdicts are of rubrics that changed or are gone; evalrun regrade ${runId} asks anew`,
  ].filter((note) => note !== false);
  if (args.json === true) {
    const cases = work.cases.map(({ judged: _, reason: __, ...shown }) => shown);
    await writeLines(io.stdout, [safeJson({ run: runId, labels: file.shown, ...work, cases })]);
    return 0;
  }
  if (!isOnScreen(args, io) || work.cases.length === 0) {
    await writeLines(io.stdout, listLines(work, runId, file.shown), io.env);
    await writeLines(io.stdout, notes, io.env);
    return 0;
  }
  const desk = await createDesk({
    title: `${suite} ${runId}`,
    path: file.path,
    file: file.shown,
    cases: work.cases,
    by: await reviewerName(io.env),
    at: today(),
  });
  const answers = await openOnScreen(desk, place, io);
  if (answers.size === 0) {
    await writeLines(io.stdout, ['nothing was labelled', ...notes], io.env);
    return 0;
  }
  const agreement = agreementSoFar(desk.cases, answers);
  const left = work.cases.length - answers.size;
  const revised = [...answers.values()].filter(({ isRevised }) => isRevised).length;
  if (revised > 0) notes.unshift(`${revised} changed after the judge was seen: not counted here`);
  await writeLines(
    io.stdout,
    [
      makeVisible(
        `${answers.size} labelled in ${file.shown}${left > 0 ? `, ${left} left: evalrun review ${runId}` : ''}`,
      ),
      ...agreementLines(agreement),
      ...notes,
    ],
    io.env,
  );
  return 0;
}

/** What was said, by case. */
async function openOnScreen(
  desk: ReviewDesk,
  place: RunPlace,
  io: CommandIo,
): Promise<Map<number, ReviewAnswer>> {
  const given = new Map<number, ReviewAnswer>();
  await openScreens(
    {
      desk: {
        ...desk,
        save(index, answer) {
          desk.save(index, answer);
          given.set(index, answer);
        },
        remove(index) {
          given.delete(index);
          return desk.remove(index);
        },
      },
      runs: [pastRun(place, io)],
    },
    io,
  );
  return given;
}

/**
 * The verdicts of a run that nobody has labelled, each case once. Their order comes from what was said and not from the
 * verdict, so that it gives nothing away. Throws InputError with the mistakes of suite and labels.
 */
async function findCases(project: Project, recording: Recording, place: RunPlace): Promise<ReviewWork> {
  const { started, trials } = recording;
  const { judge, suite: name, runId } = started;
  if (!judge) return { cases: [], known: 0, changed: 0 };
  if (!(await listSuites(project)).includes(name))
    throw new UserError(`run ${runId} is of suite ${quote(name)}, which this project does not have`);
  const suite = await loadSuite(project, name, checkCatalogue);
  const labels = await loadLabelsOf(project, judge.prompt);
  const seen = new Set(labels.map(caseKey));
  const scenarios = new Map(suite.scenarios.map((scenario) => [scenario.id, scenario]));
  const readTrial = createTrialReader(place.journal);
  const found: { key: string; one: ReviewCase }[] = [];
  const work: ReviewWork = { cases: [], known: 0, changed: 0 };
  for (const trial of trials.values()) {
    if ('missing' in trial) continue;
    const record = await readTrial(trial.key, trial.positions);
    for (const result of record.results) {
      if (!result.judge || !record.finished) continue;
      const one = reviewCase(started, record, result, scenarios.get(trial.key.scenario));
      if (!one) {
        work.changed++;
        continue;
      }
      const key = caseKey(one);
      if (seen.has(key)) {
        work.known++;
        continue;
      }
      seen.add(key);
      found.push({ key, one });
    }
  }
  found.sort((a, b) => (a.key < b.key ? -1 : 1));
  work.cases = found.slice(0, mostCases).map(({ one }) => one);
  return work;
}

function* listLines({ cases }: ReviewWork, runId: string, file: string): Generator<string> {
  if (cases.length === 0) {
    yield `nothing to review in run ${runId}`;
    return;
  }
  yield makeVisible(
    `${cases.length} verdicts of run ${runId} without a label in ${file}; in a terminal they are shown one at a time`,
  );
  for (const { from, check } of cases) {
    const scale = neededScore(check) === undefined ? 'pass or fail' : '1 to 5';
    yield makeVisible(`  ${from.scenario}#${from.trial ?? 1}   ${from.check}   ${scale}`);
  }
}
