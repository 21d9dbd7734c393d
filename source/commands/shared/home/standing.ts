import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../base/clock.js';
import { UserError } from '../../../base/errors.js';
import { loadJudgePrompt } from '../../../grade/judge/prompt.js';
import { calibrationOf } from '../../../grade/labels/calibration.js';
import type { KnownLabels } from '../../../grade/labels/types.js';
import type { Project } from '../../../project/config.js';
import { quarantineSettings } from '../../../project/quarantine-settings.js';
import type { UsualRun } from '../../../report/home.js';
import { type HomeMatter, judgeMatter, mistakeMatter, triageMatters } from '../../../report/home-matters.js';
import type { RunSummary } from '../../../run/summary.js';
import { promptOf } from '../../../suite/target.js';
import type { Suite } from '../../../suite/types.js';
import { readQuarantine } from '../../../triage/quarantine-file.js';
import { triageSuite } from '../../../triage/triage.js';
import { loadWithFixtures } from '../choose-suite.js';
import { loadLabelsOf, rubricUses } from '../labels.js';
import { judgeFolders, paidFor, resolveModelName } from '../suite-models.js';

/** What the files of a suite say of it, beside its runs. */
export interface SuiteStanding {
  usual: UsualRun;
  matters: HomeMatter[];
}

/** Reads the files of a suite, and what the summaries of its runs suggest. Never throws what is for the person. */
export async function suiteStanding(
  project: Project,
  name: string,
  summaries: readonly RunSummary[],
): Promise<SuiteStanding> {
  // Reading a suite takes the thread for a while: what is known so far is drawn first.
  await nextTurn();
  try {
    const suite = await loadWithFixtures(project, name, undefined);
    const history = { summaries, damaged: [] };
    const triage = triageSuite(suite, history, await readQuarantine(project, suite), {
      settings: quarantineSettings(project.config.quarantine),
      now: systemClock.now(),
    });
    const [problem] = triage.problems;
    return {
      usual: { ...usualRun(project, suite), ...(problem && { problem: problem.message }) },
      matters: [...triageMatters(triage), ...(await judgeMatters(project, suite))],
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const [problem = ''] = error.message.split('\n');
    return {
      usual: { isCandidate: false, asks: [], problem },
      matters: [mistakeMatter(name, problem)],
    };
  }
}

/** The candidate where the config names one, else what is deployed. */
function usualRun(project: Project, suite: Suite): UsualRun {
  const prompt = promptOf(suite);
  const { prompts } = project.config;
  const entry = prompt !== undefined && Object.hasOwn(prompts, prompt) ? prompts[prompt] : undefined;
  return {
    isCandidate: entry?.candidate !== undefined,
    asks: paidFor(project, suite),
  };
}

async function judgeMatters(project: Project, suite: Suite): Promise<HomeMatter[]> {
  const { judge } = suite;
  if (!judge) return [];
  const { sha256 } = await loadJudgePrompt(judge.prompt, judgeFolders(project));
  const model = resolveModelName(project, judge.model);
  const labels: KnownLabels = await loadLabelsOf(project, judge.prompt).catch((error) => {
    if (error instanceof UserError) return 'unread';
    throw error;
  });
  const uses = new Map(rubricUses(suite).map((use) => [use.rubric, use]));
  const calibrations = Array.from(uses.values(), (use) =>
    calibrationOf(labels, use.rubric, { model, sha256 }, use),
  );
  return judgeMatter(suite.name, { prompt: judge.prompt, model }, calibrations);
}
