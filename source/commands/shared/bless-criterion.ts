import { UserError } from '../../base/errors.js';
import { findBaseline, readBaseline } from '../../compare/baseline-file.js';
import { nameOfCheck, shellQuote } from '../../compare/baseline-save.js';
import { writeBaseline } from '../../compare/baseline-write.js';
import { type Blessed, type Blessing, bless, UnblessableCheck } from '../../compare/bless.js';
import type { CriterionKey, Evidence } from '../../compare/types.js';
import type { Project } from '../../project/config.js';
import { gitFacts, gitFileFacts, gitLastAuthor, gitUser } from '../../project/git.js';
import { expectationText } from '../../report/baseline.js';

/** A criterion that takes what a run shows as its expectation. */
export interface BlessQuestion extends CriterionKey {
  project: Project;
  evidence: Evidence;
  /** Not empty. */
  reason: string;
  /** How the person starts evalrun. */
  program: string;
}

/** What was written. Texts hold names of files and people: not made safe yet. */
export interface BlessAnswer {
  /** `refund/offers-credit  pass 3/3 → fail 1/3` */
  change: string;
  /** The person also made the last edit of the prompt. */
  note?: string;
  /** From the top of the project. */
  file: string;
  /** The line that commits the file with the reason. */
  commit: string;
}

/**
 * Writes the blessing of one criterion into the baseline of its suite and model. Throws UserError: with exit code 1 where
 * the config wants a second reviewer and the person is the author of the prompt's last edit; with 2 for a run that is no
 * evidence, a missing baseline, and a criterion that cannot be blessed.
 */
export async function blessCriterion(question: BlessQuestion): Promise<BlessAnswer> {
  const { project, evidence, scenario, check, reason, program } = question;
  if (evidence.taints.length > 0)
    throw new UserError(`run ${evidence.runId} is tainted and is no evidence; make another`);
  const place = await findBaseline(project, evidence.suite, evidence.condition, evidence.answered.models);
  if (!place) throw new UserError(noBaseline(evidence, program));
  const [by, facts] = await Promise.all([gitUser(project.root), gitFacts(project.root)]);
  const isOwnEdit = await isAuthorOfPrompt(project, evidence, by?.email);
  const name = nameOfCheck({ scenario, check });
  const { promptPath } = evidence.condition;
  if (isOwnEdit && project.config.guard.secondReviewer === true) {
    throw new UserError(
      `${promptPath} was last edited by you, and this project wants a second reviewer ("guard" of .evalrc.json): have somebody else bless ${name}`,
      1,
    );
  }
  const blessing: Blessing = {
    scenario,
    check,
    reason,
    now: Date.now(),
    ...(by && { by: by.name }),
    ...(facts && { commit: facts.commit }),
  };
  const baseline = await readBaseline(project, place.path);
  const { from, to, baseline: next } = blessed(() => bless(baseline, evidence, blessing));
  await writeBaseline(place.path, next);
  const file = shellQuote(place.shown);
  return {
    change: `${name}  ${from ? expectationText(from) : 'nothing was expected'} → ${expectationText(to)}`,
    ...(isOwnEdit && { note: `${promptPath} was last edited by you; have somebody else look at this` }),
    file: place.shown,
    commit: `git add -- ${file} && git commit -m ${shellQuote(`Bless ${name}: ${reason}`)} -- ${file}`,
  };
}

/** Why nothing of a suite can be blessed. */
export function noBaseline(
  { suite, condition }: Pick<Evidence, 'suite' | 'condition'>,
  program: string,
): string {
  return `${suite} has no baseline on ${condition.model} yet; ${program} baseline save makes one from a run`;
}

/** Whether the prompt of a run was last edited by whoever has this address; an edit that is not committed is theirs. */
async function isAuthorOfPrompt(
  project: Project,
  { condition: { promptPath } }: Evidence,
  email: string | undefined,
): Promise<boolean> {
  if (promptPath === undefined) return false;
  const facts = await gitFileFacts(project.root, promptPath);
  if (facts?.dirty) return true;
  const author = await gitLastAuthor(project.root, promptPath);
  return author !== undefined && author.email === email;
}

function blessed(make: () => Blessed): Blessed {
  try {
    return make();
  } catch (error) {
    throw error instanceof UnblessableCheck ? new UserError(error.message) : error;
  }
}
