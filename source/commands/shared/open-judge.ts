import { join } from 'node:path';
import { createJudge } from '../../grade/judge/ask.js';
import { createFileCache } from '../../grade/judge/cache.js';
import { loadJudgePrompt } from '../../grade/judge/prompt.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import type { RunParts } from '../../run/parts.js';
import type { Suite } from '../../suite/types.js';
import { atPlace, judgeFolders, resolveModelName } from './suite-models.js';
import { createWorkshop, type Workshop } from './workshop.js';

/** What grading needs where no agent is asked: the judge, and its accounts. */
export type PreparedGrading = Pick<RunParts, 'judge'> & { accounts: Accounts };

/**
 * Opens the judge of a suite, if one is named. `asksAnew`: nothing is answered from what it said before. Throws UserError
 * for a model or a prompt that does not exist.
 */
export async function prepareGrading(
  project: Project,
  suite: Pick<Suite, 'judge' | 'places'>,
  env: NodeJS.ProcessEnv,
  options: { asksAnew?: boolean } = {},
): Promise<PreparedGrading> {
  const workshop = createWorkshop(project, suite, env);
  return { accounts: workshop.accounts, ...(await prepareJudge(suite, workshop, options)) };
}

/** The judge that a suite names; nothing where it names none. Throws UserError as `prepareGrading` does. */
export async function prepareJudge(
  suite: Pick<Suite, 'judge' | 'places'>,
  { project, env, open }: Workshop,
  { asksAnew = false }: { asksAnew?: boolean } = {},
): Promise<Pick<RunParts, 'judge'>> {
  if (!suite.judge) return {};
  const { prompt: named } = suite.judge;
  const prompt = await atPlace(suite.places?.judgePrompt, () =>
    loadJudgePrompt(named, judgeFolders(project)),
  );
  const reference = resolveModelName(project, suite.judge.model);
  const model = await open(reference);
  // Beside the runs: what was said of one conversation stands there anyway.
  const cache = createFileCache({ folder: join(logsFolder(project, env), '.judge-cache') });
  const ask = createJudge({
    model,
    promptName: prompt.name,
    promptText: prompt.text,
    ...(!asksAnew && { cache }),
  });
  return { judge: { model: reference, prompt: prompt.name, promptSha256: prompt.sha256, ask } };
}
