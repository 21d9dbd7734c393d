import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { loadProject } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { safeJson } from '../report/json.js';
import { reviewLines } from '../report/review.js';
import { type TrialKey, trialId } from '../run/events.js';
import { createTrialReader } from '../run/reader.js';
import { confirmingTrials, type RecordedTrial, type Recording, readRecording } from '../run/recording.js';
import { readReviews, type SavedReview, saveReview } from '../run/reviews.js';
import { findRun } from '../run/runs.js';
import type { TrialRecord } from '../run/types.js';
import type { CommandIo } from './io.js';
import { writeLines } from './shared/output.js';
import { openReviewer, type Reviewer, whyNoReviewer } from './shared/reviewer.js';
import { scenariosOf } from './shared/trial-desk.js';

export interface TranscriptReviewArgs {
  /** An id, the beginning of one, or `last`. */
  run: string;
  /**
   * `scenario#2`, or `scenario` for all of its trials. Not set: trials in which a check did not pass. Of a comparison
   * what is tried is read, and not its base; trials that confirm a suspect only by their number, for they say the same
   * again.
   */
  trial?: string;
  json?: boolean;
}

/** Conversations that are read without being named: each is a long request to a dear model. */
const mostUnnamed = 10;

/**
 * `evalrun review --transcript`: the reviewer model reads whole conversations and says turn by turn what was right, missed
 * and too early. What it said is kept beside the run and printed; asked again, it is printed from there. No verdict
 * depends on it. Exit code 0; 3 when the reviewer cannot be reached or an answer could not be read.
 */
export async function transcriptReviewCommand(args: TranscriptReviewArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const why = whyNoReviewer(project);
  if (why !== undefined) throw new UserError(why);
  const place = await findRun(logsFolder(project, io.env), args.run);
  const recording = await readRecording(place.journal);
  const readTrial = createTrialReader(place.journal);
  const chosen = await chooseTrials(args.trial, recording, readTrial);
  const scenarios = await scenariosOf(project, recording.started.suite);
  const saved = await readReviews(place.folder);
  let ask: Reviewer | undefined;
  const reviews: SavedReview[] = [];
  for (const [index, record] of chosen.entries()) {
    let review = saved.get(trialId(record.key));
    if (!review || review.unread) {
      ask ??= await openReviewer(project, io.env);
      if (chosen.length > 1)
        io.stderr.write(`evalrun: reading ${index + 1} of ${chosen.length} transcripts\n`);
      review = await ask(record, scenarios.get(record.key.scenario), recording.started.seed);
      await saveReview(place.folder, review);
    }
    reviews.push(review);
    if (args.json === true) continue;
    if (index > 0) await writeLines(io.stdout, [''], io.env);
    await writeLines(io.stdout, reviewLines(review, record), io.env);
  }
  if (args.json === true) await writeLines(io.stdout, [safeJson({ run: place.runId, reviews })]);
  return reviews.some(({ unread }) => unread) ? 3 : 0;
}

/** The conversations that are meant, read. Throws UserError where there is none. */
async function chooseTrials(
  wanted: string | undefined,
  recording: Recording,
  readTrial: (
    key: TrialKey,
    positions: Extract<RecordedTrial, { positions: unknown }>['positions'],
  ) => Promise<TrialRecord>,
): Promise<TrialRecord[]> {
  const { started, trials } = recording;
  const isConfirming = confirmingTrials(recording);
  const [, bad] = started.plan.conditions;
  /** Of a bisect those of the prompt that fails: what was tried in between is nobody's prompt. */
  const isAside = (key: TrialKey) => (started.bisect ? key.condition !== bad?.id : isConfirming(key));
  const parts = wanted === undefined ? null : /^(.+)#(\d+)$/su.exec(wanted);
  const ids = started.plan.scenarios.map(({ id }) => id);
  const isWhole = wanted !== undefined && ids.includes(wanted);
  const id = isWhole || !parts ? wanted : parts[1];
  const repeat = isWhole || !parts ? undefined : Number(parts[2]);
  if (id !== undefined && !ids.includes(id))
    throw new UserError(`the run has no scenario ${quote(id)}; ${suggest(id, ids, 'scenarios')}`);
  const found: TrialRecord[] = [];
  for (const trial of trials.values()) {
    if ('missing' in trial) continue;
    if (id !== undefined && trial.key.scenario !== id) continue;
    if (repeat === undefined ? isAside(trial.key) : trial.key.repeat !== repeat) continue;
    if (trial.key.condition === started.base?.condition) continue;
    const record = await readTrial(trial.key, trial.positions);
    const isSound = record.results.every(({ verdict }) => verdict === 'pass' || verdict === 'warn');
    if (record.turns.length > 0 && (wanted !== undefined || !isSound)) found.push(record);
    if (wanted === undefined && found.length === mostUnnamed) break;
  }
  if (found.length > 0) return found;
  throw new UserError(
    wanted === undefined
      ? 'every trial of the run passes: name one with --trial SCENARIO#N'
      : `there is no conversation of ${quote(wanted)} in the run`,
  );
}
