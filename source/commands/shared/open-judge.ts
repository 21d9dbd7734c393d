import { join } from 'node:path';
import { InputError } from '../../base/errors.js';
import { createJudge } from '../../grade/judge/ask.js';
import { createFileCache } from '../../grade/judge/cache.js';
import { loadJudgePrompt } from '../../grade/judge/prompt.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import { vendorNotice } from '../../report/run-facts.js';
import type { RunParts } from '../../run/parts.js';
import type { Suite } from '../../suite/types.js';
import { atPlace, judgeFolders, resolveModelName } from './suite-models.js';
import { createWorkshop, type Workshop } from './workshop.js';

/** The judge of a run, and what its reports say of its vendor. */
type PreparedJudge = Pick<RunParts, 'judge' | 'vendors'>;

/** What grading needs where no agent is asked: the judge, and its accounts. */
export type PreparedGrading = PreparedJudge & { accounts: Accounts };

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
): Promise<PreparedJudge> {
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
  const vendors = vendorsOf(project);
  return {
    judge: { model: reference, prompt: prompt.name, promptSha256: prompt.sha256, ask },
    ...(Object.keys(vendors).length > 0 && { vendors }),
  };
}

/** What the config says of vendors, as `sameVendor` takes it: by provider, or by `provider:` and the beginning of a model. */
function vendorsOf({ config }: Project): Record<string, string> {
  const found = Object.entries(config.providers).flatMap(([provider, { vendor }]) => {
    if (vendor === undefined) return [];
    if (typeof vendor === 'string') return [[provider, vendor] as const];
    return Object.entries(vendor).map(([model, name]) => [`${provider}:${model}`, name] as const);
  });
  return Object.fromEntries(found);
}

/**
 * Throws InputError where `judge.strict` of the suite wants a judge of another vendor than the agent's models and it is
 * not, or nobody said whose a model is.
 */
export function refuseOwnVendor(
  { judge: spec, place, places }: Pick<Suite, 'judge' | 'place' | 'places'>,
  models: readonly string[],
  { judge, vendors }: PreparedJudge,
): void {
  if (spec?.strict !== true || !judge) return;
  const notice = vendorNotice(
    models.map((model) => ({ model })),
    judge.model,
    vendors,
  );
  if (notice === undefined) return;
  const message = `the judge has to be of another vendor than the agent (strict): ${notice.text}`;
  throw new InputError([{ ...(places?.judge ?? place), message }]);
}
