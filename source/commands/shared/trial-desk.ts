import { openForEdit } from '../../base/edit-file.js';
import { UserError } from '../../base/errors.js';
import { caseKey } from '../../grade/labels/cases.js';
import type { ReviewCase } from '../../grade/labels/desk.js';
import { readLabels } from '../../grade/labels/load.js';
import { verdictOn } from '../../grade/labels/rubric-hash.js';
import { appendLabel, labelText, removeLabel } from '../../grade/labels/write.js';
import { checkCatalogue } from '../../grade/registry.js';
import { loadProject, type Project } from '../../project/config.js';
import type { RunStarted } from '../../run/reader.js';
import { readReviews, saveReview } from '../../run/reviews.js';
import { listSuites, loadSuite } from '../../suite/load.js';
import type { Scenario } from '../../suite/types.js';
import type { OpenTrialDesk, TrialDesk } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { labelsFile, loadLabelsOf } from './labels.js';
import { reviewCase } from './review-case.js';
import { openReviewer, type Reviewer, whyNoReviewer } from './reviewer.js';
import { reviewerName, today } from './signature.js';

/**
 * What a person can look up and add while a trial is open: the labels of the judge, and what the reviewer said. `folder`
 * gives the folder of the run.
 */
export function trialDeskOf(io: CommandIo, folder: () => string): OpenTrialDesk {
  return async (started) => {
    const project = await loadProject({ cwd: io.cwd, env: io.env });
    return createTrialDesk(project, started, folder, io.env);
  };
}

function createTrialDesk(
  project: Project,
  started: RunStarted,
  folder: () => string,
  env: NodeJS.ProcessEnv,
): TrialDesk {
  const { judge, suite } = started;
  let reviewer: Promise<Reviewer> | undefined;
  let scenarios: Promise<Map<string, Scenario>> | undefined;
  // What could not be opened is tried again the next time: the person may have mended it.
  const openOnce = () => {
    reviewer ??= openReviewer(project, env).catch((error) => {
      reviewer = undefined;
      throw error;
    });
    return reviewer;
  };
  const readOnce = () => {
    scenarios ??= scenariosOf(project, suite).catch((error) => {
      scenarios = undefined;
      throw error;
    });
    return scenarios;
  };

  return {
    file: judge && labelsFile(project, judge.prompt).shown,
    whyNoReviewer: whyNoReviewer(project),
    readLabels: async () => (judge ? loadLabelsOf(project, judge.prompt) : []),
    readReviews: () => readReviews(folder()),
    async review(record, options) {
      const [ask, all] = await Promise.all([openOnce(), readOnce()]);
      const review = await ask(record, all.get(record.key.scenario), started.seed, options);
      await saveReview(folder(), review);
      return review;
    },
    async label(record, result, agrees) {
      if (!judge) throw new UserError('no judge was asked in this run');
      const one = reviewCase(started, record, result, (await readOnce()).get(record.key.scenario));
      if (!one) throw new UserError('the check was changed since, or is gone: evalrun regrade asks anew');
      const { path, shown } = labelsFile(project, judge.prompt);
      return writeLabel(one, agrees, { path, shown, by: await reviewerName(env) });
    },
  };
}

/** The scenarios of a suite by id; none where the project has no such suite any more. */
export async function scenariosOf(project: Project, suite: string): Promise<Map<string, Scenario>> {
  if (!(await listSuites(project)).includes(suite)) return new Map();
  const { scenarios } = await loadSuite(project, suite, checkCatalogue);
  return new Map(scenarios.map((scenario) => [scenario.id, scenario]));
}

/** Writes what a person says with the judge's verdict in view. */
async function writeLabel(
  one: ReviewCase,
  agrees: boolean,
  file: { path: string; shown: string; by: string },
): ReturnType<TrialDesk['label']> {
  const { judged, reason: _, ...kept } = one;
  if (judged.pass === 'unknown') throw new UserError('the judge gave no verdict to agree with');
  const right = judged.pass === agrees ? 'pass' : 'fail';
  const text = await labelText({
    ...kept,
    judged,
    expected: verdictOn(one.check, agrees ? (judged.score ?? right) : right),
    by: file.by,
    at: today(),
    isSighted: true,
  });
  const edit = await openForEdit(file.path);
  const known = (await readLabels(readNow(edit), file.shown)).find(
    (label) => caseKey(label) === caseKey(one),
  );
  if (known) {
    const word = known.expected.pass ? 'pass' : 'fail';
    throw new UserError(`labelled already in ${known.place.file}:${known.place.line}: ${word}`);
  }
  edit((before) => appendLabel(before, text));
  return {
    expected: right,
    takeBack() {
      let isGone = false;
      edit((before) => {
        const rest = removeLabel(before, text);
        isGone = rest !== undefined;
        return rest;
      });
      return isGone;
    },
  };
}

function readNow(edit: Awaited<ReturnType<typeof openForEdit>>): string {
  let text = '';
  edit((before) => {
    text = before;
    return undefined;
  });
  return text;
}
